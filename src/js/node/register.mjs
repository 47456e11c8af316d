/**
 * Profiles every WebAssembly module that a Node program instantiates, unchanged:
 *
 *     node --import wasm-perf/register app.mjs
 *
 * or `wasm-perf record -o app.svg -- node app.mjs`, which is the same with more to choose. What is
 * instrumented, rewritten on its way to the engine, and where the profile goes is chosen by variables of
 * the environment:
 *
 *     WASM_PERF_OUTPUT    the profile or report; default: profile.wperf
 *     WASM_PERF_CLOCK     sampled (the default), instructions or none
 *     WASM_PERF_MODULE    only modules of that name, a glob
 *     WASM_PERF_SYMBOLS   builds that functions without a name are named after, separated as in PATH
 *     WASM_PERF_CACHE     where modules are kept as they were rewritten, for the runs that follow; default:
 *                         wasm-instrument/modules among the user's caches; empty: nowhere
 *     WASM_PERF_FOLDER    where what is needed meanwhile goes: an empty, private folder, which is removed
 *                         in the end; where a file `stop` with a signal's number appears in it, the
 *                         program ends by that signal, however busy it is
 *     WASM_PERF_SESSION   set by us: where threads and child processes put theirs
 */

import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, threadId } from 'node:worker_threads';
import { SESSION } from '../wperf/format.mjs';
import { sawOverflow } from '../engine/stack.mjs';
import { adviceOnStack } from './advice.mjs';
import { builtin } from './builtin.mjs';
import { patchChildren, patchExecve, withSession } from './children.mjs';
import { patchContexts } from './contexts.mjs';
import * as fileNames from './file_names.mjs';
import { fixHost } from './fixed_host.mjs';
import { isUninlined, restartWithoutInlining } from './inlining.mjs';
import { say } from './message.mjs';
import { findObstacle } from './obstacle.mjs';
import { enter, leave, waitForOthers } from './presence.mjs';
import { Recorder } from './recorder.mjs';
import { createRewriter, findCommand, plainEnvironment } from './rewriter.mjs';
import { endHandling, expectMore, finishBeforeSignals, prepareEndBy, prepareSignals } from './signals.mjs';
import { patchInput } from './standard_input.mjs';
import { answer, askAll, askableThreads, awaitWatcher, hasThreads, patchThreads, setRequests, startWatcher } from './threads.mjs';
import { patchWait } from './waits.mjs';

const { env } = process;
const OPTION = `--import=${import.meta.url}`; // of Node, that loads us

/** What this process was asked for, as WASM_PERF_SESSION hands it on to threads and children. */
function settle() {
  const handedOn = env.WASM_PERF_SESSION && JSON.parse(env.WASM_PERF_SESSION);
  const obstacle = findObstacle(handedOn?.folder ?? tmpdir());
  if (obstacle) return { ...handedOn, obstacle };
  if (handedOn) {
    if (!existsSync(handedOn.folder)) return { ...handedOn, isLate: true };
    handedOn.node ??= process.execPath; // of the first process
    env.WASM_PERF_SESSION = JSON.stringify(handedOn);
    return { ...handedOn, isOwn: false };
  }
  const clock = env.WASM_PERF_CLOCK || 'sampled';
  const builds = (env.WASM_PERF_SYMBOLS ?? '').split(delimiter).filter(Boolean);
  const settings = {
    node: process.execPath,
    folder: env.WASM_PERF_FOLDER || mkdtempSync(join(tmpdir(), 'wasm-perf-')),
    clock,
    modules: env.WASM_PERF_MODULE ? [env.WASM_PERF_MODULE] : [],
    perInstance: false,
    args: ['--embed', '--no-file', '--hints', `--clock=${clock}`, ...builds.map((build) => `--names=${resolve(build)}`)],
  };
  env.WASM_PERF_SESSION = JSON.stringify(settings);
  env.NODE_OPTIONS = [env.NODE_OPTIONS, OPTION].filter(Boolean).join(' '); // for child processes
  return { ...settings, isOwn: true };
}

/** Puts together what all threads and processes have written. */
function join_(folder, output) {
  const parts = readdirSync(folder).filter((name) => name.endsWith(SESSION.part));
  if (parts.length === 0) return say('no WebAssembly module was instantiated');
  const args = ['merge', '--by-module', '-o', output, ...parts.map((name) => join(folder, name))];
  const options = { stdio: ['ignore', 'inherit', 'inherit'], env: plainEnvironment() };
  const { spawnSync } = builtin('node:child_process');
  const command = findCommand('wasm-perf');
  const packaged = fileURLToPath(new URL('../command/wasm_perf.mjs', import.meta.url));
  if (command) spawnSync(command, args, options);
  else spawnSync(process.execPath, [packaged, ...args], options);
}

/** Returns in a process that inlines nothing; of one that does, which is said once for all processes. */
function avoidInlining() {
  restartWithoutInlining();
  const note = join(settings.folder, 'inlining.told');
  if (isUninlined() || existsSync(note)) return;
  closeSync(openSync(note, 'w'));
  say(`Node.js ${process.version} cannot be kept from inlining functions: --no-inlining has no effect`);
}

const settings = settle();
let recorder;

/** Of interest to who keeps the module that comes out, which nobody does here. */
const isOfNoInterest = (warning) => warning.startsWith('dropped, because the code moved');

const told = new Set(); // some programs make dozens of modules of one kind

/** Says what there is to say of a module, once. */
function tell(name, warnings) {
  for (const warning of warnings) {
    const message = `${name}: warning: ${warning}`;
    if (isOfNoInterest(warning) || told.has(message)) continue;
    told.add(message);
    say(message);
  }
}

/** Says why a module is not profiled, or none is, and lets wasm-perf know that it was said. */
function refuse(error) {
  const isOther = error?.isOfEngine && process.execPath !== settings.node;
  const remedy = isOther ? `; begin PATH with ${dirname(settings.node)}, whose Node.js started this one` : '';
  say((error?.message ?? String(error)) + remedy);
  try {
    closeSync(openSync(join(settings.folder, `${process.pid}${SESSION.refused}`), 'w'));
  } catch {
    // The reason may be that it must not write.
  }
}

let isFlushing = false;

/**
 * Never fails and is never re-entered: it interrupts whatever the thread does. Only at the end does it wait for the
 * threads that this one has started; else it returns which these are, for the watcher to ask.
 *
 * @param {number[]} [threads] which are meant; none: whoever gets this
 * @param {boolean} [isLast] the thread ends
 */
function flush(threads = [], isLast = false) {
  if (isFlushing || (threads.length > 0 && !threads.includes(threadId))) return [];
  isFlushing = true;
  const waitForThreads = isMainThread && isLast ? askAll() : () => {};
  try {
    recorder.noteTime();
    if (!recorder.isEmpty) recorder.flush(isLast);
  } catch (error) {
    say(`a profile is lost: ${error.message}`);
  } finally {
    waitForThreads();
    isFlushing = false;
    answer();
  }
  return isMainThread ? askableThreads() : [];
}

/** For the line that shows how far the program is: "CALLS NODES", and whether there are threads not counted. */
const count = () => (isFlushing ? undefined : `${recorder.count()} ${hasThreads() ? 1 : 0}\n`);

setRequests({ flush, stop: (number) => !isFlushing && prepareEndBy(number), count });

/** Of a program that failed as its stack was too small. */
function tellOfStack(exitCode) {
  if (exitCode === 0 || !sawOverflow() || settings.plain) return;
  say(adviceOnStack(isMainThread ? 'node --stack-size=3000 (KB)' : 'resourceLimits.stackSizeMb of the Worker'));
}

function finish() {
  if (!existsSync(settings.folder)) return; // whoever asked for profiles has not waited any longer
  if (isMainThread) endHandling();
  if (isMainThread) awaitWatcher();
  flush([], true);
  if (!isMainThread) return;
  leave(settings.folder);
  if (!settings.isOwn) return;
  const [pid] = waitForOthers(settings.folder);
  if (pid) say(`process ${pid} still runs: what it does is not in the profile`);
  join_(settings.folder, env.WASM_PERF_OUTPUT || 'profile.wperf');
  rmSync(settings.folder, { recursive: true, force: true });
}

/**
 * The process is about to become another program, which is profiled where it is Node, too: the changed environment, and
 * what is to be done where it stays what it is. Sampling has ended then: its signals would end the other.
 */
function becomeAnother(given) {
  finish();
  const { isOwn, ...shared } = settings;
  const image = (settings.image ?? 0) + 1; // whose files are not to replace ours
  const handedOn = isOwn ? undefined : JSON.stringify({ ...shared, image });
  const stay = () => {
    expectMore();
    if (existsSync(settings.folder)) enter(settings.folder);
    recorder.resume();
  };
  return { environment: withSession(given, handedOn, OPTION), stay };
}

let isAnswering = !isMainThread;

/** From now on there may be something to write: before, a signal simply ends the process, and nobody needs a thread. */
function begin() {
  if (isAnswering) return;
  isAnswering = true;
  finishBeforeSignals(finish);
  startWatcher(settings.folder);
}

async function start() {
  if (settings.noInlining && isMainThread) avoidInlining();
  const { rewrite, cache } = await createRewriter(settings.args);
  // The choices that a budget tries are not made again.
  const tools = { rewrite, cache: settings.isTrial ? null : cache, tell, warn: say, refuse, begin };
  recorder = new Recorder(settings, tools, fileNames);
  if (settings.deterministic) fixHost();
  process.on('exit', finish);
  process.on('exit', tellOfStack);
  if (isMainThread) prepareSignals(settings.folder);
  if (isMainThread) enter(settings.folder);
  fileNames.patchFiles();
  patchInput();
  if (settings.clock === 'sampled' && !settings.plain) patchWait();
  patchThreads(import.meta.url, begin);
  patchChildren(env.WASM_PERF_SESSION, OPTION);
  if (isMainThread) patchExecve(becomeAnother);
  recorder.patch(globalThis.WebAssembly);
  patchContexts((target) => recorder.patch(target));
  if (settings.isOwn || settings.isAsked) begin();
}

// What starts once wasm-perf has ended, as a daemon of the program may, is none of its business.
if (!settings.obstacle && !settings.isLate) await start().catch(refuse);
else if (settings.obstacle && isMainThread) refuse(settings.obstacle);
