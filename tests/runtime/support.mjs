/** wasm_perf.wasm with a WASI host made of what a test needs. */

import { readFileSync } from 'node:fs';

export const CLOCK = { none: 0, wall: 1, instructions: 2 };
export const ROOT = 0xffffffff;
export const TRUNCATED = 0xfffffffe;
export const HEADER_SIZE = 112;
export const NODE_SIZE = 24;

const EBADF = 8;
const ENOSYS = 52;

export const moduleBytes = readFileSync(process.env.WI_MODULE);

/** A host without anything: every function fails. */
const NO_WASI = Object.fromEntries(
  [
    'clock_time_get',
    'environ_sizes_get',
    'environ_get',
    'fd_prestat_get',
    'fd_prestat_dir_name',
    'path_open',
    'fd_write',
    'fd_close',
  ].map((name) => [name, () => ENOSYS]),
);

/** The exports of a new instance; `host(memory)` gives the functions that its host has. */
export function instantiate(host = () => ({}), bytes = moduleBytes) {
  let exports;
  const memory = () => new DataView(exports.memory.buffer);
  const wasi = { ...NO_WASI, ...host(memory) };
  const module = new WebAssembly.Module(bytes);
  ({ exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi }));
  return exports;
}

/** Header and nodes as they stand in the instance's memory. */
export function profileBytes(runtime) {
  const address = runtime.perf_profile() >>> 0;
  return Buffer.from(runtime.memory.buffer.slice(address, address + runtime.perf_profile_size()));
}

export function parseProfile(bytes) {
  const header = {
    nodeCount: bytes.readUint32LE(20),
    clock: bytes.readUint32LE(28),
    ticksPerSecond: bytes.readBigUint64LE(32),
    truncatedCallCount: bytes.readBigUint64LE(40),
    unbalancedCount: bytes.readBigUint64LE(48),
    openFrameCount: bytes.readUint32LE(56),
    nodeLimit: bytes.readUint32LE(60),
    recursion: bytes.readUint32LE(64),
    clockReadCount: bytes.readBigUint64LE(72),
    innerHookCost: bytes.readBigUint64LE(80),
    outerHookCost: bytes.readBigUint64LE(88),
    hookCostError: bytes.readBigUint64LE(96),
  };
  const nodes = [];
  for (let at = HEADER_SIZE; at < bytes.length; at += NODE_SIZE) {
    nodes.push({
      function: bytes.readUint32LE(at),
      parent: bytes.readUint32LE(at + 4),
      calls: bytes.readBigUint64LE(at + 8),
      self: bytes.readBigUint64LE(at + 16),
    });
  }
  return { header, nodes };
}

export const profileOf = (runtime) => parseProfile(profileBytes(runtime));

export const totalCalls = ({ nodes }) => nodes.reduce((sum, node) => sum + node.calls, 0n);

/** clock_time_get over `read`, which gives nanoseconds as a BigInt. */
export const clockHost = (memory, read) => ({
  clock_time_get(_id, _precision, address) {
    memory().setBigUint64(address, read(), true);
    return 0;
  },
});

/** environ_* over an object of variables. */
export function environmentHost(memory, variables) {
  const texts = Object.entries(variables).map(([name, value]) => Buffer.from(`${name}=${value}\0`));
  return {
    environ_sizes_get(count, size) {
      memory().setUint32(count, texts.length, true);
      memory().setUint32(size, Buffer.concat(texts).length, true);
      return 0;
    },
    environ_get(pointers, address) {
      texts.forEach((text, i) => {
        memory().setUint32(pointers + 4 * i, address, true);
        new Uint8Array(memory().buffer).set(text, address);
        address += text.length;
      });
      return 0;
    },
  };
}

/**
 * Files in memory: `directories` are the preopened ones, from descriptor 3 on; `files` maps
 * "directory/name" to its bytes. A write takes at most `chunk` bytes, and of the first part only.
 */
export function filesHost(memory, { directories = [], chunk = Infinity, nameResult = 0, ...overrides } = {}) {
  const names = directories.map((name) => Buffer.from(name));
  const files = new Map();
  const streams = new Map([[2, 'stderr']]);
  const text = (address, size) => Buffer.from(memory().buffer, address, size).toString();
  const host = {
    fd_prestat_get(fd, address) {
      if (!names[fd - 3]) return EBADF;
      memory().setUint8(address, 0);
      memory().setUint32(address + 4, names[fd - 3].length, true);
      return 0;
    },
    fd_prestat_dir_name(fd, address, size) {
      new Uint8Array(memory().buffer, address, size).set(names[fd - 3]);
      return nameResult;
    },
    path_open(fd, _lookup, path, size, _flags, _rights, _inherited, _fdFlags, opened) {
      const name = `${directories[fd - 3]}/${text(path, size)}`;
      files.set(name, Buffer.alloc(0));
      streams.set(100, name);
      memory().setUint32(opened, 100, true);
      return 0;
    },
    fd_write(fd, parts, _count, written) {
      const name = streams.get(fd);
      if (!name) return EBADF;
      const address = memory().getUint32(parts, true); // hosts may ignore the other parts
      const size = Math.min(memory().getUint32(parts + 4, true), chunk);
      const bytes = Buffer.from(memory().buffer.slice(address, address + size));
      files.set(name, Buffer.concat([files.get(name) ?? Buffer.alloc(0), bytes]));
      memory().setUint32(written, size, true);
      return 0;
    },
    fd_close(fd) {
      return streams.delete(fd) ? 0 : EBADF;
    },
    ...overrides,
  };
  return { host, files, stderr: () => String(files.get('stderr') ?? '') };
}

/** The module with a largest size of its memory, in pages. */
export function withMemoryMaximum(bytes, pages) {
  const leb128 = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...leb128(value >>> 7)]);
  const readLeb128 = (at) => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      value |= (bytes[at] & 127) << shift;
      if (bytes[at++] < 128) return [value, at];
    }
  };
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const [size, start] = readLeb128(at + 1);
    if (bytes[at] === 5) {
      const [initial] = readLeb128(start + 2); // after the count and flags without a maximum
      const body = [1, 1, ...leb128(initial), ...leb128(pages)];
      parts.push(Buffer.from([5, ...leb128(body.length), ...body]));
    } else {
      parts.push(bytes.subarray(at, start + size));
    }
    at = start + size;
  }
  return Buffer.concat(parts);
}
