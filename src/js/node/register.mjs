/**
 * Profiles every WebAssembly module that a Node program instantiates. The program is not changed:
 *
 *     node --import wasm-perf/register app.mjs
 *
 * `wasm-perf record -o app.svg -- node app.mjs` does the same with more options. Modules are instrumented
 * before they are compiled. Environment variables set the options:
 *
 *     WASM_PERF_OUTPUT    the profile or report; default: profile.wperf
 *     WASM_PERF_CLOCK     sampled (the default), instructions or none
 *     WASM_PERF_MODULE    profile only modules whose name matches this glob
 *     WASM_PERF_SYMBOLS   builds that provide names for functions without one, separated as in PATH
 *     WASM_PERF_CACHE     folder that keeps rewritten modules for later runs; default:
 *                         wasm-instrument/modules in the user's cache folder; empty: no cache
 *     WASM_PERF_FOLDER    empty, private folder for temporary files, which is removed at the end. If a file
 *                         `stop` with a signal's number appears in it, the program ends by that signal, even
 *                         if it is busy
 *     WASM_PERF_SESSION   set by this file: settings for threads and child processes
 */

import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, threadId } from 'node:worker_threads';
import { SESSION } from '../wperf/format.mjs';
import { obstacleOfEngine } from '../engine/patch.mjs';
import { sawOverflow } from '../engine/stack.mjs';
import { adviceOnStack } from './advice.mjs';
import { builtin } from './builtin.mjs';
import { cacheFolder, readSecret } from './cache_folder.mjs';
import { patchChildren, patchExecve, withSession } from './children.mjs';
import { patchContexts } from './contexts.mjs';
import * as fileNames from './file_names.mjs';
import { fixGlobals, fixHost } from './fixed_host.mjs';
import { handedOn, handOn } from './handed_on.mjs';
import { avoidInlining } from './inlining.mjs';
import { say } from './message.mjs';
import { merge } from './merge.mjs';
import { findObstacle } from './obstacle.mjs';
import { enter, leave, waitForOthers } from './presence.mjs';
import { keepsStacks, Recorder } from './recorder.mjs';
import { patchWasi } from './program_wasi.mjs';
import { createRewriter } from './rewriter.mjs';
import { deliver, endHandling, expectMore, finishBeforeSignals, prepareEndBy, prepareSignals } from './signals.mjs';
import { patchInput } from './standard_input.mjs';
import { answer, askAll, askableThreads, awaitWatcher, hasThreads, patchThreads, setRequests, startWatcher } from './threads.mjs';
import { patchWait } from './waits.mjs';

const { env } = process;
const OPTION = `--import=${import.meta.url}`; // option of Node that loads the profiler
const OWN_FILE = fileURLToPath(import.meta.url);

/** Returns the settings of this process. */
function readSettings() {
  const given = handedOn();
  const obstacle = findObstacle(given?.folder ?? tmpdir());
  if (obstacle) return { ...given, obstacle };
  if (given) {
    if (!existsSync(given.folder)) return { ...given, isLate: true };
    const isFirst = given.node === undefined && isMainThread;
    given.node ??= process.execPath; // the first process's
    given.cache ??= cacheFolder();
    given.secret ??= readSecret(given.cache);
    handOn(given);
    return { ...given, isFirst, isOwn: false };
  }
  const clock = env.WASM_PERF_CLOCK || 'sampled';
  const builds = (env.WASM_PERF_SYMBOLS ?? '').split(delimiter).filter(Boolean);
  const settings = {
    node: process.execPath,
    folder: env.WASM_PERF_FOLDER || mkdtempSync(join(tmpdir(), 'wasm-perf-')),
    cache: cacheFolder(),
    secret: readSecret(cacheFolder()),
    clock,
    modules: env.WASM_PERF_MODULE ? [env.WASM_PERF_MODULE] : [],
    keepsArguments: false,
    args: ['--embed', '--no-file', '--hints', `--clock=${clock}`, ...builds.map((build) => `--names=${resolve(build)}`)],
  };
  handOn(settings);
  env.NODE_OPTIONS = [env.NODE_OPTIONS, OPTION].filter(Boolean).join(' '); // for child processes
  return { ...settings, isOwn: true };
}

/** Whether the word is the option that loads this file, of any host: Node's has a URL, Bun's a path in quotes. */
const isOwnOption = (word) => [new URL(import.meta.url).pathname, `${OWN_FILE}"`].some((end) => word.endsWith(end));

/**
 * Hides our variables from a program whose host is deterministic: they contain random names and paths. Threads and
 * child processes get the session all the same, see patchChildren. XDG_CACHE_HOME was kept for our cache.
 */
function hideSession() {
  for (const name of Object.keys(env)) {
    if (name.startsWith('WASM_PERF_') || name === 'XDG_CACHE_HOME') delete env[name];
  }
  for (const name of ['NODE_OPTIONS', 'BUN_OPTIONS']) {
    const rest = (env[name] ?? '').replace(/ *("[^"]*"|[^ ]+)/g, (option, word) => (isOwnOption(word) ? '' : option)).trim();
    if (rest) env[name] = rest;
    else delete env[name];
  }
}

/** Merges the profiles of all threads and processes. */
function mergeProfiles(folder, output) {
  const names = readdirSync(folder);
  if (!names.some((name) => name.endsWith(SESSION.part))) return say('no WebAssembly module was instantiated');
  const parts = names.filter((name) => name.endsWith(SESSION.part) || name.endsWith(SESSION.thread));
  merge(['--by-module', '-o', output, ...parts.map((name) => join(folder, name))], ['ignore', 'inherit', 'inherit']);
}

const US_PER_MS = 1000;
const isDeno = 'deno' in process.versions;
const isOther = isDeno || 'bun' in process.versions;
const NO_MODULE_IN_DENO = 'the program instantiated no module through WebAssembly. Deno compiles an imported .wasm file ' +
  'itself, so that is not profiled: read the file and instantiate it, or import the output of wasm-instrument --embed';

/** Whether a warning matters only to users of the rewritten module, which is discarded here. */
const isOfNoInterest = (warning) => warning.startsWith('dropped, because the code moved');

/** Calls `action` at the end of the process, perhaps twice. The test runners of Deno and Bun emit no `exit`. */
function atEnd(action) {
  process.on('exit', action);
  if (isDeno) globalThis.addEventListener('unload', action);
  if (!('bun' in process.versions)) return;
  try {
    createRequire(import.meta.url)('bun:test').afterAll(action);
  } catch {
    // Only tests have hooks.
  }
}

/** A thread of the program while it is profiled. */
class ProfiledThread {
  constructor(settings) {
    this.settings = settings;
    this.recorder = null; // until start
    this.printed = new Set(); // some programs make dozens of similar modules
    this.hasRefused = false;
    this.isFlushing = false;
    this.isAnswering = !isMainThread;
  }

  /** Prints a message once for all processes. */
  sayOnce(message, name) {
    const note = join(this.settings.folder, name);
    if (existsSync(note)) return;
    closeSync(openSync(note, 'w'));
    say(message);
  }

  warnOfClearedEnvironment() {
    this.sayOnce('a child process is not profiled, because env -i clears its environment. ' +
      'Pass these variables on: env -i NODE_OPTIONS="$NODE_OPTIONS" WASM_PERF_SESSION="$WASM_PERF_SESSION" node …', 'clearing.told');
  }

  warnOfEngine(name) {
    this.sayOnce(`the child process ${name} is another engine, so its modules are not in the profile. ` +
      'Give it the output of wasm-instrument --embed instead of a module', `${name}.told`);
  }

  prepareInlining() {
    const obstacle = avoidInlining();
    if (obstacle) this.sayOnce(obstacle, 'inlining.told');
  }

  /** Prints the warnings about a module, each once. */
  warnOfModule(name, warnings) {
    for (const warning of warnings) {
      const message = `${name}: warning: ${warning}`;
      if (isOfNoInterest(warning) || this.printed.has(message)) continue;
      this.printed.add(message);
      say(message);
    }
  }

  /** Reports why a module, or any module, cannot be profiled, and leaves a file so that wasm-perf knows. */
  refuse(error) {
    const { folder, node } = this.settings;
    this.hasRefused = true;
    const isOtherNode = error?.isOfEngine && process.execPath !== node;
    const remedy = isOtherNode ? `; begin PATH with ${dirname(node)}, whose Node.js started this one` : '';
    say((error?.message ?? String(error)) + remedy);
    try {
      closeSync(openSync(join(folder, `${process.pid}${SESSION.refused}`), 'w'));
    } catch {
      // The reason may be that the program must not write.
    }
  }

  /**
   * Writes the thread's profiles. Never throws and is not re-entrant, because it interrupts the thread anywhere.
   * Waits for the threads that this one started only at the end; otherwise returns their ids, for the watcher.
   *
   * @param {number[]} [threads] ids of the threads that should write; empty: any thread
   * @param {boolean} [isLast] the thread ends
   */
  flush(threads = [], isLast = false) {
    if (this.isFlushing || (threads.length > 0 && !threads.includes(threadId))) return [];
    this.isFlushing = true;
    const waitForThreads = isMainThread && isLast ? askAll() : () => {};
    try {
      this.recorder.noteTime();
      if (!this.recorder.isEmpty) this.recorder.flush(isLast);
    } catch (error) {
      say(`a profile is lost: ${error.message}`);
    } finally {
      waitForThreads();
      this.isFlushing = false;
      answer();
    }
    return isMainThread ? askableThreads() : [];
  }

  /**
   * For the progress line: "CALLS NODES", and 1 if the program has threads, which are not counted, otherwise 0.
   * Undefined: not now, so the last counts stay, and the line says how old they are.
   */
  count() {
    const counts = this.isFlushing ? undefined : this.recorder.count();
    return counts && `${counts} ${hasThreads() ? 1 : 0}\n`;
  }

  /** Prepares the end of the process by a signal. Returns whether the signal may end it: the program does not handle it. */
  stop(number, isForAll) {
    if (this.isFlushing) return false;
    const mayEnd = prepareEndBy(number);
    if (!mayEnd && isForAll) deliver(number);
    return mayEnd;
  }

  /** Prints advice if the program failed by a stack overflow. */
  adviseOnStack(exitCode) {
    if (exitCode === 0 || !sawOverflow() || this.settings.plain) return;
    say(adviceOnStack(isMainThread ? 'node --stack-size=3000 (KB)' : 'resourceLimits.stackSizeMb of the Worker'));
  }

  finish() {
    const { folder, isOwn } = this.settings;
    if (!existsSync(folder)) return; // wasm-perf no longer waits for profiles
    if (isMainThread) endHandling();
    if (isMainThread) awaitWatcher();
    this.flush([], true);
    if (isDeno && !this.recorder.hasModules && !this.hasRefused) this.refuse(new Error(NO_MODULE_IN_DENO));
    if (!isMainThread) return;
    leave(folder);
    if (!isOwn) return;
    waitForOthers(folder);
    mergeProfiles(folder, env.WASM_PERF_OUTPUT || 'profile.wperf');
    rmSync(folder, { recursive: true, force: true });
  }

  /**
   * Writes profiles before the process becomes another program, which is profiled, too, if it is Node. Returns
   * the environment for it, and a function to call if the process stays. Sampling has ended by then: its signals
   * would kill the other program.
   */
  becomeAnother(given) {
    this.finish();
    const { isOwn, ...shared } = this.settings;
    const image = (shared.image ?? 0) + 1; // so that its files do not replace ours
    const handedOn = isOwn ? undefined : JSON.stringify({ ...shared, image });
    const stay = () => {
      expectMore();
      if (existsSync(shared.folder)) enter(shared.folder);
      this.recorder.resume();
    };
    return { environment: withSession(given, handedOn, OPTION), stay };
  }

  /**
   * Starts answering requests: there may be something to write from now on. Before, a signal simply ends the
   * process, and no watcher thread is needed.
   */
  begin() {
    if (this.isAnswering) return;
    this.isAnswering = true;
    finishBeforeSignals(() => this.finish());
    startWatcher(this.settings.folder);
  }

  /** What the recorder needs of the thread. */
  async makeTools() {
    const { plain, args, isTrial, secret } = this.settings;
    const { rewrite, cache } = plain ? {} : await createRewriter(args, secret);
    return {
      rewrite,
      cache: isTrial ? null : cache, // the modules of a budget's trial runs are not used again
      warnOfModule: (name, warnings) => this.warnOfModule(name, warnings),
      warn: say,
      refuse: (error) => this.refuse(error),
      begin: () => this.begin(),
    };
  }

  /** Changes what the program calls, so that its modules, threads and child processes are profiled. */
  patch() {
    const { settings, recorder } = this;
    fileNames.patchFiles();
    patchInput();
    if (settings.command === undefined && !isOther) patchWasi(); // our own host treats its WASI likewise
    if (keepsStacks(settings)) patchWait();
    patchThreads(import.meta.url, () => this.begin());
    const hasSession = patchChildren(env.WASM_PERF_SESSION, OPTION, () => this.warnOfClearedEnvironment(), (name) => this.warnOfEngine(name));
    if (hasSession && settings.deterministic) hideSession();
    if (isMainThread) patchExecve((given) => this.becomeAnother(given));
    recorder.patch(globalThis.WebAssembly);
    patchContexts((globals) => {
      if (globals.WebAssembly) recorder.patch(globals.WebAssembly);
      if (settings.deterministic) fixGlobals(globals);
    });
  }

  async start() {
    const { settings } = this;
    const obstacle = settings.isFirst && !settings.plain && obstacleOfEngine(WebAssembly, 'the program was not started');
    if (obstacle) {
      this.refuse(new Error(obstacle));
      process.exit(1);
    }
    if (settings.noInlining && isMainThread) this.prepareInlining();
    const tools = await this.makeTools();
    // Each file of a test in Deno has a main thread of its own, in the same process.
    const image = isDeno ? Math.floor((performance.timeOrigin + performance.now()) * US_PER_MS) : settings.image;
    this.recorder = new Recorder({ ...settings, image }, tools, fileNames);
    if (settings.deterministic) fixHost();
    this.recorder.followMeasures();
    atEnd(() => this.finish());
    process.on('exit', (exitCode) => this.adviseOnStack(exitCode));
    if (isMainThread) prepareSignals(settings.folder);
    if (isMainThread) enter(settings.folder);
    this.patch();
    if (settings.isOwn || settings.isAsked) this.begin();
    const isSampled = !isOther && settings.command === undefined && keepsStacks(settings);
    if (isMainThread && isSampled) this.recorder.sampleFromStart();
  }
}

const thread = new ProfiledThread(readSettings());
setRequests({
  flush: (threads) => thread.flush(threads),
  stop: (number, isForAll) => thread.stop(number, isForAll),
  count: () => thread.count(),
});

// A process that starts after wasm-perf has ended, such as a daemon of the program, is not profiled.
if (!thread.settings.obstacle && !thread.settings.isLate) await thread.start().catch((error) => thread.refuse(error));
else if (thread.settings.obstacle && isMainThread) thread.refuse(thread.settings.obstacle);
