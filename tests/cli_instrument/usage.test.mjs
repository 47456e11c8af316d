/** Wrong usage exits with 2, says what is wrong and where to find help, and does nothing else. */

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testGolden } from '../support/golden.mjs';
import { folder } from '../js/support.mjs';
import { instrument, module, succeed } from './support.mjs';

module();
const before = readdirSync(folder);

const wrong = [
  [[], 'no input file'],
  [['m.wasm'], 'no output file: give -o OUTPUT, or --list'],
  [['m.wasm', 'm.wasm', '-o', 'x.wasm'], 'more than one input file; give the output with -o'],
  [['m.wasm', '-o', 'x.wasm', '--nonsense'], "unrecognized option '--nonsense'"],
  ...['many', '-1'].map((value) => [
    ['m.wasm', '-o', 'x.wasm', '--min-instructions', value],
    `--min-instructions wants a number, not '${value}'`,
  ]),
  ...['67108865', '4294967295'].map((value) => [
    ['m.wasm', '-o', 'x.wasm', '--node-limit', value],
    `--node-limit wants at most 67108864, not '${value}'`,
  ]),
  ...['sundial', 'hour'].map((clock) => [
    ['m.wasm', '-o', 'x.wasm', '--clock', clock],
    `--clock wants auto, none, wall, instructions or sampled, not '${clock}'`,
  ]),
  ...[
    ['/(/', 'missing closing parenthesis'],
    ['@x', '@ wants a function index'],
    ['@5-2', 'the range runs backwards'],
    ['', 'is empty'],
  ].map(([pattern, reason]) => [
    ['m.wasm', '-o', 'x.wasm', '--only', pattern],
    `pattern '${pattern}': ${reason}`,
  ]),
];

for (const option of ['--no-file', '--stderr', '--recursion=fold', '--node-limit=9', '--module=m'])
  wrong.push([['m.wasm', '-o', 'x.wasm', option], `${option.split('=')[0]} needs --embed`]);
wrong.push(
  [['m.wasm', '-o', 'x.wasm', '--embed', '--import-module=p'], '--import-module cannot be used with --embed'],
  [['m.wasm', '-o', 'x.wasm', '--clock=sampled', '--import-module=p'], '--import-module cannot be used with --embed'],
  [['m.wasm', '-o', 'x.wasm', '--embed', '--allocator=f=malloc'], '--allocator needs --memory'],
  [['m.wasm', '-o', 'x.wasm', '--list'], '--output cannot be used with --list'],
);

for (const [words, message] of wrong)
  test(`wasm-instrument ${words.join(' ')}: ${message}`, () => {
    const { status, stdout, stderr } = instrument(...words);
    assert.equal(stderr, `wasm-instrument: ${message}\nTry 'wasm-instrument --help'.\n`);
    assert.deepEqual([status, stdout], [2, '']);
    assert.deepEqual(readdirSync(folder), before);
  });

test('the version is one line', () => {
  assert.match(succeed('--version'), /^wasm-instrument \d+\.\d+\.\d+( \([0-9a-f]{10,}\))?\n$/);
});

testGolden(join(import.meta.dirname, 'expected'), {
  'help.txt': () => succeed('--help-all'),
  'usual.txt': () => succeed('--help'),
});
