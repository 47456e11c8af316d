// The page writes numbers as all other reports do: JavaScript and C are given the same ones.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

import { formatMean, formatShare, formatValue } from '../../src/report/formats/html/units.mjs';
import { Random } from '../random/prng.mjs';
import { tool } from '../support/tools.mjs';

const UNITS = ['calls', 'nanoseconds', 'instructions', 'ticks', 'bytes', 'objects', 'pages']; // as wi_unit has them

/** What C writes for lines "KIND UNIT-OR-DECIMALS NUMBER OTHER". */
function formatInC(lines) {
  const input = lines.map((line) => line.join(' ')).join('\n');
  return execFileSync(tool('format-units'), { input, encoding: 'utf8' }).trimEnd().split('\n');
}

function compare(lines, format) {
  const expected = formatInC(lines);
  assert.equal(expected.length, lines.length);
  lines.forEach((line, i) => assert.equal(format(line), expected[i], line.join(' ')));
}

const random = new Random(1);

/** Where digits are dropped, a half and its neighbours; and others of all sizes. */
function numbers() {
  const chosen = new Set([0, 1, 2]);
  for (let power = 1; power <= 15; power++) {
    for (const digits of [1, 1.005, 1.235, 9.985, 9.994, 9.995, 12.35, 99.95, 999.4, 999.5])
      for (const step of [-1, 0, 1]) chosen.add(Math.max(0, Math.round(digits * 10 ** power) + step));
    for (let i = 0; i < 50; i++) chosen.add(random.below(10 ** power));
  }
  return [...chosen].filter(Number.isSafeInteger);
}

test('values', () => {
  const lines = UNITS.flatMap((_, unit) => numbers().map((number) => ['value', unit, number, 0]));
  compare(lines, ([, unit, number]) => formatValue(UNITS[unit], number));
});

test('means', () => {
  const counts = [0, 1, 2, 3, 7, 20, 1024, 57_057, 10 ** 6];
  const lines = ['instructions', 'nanoseconds'].flatMap((unit) => numbers().flatMap((number) =>
    counts.map((count) => ['mean', UNITS.indexOf(unit), number, count])));
  compare(lines, ([, unit, number, count]) => formatMean(UNITS[unit], number, count));
});

test('shares', () => {
  const halves = [[1, 2000], [1, 20_000], [3, 2000], [12_345, 100_000], [999_949, 10 ** 6], [5, 4], [1, 0], [0, 0]];
  const lines = [...halves, ...numbers().map((number) => [random.below(number + 1), number])]
    .flatMap((pair) => [1, 2].map((decimals) => ['share', decimals, ...pair]));
  compare(lines, ([, decimals, part, all]) => formatShare(part, all, decimals).replace(' %', ''));
});
