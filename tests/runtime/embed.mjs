/** Modules in text form with the embedded runtime, and what their profiles say. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

const folder = temporaryFolder();

/** The path of a file in a folder of the test's own. */
export const at = (name) => join(folder, name);

export async function embed(wat, ...options) {
  writeFileSync(at('app.wasm'), await parse(wat));
  const command = ['--embed', ...options, at('app.wasm'), '-o', at('app.prof.wasm')];
  const { status, stderr } = spawnSync(tool('wasm-instrument'), command, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return { bytes: readFileSync(at('app.prof.wasm')), messages: stderr };
}

export async function instantiate(wat, options, imports = {}) {
  const { bytes } = await embed(wat, ...options);
  return (await WebAssembly.instantiate(bytes, imports)).instance.exports;
}

const SECTION_MEMORY = 5;

/** LEB128: [value, offset after it] */
function readNumber(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    value |= (bytes[at] & 127) << shift;
    if (bytes[at++] < 128) return [value, at];
  }
}

/** A module with one memory, the runtime's, that may not grow by more than so many pages. */
export function withGrowth(bytes, pages) {
  for (let at = 8; at < bytes.length; ) {
    const [size, start] = readNumber(bytes, at + 1);
    if (bytes[at] === SECTION_MEMORY) {
      const [least, end] = readNumber(bytes, start + 2);
      const most = least + pages;
      assert(bytes[start] === 1 && bytes[start + 1] === 1 && most < 1 << 14);
      const leb128 = [(most & 127) | 128, most >>> 7];
      const section = [...bytes.subarray(start, end), ...leb128];
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([SECTION_MEMORY, section.length, ...section]),
        bytes.subarray(start + size)]);
    }
    at = start + size;
  }
  return assert.fail('a memory');
}

/** As callCounts of the tests' reader, by function index: {"1;2": calls}. */
export function stacks(nodes) {
  const paths = [''];
  const counts = {};
  nodes.slice(1).forEach(({ function: func, parent, calls }, i) => {
    paths[i + 1] = parent === 0 ? `${func}` : `${paths[parent]};${func}`;
    counts[paths[i + 1]] = Number(calls);
  });
  return counts;
}
