/**
 * man.test.mjs MANDOC: each command has a page, mandoc has no complaint about it, and it says what
 * --help says, no option less and none more.
 */

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build, run } from '../js/support.mjs';
import { all, helpText, optionsOf, sectionsOf, words } from './help.mjs';

const mandoc = process.argv[2];
const folder = join(build, 'docgen/man1');
const pageOf = (command) => `${command.replace(' ', '-')}.1`;

/** The page as a reader sees it, without bold and underlined. */
function rendered(command) {
  const options = ['-T', 'ascii', '-O', 'width=1000', join(folder, pageOf(command))];
  const { status, stdout, stderr } = run(mandoc, options);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout.replace(/.\x08/g, '');
}

/** "-o, --output FILE" */
const labelOf = ({ letter, name, label }) =>
  `${letter ? `-${letter}, ` : ''}--${name}${label ? ` ${label}` : ''}`;

test('every command has a page, and nothing else', () => {
  assert.deepEqual(readdirSync(folder).sort(), all.map(pageOf).sort());
});

for (const command of all) {
  test(`${command}: no complaints`, () => {
    const options = ['-T', 'lint', '-W', 'warning', join(folder, pageOf(command))];
    const { status, stdout, stderr } = run(mandoc, options);
    assert.deepEqual([status, stdout, stderr], [0, '', '']);
  });

  test(`${command}: the page has the options of --help`, () => {
    const page = rendered(command);
    const options = optionsOf(helpText(command));
    const listed = page.match(/(?<=^ {5})(-\w, )?--[\w-]+( \S+)?(?= {2}|$)/gm);
    assert.deepEqual(listed, options.map(labelOf));
    for (const option of options) {
      const choices = option.choices.map(({ name, text }) => `${name} ${text}`);
      const text = words([labelOf(option), option.text, ...choices].join(' '));
      assert(words(page).includes(text), text);
    }
  });

  test(`${command}: the page has all else of --help`, () => {
    const page = words(rendered(command));
    const { usage, description, sections } = sectionsOf(helpText(command));
    for (const paragraph of description.split('\n\n')) assert(page.includes(words(paragraph)));
    for (const line of usage.replace('Usage:', '').split('\n')) {
      assert(page.includes(words(line).replaceAll(']...', ' ...]')), line);
    }
    for (const heading of ['Environment', 'Exit status']) {
      const lines = sections.get(heading) ?? [];
      assert(page.includes(words(lines.join(' '))), heading);
    }
    for (const line of sections.get('Examples') ?? []) assert(page.includes(words(line)), line);
    for (const other of all) {
      if (other !== command) assert(page.includes(pageOf(other).replace('.1', '(1)')), other);
    }
  });
}
