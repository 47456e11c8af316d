/** Text of others: the command and the JavaScript host hold the same characters for unsafe. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importHost, source } from './support.mjs';

const { clean } = await importHost('wperf/clean.mjs');

const table = readFileSync(join(source, 'src/support/unsafe_characters.def'), 'utf8');
const ranges = [...table.matchAll(/^X\(0x(\w+), 0x(\w+)\)/gm)].map(([, first, last]) => [
  parseInt(first, 16),
  parseInt(last, 16),
]);

test('every character is shown or escaped alike', () => {
  const isUnsafe = new Uint8Array(0x110000);
  for (const [first, last] of ranges) isUnsafe.fill(1, first, last + 1);
  for (let code = 0; code < 0x110000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    const expected = isUnsafe[code] ? `\\u{${code.toString(16)}}` : character;
    if (clean(character) !== expected) assert.equal(clean(character), expected);
  }
  assert(ranges.length > 10);
});

test('half of a pair is escaped', () => {
  assert.equal(clean('a\ud83db'), 'a\\u{d83d}b');
});
