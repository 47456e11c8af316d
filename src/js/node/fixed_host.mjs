/**
 * Makes a JavaScript host deterministic: clocks start at a constant and advance by a constant with each
 * reading, random numbers have a constant seed, and the machine is a constant one (fixed_machine.mjs). WASI
 * functions are replaced inside modules (src/runtime/embedded/fixed_wasi.c); wasm-perf sets time zone, locale
 * and environment. What remains is listed in src/docs/bench.md.
 */

import { syncBuiltinESMExports } from 'node:module';
import { replaceAccessor } from '../engine/disguise.mjs';
import { builtin } from './builtin.mjs';
import { fixMachine } from './fixed_machine.mjs';
import { ownerOf, replaceFunction } from './replace.mjs';

const START_MS = 1e12; // since 1970: September 9, 2001
const STEP_NS = 1000;
const NS_PER_MS = 1e6;

let elapsed = 0; // nanoseconds

function look() {
  elapsed += STEP_NS;
  return elapsed;
}

const lookMs = () => look() / NS_PER_MS;
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

/** Returns a UUID of these bytes and that version. */
function makeUuid(bytes, version) {
  bytes[6] = (bytes[6] & 0x0f) | (version << 4);
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const uuid = () => makeUuid(fill(Buffer.alloc(16)), 4);

/** Begins with the time, in milliseconds. */
function timedUuid() {
  const bytes = fill(Buffer.alloc(16));
  bytes.writeUIntBE(dateNow(), 0, 6);
  return makeUuid(bytes, 7);
}

/** Replaces a constructor by one that gives the original other arguments. */
function changeArguments(globals, name, change, apply) {
  const original = globals[name];
  const replacement = new Proxy(original, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, change(args), newTarget === replacement ? target : newTarget),
    ...(apply && { apply }),
  });
  original.prototype.constructor = replacement;
  Object.defineProperty(globals, name, { value: replacement, writable: true, configurable: true });
}

/** The same for a global that a module of Node exports, too. Old versions of Node do not have each of them. */
function replaceExported(name, module, change) {
  if (!globalThis[name]) return;
  changeArguments(globalThis, name, change);
  Object.defineProperty(builtin(module), name, { value: globalThis[name], configurable: true, enumerable: true });
}

function fixDate(globals) {
  const { Date } = globals;
  replaceFunction(Date, 'now', () => dateNow);
  changeArguments(globals, 'Date', (args) => (args.length > 0 ? args : [dateNow()]), () => new Date(dateNow()).toString());
}

/** Temporal reads the clock only in Temporal.Now. */
function fixTemporal({ Temporal }) {
  if (!Temporal) return;
  const { Now, Instant } = Temporal;
  const instant = () => Instant.fromEpochNanoseconds(BigInt(START_MS) * BigInt(NS_PER_MS) + BigInt(look()));
  const zoned = (zone = Now.timeZoneId()) => instant().toZonedDateTimeISO(zone);
  const replacements = {
    instant,
    zonedDateTimeISO: zoned,
    plainDateTimeISO: (zone) => zoned(zone).toPlainDateTime(),
    plainDateISO: (zone) => zoned(zone).toPlainDate(),
    plainTimeISO: (zone) => zoned(zone).toPlainTime(),
  };
  for (const [name, replacement] of Object.entries(replacements)) replaceFunction(Now, name, () => replacement);
}

/** A formatter that gets no date formats the current time. */
function fixFormats({ Intl }) {
  const { prototype } = Intl.DateTimeFormat;
  const bound = new WeakMap();
  replaceFunction(prototype, 'formatToParts', (format) => function formatToParts(date = dateNow()) {
    return format.call(this, date);
  });
  replaceAccessor(prototype, 'format', { get: (get) => function format() {
    const original = get.call(this);
    if (!bound.has(this)) bound.set(this, Object.defineProperty((date = dateNow()) => original(date), 'length', { value: 1 }));
    return bound.get(this);
  } });
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
  if (globals.Temporal !== globalThis.Temporal) fixTemporal(globals);
  if (globals.Intl !== Intl) fixFormats(globals);
}

/** What Node creates with the current time: events when they are first asked, files and marks that are given none. */
function fixObjects() {
  const times = new WeakMap();
  replaceAccessor(Event.prototype, 'timeStamp', { get: (get) => function timeStamp() {
    get.call(this); // throws if it is no event
    if (!times.has(this)) times.set(this, lookMs());
    return times.get(this);
  } });
  replaceExported('File', 'node:buffer', (args) => {
    const [parts, name, options] = args;
    return args.length < 2 || options?.lastModified !== undefined ? args : [parts, name, { ...options, lastModified: dateNow() }];
  });
  replaceExported('PerformanceMark', 'node:perf_hooks', (args) => {
    const [name, options] = args;
    return args.length < 1 || options?.startTime !== undefined ? args : [name, { ...options, startTime: lookMs() }];
  });
}

/** What has no time of its own gets ours: a mark, and the end of a measure. */
function fixMarks() {
  replaceFunction(ownerOf(performance, 'mark'), 'mark', (mark) => (...args) => {
    const [name, options] = args;
    const hasTime = args.length === 0 || options?.startTime !== undefined;
    return mark.apply(performance, hasTime ? args : [name, { ...options, startTime: lookMs() }]);
  });
  replaceFunction(ownerOf(performance, 'measure'), 'measure', (measure) => (...args) => {
    const [name, start, end] = args;
    const options = typeof start === 'object' ? start : { start };
    const hasDuration = options?.start !== undefined && options.duration !== undefined;
    const hasEnd = args.length === 0 || hasDuration || (end ?? options?.end) !== undefined;
    return measure.apply(performance, hasEnd ? args : [name, { start: options?.start, end: lookMs(), detail: options?.detail }]);
  });
}

function fixClocks() {
  fixDate(globalThis);
  fixTemporal(globalThis);
  fixFormats(globalThis);
  fixObjects();
  Object.defineProperty(ownerOf(performance, 'timeOrigin'), 'timeOrigin', { value: START_MS, configurable: true });
  replaceFunction(ownerOf(performance, 'now'), 'now', () => () => lookMs());
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
    randomUUIDv7: timedUuid,
  };
  for (const [name, replacement] of Object.entries(replacements))
    if (crypto[name]) replaceFunction(crypto, name, () => replacement);
}

/** Call it once in each thread, before the program runs. */
export function fixHost() {
  fixClocks();
  fixRandom();
  fixCollection(globalThis);
  fixMachine(look);
  syncBuiltinESMExports();
}
