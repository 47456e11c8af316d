/**
 * Makes a JavaScript host deterministic: clocks start at a constant and advance by a constant with each
 * reading, and random numbers have a constant seed. WASI functions are replaced inside modules
 * (src/runtime/embedded/fixed_wasi.c); wasm-perf sets time zone, locale and environment.
 */

import { syncBuiltinESMExports } from 'node:module';
import { builtin } from './builtin.mjs';
import { replaceFunction } from './replace.mjs';

const START_MS = 1e12; // since 1970: September 9, 2001
const STEP_NS = 1000;
const NS_PER_MS = 1e6;

let elapsed = 0; // nanoseconds

function look() {
  elapsed += STEP_NS;
  return elapsed;
}

const dateNow = () => START_MS + Math.floor(look() / NS_PER_MS);

/** Steele, Lea and Flood's generator in 32 bits, as Chris Wellons found its constants. */
let seed = 0;
function nextRandom() {
  seed = (seed + 0x9e3779b9) | 0;
  let x = seed;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** Fills a view or a buffer with random bytes. */
function fill(target) {
  const bytes = ArrayBuffer.isView(target)
    ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
    : new Uint8Array(target);
  for (let i = 0; i < bytes.length; i++) bytes[i] = nextRandom() >>> 24;
  return target;
}

/** Returns a UUID of version 4. */
function uuid() {
  const bytes = fill(Buffer.alloc(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function fixDate(globals) {
  const { Date } = globals;
  const fixed = new Proxy(Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length > 0 ? args : [dateNow()], newTarget === fixed ? target : newTarget),
    apply: () => new Date(dateNow()).toString(),
  });
  replaceFunction(Date, 'now', () => dateNow);
  Date.prototype.constructor = fixed;
  Object.defineProperty(globals, 'Date', { value: fixed, writable: true, configurable: true });
}

function fixMath({ Math }) {
  replaceFunction(Math, 'random', () => () => (nextRandom() * 2 ** 21 + (nextRandom() >>> 11)) / 2 ** 53);
}

/**
 * When garbage is collected depends on the machine. So it is never seen to be: no callback of a
 * FinalizationRegistry runs, as if the program ended before, and what a WeakRef refers to is kept with it.
 */
function fixCollection(globals) {
  const { FinalizationRegistry, WeakRef } = globals;
  const targets = new WeakMap();
  replaceFunction(FinalizationRegistry.prototype, 'register', () => function register() {});
  const kept = new Proxy(WeakRef, {
    construct(target, [referent], newTarget) {
      const reference = Reflect.construct(target, [referent], newTarget);
      targets.set(reference, referent);
      return reference;
    },
  });
  WeakRef.prototype.constructor = kept;
  Object.defineProperty(globals, 'WeakRef', { value: kept, writable: true, configurable: true });
}

/** Fixes what another context of node:vm has itself; it may have been given ours. */
export function fixGlobals(globals) {
  if (globals.Date !== Date) fixDate(globals);
  if (globals.Math !== Math) fixMath(globals);
  if (globals.WeakRef !== WeakRef) fixCollection(globals);
}

/** What has no time of its own gets ours: a mark, and the end of a measure. */
function fixMarks() {
  const lookMs = () => look() / NS_PER_MS;
  replaceFunction(performance, 'mark', (mark) => (...args) => {
    const [name, options] = args;
    const hasTime = args.length === 0 || options?.startTime !== undefined;
    return mark.apply(performance, hasTime ? args : [name, { ...options, startTime: lookMs() }]);
  });
  replaceFunction(performance, 'measure', (measure) => (...args) => {
    const [name, start, end] = args;
    const options = typeof start === 'object' ? start : { start };
    const hasDuration = options?.start !== undefined && options.duration !== undefined;
    const hasEnd = args.length === 0 || hasDuration || (end ?? options?.end) !== undefined;
    return measure.apply(performance, hasEnd ? args : [name, { start: options?.start, end: lookMs(), detail: options?.detail }]);
  });
}

function fixClocks() {
  fixDate(globalThis);
  Object.defineProperty(performance, 'timeOrigin', { value: START_MS, configurable: true });
  replaceFunction(performance, 'now', () => () => look() / NS_PER_MS);
  fixMarks();
  replaceFunction(process, 'uptime', () => () => look() / 1e9);
  replaceFunction(process, 'hrtime', () => (before = [0, 0]) => {
    const time = look() - (before[0] * 1e9 + before[1]);
    return [Math.floor(time / 1e9), time % 1e9];
  });
  process.hrtime.bigint = () => BigInt(look());
}

/** Returns the value, or passes it to the callback that may follow the arguments. */
function answer(callback, value) {
  if (typeof callback !== 'function') return value;
  process.nextTick(callback, null, value);
}

function part(target, offset = 0, size = undefined) {
  const view = ArrayBuffer.isView(target) ? Buffer.from(target.buffer, target.byteOffset, target.byteLength) : Buffer.from(target);
  fill(view.subarray(offset, size === undefined ? undefined : offset + size));
  return target;
}

function randomInt(...args) {
  const callback = typeof args.at(-1) === 'function' ? args.pop() : undefined;
  const [low, high] = args.length > 1 ? args : [0, args[0]];
  return answer(callback, low + Math.floor(((nextRandom() * 2 ** 21 + (nextRandom() >>> 11)) / 2 ** 53) * (high - low)));
}

function fixRandom() {
  fixMath(globalThis);
  const crypto = builtin('node:crypto');
  const web = Object.getPrototypeOf(crypto.webcrypto);
  replaceFunction(web, 'getRandomValues', () => fill);
  replaceFunction(web, 'randomUUID', () => uuid);
  const bytes = (size, callback) => answer(callback, fill(Buffer.alloc(size)));
  const replacements = {
    randomBytes: bytes,
    pseudoRandomBytes: bytes,
    randomFillSync: part,
    randomFill: (target, ...rest) => answer(rest.pop(), part(target, ...rest)),
    randomInt,
    randomUUID: uuid,
  };
  for (const [name, replacement] of Object.entries(replacements)) replaceFunction(crypto, name, () => replacement);
}

/** Call it once in each thread, before the program runs. */
export function fixHost() {
  fixClocks();
  fixRandom();
  fixCollection(globalThis);
  syncBuiltinESMExports();
}
