/** wasm-perf record -- COMMAND in the npm package: profiles a JavaScript program. */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { Worker } from 'node:worker_threads';
import { EXIT_FAILURE, EXIT_SIGNAL_BASE, SAME_SIGNAL_MS, SESSION, SESSION_MESSAGES } from '../wperf/format.mjs';
import { say, sayOne } from '../node/message.mjs';
import { others, waitForOthers } from '../node/presence.mjs';
import { runOnNode } from './command.mjs';

const register = new URL('../bundle/register.mjs', import.meta.url).href;

function fail(code, message) {
  say(message);
  return code;
}

/** Removes the session's folder and ends this process by the signal. */
function endBy(signal, folder) {
  rmSync(folder, { recursive: true, force: true });
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/**
 * Runs the program; returns its exit code. The first signal goes to the program, and also as a file to
 * the session's folder, as a busy program handles no signals but its watcher thread sees the file. A second
 * SIGINT ends everything, unless the program handles SIGINT itself.
 */
function run([program, ...args], env, { folder, session, duration }) {
  const child = spawn(program, args, { stdio: 'inherit', env });
  const file = join(session, SESSION.stop);
  let interrupted = -Infinity;
  const note = (signal) => existsSync(file) || writeFileSync(file, String(constants.signals[signal]));
  process.on('SIGINT', (signal) => {
    const isFirst = interrupted === -Infinity;
    if (isFirst) interrupted = performance.now();
    if (isFirst || existsSync(file + SESSION.handled)) return note(signal); // a terminal has sent it on
    if (performance.now() - interrupted < SAME_SIGNAL_MS) return;
    child.kill('SIGKILL');
    endBy(signal, folder);
  });
  const end = (signal) => {
    child.kill(signal);
    note(signal);
  };
  process.on('SIGTERM', end);
  const timer = duration > 0 && setTimeout(end, duration, 'SIGTERM');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      resolve(code ?? EXIT_SIGNAL_BASE + constants.signals[signal]);
    });
  });
}

/** Runs a command of this package in a thread; any signal ends this process meanwhile. */
function runInThread(name, words, folder) {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.removeAllListeners(signal);
    process.on(signal, () => endBy(signal, folder));
  }
  const thread = new Worker(new URL('./command_thread.mjs', import.meta.url), { workerData: { name, words } });
  return new Promise((resolve, reject) => {
    thread.on('message', resolve);
    thread.on('error', reject);
  });
}

/** Opens a file in the desktop's browser. */
function openInBrowser(path) {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform] ?? 'xdg-open';
  const child = spawn(opener, [resolvePath(path)], { stdio: 'ignore', detached: true });
  child.on('error', () => say(`no browser was found: open ${path} in one`));
  child.unref();
}

/** Prints why there is no profile, unless a process of the program has done so. */
function explainNothing(folder, names) {
  const [skipped, seen, refused, running, ran, stop] = ['skipped', 'seen', 'refused', 'running', 'ran', 'stop'].map((end) =>
    names.find((name) => name.endsWith(SESSION[end])));
  if (refused) return;
  const isKilled = running && others(folder).length === 0;
  const sayOf = (message, name) => sayOne(message, readFileSync(join(folder, name), 'utf8'));
  if (skipped) sayOf(SESSION_MESSAGES.skipped, skipped);
  else if (stop && !ran) say(SESSION_MESSAGES.stopped);
  else if (seen) sayOf(isKilled ? SESSION_MESSAGES.killed : SESSION_MESSAGES.seen, seen);
  else if (!ran && !running) say(SESSION_MESSAGES.no_node);
  else say(SESSION_MESSAGES.nothing);
}

/** Joins the profiles of threads and processes and writes the report; returns the exit code. */
async function report(folder, session, { output, name, symbols, open }) {
  const names = readdirSync(session);
  if (!names.some((part) => part.endsWith(SESSION.part))) {
    explainNothing(session, names);
    return EXIT_FAILURE;
  }
  const isWanted = (part) => part.endsWith(SESSION.part) || part.endsWith(SESSION.thread);
  const parts = names.filter(isWanted).map((part) => join(session, part));
  const isProfile = output.endsWith('.wperf');
  const profile = isProfile ? output : join(folder, `${name}.wperf`);
  const options = ['--by-module', ...symbols.map((path) => `--symbols=${path}`), '-o', profile];
  const status = await runInThread('wasm-perf', ['merge', ...options, ...parts], folder);
  if (isProfile || status !== 0) return status;
  const reported = await runInThread('wasm-perf', ['report', '-o', output, profile], folder);
  if (open && reported === 0) openInBrowser(output);
  return reported;
}

async function recordTo(folder, request, command) {
  const session = mkdtempSync(join(folder, 'session-'));
  const env = {
    ...process.env,
    NODE_OPTIONS: [process.env.NODE_OPTIONS, `--import=${register}`].filter(Boolean).join(' '),
    WASM_PERF_SESSION: JSON.stringify({ ...request.settings, folder: session }),
  };
  const code = await run(command, env, { folder, session, duration: request.duration });
  waitForOthers(session);
  const status = await report(folder, session, request);
  return code || status;
}

const SCRIPT = /\.[cm]?[jt]s$/;

/** The message for a program that could not be started. */
function spawnMessage({ code, path }) {
  if (code === 'ENOENT') return `${path}: command not found`;
  const advice = SCRIPT.test(path) ? `; to run a script: wasm-perf record -- node ${path}` : '';
  return code === 'EACCES' ? `${path}: it is not executable${advice}` : `${path}: it cannot be started: ${code}`;
}

/** Runs `record` with these arguments; returns the exit code. */
export async function record(words) {
  let request;
  const status = runOnNode('wasm-perf', ['record', ...words], (asked) => (request = asked));
  if (!request) return status;
  const folder = mkdtempSync(join(tmpdir(), 'wasm-perf-'));
  try {
    return await recordTo(folder, request, words.slice(words.indexOf('--') + 1));
  } catch (error) {
    return fail(EXIT_FAILURE, error.syscall?.startsWith('spawn') ? spawnMessage(error) : error.message);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
