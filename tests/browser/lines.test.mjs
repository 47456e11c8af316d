// The lines of the chosen function in the HTML report: those that lcov has, and text only where it was asked for.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';

import { programs } from '../debug/programs.mjs';
import { tool } from '../support/tools.mjs';
import { go, openFiles, readTable, textOf, withHtml, withReport } from './report_page.mjs';
import { browser, folder, withPage } from './support.mjs';

after(() => browser.close());

const source = join(programs, 'counted.c');

function run(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? stderr}`);
  return stdout;
}

const clang = (...args) => run(process.env.WI_CLANG, '--target=wasm32-wasi', ...args);
clang('-c', '-gdwarf-4', '-O0', source, '-o', 'counted.o');
clang('counted.o', '-o', 'counted.wasm');
run(tool('wasm-perf'), 'record', '--engine=node', '--lines', '--clock=instructions', '-o', 'counted.wperf', 'counted.wasm');

/** The rows of the chosen function: {heading: text}. */
const readLines = (page) => page.$$eval('#lines tbody tr:not(.gap)', (rows) => {
  const headings = Array.from(document.querySelectorAll('#lines thead th'), ({ textContent }) => textContent);
  return rows.map(({ cells }) => Object.fromEntries(headings.map((heading, i) => [heading, cells[i].textContent])));
});

/** The page's lines of a function: their executions, place and text. */
async function linesOf(html, name) {
  let rows;
  await withHtml(html, async (page) => {
    await go(page, `select=${name}`);
    rows = (await readLines(page)).map(({ Executed: count, Line: place, Source: text = '' }) => ({ count, place, text }));
  });
  return rows;
}

/** What lcov's format says of all lines. */
function countsOfTrace() {
  const trace = run(tool('wasm-perf'), 'report', '--format=lcov', 'counted.wperf');
  return new Map([...trace.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, count]) => [line, Number(count)]));
}

function reportHtml(name, ...options) {
  run(tool('wasm-perf'), 'report', ...options, 'counted.wperf', '-o', name);
  return join(folder, name);
}

test('lines are executed as often as lcov has it', async () => {
  const counts = countsOfTrace();
  const rows = await linesOf(reportHtml('numbers.html'), 'recurse');
  assert(rows.length >= 2);
  for (const { count, place } of rows)
    assert.equal(Number(count.replaceAll(',', '')), counts.get(place.replace('counted.c:', '')), place);
  assert(rows.every(({ text }) => text === ''), 'no text: the sources may be nobody else\'s business');
});

test('lines have their total with callees, as annotate has it', async () => {
  const number = (text) => Number(text.replaceAll(',', ''));
  const annotated = run(tool('wasm-perf'), 'annotate', '__original_main', 'counted.wperf');
  const wanted = [...annotated.matchAll(/^ *[\d,]+ +[\d.]+ +([\d,]+) +[\d.]+ +[\d,]+ +(?:[\d,]+ +)?(\d+)  /gm)].map(([, total, line]) => [line, number(total)]);
  assert(wanted.length > 2, annotated);
  await withHtml(reportHtml('totals.html'), async (page) => {
    await go(page, 'select=__original_main');
    const rows = await readLines(page);
    assert.deepEqual(rows.map((row) => [row.Line.replace('counted.c:', ''), number(row['With callees'])]), wanted);
    assert(rows.some((row) => number(row['With callees']) > 10 * number(row.Instructions)));
    await go(page, 'select=early');
    assert((await readLines(page)).every((row) => !('With callees' in row)), 'it calls nothing');
  });
});

test('what was inlined is named, found by a search, and the hottest line is in sight', async () => {
  const text = ['static int step(int i);', 'volatile int seen;', 'int main(int count, char **texts) {', '  int sum = 0;', ...Array(60).fill('  seen = count;'),
    '  for (int i = 0; i < 1000 + count; i++)', '    sum += step(i);', '  return sum == 3;', '}', 'static int step(int i) { return i * 7 % 13; }', ''];
  writeFileSync(join(folder, 'inlined.c'), text.join('\n'));
  clang('-c', '-g', '-O1', 'inlined.c', '-o', 'inlined.o');
  clang('inlined.o', '-o', 'inlined.wasm');
  spawnSync(tool('wasm-perf'), ['record', '--engine=node', '--lines', '--clock=instructions', '-o', 'inlined.wperf', 'inlined.wasm'], { cwd: folder });
  run(tool('wasm-perf'), 'report', '--source', folder, 'inlined.wperf', '-o', 'inlined.html');
  await withHtml(join(folder, 'inlined.html'), async (page) => {
    const [said] = await page.$$eval('#findings li', (items) => items.map(({ textContent }) => textContent).filter((one) => one.startsWith('step, inlined into')));
    assert.match(said, /^step, inlined into \S+ \(inlined\.c:69\): [\d.]+ % of the instructions/);
    const name = await page.$eval('#findings li b', (element) => element.textContent);
    await go(page, `select=${name}`);
    assert.match(await textOf(page, 'line-part'), /Inlined into it: step [\d.]+ %/);
    const { row, view } = await page.evaluate(() => ({ row: document.querySelector('#lines .hottest').getBoundingClientRect().toJSON(),
      view: document.querySelector('#line-part .scroller').getBoundingClientRect().toJSON() }));
    assert(row.top >= view.top && row.bottom <= view.bottom, JSON.stringify([row, view]));
    await go(page, 'query=^step$');
    assert.match(await textOf(page, 'matches'), /of 1 function/);
  });
});

test('a page without the text of lines says how to add it', async () => {
  for (const [name, options, expected] of [['no_text.html', [], true], ['with_text.html', ['--source', dirname(source)], false]])
    await withHtml(reportHtml(name, ...options), async (page) => {
      await go(page, 'select=recurse');
      assert.equal((await textOf(page, 'line-part')).includes('Their text: report --source FOLDER'), expected);
    });
});

test('text comes from the folder that is given', async () => {
  const text = readFileSync(source, 'utf8').split('\n');
  const rows = await linesOf(reportHtml('text.html', '--source', dirname(source)), 'recurse');
  for (const row of rows) {
    const line = Number(row.place.match(/(\d+)$/)[1]);
    assert.equal(row.text.trim(), text[line - 1].trim());
  }
  const whole = await linesOf(join(folder, 'text.html'), 'choose');
  const withCode = whole.filter(({ count }) => count !== '');
  const numbers = whole.map(({ place }) => Number(place.match(/(\d+)$/)[1]));
  assert(withCode.length < whole.length, 'lines without code are there, too');
  assert.deepEqual(numbers, Array.from(numbers, (_, i) => numbers[0] + i));
  const elsewhere = await linesOf(reportHtml('elsewhere.html', '--source', folder), 'recurse');
  assert(elsewhere.every((row) => row.text === '' && row.count !== ''), 'without text no row is empty');
});

test('without lines of the source there is WebAssembly text, whose counts add up', async () => {
  clang('-c', '-O0', source, '-o', 'bare.o');
  clang('bare.o', '-o', 'bare.wasm');
  run(tool('wasm-perf'), 'record', '--engine=node', '--lines', '--clock=instructions', '-o', 'bare.wperf', 'bare.wasm');
  run(tool('wasm-perf'), 'report', 'bare.wperf', '-o', 'bare.html');
  const { functions } = JSON.parse(run(tool('wasm-perf'), 'report', '--format=json', 'bare.wperf'));
  const { self } = functions.find(({ name }) => name === 'recurse');
  await withHtml(join(folder, 'bare.html'), async (page) => {
    await go(page, 'select=recurse');
    assert.equal(await page.$eval('#line-part h2', (heading) => heading.textContent), 'recurse, as WebAssembly');
    const rows = (await readLines(page)).map(({ Instructions: count, Source: text }) => [count, text]);
    const sum = rows.reduce((all, [count]) => all + Number(count.replaceAll(',', '')), 0);
    assert.equal(sum, Number(self));
    const annotated = run(tool('wasm-perf'), 'annotate', 'recurse', 'bare.wperf');
    for (const [, text] of rows) assert(annotated.includes(text), text);
    assert(rows.some(([count, text]) => count === '' && /\bend$/.test(text)), 'what ends a block is there, too');
  });
});

test('a profile without lines has no place for them', () =>
  withReport('program', async (page) => {
    await go(page, 'select=malloc');
    assert(await page.$eval('#line-part', (part) => part.hidden));
    assert(await page.$eval('#sandwich', (part) => !part.hidden));
  }));

run(tool('wasm-perf'), 'open', '--no-browser', '-o', 'view.html');

test('a page without a profile shows lines of a file with its module, which may come later', () => {
  const [profile, module] = ['counted.wperf', 'counted.wasm'].map((name) => join(folder, name));
  const lineCount = (page) => page.$$eval('#lines tbody tr', (rows) => rows.length);
  return withPage(join(folder, 'view.html'), async (page) => {
    await openFiles(page, profile);
    await go(page, 'select=recurse');
    assert.equal(await lineCount(page), 0);
    await openFiles(page, module);
    await go(page, 'select=recurse');
    assert(await lineCount(page) >= 2);
    assert.match(await textOf(page, 'about'), /Module counted\.wasm/);
    assert.equal(await textOf(page, 'notice'), '');
  });
});

test('a module that does not fit is refused, and the next one is taken', () => {
  clang('-c', '-O1', source, '-o', 'other.o');
  clang('other.o', '-o', 'other.wasm', '-Wl,--export-all');
  const [profile, module, other] = ['counted.wperf', 'counted.wasm', 'other.wasm'].map((name) => join(folder, name));
  return withPage(join(folder, 'view.html'), async (page) => {
    await openFiles(page, profile);
    await openFiles(page, other);
    assert.match(await textOf(page, 'notice'), /^other\.wasm cannot be shown: .*not the module of counted\.wperf/);
    await openFiles(page, module);
    assert.equal(await textOf(page, 'notice'), '');
  });
});

test('symbols name the functions of a stripped module', () => {
  clang('counted.o', '-o', 'stripped.wasm', '-Wl,--strip-all');
  run(tool('wasm-perf'), 'record', '--engine=node', '--clock=instructions', '-o', 'stripped.wperf', 'stripped.wasm');
  const profile = join(folder, 'stripped.wperf');
  return withPage(join(folder, 'view.html'), async (page) => {
    const nameOfFirst = async () => (await readTable(page)).rows[0].name;
    await openFiles(page, profile);
    const [, index] = /^func\[(\d+)\]/.exec(await nameOfFirst());
    writeFileSync(join(folder, 'app.symbols'), `${index}:the_hottest\n`);
    await openFiles(page, join(folder, 'app.symbols'));
    assert.equal(await nameOfFirst(), 'the_hottest');
    assert.match(await textOf(page, 'notice'), /^app\.symbols: cannot tell whether it is the module of stripped\.wperf/);
    await openFiles(page, join(folder, 'counted.wasm'));
    assert.match(await nameOfFirst(), /^[a-z_]+ counted\.c:\d+$/, 'a module that certainly fits is preferred');
  });
});
