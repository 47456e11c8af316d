// A program as it is, with the profile in a memory beside its own, and with the profile in its own.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

const folder = temporaryFolder();
const input = join(folder, 'app.wasm');
const output = join(folder, 'app.prof.wasm');

/** {status, stderr} of wasm-instrument for that text, and the module that it wrote. */
export async function rewrite(text, ...options) {
  writeFileSync(input, await parse(text));
  const { status, stderr } = spawnSync(tool('wasm-instrument'), [...options, input, '-o', output], { encoding: 'utf8' });
  return { status, stderr, bytes: status === 0 ? readFileSync(output) : null };
}

const twoMemories = ['--embed', '--clock', 'none'];
export const singleMemory = [...twoMemories, '--single-memory'];

/** Instances of all three forms: {plain, two, single}. */
export async function instances(text, imports = {}) {
  const instantiate = async (bytes) => (await WebAssembly.instantiate(bytes, imports)).instance.exports;
  return {
    plain: await instantiate(await parse(text)),
    two: await instantiate((await rewrite(text, ...twoMemories)).bytes),
    single: await instantiate((await rewrite(text, ...singleMemory)).bytes),
  };
}

/** What a call returns or throws, as text. */
export function outcome(call) {
  try {
    return String(call());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}
