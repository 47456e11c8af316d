/**
 * Ruby's module from npm has no names, its twin with debug information has: a profile of the one with --symbols
 * of the other is that of the other.
 *
 *     twin.mjs STRIPPED UNSTRIPPED
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder, tool } from '../support/tools.mjs';

const [stripped, unstripped] = process.argv.slice(2);
const profile = join(temporaryFolder(), 'ruby.wperf');
const program = [process.execPath, '--no-warnings', '--stack-size=4000', join(import.meta.dirname, '../real/run_ruby.mjs')];
const quiet = { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 };

/** The calls of a recorded run by the functions' names. */
function callsOf(module, ...options) {
  execFileSync(tool('wasm-perf'), ['record', '--clock=none', '-o', profile, '--', ...program, module], quiet);
  const text = execFileSync(tool('wasm-perf'), ['report', '--format=json', ...options, profile], quiet);
  const calls = new Map();
  for (const { name, calls: count } of JSON.parse(text).functions) calls.set(name, (calls.get(name) ?? 0) + count);
  return calls;
}

const isNameless = (name) => /^func\[\d+\]( |$)/.test(name); // or with a hint

const without = callsOf(stripped);
const named = callsOf(stripped, '--symbols', unstripped);
assert([...without.keys()].filter(isNameless).length > 2000, 'the stripped module has no names');
assert.deepEqual([...named.keys()].filter(isNameless), []);
const twin = callsOf(unstripped);
const isExport = (name) => without.has(name); // which is its name in both profiles of the stripped module
const other = [...named].filter(([name, calls]) => twin.get(name) !== calls && !isExport(name));
assert.deepEqual(other, []);
assert.equal(named.size, twin.size);
console.log(`${named.size} functions have the names and calls of the unstripped module`);
