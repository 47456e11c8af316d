/** What the tests of wasm-instrument share: the command in their folder, and a module for it. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { assemble, at, tool } from '../js/support.mjs';

/** Four functions m.wasm: a, which is exported as a_export, b, and one of C++ and of Rust each. */
export const module = () =>
  assemble(
    'm',
    `(module
      (func $a (export "a_export") nop)
      (func $b nop nop)
      (func $_ZN3foo3barEv)
      (func $_RNvCs1234_7mycrate3baz))`,
  );

/** Runs wasm-instrument with these words. */
export const instrument = (...words) => tool('wasm-instrument', words);

/** Runs it, which must succeed and say nothing on stderr; returns what it says on stdout. */
export function succeed(...words) {
  const { status, stdout, stderr } = instrument(...words);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

/** Runs it, which must fail with that one line on stderr, and exit code 1. */
export function fail(message, ...words) {
  const { status, stdout, stderr } = instrument(...words);
  assert.equal(stderr, `wasm-instrument: ${message}\n`);
  assert.deepEqual([status, stdout], [1, '']);
}

/** The names that --list shows as chosen by these options. */
export function chosen(...options) {
  const rows = instrument('m.wasm', '--list', ...options).stdout.split('\n');
  return rows.map((row) => row.trim().split(/\s+/)).filter((cells) => cells[2] === '+').map((cells) => cells[3]);
}

/** Writes a whitelist of that text; returns its name. */
export function whitelist(text, name = 'list.txt') {
  writeFileSync(at(name), text);
  return name;
}
