/** What the pages for readers say of clocks, formats, options and exit codes is what there is. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build, importHost, source, tool } from '../js/support.mjs';
import { all, choicesOf, commands, helpText, optionsOf, sectionsOf } from './help.mjs';

const docs = readdirSync(join(source, 'src/docs')).filter((name) => name.endsWith('.md'));
const paths = ['README.md', 'src/js/package/README.md', ...docs.map((name) => `src/docs/${name}`)];
const page = (path) => readFileSync(join(source, path), 'utf8');
const pages = paths.map((path) => [path, page(path)]);

const options = Object.fromEntries(all.map((command) => [command, optionsOf(helpText(command))]));
const choices = (command, name) =>
  choicesOf(options[command].find((option) => option.name === name)).filter((choice) => choice !== 'auto');

/** The names in the first column of the table under that heading, `a`, `b` being two. */
function firstColumn(text, heading) {
  const [, rows] = text.split(heading);
  const cells = rows.split('\n\n')[0].split('\n').slice(2).map((row) => row.split('|')[1]);
  return cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map((match) => match[1]));
}

test('the table of clocks has each of them', () => {
  const listed = firstColumn(page('src/docs/clocks.md'), '| `--clock` | self time is');
  assert.deepEqual(listed.sort(), choices('wasm-perf record', 'clock').sort());
});

test("the schema of JSON reports has each clock, including clocks of older files", async () => {
  const schema = JSON.parse(page('include/wasm_perf/report.schema.json'));
  const { CLOCKS } = await importHost('wperf/format.mjs');
  assert.deepEqual(schema.properties.clock.enum.toSorted(), [...Object.keys(CLOCKS), 'unknown'].sort());
});

test('the page of hosts has the table of engines', () => {
  const table = readFileSync(join(build, 'docgen/pages/hosts.md'), 'utf8');
  const [written] = page('src/docs/hosts.md').match(/^\| `--for`[^]*?(?=\n\n)/m);
  assert.deepEqual(`${written}\n`.split('\n'), table.split('\n'));
});

test('the table of formats has each of them', () => {
  const listed = firstColumn(page('src/docs/formats.md'), '| format | file');
  const formats = tool('report-export', []).stdout.trimEnd().split('\n').map((line) => line.split('\t')[0]);
  assert.deepEqual(listed.sort(), formats.sort());
});

/** The commands in a page's code, as [command, its long options]; comments and programs left out. */
function* commandLines(text) {
  const code = [...text.matchAll(/^```\w*\n([^]*?)^```|`([^`]+)`/gm)].map(([, block, span]) =>
    block ?? span.replaceAll('\n', ' '));
  for (const line of code.join('\n').replaceAll('\\\n', ' ').split('\n')) {
    const [command] = line.match(/\bwasm-(?:instrument|perf(?: [a-z]+)?)(?= )/) ?? [];
    if (!(command in options)) continue;
    const words = line.slice(line.indexOf(command)).split(/ # | -- | && |[|;]/)[0].split(/\s+/);
    yield [command, words.filter((word) => word.startsWith('--'))];
  }
}

test('every command line in a page has options of that command', () => {
  let count = 0;
  for (const [path, text] of pages)
    for (const [command, words] of commandLines(text))
      for (const word of words) {
        const name = word.slice(2).split('=')[0];
        assert(options[command].some((option) => option.name === name), `${path}: ${command} --${name}`);
        count++;
      }
  assert(count > 20, `${count} options`);
});

/** Pages about other tools or earlier versions, and options of other tools in the rest. */
const OF_OTHERS = /(?:measurements|field|changelog)\.md$/;
const OTHERS = new Set(['multi-memory', 'emit-symbol-map', 'minwidth', 'flamechart', 'inject']);

test('every option that a page names is one', () => {
  const ours = new RegExp(`\`((?:(?:${commands.join('|')}) )?--[a-z][^\`]*)\``, 'g');
  const known = new Set(Object.values(options).flat().map(({ name }) => name));
  for (const [path, text] of pages.filter(([path]) => !OF_OTHERS.test(path)))
    for (const [, span] of text.matchAll(ours))
      for (const [, name] of span.matchAll(/--([a-z][\w-]*)/g))
        assert(known.has(name) || OTHERS.has(name), `${path}: ${span}`);
});

test('exit codes in pages are those that help lists and the JavaScript host has', async () => {
  const listed = new Set(
    all.flatMap((command) => sectionsOf(helpText(command)).sections.get('Exit status') ?? [])
      .map((line) => line.match(/^ {2}(\d+)\b/)?.[1]).filter(Boolean).map(Number));
  const format = await importHost('wperf/format.mjs');
  assert(helpText('wasm-perf record').includes(` ${format.EXIT_SIGNAL_BASE}+N `));
  const names = Object.keys(format).filter((name) => /^EXIT_(?!SIGNAL_BASE)/.test(name));
  const known = names.map((name) => format[name]);
  assert.deepEqual([...listed].sort((a, b) => a - b), known.sort((a, b) => a - b));
  for (const [path, text] of pages)
    for (const [, code] of text.matchAll(/exit code (\d+)/g))
      assert(listed.has(Number(code)), `${path}: exit code ${code}`);
});
