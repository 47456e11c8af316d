/**
 * Signals that end a process: what is to be done first, where the program does nothing about them
 * itself. For the main thread.
 */

import fs from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { SESSION } from '../wperf/format.mjs';
import { replaceFunction } from './replace.mjs';

/** Taken before the program can put its own in their place. */
const { rmSync, writeFileSync } = fs;
const kill = process.kill.bind(process);
const HANDLED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** For other threads to see: how many handlers the program has for these, and whether it ends. */
export const signalState = new Int32Array(new SharedArrayBuffer(12));
export const HANDLER_COUNT = 0;
export const IS_ENDING = 1;
export const IS_ASKED = 2; // by the watcher: an end meanwhile would be told as one that waits for a debugger

/**
 * A file that is there while the program does something about SIGINT itself: whoever runs us does not end
 * it at the second one then.
 */
let handledFile = null;
let interruptHandlers = 0;
let hasFile = false;

function tellOfHandlers(change) {
  interruptHandlers += change;
  const isHandled = interruptHandlers > 0;
  if (!handledFile || isHandled === hasFile) return;
  try {
    if (isHandled) writeFileSync(handledFile, '');
    else rmSync(handledFile, { force: true });
    hasFile = isHandled;
  } catch {
    // The program goes on.
  }
}

/** The program ends, and handles no signals any more. */
export function endHandling() {
  if (interruptHandlers > 0) tellOfHandlers(-interruptHandlers);
}

/** The program has not ended after all. */
export function expectMore() {
  Atomics.store(signalState, IS_ENDING, 0);
}

let finish = null;

/** As without us: the process ends by the signal, unless the program does something about it. */
function onSignal(signal) {
  if (prepareEnd(signal)) kill(process.pid, signal);
}

/** Whether the process may now be ended by that signal; it is prepared for it then. */
function prepareEnd(signal) {
  if (process.listenerCount(signal) > (finish && HANDLED.includes(signal) ? 1 : 0)) return false;
  Atomics.store(signalState, IS_ENDING, 1);
  finish?.();
  process.removeListener(signal, onSignal);
  return true;
}

/** The same by the signal's number. */
export const prepareEndBy = (number) =>
  prepareEnd(Object.keys(constants.signals).find((name) => constants.signals[name] === number));

/** By these a program may end itself at once: what is to be done is done before. */
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

/** What `prepareSignals` has prepared is done from now on: before, a signal ends the process as it would without us. */
export function finishBeforeSignals(action) {
  finish = action;
  for (const signal of HANDLED) process.on(signal, onSignal);
}

/** Sees what the program does about signals; files that tell of them are in the folder. */
export function prepareSignals(folder) {
  handledFile = join(folder, SESSION.stop + SESSION.handled);
  patchSuddenEnds();
  const count = (change) => (name, listener) => {
    if (!HANDLED.includes(name) || listener === onSignal) return;
    Atomics.add(signalState, HANDLER_COUNT, change);
    if (name === 'SIGINT') tellOfHandlers(change);
  };
  process.on('newListener', count(1));
  process.on('removeListener', count(-1));
}
