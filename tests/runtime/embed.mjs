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
