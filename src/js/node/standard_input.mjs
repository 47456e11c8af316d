/**
 * Standard input for programs that block on it: waits for it in slices. Between two of them the thread's
 * watcher can reach it, so that a signal ends a program that waits, and its profile is kept.
 *
 * A pipe or a terminal is opened a second time, for reads that do not block: the program's own
 * descriptor, which it may share with other processes, stays as it is. A socket cannot be opened again
 * and gets the flag itself, as Node sets it where `process.stdin` is used.
 */

import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { replaceFunction } from './replace.mjs';

/** Taken before the program can put its own in their place. */
const { closeSync, fstatSync, openSync, readFileSync, readSync } = fs;
const { O_RDONLY, O_NONBLOCK } = fs.constants;

const STDIN = 0;
const SLICE = 100_000_000n; // ns
const CHUNK_SIZE = 65536;

/** WASI's subscriptions to a clock and to a descriptor that has something to read. */
const CLOCK = 0;
const MONOTONIC = 1;
const READABLE = 1;
const SUBSCRIPTION_SIZE = 48;
const EVENTS_AT = 2 * SUBSCRIPTION_SIZE;
const COUNT_AT = 256;

/** node:wasi without the warning that it is experimental. */
function loadWasi() {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return createRequire(import.meta.url)('node:wasi').WASI;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** A function that waits until the descriptor has something to read, or for `limit` nanoseconds. */
function waiterFor(fd) {
  const WASI = loadWasi();
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

/** Whether the program itself wants reads that do not block; where that cannot be known, it does not. */
function isNonBlocking() {
  try {
    const [, flags] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${STDIN}`, 'utf8'));
    return (Number.parseInt(flags, 8) & O_NONBLOCK) !== 0;
  } catch {
    return false;
  }
}

/** A pipe or a terminal once more, for reads that do not block. */
function openAgain() {
  const fd = openSync(`/proc/self/fd/${STDIN}`, O_RDONLY | O_NONBLOCK);
  return { fd, wait: waiterFor(fd), isShared: false };
}

/** A socket: waiting for it, if only for nothing, has its reads not block. */
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
    return null; // a system without such a folder, or no right to it
  }
}

let opened; // once it was asked for

/**
 * Standard input, where a read of it may take long and can be waited for in slices; else null.
 *
 * @returns {{fd: number, wait: () => void}|null} reads of `fd` end with EAGAIN where there is nothing
 *   yet; `wait` returns once there is, or when a slice is over
 */
export function standardInput() {
  if (opened === undefined) {
    const input = open();
    opened = input && { ...input, wait: () => input.wait(SLICE) };
  }
  return opened;
}

/** The program has closed its own: whoever writes to it is to know, and the number may be another's next. */
function forget(fd) {
  if (fd !== STDIN) return;
  if (opened && !opened.isShared) closeSync(opened.fd);
  opened = null;
}

/** Whether the program would wait where `input` has nothing yet. */
const wouldWait = ({ isShared }) => isShared || !isNonBlocking();

/** Calls `read` with the descriptor to read from until there is something, or the end. */
function readPatiently(read) {
  const input = standardInput();
  if (!input) return read(STDIN);
  for (;;) {
    try {
      return read(input.fd);
    } catch (error) {
      if (error.code !== 'EAGAIN' || !wouldWait(input)) throw error;
    }
    input.wait();
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

/** Has the synchronous functions of node:fs wait for standard input so. */
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
