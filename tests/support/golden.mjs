// The golden harness: what a program writes must equal a file that is kept beside the test. With
// --rebase a test writes its files anew instead, to be reviewed in the diff;
// `cmake --build BUILD --target rebase` does that for all of them.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const rebase = process.argv.includes('--rebase');

/** The first line that differs: of a whole file, git shows more after --rebase. */
function difference(expected, actual) {
  const [wanted, found] = [expected, actual].map((text) => text.split('\n'));
  const line = wanted.findIndex((text, i) => text !== found[i]);
  const at = line < 0 ? wanted.length : line;
  return `line ${at + 1} is\n  ${found[at] ?? '(the end)'}\nnot\n  ${wanted[at] ?? '(the end)'}`;
}

function compare(path, actual) {
  if (rebase) writeFileSync(path, actual);
  const expected = existsSync(path) ? readFileSync(path, 'utf8') : '';
  assert(actual === expected, difference(expected, actual));
}

/**
 * A test for each golden file of `folder`: `texts` has a function for each name that returns what
 * the file must say. Other files whose names match `pattern` are left over from tests that are
 * gone.
 */
export function testGolden(folder, texts, pattern = /./) {
  mkdirSync(folder, { recursive: true });
  for (const [name, make] of Object.entries(texts))
    test(`${name} is as expected`, async () => compare(join(folder, name), await make()));
  test('every golden file is compared', () => {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const left = files.map((entry) => entry.name).filter((name) => pattern.test(name) && !(name in texts));
    if (rebase) for (const name of left) rmSync(join(folder, name));
    else assert.deepEqual(left, []);
  });
}
