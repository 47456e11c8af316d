/** Writes profiles before a signal ends the process, unless the program handles the signal. For the main thread. */

import fs from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { SESSION } from '../wperf/format.mjs';
import { replaceFunction } from './replace.mjs';

/** Saved before the program can replace them. */
const { rmSync, writeFileSync } = fs;
const kill = process.kill.bind(process);
const { setImmediate, setTimeout } = globalThis;
const HANDLED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Shared with other threads: the number of the program's signal handlers, and whether it ends. */
export const signalState = new Int32Array(new SharedArrayBuffer(12));
export const HANDLER_COUNT = 0;
export const IS_ENDING = 1;
export const IS_ASKED = 2; // watcher has a session: at exit, Node would print that it waits for a debugger

/** A file that exists while the program handles SIGINT: wasm-perf then does not kill it at the second SIGINT. */
let handledFile = null;
let interruptHandlers = 0;
let hasFile = false;

function noteHandlers(change) {
  interruptHandlers += change;
  const isHandled = interruptHandlers > 0;
  if (!handledFile || isHandled === hasFile) return;
  try {
    if (isHandled) writeFileSync(handledFile, '');
    else rmSync(handledFile, { force: true });
    hasFile = isHandled;
  } catch {
    // The program must go on.
  }
}

/** The program ends and no longer handles signals. */
export function endHandling() {
  if (interruptHandlers > 0) noteHandlers(-interruptHandlers);
}

/** The program does not end after all. */
export function expectMore() {
  Atomics.store(signalState, IS_ENDING, 0);
}

let finish = null;

const arrived = new Set(); // names of signals

/** Ends the process by the signal, as without the profiler, unless the program handles it. */
function onSignal(signal) {
  arrived.add(signal);
  if (prepareEnd(signal)) kill(process.pid, signal);
}

/** Prepares the end of the process. Returns whether the signal may now end it. */
function prepareEnd(signal) {
  if (process.listenerCount(signal) > (finish && HANDLED.includes(signal) ? 1 : 0)) return false;
  Atomics.store(signalState, IS_ENDING, 1);
  finish?.();
  process.removeListener(signal, onSignal);
  return true;
}

const nameOf = (number) => Object.keys(constants.signals).find((name) => constants.signals[name] === number);

/** Like prepareEnd, by the signal's number. */
export const prepareEndBy = (number) => prepareEnd(nameOf(number));

/** Sends the signal to this process for the program's own handler, unless it has arrived already or is about to. */
export function deliver(number) {
  const signal = nameOf(number);
  setTimeout(() => setImmediate(() => arrived.has(signal) || kill(process.pid, signal)));
}

/** Signals by which a program may end itself immediately: profiles are written first. */
const SUDDEN = [...HANDLED, 'SIGQUIT', 'SIGABRT', 'SIGKILL'];

function patchSuddenEnds() {
  const numbers = SUDDEN.map((name) => constants.signals[name]);
  replaceFunction(process, 'kill', (original) =>
    function (pid, signal = 'SIGTERM') {
      const number = constants.signals[signal] ?? signal;
      if (Number(pid) === process.pid && numbers.includes(number)) prepareEndBy(number);
      return original.call(this, pid, signal);
    });
  replaceFunction(process, 'abort', (original) =>
    function () {
      prepareEnd('SIGABRT');
      return original.call(this);
    });
}

/**
 * Calls `action` before a signal ends the process, from now on. Until then, signals work as without the
 * profiler.
 */
export function finishBeforeSignals(action) {
  finish = action;
  for (const signal of HANDLED) process.on(signal, onSignal);
}

/** Observes the program's signal handlers. The files that report them are in the folder. */
export function prepareSignals(folder) {
  handledFile = join(folder, SESSION.stop + SESSION.handled);
  patchSuddenEnds();
  const count = (change) => (name, listener) => {
    if (!HANDLED.includes(name) || listener === onSignal) return;
    Atomics.add(signalState, HANDLER_COUNT, change);
    if (name === 'SIGINT') noteHandlers(change);
  };
  process.on('newListener', count(1));
  process.on('removeListener', count(-1));
}
