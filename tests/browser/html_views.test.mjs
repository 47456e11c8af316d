// What of a profile the HTML report shows: filters, values, links, callers and callees.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { sharedCalls } from '../js/wperf.mjs';
import {
  choose, clickFrame, clickOn, commas, go, readFrames, readTable, settle, textOf, withHtml, withReport,
} from './report_page.mjs';
import { browser, folder, percentage, search, writeReport } from './support.mjs';

after(() => browser.close());

// --- what is shown of it ---
const totalOf = async (page) => {
  await clickOn(page, '#reset:not(:disabled)').catch(() => {});
  return textOf(page, 'frame-line');
};

test('focus leaves the stacks of a function', () =>
  withReport('program', async (page) => {
    await go(page, 'focus=malloc');
    assert.match(await textOf(page, 'frame-line'), /^all — 259 µs total/);
    const rows = new Map((await readTable(page)).rows.map(({ name, cells }) => [name, cells]));
    assert.equal(rows.get('malloc').Calls, '4,012');
    assert.equal(rows.get('json::parse(char const*)').Total, '250 µs');
    assert.equal(rows.get('json::parse(char const*)').Self, '0 ns');
    assert.equal(rows.has('func[4]'), false);
    await clickOn(page, '#filters button');
    assert.match(await textOf(page, 'frame-line'), /^all — 772 µs total/);
  }));

test('hide gives what a function took to its callers', () =>
  withReport('program', async (page) => {
    await clickFrame(page, 'malloc');
    await clickOn(page, '#hide');
    assert.match(await textOf(page, 'filters'), /Hidden: malloc/);
    const rows = new Map((await readTable(page)).rows.map(({ name, cells }) => [name, cells]));
    assert.equal(rows.has('malloc'), false);
    assert.equal(rows.get('json::parse(char const*)').Self, '670 µs');
    assert.equal(rows.get('app::print').Self, '89.0 µs');
    assert.match(await totalOf(page), /^all — 772 µs total/);
  }));

test('recursion folds into the frame that the function has already', () =>
  withReport('recursion', async (page, { functions }) => {
    const levels = async () => (await readFrames(page)).filter(({ name }) => name === 'fact').map(({ level }) => level);
    assert((await levels()).length > 2);
    await clickOn(page, '#fold');
    assert.deepEqual((await levels()).sort(), [2, 3], 'called from main and from helper');
    const wanted = functions.find(({ name }) => name === 'fact');
    const { cells } = (await readTable(page)).rows.find(({ name }) => name === 'fact');
    assert.equal(cells.Calls, commas(wanted.calls));
    assert.equal(cells.Total, `${(Number(wanted.total) / 1000).toPrecision(3)} µs`);
  }));

test('calls that are known only as a sum are said to be at most that, where not all of them are shown', async () => {
  const profile = join(folder, 'shared.wperf');
  writeFileSync(profile, sharedCalls());
  await withHtml(writeReport({ path: profile, name: 'shared' }, 'html', 'html'), async (page) => {
    const callsOf = async () => Object.fromEntries((await readTable(page)).rows.map(({ name, cells }) => [name, cells.Calls]));
    assert.deepEqual(await callsOf(), { main: '1', left: '1', right: '1', parse: '30', scan: '7' });
    for (const [zoom, text] of [[3, ', ≤30 calls'], [5, ', ≤30 calls'], [6, ', ≤7 calls'], [2, ', 1 call']]) {
      await go(page, `zoom=${zoom}`);
      const line = await textOf(page, 'frame-line');
      assert(line.endsWith(text) || [',', ';'].some((end) => line.includes(`${text}${end}`)), `${zoom}: ${line}`);
    }
    const edgesOf = (list) =>
      page.$$eval(`#${list} tbody tr`, (rows) => rows.map(({ cells }) => [cells[2].textContent, cells[1].textContent]));
    await go(page, 'select=parse');
    assert.deepEqual(await edgesOf('caller-list'), [['right', '≤30'], ['left', '≤30']]);
    assert.deepEqual(await edgesOf('callee-list'), [['scan', '7']], 'whichever stack they were on, parse called it');
    await go(page, 'select=scan');
    assert.deepEqual(await edgesOf('caller-list'), [['parse', '7']]);
    await go(page, 'focus=right');
    const focused = await callsOf();
    assert.deepEqual([focused.parse, focused.scan], ['≤30', '≤7']);
    await go(page, 'focus=right&select=scan');
    assert.deepEqual(await edgesOf('caller-list'), [['parse', '≤7']]);
  });
});

test('the values may be the calls', () =>
  withReport('program', async (page, { functions }) => {
    await choose(page, 'value', 'calls');
    assert.match(await textOf(page, 'frame-line'), /^all — 4,052 calls total/);
    const widest = (await readFrames(page)).filter(({ level }) => level === 3).sort((a, b) => b.width - a.width)[0];
    assert.equal(widest.name, 'malloc');
    const byCalls = [...functions].sort((a, b) => Number(b.calls - a.calls));
    assert.equal((await readTable(page)).rows[0].name, byCalls[0].name);
  }));

test('a link has all of it', async () => {
  let fragment;
  await withReport('many_functions', async (page) => {
    await choose(page, 'order', 'call');
    await choose(page, 'value', 'calls');
    await clickOn(page, '#up');
    await search(page, 'lib[34]');
    await clickFrame(page, 'lib0_function_80');
    fragment = await page.evaluate(() => location.hash.slice(1));
  });
  await withReport('many_functions', async (page) => {
    assert.match(await textOf(page, 'frame-line'), /^lib0_function_80 — 80,000 calls total/);
    assert.equal(await page.$eval('#search', (field) => field.value), 'lib[34]');
    assert.equal(await page.$eval('#order', (field) => field.value), 'call');
    assert.equal(await page.$eval('#up', (button) => button.getAttribute('aria-pressed')), 'true');
  }, { fragment });
});

test('a link with an unknown fragment does no harm', () =>
  withReport('program', async (page) => {
    await go(page, 'zoom=999999&focus=nobody&hide=nobody&value=x&run=7&compare=9&order=up&select=<b>');
    assert.match(await textOf(page, 'frame-line'), /^all — 772 µs total/);
    assert.equal((await readTable(page)).rows.length, 5);
  }));

// --- callers and callees ---
const LIST_LIMIT = 10;

/** What is to be listed for a function: the edges at `end` that have it, seen from the other end. */
function expectedCalls({ edges, whole }, name, end, otherEnd) {
  return edges.filter((edge) => edge[end] === name)
    .map((edge) => [`${percentage(edge.total, whole, 2)} %`, commas(edge.calls), edge[otherEnd]].join('|')).sort();
}

const readList = (page, id) =>
  page.$eval(`#${id}`, (table) => Array.from(table.tBodies[0].rows, (row) =>
    Array.from(row.cells, (cell) => cell.textContent).join('|')));

for (const name of ['program', 'no_clock', 'recursion', 'mutual_recursion', 'host_calls', 'many_functions', 'deep', 'limits']) {
  test(`${name}: callers and callees equal the oracle's`, () =>
    withReport(name, async (page, report) => {
      for (const { name: text } of report.functions.slice(0, 8)) {
        await go(page, `select=${encodeURIComponent(text)}`);
        for (const [id, end, otherEnd] of [['caller-list', 'callee', 'caller'], ['callee-list', 'caller', 'callee']]) {
          const wanted = expectedCalls(report, text, end, otherEnd);
          const actual = await readList(page, id);
          const lines = actual.filter((line) => line.includes('|'));
          if (wanted.length <= LIST_LIMIT) assert.deepEqual(lines.sort(), wanted, text);
          else assert.equal(actual.at(-1), `${wanted.length - LIST_LIMIT} more`);
          if (wanted.length === 0) assert.deepEqual(actual, ['nothing that was profiled']);
        }
      }
    }));
}

test('the graphs of callers and callees divide the total of the function', () =>
  withReport('program', async (page) => {
    await go(page, 'select=malloc');
    const callers = await readFrames(page, 'caller-graph');
    const width = (name) => callers.find((frame) => frame.name === name).width;
    assert(Math.abs(width('json::parse(char const*)') / width('malloc') - 250 / 259) < 0.01);
    assert(Math.abs(width('_start') / width('malloc') - 250 / 259) < 0.01, 'through parse');
    const y = (name) => callers.find((frame) => frame.name === name).y;
    assert(y('json::parse(char const*)') < y('malloc'), 'callers are above');
    await go(page, `select=${encodeURIComponent('app::print')}`);
    const callees = await readFrames(page, 'callee-graph');
    assert.deepEqual(callees.map(({ name }) => name), ['app::print', 'func[4]', 'malloc']);
  }));

test('a caller is a way to its own view', () =>
  withReport('program', async (page) => {
    await go(page, 'select=malloc');
    await clickOn(page, '#caller-list button');
    assert.equal(await textOf(page, 'sandwich-name'), 'json::parse(char const*)');
    assert.equal((await readTable(page)).rows.find(({ isCurrent }) => isCurrent).name, 'json::parse(char const*)');
    await page.goBack();
    await settle(page);
    assert.equal(await textOf(page, 'sandwich-name'), 'malloc');
  }));
