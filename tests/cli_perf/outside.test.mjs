/** --deterministic: whatever a JavaScript program can ask its host is fixed, or listed as not fixed. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findElsewhere } from '../support/elsewhere.mjs';
import { assemble, at, read, source, tool } from '../js/support.mjs';

/** What may differ, and the words by which the docs list it. */
const LISTED = [
  [/^process\.env\./, 'environment'],
  [/^process\.p?pid$/, 'process ids'],
  [/^process\.report\./, 'process.report'],
  [/^v8\.get\w*Heap\w*\(\)/, 'node:v8'],
];

assemble('spin', `(module (func (export "spin") (param i32)
  (loop $again (br_if $again (i32.gt_s (local.tee 0 (i32.sub (local.get 0) (i32.const 1))) (i32.const 0))))))`);

/** Everything that the program was told, by path. */
function ask(prefix, env = {}) {
  const words = [...prefix, process.execPath, join(source, 'tests/cli_perf/programs/outside.mjs'), at('spin.wasm'), at('told.txt')];
  const { status, stderr } = tool('wasm-perf', ['record', '--deterministic', '-o', at('asked.wperf'), '--', ...words],
    { env: { ...process.env, ...env }, timeout: 600_000 });
  assert.deepEqual([status, stderr], [0, '']);
  const told = new Map();
  for (const line of read('told.txt').toString().split('\n')) {
    const [path] = line.split(' ', 1);
    told.set(path, (told.get(path) ?? '') + line.slice(path.length));
  }
  return told;
}

test('what the host answers is the same elsewhere', (t) => {
  const { words, notVaried } = findElsewhere();
  if (notVaried.length > 0) t.diagnostic(`not varied here: ${notVaried.join(', ')}`);
  const here = ask([], { TZ: 'Asia/Tokyo' });
  const there = ask(words, { TZ: 'America/New_York' });
  assert(here.size > 3000, `${here.size} paths`);
  const differing = [...new Set([...here.keys(), ...there.keys()])].filter((path) => here.get(path) !== there.get(path));
  assert.deepEqual(differing.filter((path) => !LISTED.some(([pattern]) => pattern.test(path))), []);
});

test('the page lists what is not fixed', () => {
  const page = readFileSync(join(source, 'src/docs/bench.md'), 'utf8');
  for (const [, words] of LISTED) assert(page.includes(words), words);
});
