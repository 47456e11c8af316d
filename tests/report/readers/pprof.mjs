/** Reads pprof's format by the npm package pprof-format. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { file, packageFolder, print } from './reader.mjs';

const script = fileURLToPath(new URL('../pprof_decode.mjs', import.meta.url));
const args = [script, packageFolder('pprof-format'), file];
const { types, samples } = JSON.parse(execFileSync(process.execPath, args, { maxBuffer: 2 ** 30 }));
assert.equal(types[0], 'calls/count');
const functions = new Map();
const sumsOf = (name) => {
  if (!functions.has(name)) functions.set(name, { self: 0n, total: 0n, calls: 0n });
  return functions.get(name);
};
for (const [stack, values] of samples) {
  const value = BigInt(values.at(-1)); // what the profile has, or calls
  sumsOf(stack[0]).self += value;
  sumsOf(stack[0]).calls += BigInt(values[0]);
  for (const name of new Set(stack)) sumsOf(name).total += value;
}
print(functions);
