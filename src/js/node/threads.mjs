/**
 * Lets no thread of a Node program end before its profile is written. A watcher, a thread of ours, has
 * the inspector's protocol reach threads that are busy or wait in WebAssembly, where no event does.
 */

import { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';
import threads from 'node:worker_threads';
import { IS_ASKED, IS_ENDING, signalState } from './signals.mjs';

const { Worker, isMainThread, setEnvironmentData, getEnvironmentData } = threads;

const BUFFER_NAME = 'wasm-perf.flushed';
const PATIENCE = 3000; // ms for threads to answer, more than the watcher has
const MAX_THREADS = 4096;

/** By thread: how often it has written its profile when it was asked; of 0: how often all have. */
let answers;
const ALL = 0;

/** Where the watcher finds the functions that it has a thread call: {flush, stop, count}. */
const REQUEST = `globalThis[Symbol.for('wasm-perf.session')]`;
let canCount = false;

/** `count` may be left out. */
export function setRequests(requests) {
  canCount = 'count' in requests;
  Object.defineProperty(globalThis, Symbol.for('wasm-perf.session'), { value: requests });
}

let watcher = null;
const alive = new Map(); // threadId -> Worker

/** Has files `stop` and `snapshot-N` in the folder reach this process, however busy it is. */
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
    stdout: true, // else Node opens the program's own streams, and pipes no longer wait for their reader
    stderr: true,
  });
  watcher.unref();
  watcher.on('error', () => (watcher = null));
}

/** Before the process ends: the watcher asks for nothing any more, and what it has asked is answered. */
export function awaitWatcher() {
  Atomics.store(signalState, IS_ENDING, 1);
  if (watcher && Atomics.load(signalState, IS_ASKED)) Atomics.wait(signalState, IS_ASKED, 1, PATIENCE);
}

/** Has threads write their profiles; returns what waits for that. */
function askThreads(ids) {
  if (!watcher || ids.length === 0) return () => {};
  const before = Atomics.load(answers, ALL);
  watcher.postMessage({ ids });
  return () => Atomics.wait(answers, ALL, before, PATIENCE);
}

/** Called when this thread has written its profile. */
export function answer() {
  if (answers && !isMainThread) Atomics.add(answers, threads.threadId, 1);
}

const isKnown = (id) => id > 0 && id < MAX_THREADS && alive.has(id);

/** The threads that this one has started and that can be asked. */
export const askableThreads = () => [...alive.keys()].filter(isKnown);

/** Has all of these write their profiles; returns what waits for that: one that sleeps may not answer. */
export const askAll = () => askThreads(askableThreads());

/** Whether the program has threads of its own. */
export const hasThreads = () => alive.size > 0;

function follow(worker) {
  const { threadId } = worker;
  alive.set(threadId, worker);
  worker.once('exit', () => alive.delete(threadId));
}

/** The options of a worker with ours: a list of its own would leave out what loads us, and an environment what we do. */
function withRegister(options, url) {
  const { env, execArgv } = options ?? {};
  const changed = { ...options };
  if (execArgv && !execArgv.includes(url)) changed.execArgv = [...execArgv, '--import', url];
  if (typeof env === 'object' && env !== null) {
    changed.env = { WASM_PERF_SESSION: process.env.WASM_PERF_SESSION, ...env };
  }
  return options && changed;
}

/**
 * The text of a worker that is given as such, for which Node loads no module before: it is evaluated once ours is
 * there, as Node would. What is no script stays as it is.
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
 * @param {string} url of the module that loads us
 * @param {() => void} begin called before a thread is started
 */
export function patchThreads(url, begin) {
  answers = getEnvironmentData(BUFFER_NAME);
  if (!answers) {
    answers = new Int32Array(new SharedArrayBuffer(4 * MAX_THREADS));
    setEnvironmentData(BUFFER_NAME, answers);
  }
  threads.Worker = new Proxy(Worker, {
    construct(target, [file, options, ...rest], newTarget) {
      begin();
      const own = newTarget === threads.Worker ? target : newTarget;
      const code = options?.eval && typeof file === 'string' ? evaluatedAfter(url, file) : file;
      const worker = Reflect.construct(target, [code, withRegister(options, url), ...rest], own);
      follow(worker);
      return worker;
    },
  });
  Worker.prototype.constructor = threads.Worker;
  const { terminate } = Worker.prototype;
  Worker.prototype.terminate = function (...args) {
    if (isKnown(this.threadId)) askThreads([this.threadId])();
    alive.delete(this.threadId);
    return terminate.apply(this, args);
  };
  syncBuiltinESMExports();
}
