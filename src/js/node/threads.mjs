/**
 * Writes the profile of each thread of a Node program before the thread ends. A watcher, one of our threads,
 * uses the inspector's protocol: it reaches threads that are busy or wait in WebAssembly, which events do not.
 */

import { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';
import threads from 'node:worker_threads';
import { replaceConstructor } from '../engine/disguise.mjs';
import { IS_ASKED, IS_ENDING, signalState } from './signals.mjs';

const { Worker, isMainThread, setEnvironmentData, getEnvironmentData } = threads;

const BUFFER_NAME = 'wasm-perf.flushed';
const PATIENCE = 3000; // ms to wait for threads, more than the watcher waits
const MAX_THREADS = 4096;

/** By thread id: how often it has written its profile on request. At index 0: how often all have. */
let answers;
const ALL = 0;

/** Expression for the functions that the watcher calls in a thread: {flush, stop, count}. */
const REQUEST = `globalThis[Symbol.for('wasm-perf.session')]`;
let canCount = false;

/** Sets the functions; `count` is optional. */
export function setRequests(requests) {
  canCount = 'count' in requests;
  Object.defineProperty(globalThis, Symbol.for('wasm-perf.session'), { value: requests });
}

let watcher = null;
const alive = new Map(); // threadId -> Worker

/**
 * Starts the watcher, which acts on files such as `stop` and `snapshot-N` in the folder even if this process is
 * busy.
 */
export function startWatcher(folder) {
  if (watcher || process.permission?.has('worker') === false) return;
  watcher = new Worker(new URL('./watcher.mjs', import.meta.url), {
    workerData: {
      folder,
      request: `${REQUEST}?.flush`,
      stopRequest: `${REQUEST}?.stop`,
      countRequest: canCount && `${REQUEST}?.count`,
      pid: process.pid,
      answers,
      signalState,
    },
    execArgv: [],
    env: {},
    stdout: true, // otherwise Node opens the program's own streams, and pipes no longer wait for their reader
    stderr: true,
  });
  watcher.unref();
  watcher.on('error', () => (watcher = null));
}

/** Call it before the process ends: the watcher makes no more requests, and pending ones are answered. */
export function awaitWatcher() {
  Atomics.store(signalState, IS_ENDING, 1);
  if (watcher && Atomics.load(signalState, IS_ASKED)) Atomics.wait(signalState, IS_ASKED, 1, PATIENCE);
}

/** Asks threads to write their profiles. Returns a function that waits for them. */
function askThreads(ids) {
  if (!watcher || ids.length === 0) return () => {};
  const before = Atomics.load(answers, ALL);
  watcher.postMessage({ ids });
  return () => Atomics.wait(answers, ALL, before, PATIENCE);
}

/** Call it when this thread has written its profile. */
export function answer() {
  if (answers && !isMainThread) Atomics.add(answers, threads.threadId, 1);
}

const isKnown = (id) => id > 0 && id < MAX_THREADS && alive.has(id);

/** Ids of the threads that this one started and can ask. */
export const askableThreads = () => [...alive.keys()].filter(isKnown);

/**
 * Asks all threads that this one started. Returns a function that waits for them, with a timeout: a sleeping
 * thread may not answer.
 */
export const askAll = () => askThreads(askableThreads());

/** Whether the program has started threads. */
export const hasThreads = () => alive.size > 0;

function follow(worker) {
  const { threadId } = worker;
  alive.set(threadId, worker);
  worker.once('exit', () => alive.delete(threadId));
}

/**
 * Returns a worker's options with ours added: options of Node that are its own, in execArgv or in an environment,
 * would omit the profiler.
 */
function withRegister(options, url) {
  const { env, execArgv } = options ?? {};
  const own = execArgv ?? (typeof env === 'object' && env ? process.execArgv : undefined);
  return own && !own.includes(url) ? { ...options, execArgv: [...own, '--import', url] } : options;
}

/**
 * Returns the source of a worker that is passed as text, for which Node preloads no modules: it loads the
 * profiler and then evaluates the text as Node would. Text that is not a script stays unchanged.
 */
function evaluatedAfter(url, code) {
  try {
    new vm.Script(code);
  } catch {
    return code;
  }
  return `import(${JSON.stringify(url)}).then(() => {
    const { constants, runInThisContext } = require('node:vm');
    const importModuleDynamically = constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    runInThisContext(${JSON.stringify(code)}, { filename: '[worker eval]', importModuleDynamically });
  }).catch((error) => process.nextTick(() => { throw error; }));`;
}

/**
 * @param {string} url of the module that loads the profiler
 * @param {() => void} begin called before a thread is started
 */
export function patchThreads(url, begin) {
  answers = getEnvironmentData(BUFFER_NAME);
  if (!answers) {
    answers = new Int32Array(new SharedArrayBuffer(4 * MAX_THREADS));
    setEnvironmentData(BUFFER_NAME, answers);
  }
  replaceConstructor(threads, 'Worker', (construct, [file, options, ...rest]) => {
    begin();
    const code = options?.eval && typeof file === 'string' ? evaluatedAfter(url, file) : file;
    const worker = construct(code, withRegister(options, url), ...rest);
    follow(worker);
    return worker;
  });
  const { terminate } = Worker.prototype;
  Worker.prototype.terminate = function (...args) {
    if (isKnown(this.threadId)) askThreads([this.threadId])();
    alive.delete(this.threadId);
    return terminate.apply(this, args);
  };
  syncBuiltinESMExports();
}
