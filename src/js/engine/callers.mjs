/**
 * Tells memory profiles which JavaScript called into a module. The first allocation of each outermost call asks for its
 * stack (runtime/embedded/memory_accounts.h). V8 has no key for a stack that is cheaper than the stack, so nothing is
 * reused: two functions that call the same third one in turns stay apart.
 */

import { Callers } from '../wperf/caller_numbers.mjs';
import { encodeSection } from '../wperf/file.mjs';
import { SECTIONS } from '../wperf/format.mjs';
import { override } from './disguise.mjs';
import { CALLERS, setHostFunction } from './host_functions.mjs';

/** Saved before the program can replace them. */
const { Error } = globalThis;
const { captureStackTrace } = Error;

const MOST_FRAMES = 2 + 8; // of JavaScript; two are ours

// ---- Stacks ----

const listFrames = (_error, frames) => frames;

/** Returns up to `limit` of V8's frames, innermost first: WebAssembly, and JavaScript above `callee`. */
function framesAbove(callee, limit) {
  const trace = {};
  const endLimit = override(Error, 'stackTraceLimit', limit);
  try {
    captureStackTrace(trace, callee);
  } finally {
    endLimit();
  }
  const endPrepare = override(Error, 'prepareStackTrace', listFrames);
  try {
    return trace.stack;
  } finally {
    endPrepare();
  }
}

const fileOf = (frame) => frame.getFileName() ?? frame.getEvalOrigin();

/** Returns the file with this code, which is bundled; undefined if the engine is not V8, or Error is frozen. */
function findOwnFile() {
  try {
    const [own] = framesAbove(undefined, 1);
    return typeof own === 'object' ? fileOf(own) : undefined;
  } catch {
    return undefined;
  }
}

const ownFile = findOwnFile();
const ownFolder = /^.*\/js\/bundle\//.exec(ownFile)?.[0]; // with other bundles, such as the host of WASI programs

const isOwn = (file) => file === ownFile || (ownFolder !== undefined && file.startsWith(ownFolder));

/** Whether a file belongs to the program and is not WebAssembly. */
const isOfProgram = (file) =>
  file !== undefined && !isOwn(file) && !file.startsWith('wasm:') && !file.startsWith('node:');

// ---- Numbers ----

/** The callers of this thread. */
const callers = new Callers();
const known = new Map(); // file -> Map(position -> number of the frame); null: it is not the program's

function positionsIn(file) {
  let positions = known.get(file);
  if (positions === undefined) known.set(file, (positions = isOfProgram(file) ? new Map() : null));
  return positions;
}

/** Returns the number of a frame; 0 if it is not the program's. */
function numberOfFrame(frame) {
  const file = fileOf(frame);
  const positions = positionsIn(file);
  if (positions === null) return 0;
  const position = frame.getPosition();
  let number = positions.get(position);
  if (number === undefined) {
    const name = frame.getFunctionName() ?? '';
    number = callers.frame({ name, file, line: frame.getLineNumber() ?? 0, column: frame.getColumnNumber() ?? 0 });
    positions.set(position, number);
  }
  return number;
}

/** Returns the number of the stack of V8's frames; 0 if none is the program's. */
function numberOfStack(stack) {
  let caller = 0;
  for (let i = stack.length - 1; i >= 0; i--) {
    const frame = numberOfFrame(stack[i]);
    if (frame > 0) caller = callers.caller(caller, frame);
  }
  return caller;
}

/** The section of the thread's callers, which follows the profile of an instance; empty if there are none. */
export const encodeCallers = () => (callers.count > 0 ? encodeSection(SECTIONS.callers, callers.encode()) : new Uint8Array(0));

// ---- Calls ----

let depth = 0; // of calls into modules that are open

/** The functions that make the calls of each depth: on a stack, each is once. */
const entries = [];

const makeEntry = (own) => ({
  enter(asked, call, args) {
    const [first, ...others] = asked;
    const outer = first.wasm_perf_enter(own);
    const outers = others.length > 0 ? others.map(({ wasm_perf_enter }) => wasm_perf_enter(own)) : others;
    try {
      depth = own;
      return call(...args);
    } finally {
      depth = own - 1;
      for (let i = outers.length; i > 0; i--) others[i - 1].wasm_perf_leave(outers[i - 1]); // some may share a memory
      first.wasm_perf_leave(outer);
    }
  },
}.enter);

let innerCount = 6; // frames of WebAssembly above the last call; V8 counts them among the limit

/** Returns the number of the stack that made the open call of that depth. Called by modules. */
function ask(call) {
  try {
    for (let limit = innerCount + MOST_FRAMES; ; limit *= 4) {
      const stack = framesAbove(entries[call], limit);
      innerCount = stack.findIndex((frame) => fileOf(frame) === ownFile);
      const isWhole = stack.length < limit || (innerCount >= 0 && stack.length - innerCount >= MOST_FRAMES);
      if (isWhole) return numberOfStack(stack.slice(innerCount, innerCount + MOST_FRAMES));
    }
  } catch {
    return 0; // Error is frozen, or the stack is full
  }
}

/** Makes an instance ask for its callers. Returns whether it does. */
export function connectCallers(exports) {
  if (!exports.wasm_perf_enter || ownFile === undefined) return false;
  return setHostFunction(exports, CALLERS, ask);
}

/**
 * Makes a call that may enter instances.
 *
 * @param {object[]} asked the exports of these instances, which are connected
 */
export function enter(asked, call, args) {
  const own = depth + 1;
  entries[own] ??= makeEntry(own);
  return entries[own](asked, call, args);
}
