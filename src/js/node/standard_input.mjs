/**
 * Divides waits for standard input into slices. Between slices, the thread's watcher can reach a blocked
 * program. So a signal ends it, and its profile is written.
 *
 * A pipe or a terminal is opened a second time, for non-blocking reads: the program's descriptor, which may be
 * shared with other processes, does not change. A socket cannot be opened again. It becomes non-blocking
 * itself, as if the program had used `process.stdin`.
 */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { builtin } from './builtin.mjs';
import { replaceFunction } from './replace.mjs';

/** Saved before the program can replace them. */
const { closeSync, fstatSync, openSync, readFileSync, readSync } = fs;
const { O_RDONLY, O_NONBLOCK } = fs.constants;

const STDIN = 0;
const SLICE = 100_000_000n; // ns
const CHUNK_SIZE = 65536;

/** WASI's subscriptions, to a clock and to a readable descriptor. */
const CLOCK = 0;
const MONOTONIC = 1;
const READABLE = 1;
const SUBSCRIPTION_SIZE = 48;
const EVENTS_AT = 2 * SUBSCRIPTION_SIZE;
const COUNT_AT = 256;

let wasi; // undefined until loaded

/** Returns Node's class WASI, and the arguments of the warning that it is experimental, which is not emitted. */
export function loadWasi() {
  if (wasi) return wasi;
  const { emitWarning } = process;
  let warning;
  process.emitWarning = (...args) => (warning = args);
  try {
    const { WASI } = builtin('node:wasi');
    return (wasi = { WASI, warning });
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Returns a function that waits until the descriptor is readable, for at most `limit` nanoseconds. */
function waiterFor(fd) {
  const { WASI } = loadWasi();
  const wasi = new WASI({ version: 'preview1', stdin: fd });
  const memory = new WebAssembly.Memory({ initial: 1 });
  wasi.initialize({ exports: { memory } });
  const view = new DataView(memory.buffer);
  return (limit) => {
    view.setUint8(8, CLOCK);
    view.setUint32(16, MONOTONIC, true);
    view.setBigUint64(24, limit, true);
    view.setUint8(SUBSCRIPTION_SIZE + 8, READABLE);
    view.setUint32(SUBSCRIPTION_SIZE + 16, STDIN, true);
    wasi.wasiImport.poll_oneoff(0, EVENTS_AT, 2, COUNT_AT);
  };
}

/** Whether the program made its standard input non-blocking. Returns false if that is unknown. */
function isNonBlocking() {
  try {
    const [, flags] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${STDIN}`, 'utf8'));
    return (Number.parseInt(flags, 8) & O_NONBLOCK) !== 0;
  } catch {
    return false;
  }
}

/** Opens a pipe or a terminal again, for non-blocking reads. */
function openAgain() {
  const fd = openSync(`/proc/self/fd/${STDIN}`, O_RDONLY | O_NONBLOCK);
  return { fd, wait: waiterFor(fd), isShared: false };
}

/** Makes a socket non-blocking, by waiting for it once. */
function shareSocket() {
  if (isNonBlocking()) return null;
  const wait = waiterFor(STDIN);
  wait(0n);
  return { fd: STDIN, wait, isShared: true };
}

function open() {
  try {
    const stat = fstatSync(STDIN);
    if (stat.isSocket()) return shareSocket();
    return stat.isFIFO() || stat.isCharacterDevice() ? openAgain() : null;
  } catch {
    return null; // the system has no /proc, or denies access
  }
}

let opened; // undefined until requested

/**
 * Returns standard input if reads may block and can be divided into slices; otherwise null.
 *
 * @returns {{fd: number, awaitInput: () => void}|null} reads of `fd` fail with EAGAIN if there is no input yet;
 *   `awaitInput`, by whose name src/samples/v8_walk.c recognises it, returns once there is, or after a slice
 */
export function standardInput() {
  if (opened === undefined) {
    const input = open();
    opened = input && { ...input, awaitInput: () => input.wait(SLICE) };
  }
  return opened;
}

/** Closes our descriptor when the program closes its own: the writer must notice, and the number may be reused. */
function forget(fd) {
  if (fd !== STDIN) return;
  if (opened && !opened.isShared) closeSync(opened.fd);
  opened = null;
}

/** Whether the program's own read would block. */
const wouldWait = ({ isShared }) => isShared || !isNonBlocking();

/** Calls `read` with a descriptor until there is input, or the end of input. */
function readPatiently(read) {
  const input = standardInput();
  if (!input) return read(STDIN);
  for (;;) {
    try {
      return read(input.fd);
    } catch (error) {
      if (error.code !== 'EAGAIN' || !wouldWait(input)) throw error;
    }
    input.awaitInput();
  }
}

function readAll(encoding) {
  const chunks = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_SIZE);
    const size = readPatiently((fd) => readSync(fd, chunk, 0, CHUNK_SIZE, null));
    if (size === 0) break;
    chunks.push(chunk.subarray(0, size));
  }
  const bytes = Buffer.concat(chunks);
  return encoding ? bytes.toString(encoding) : bytes;
}

const encodingOf = (options) => (typeof options === 'string' ? options : options?.encoding);
const isStandardInput = (file) => file === STDIN || file === '/dev/stdin';

/** Patches the synchronous functions of node:fs. */
export function patchInput() {
  replaceFunction(fs, 'readSync', (original) =>
    function (fd, ...rest) {
      if (fd !== STDIN) return original.call(this, fd, ...rest);
      return readPatiently((own) => original.call(this, own, ...rest));
    });
  replaceFunction(fs, 'readFileSync', (original) =>
    function (file, options, ...rest) {
      const isOurs = isStandardInput(file) && standardInput();
      return isOurs ? readAll(encodingOf(options)) : original.call(this, file, options, ...rest);
    });
  for (const name of ['close', 'closeSync']) {
    replaceFunction(fs, name, (original) =>
      function (fd, ...rest) {
        forget(fd);
        return original.call(this, fd, ...rest);
      });
  }
  syncBuiltinESMExports();
}
