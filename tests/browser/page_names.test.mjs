// Names where there is little room: the page's module by itself, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fitName, longestForm } from '../../src/report/formats/html/labels.mjs';

test('the longest form that fits is taken; the own name is cut at its end, and not to nothing', () => {
  const forms = ['js_parser.(*parser).parseSuffix', '(*parser).parseSuffix', 'parseSuffix'];
  assert.deepEqual([40, 25, 15, 11, 8].map((length) => fitName(forms, length)),
    [...forms.slice(0, 2), 'parseSuffix', 'parseSuffix', 'parseSu\u2026']);
  assert.equal(longestForm(['abcdefghijklmn'], (text) => text.length <= 10), 'abcdefghi\u2026');
  assert.equal(longestForm(['abcdefghijklmn'], (text) => text.length <= 6), '');
  assert.equal(longestForm(['\u{1f600}'.repeat(9)], (text) => text.length <= 12).isWellFormed(), true);
});

test('a function without a name keeps its index readable as one in a sentence', () => {
  const forms = ['func[1540] calls fd_write', '1540 calls fd_write', 'func[1540]', '1540'];
  assert.equal(fitName(forms, 28), 'func[1540] calls fd_write');
  assert.equal(fitName(forms, 20), 'func[1540]');
});
