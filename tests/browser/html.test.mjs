// The HTML report in a browser: figures, sorting, search, the choice of a function, its policy.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { writeProfile } from '../js/wperf.mjs';
import { tool } from '../support/tools.mjs';
import {
  browser, folder, makeProfile, percentage, readFrames, search, withPage, writeReport,
} from './support.mjs';

after(() => browser.close());

const ROW_LIMIT = 1000;
const MAX_SIZE = 4_500_000; // bytes

const reports = new Map();

/** The oracle's figures of a profile, and its report in a page. */
function withReport(name, use, options) {
  if (!reports.has(name)) {
    const profile = makeProfile(name);
    reports.set(name, { ...profile, html: writeReport(profile, 'html', 'html') });
  }
  const report = reports.get(name);
  return withPage(report.html, (page) => use(page, report), options);
}

/** The table as it is shown: {headings, rows: [{data, cells, isHidden}]}; null where there is none. */
const readTable = (page) =>
  page.evaluate(() => {
    const table = document.getElementById('functions');
    if (table === null) return null;
    const text = (cell) => cell.textContent;
    return {
      headings: Array.from(table.tHead.rows[0].cells, text),
      rows: Array.from(table.querySelectorAll(':scope > tbody > tr[data-calls]'), (row) => ({
        data: { ...row.dataset },
        cells: Array.from(row.cells, text),
        isHidden: row.getBoundingClientRect().height === 0,
      })),
    };
  });

const commas = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
const namesOf = (rows) => rows.filter(({ isHidden }) => !isHidden).map(({ cells }) => cells[0]);

/** Checks a row against the oracle's function: the exact numbers, and the cells that round them. */
function checkRow({ headings, rows }, index, wanted, { hasClock, whole }) {
  const { data, cells } = rows[index];
  const cell = (heading) => cells[headings.indexOf(heading)];
  const { name, self, total, calls } = wanted;
  assert.equal(cells[0], name);
  assert.equal(data.calls, String(calls), name);
  assert.equal(cell('calls'), commas(calls), name);
  assert.equal(cell(hasClock ? 'self %' : 'calls %'), percentage(self, whole, 2), name);
  if (!hasClock) return;
  assert.deepEqual([data.self, data.total], [String(self), String(total)], name);
  assert.equal(cell('total %'), percentage(total, whole, 2), name);
}

async function checkTable(page, report) {
  const table = await readTable(page);
  const { functions, whole } = report;
  assert.equal(table === null, functions.length === 0);
  if (table === null) return;
  const shown = functions.slice(0, ROW_LIMIT);
  assert.equal(table.rows.length, shown.length);
  shown.forEach((wanted, index) => checkRow(table, index, wanted, report));
  const rest = functions.slice(ROW_LIMIT);
  const sum = rest.reduce((total, { self }) => total + self, 0n);
  const note = `${commas(rest.length)} more: ${percentage(sum, whole, 2)} % of the total together`;
  const remainder = await page.evaluate(() => document.getElementById('remainder')?.textContent);
  assert.equal(remainder, rest.length > 0 ? note : undefined);
}

const profiles = [
  'program', 'slow_clock', 'no_clock', 'instructions', 'hybrid', 'unknown_clock', 'limits', 'empty',
  'zero_time', 'recursion', 'mutual_recursion', 'host_calls', 'odd_names', 'many_functions', 'deep',
  'depth_limit', 'wide', 'crowded', 'extremes',
];
for (const name of profiles) {
  test(`${name}: the table says what the oracle does`, () => withReport(name, checkTable));
}

test('however large a profile, the page is of bounded size', () =>
  withReport('crowded', (_, { html }) => assert(readFileSync(html).length < MAX_SIZE)));

test('a report that cannot be written is no success', (context) => {
  if (!existsSync('/dev/full')) return context.skip('there is no device that is full');
  const { path } = makeProfile('program');
  const args = ['report', '--format', 'html', '-o', '/dev/full', path];
  const { status, stderr } = spawnSync(tool('wasm-perf'), args, { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /No space left on device/);
});

test('without scripts the summary, the graph and the table are there', () =>
  withReport(
    'program',
    async (page, report) => {
      await checkTable(page, report);
      const frames = await readFrames(page);
      assert.equal(frames.length, report.frames.length);
      const width = frames[0].width;
      for (const { name, isShown, width: actual } of frames) {
        const candidates = report.frames.filter(({ stack }) => (stack.at(-1) ?? 'all') === name);
        const widths = candidates.map(({ total }) => (width * Number(total)) / Number(report.whole));
        assert(isShown && widths.some((wanted) => Math.abs(wanted - actual) < 0.1), name);
      }
      const summary = await page.$eval('header', (header) => header.textContent);
      assert.match(summary, /772 µs by the wall clock, 4,052 calls, 5 functions, 6 call stacks/);
      assert.equal(await page.$('input, button'), null);
    },
    { scripts: false },
  ));

test('what was folded and left open stands in the summary', () =>
  withReport('limits', async (page) => {
    const lines = await page.$$eval('header p', (all) => all.map((line) => line.textContent));
    assert(lines.some((line) => line.includes('past the limit of 65,536 nodes: 1,234,567 calls.')));
    assert(lines.includes('Still open when the profile was taken: 3 frames.'));
  }));

test('names are text, whatever is in them', () =>
  withReport('odd_names', async (page) => {
    const script = 'with ]]> and <script>alert(1)</script>';
    assert((await readTable(page)).rows.some(({ cells }) => cells[0] === script));
    assert.equal(await page.$$eval('script', (scripts) => scripts.length), 3);
  }));

const clickHeading = (page, heading) =>
  page.evaluate((text) => {
    const buttons = Array.from(document.querySelectorAll('#functions thead button'));
    buttons.find((button) => button.textContent === text).click();
  }, heading);

const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const byNumber = (key) => (a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0);
const perCall = ({ self, calls }) => (calls === 0n ? -1 : Math.round(Number(self * 10n) / Number(calls)));

for (const name of ['program', 'many_functions', 'no_clock', 'slow_clock', 'zero_time']) {
  test(`${name}: a click on a heading sorts, another turns it round`, () =>
    withReport(name, async (page, { functions, hasClock }) => {
      const orders = hasClock
        ? { 'self %': byNumber('self'), 'total %': byNumber('total'), calls: byNumber('calls'),
            'self ns/call': (a, b) => perCall(a) - perCall(b) }
        : { 'calls %': byNumber('calls'), calls: byNumber('calls') };
      const check = async (heading, compare, direction) => {
        await clickHeading(page, heading);
        const names = namesOf((await readTable(page)).rows);
        const values = names.map((text) => functions.find((other) => other.name === text));
        assert.equal(new Set(names).size, functions.length);
        for (let i = 1; i < values.length; i++) {
          assert(direction * compare(values[i - 1], values[i]) <= 0, `${heading}: ${names[i]}`);
        }
        const sorted = await page.$$eval('[aria-sort]', (cells) =>
          cells.map((cell) => [cell.textContent, cell.getAttribute('aria-sort')]));
        assert.deepEqual(sorted, [[heading, direction > 0 ? 'ascending' : 'descending']]);
      };
      await check('function', (a, b) => byText(a.name, b.name), 1);
      await check('function', (a, b) => byText(a.name, b.name), -1);
      for (const [heading, compare] of Object.entries(orders)) {
        await check(heading, compare, -1);
        await check(heading, compare, 1);
      }
    }));
}

test('a search filters the table as it lights the graph', () =>
  withReport('many_functions', async (page, { functions }) => {
    const all = functions.map(({ name }) => name);
    const wanted = all.filter((name) => /lib[34]_.*7/.test(name));
    await search(page, 'lib[34]_.*7');
    assert.deepEqual(namesOf((await readTable(page)).rows), wanted);
    assert.equal(await page.$eval('#count', (count) => count.textContent),
      `${wanted.length} of ${all.length} functions match`);
    const lit = (await readFrames(page)).filter(({ classes }) => classes.includes('match'));
    assert.deepEqual(lit.map(({ name }) => name).sort(), wanted.sort());
    await page.keyboard.press('Escape');
    assert.deepEqual(namesOf((await readTable(page)).rows), all);
  }));

const markedFrames = async (page) =>
  (await readFrames(page)).filter(({ classes }) => classes.includes('selected')).map(({ name }) => name);
const currentRow = (page) =>
  page.evaluate(() => document.querySelector('[aria-current]')?.cells[0].textContent);

test('a click on a row marks its frames, another one unmarks them', () =>
  withReport('program', async (page) => {
    const rows = await page.$$('#functions > tbody > tr[data-calls]');
    await rows[1].click();
    assert.equal(await currentRow(page), 'malloc');
    assert.deepEqual(await markedFrames(page), ['malloc', 'malloc']);
    await rows[1].click();
    assert.equal(await currentRow(page), undefined);
    assert.deepEqual(await markedFrames(page), []);
  }));

const HOST = 'the host';
const LIST_LIMIT = 10;

/** What is to be listed for a function: the edges at `end` that have it, seen from the other end. */
function expectedCalls({ functions, edges, whole }, name, end, otherEnd) {
  const rows = new Map(functions.slice(0, ROW_LIMIT).map((entry, index) => [entry.name, index]));
  const bytes = (text) => Buffer.from(text);
  const found = edges.filter((edge) => edge[end] === name).sort((a, b) =>
    byNumber('total')(b, a) || byNumber('calls')(b, a) ||
    (a[otherEnd] === HOST) - (b[otherEnd] === HOST) || bytes(a[otherEnd]).compare(bytes(b[otherEnd])));
  const listed = found
    .filter((edge) => rows.has(edge[otherEnd]) || edge[otherEnd] === HOST)
    .slice(0, LIST_LIMIT);
  const lines = listed.map((edge) =>
    [`${percentage(edge.total, whole, 2)} %`, commas(edge.calls), edge[otherEnd]].join('|'));
  const more = found.length - listed.length;
  if (listed.length > 0) lines.unshift('total|calls|function');
  if (more > 0) lines.push(listed.length > 0 ? `${more} more` : `${more}, small ones`);
  return found.length === 0 ? ['none'] : lines;
}

/** Chooses the row and returns what is listed below it: {"called by": lines, calls: lines}. */
const chooseRow = (page, index) =>
  page.evaluate((at) => {
    const row = document.querySelectorAll('#functions > tbody > tr[data-calls]')[at];
    row.click();
    const lists = row.nextElementSibling.querySelectorAll('table');
    return Object.fromEntries(Array.from(lists, (list) => [
      list.caption.textContent,
      Array.from(list.rows, (line) => Array.from(line.cells, (cell) => cell.textContent).join('|')),
    ]));
  }, index);

for (const name of ['program', 'no_clock', 'recursion', 'mutual_recursion', 'host_calls', 'odd_names',
  'many_functions', 'deep', 'limits', 'zero_time', 'wide']) {
  test(`${name}: callers and callees are those of the oracle`, () =>
    withReport(name, async (page, report) => {
      const shown = report.functions.slice(0, name === 'wide' ? 25 : ROW_LIMIT);
      for (const [index, { name: text }] of shown.entries()) {
        assert.deepEqual(
          await chooseRow(page, index),
          {
            'called by': expectedCalls(report, text, 'callee', 'caller'),
            calls: expectedCalls(report, text, 'caller', 'callee'),
          },
          text,
        );
      }
    }));
}

test('a caller is a way to its own row', () =>
  withReport('program', async (page) => {
    await chooseRow(page, 1); // malloc
    const buttons = await page.$$('#detail button');
    await buttons[0].click();
    assert.equal(await currentRow(page), 'json::parse(char const*)');
    assert.match(await page.evaluate(() => document.activeElement.textContent), /^json::parse/);
    assert.match(await page.$eval('#detail', (detail) => detail.textContent), /called by.*_startcalls.*malloc/);
  }));

test('callers and callees go where their row goes', () =>
  withReport('program', async (page) => {
    const above = () => page.$eval('#detail', (row) => row.previousElementSibling?.cells[0].textContent);
    await chooseRow(page, 1);
    await clickHeading(page, 'function');
    assert.equal(await above(), 'malloc');
    await search(page, 'parse');
    assert.equal(await page.$('#detail'), null);
    await search(page, '');
    assert.equal(await above(), 'malloc');
  }));

test('zooming to a frame chooses its function', () =>
  withReport('program', async (page) => {
    const { x, y, width } = (await readFrames(page)).find(({ name }) => name === 'app::print');
    await page.mouse.click(x + width / 2, y + 8);
    assert.equal(await currentRow(page), 'app::print');
    assert.deepEqual(await markedFrames(page), ['app::print']);
    assert.match(await page.$eval('#status', (status) => status.textContent), /^app::print — 100 µs/);
    await page.keyboard.press('Escape');
    assert.equal(await currentRow(page), undefined);
  }));

test('the keyboard reaches headings and rows', () =>
  withReport('program', async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    await page.$eval('#functions thead button', (button) => button.focus());
    await page.keyboard.press('Enter'); // by name
    for (let i = 0; i < 7; i++) await page.keyboard.press('Tab');
    assert.match(await focused(), /^json::parse/, 'the row that was the first one');
    await page.keyboard.press('ArrowDown');
    assert.match(await focused(), /^malloc/);
    await page.keyboard.press('Enter');
    assert.equal(await currentRow(page), 'malloc');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press(' ');
    assert.equal(await currentRow(page), 'func[4]');
  }));

const colors = (page) =>
  page.evaluate(() => {
    const style = getComputedStyle(document.body);
    return [style.color, style.backgroundColor].map((color) =>
      color.match(/\d+/g).reduce((sum, part) => sum + Number(part), 0));
  });

test('the page is light or dark as the system is', () =>
  withReport('program', async (page) => {
    for (const value of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
      const [text, background] = await colors(page);
      assert.equal(text > background, value === 'dark');
      assert(Math.abs(text - background) > 400, value);
    }
  }));

const phone = { width: 360, height: 640, isMobile: true, hasTouch: true };
for (const name of ['many_functions', 'odd_names', 'limits']) {
  test(`${name}: on a phone only the table scrolls sideways`, () =>
    withReport(
      name,
      async (page) => {
        assert.deepEqual(
          await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]),
          [360, 360],
        );
        const input = await page.$eval('input', (field) => field.getBoundingClientRect().toJSON());
        assert(input.left >= 0 && input.right <= 360);
      },
      { viewport: phone },
    ));
}

test('a script that somebody adds does not run', () =>
  assert.rejects(
    withReport('program', async (page) => {
      const outcome = await page.evaluate(async () => {
        const script = document.createElement('script');
        script.textContent = 'window.wasRun = true';
        document.body.append(script);
        await new Promise((resolve) => setTimeout(resolve));
        return [window.wasRun === true, ...window.violations.splice(0)];
      });
      assert.deepEqual(outcome, [false, 'script-src-elem inline']);
    }),
    /violates the following Content Security Policy/, // the complaint that no page may cause
  ));

test('what was taken out may be wrong by so much', async () => {
  // Of 100 calls and 1 of the caller; each may be off by 2 ns.
  const nodes = [
    { function: 1, parent: 0, calls: 1, self: 5000 },
    { function: 2, parent: 1, calls: 100, self: 9000 },
  ];
  const names = [[1, 'main'], [2, 'work']];
  const path = join(folder, 'cost.wperf');
  writeFileSync(path, writeProfile(nodes, names, { hookCosts: [10, 10, 2].map((cost) => cost * 1024) }));
  await withPage(writeReport({ path }, 'html', 'html', []), async (page) => {
    const { headings, rows } = await readTable(page);
    assert.equal(headings[3], '± µs');
    assert.deepEqual(rows.map(({ cells, data }) => [cells[0], cells[3], data.self, data.error]), [
      ['work', '0.200', '8000', '200'],
      ['main', '0.202', '3990', '202'],
    ]);
    await clickHeading(page, '± µs');
    assert.deepEqual(namesOf((await readTable(page)).rows), ['main', 'work']);
  });
});
