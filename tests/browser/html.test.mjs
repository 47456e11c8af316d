// The HTML report in a browser: what it says, against the oracle; search, zoom, filters, links, its policy.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { writeProfile } from '../js/wperf.mjs';
import { tool } from '../support/tools.mjs';
import {
  choose, clickFrame, clickHeading, clickOn, go, readFrames, readTable, settle, textOf, withHtml, withReport,
} from './report_page.mjs';
import { browser, folder, makeProfile, percentage, search, writeReport } from './support.mjs';

after(() => browser.close());

const FIRST_ROWS = 100;
const EXACT = 2n ** 53n; // what JavaScript's numbers hold to the last digit

const commas = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

/** All rows of the table. */
async function readAllRows(page) {
  while (await page.$('button.more:not([hidden])')) await clickOn(page, 'button.more');
  return readTable(page);
}

/** Checks a row against the oracle's function. */
function checkRow({ cells, name }, wanted, { hasClock, whole }) {
  assert.equal(name, wanted.name);
  if (wanted.calls < EXACT) assert.equal(cells.Calls, commas(wanted.calls), name);
  assert.equal(cells[hasClock ? 'Self %' : 'Calls %'], `${percentage(wanted.self, whole, 2)} %`, name);
  if (hasClock) assert.equal(cells['Total %'], `${percentage(wanted.total, whole, 2)} %`, name);
}

const profiles = [
  'program', 'slow_clock', 'no_clock', 'instructions', 'unknown_clock', 'limits', 'empty', 'zero_time',
  'recursion', 'mutual_recursion', 'host_calls', 'odd_names', 'many_functions', 'deep', 'depth_limit',
  'wide', 'crowded', 'extremes',
];
for (const name of profiles) {
  test(`${name}: the table says what the oracle does`, () =>
    withReport(name, async (page, report) => {
      const { rows } = await readAllRows(page);
      assert.deepEqual(rows.map((row) => row.name).sort(), report.functions.map((row) => row.name).sort());
      const wanted = new Map(report.functions.map((row) => [row.name, row]));
      for (const row of rows) checkRow(row, wanted.get(row.name), report);
    }));
}

test('shares add up down the column', () =>
  withReport('many_functions', async (page, { functions, whole }) => {
    const { rows } = await readTable(page);
    let sum = 0n;
    for (const [i, { self }] of functions.slice(0, FIRST_ROWS).entries()) {
      sum += self;
      assert.equal(rows[i].cells['Cumulative %'], `${percentage(sum, whole, 1)} %`);
    }
  }));

test('rows past the first hundred come when they are asked for, and are told before', () =>
  withReport('wide', async (page, { functions, whole }) => {
    assert.equal((await readTable(page)).rows.length, FIRST_ROWS);
    const rest = functions.slice(FIRST_ROWS);
    const sum = rest.reduce((total, { self }) => total + self, 0n);
    const note = await page.$eval('#function-part .note', (element) => element.textContent);
    assert.equal(note.trim(), `${commas(rest.length)} more functions with ${percentage(sum, whole, 2)} % together.`);
    await clickOn(page, 'button.more');
    assert.equal((await readTable(page)).rows.length, 11 * FIRST_ROWS);
  }));

// --- places in the source ---

/** The element after the name in the table's row, as {text, href, title}. */
const placeOf = (page, name) =>
  page.evaluate((wanted) => {
    const rows = Array.from(document.querySelectorAll('#functions tbody tr'));
    const row = rows.find((other) => other.cells[0].firstChild.textContent === wanted);
    const place = row.querySelector('.place');
    return place && { text: place.textContent, href: place.getAttribute('href'), title: place.title };
  }, name);

test('functions stand beside their file and line, and lead to it where a URL is given', async () => {
  const profile = makeProfile('places');
  const show = (...options) => {
    const path = join(folder, 'places.html');
    const result = spawnSync(tool('wasm-perf'), ['report', '-o', path, ...options, profile.path], { cwd: '/', encoding: 'utf8' });
    return { path, ...result };
  };
  await withHtml(show().path, async (page) => {
    assert.deepEqual(await placeOf(page, 'json::parse(char const*)'), { text: 'json.cc:42', href: null, title: '/src/json.cc:42' });
    assert.deepEqual(await placeOf(page, 'malloc'), { text: 'malloc.c', href: null, title: '/libc/malloc.c' });
    assert.equal(await placeOf(page, 'func[4]'), null);
  });
  await withHtml(show('--source-url', 'https://example.org/{path}?line={line}').path, async (page) => {
    const { href } = await placeOf(page, 'app::print');
    assert.equal(href, 'https://example.org//src/my%20app/main.c?line=99');
    await clickFrame(page, 'json::parse(char const*)');
    assert.equal(await page.$eval('#frame-line .place', (place) => place.textContent), '/src/json.cc:42');
  });
  await withHtml(show('--source-url', 'https://example.org/main/{file}#L{line}').path, async (page) => {
    const { href } = await placeOf(page, 'json::parse(char const*)');
    assert.equal(href, 'https://example.org/main/src/json.cc#L42'); // seen from '/', where the command ran
  });
  for (const url of ['javascript:alert({file})', 'https://example.org/', '{path}'])
    assert.deepEqual([show('--source-url', url).status, /--source-url needs a URL/.test(show('--source-url', url).stderr)], [2, true]);
});

// --- the graph ---

/** {stack: frame} with the value where each begins when the largest children are first. */
function layOut(frames) {
  const kids = new Map();
  for (const frame of frames) {
    if (frame.stack.length === 0) continue;
    const above = JSON.stringify(frame.stack.slice(0, -1));
    kids.set(above, [...(kids.get(above) ?? []), frame]);
  }
  const places = new Map();
  const place = (frame, start) => {
    places.set(JSON.stringify(frame.stack), { ...frame, start });
    const below = kids.get(JSON.stringify(frame.stack)) ?? [];
    below.sort((a, b) => (a.total > b.total ? -1 : a.total < b.total ? 1 : 0));
    for (const kid of below) {
      place(kid, start);
      start += kid.total;
    }
  };
  place(frames.find(({ stack }) => stack.length === 0), 0n);
  return [...places.values()];
}

for (const name of ['program', 'no_clock', 'recursion', 'host_calls', 'many_functions']) {
  test(`${name}: every frame stands where the oracle has it`, () =>
    withReport(name, async (page, { frames, whole }) => {
      const shown = await readFrames(page);
      const { whole: pixels, y: top } = shown.find(({ level }) => level === 0);
      const scale = pixels / Number(whole);
      const wanted = layOut(frames).filter(({ total }) => Number(total) * scale >= 29);
      assert(wanted.length > 1);
      for (const { stack, start, total } of wanted) {
        const isTwin = (other) => other.level === stack.length && other.name === (stack.at(-1) ?? 'all');
        const found = shown.filter((other) => isTwin(other) &&
          Math.abs(other.x - Number(start) * scale) < 1 && Math.abs(other.width - Number(total) * scale) < 1);
        assert.equal(found.length, 1, `${stack.join(';')} ${start} ${total}`);
        assert(Math.abs(found[0].y - top - 18 * stack.length) < 1, 'below its caller');
      }
    }));
}

test('with the root at the bottom callees are above', () =>
  withReport('program', async (page) => {
    const down = await readFrames(page);
    await clickOn(page, '#up');
    const up = await readFrames(page);
    const lowest = Math.max(...up.map(({ y }) => y));
    for (const { name, level, x, width } of down) {
      const twin = up.find((other) => other.name === name && other.level === level && Math.abs(other.x - x) < 1);
      assert(Math.abs(twin.y - (lowest - 18 * level)) < 1 && Math.abs(twin.width - width) < 1, name);
    }
  }));

test('children are the largest first, or as they were first called', () =>
  withReport('odd_names', async (page) => {
    const order = async () => (await readFrames(page)).filter(({ level }) => level === 2).sort((a, b) => a.x - b.x);
    const heavy = await order();
    assert(heavy.length > 10);
    for (let i = 1; i < heavy.length; i++) assert(heavy[i].width <= heavy[i - 1].width + 0.1);
    await choose(page, 'order', 'call');
    const called = await order();
    assert.deepEqual(called.slice(0, 4).map(({ name }) => name), ['a;b', 'a:b', 'new_line_tab_[31mred_', 'replaced \ufffd']);
    assert.equal(called.length, heavy.length);
  }));

test('a click zooms and tells of the frame; Back and Reset go back', () =>
  withReport('program', async (page, { frames }) => {
    await clickFrame(page, 'app::print');
    const shown = await readFrames(page);
    const { whole } = shown[0];
    for (const name of ['all', '_start', 'app::print'])
      assert(Math.abs(shown.find((frame) => frame.name === name).width - whole) < 1, name);
    assert(shown.some(({ name }) => name === 'func[4]'), 'what was too narrow for a name has one');
    assert.equal(shown.find(({ name }) => name.startsWith('json')), undefined);
    const frame = frames.find(({ stack }) => stack.at(-1) === 'app::print');
    assert.equal(frame.total, 100_000n);
    assert.match(await textOf(page, 'frame-line'), /^app::print — 100 µs total \(13\.0 %\), 80\.0 µs self \(10\.4 %\), 7 calls, 14\.3 µs per call$/);
    assert.equal(await textOf(page, 'path'), '_start › app::print');
    await page.goBack();
    await settle(page);
    assert((await readFrames(page)).some(({ name }) => name.startsWith('json')));
    await page.goForward();
    await settle(page);
    await clickOn(page, '#reset');
    assert((await readFrames(page)).some(({ name }) => name.startsWith('json')));
  }));

test('zoom reveals every frame of a large profile', () =>
  withReport('wide', async (page) => {
    const count = 50_000;
    let revealed = 0;
    for (let node = 17; node < count; node += 4999) {
      await go(page, `zoom=${node}`);
      const line = await textOf(page, 'frame-line');
      if (/ 0 ns total/.test(line) || line.startsWith('all ')) continue; // there are less, of one name
      const frames = await readFrames(page);
      const name = line.slice(0, line.indexOf(' — '));
      const path = (await textOf(page, 'path')).split(' › ');
      assert.equal(path.at(-1), name);
      const shown = frames.filter((frame) => frame.name === name && Math.abs(frame.width - frame.whole) < 1);
      assert(shown.length >= 1, `${node}: ${line}`);
      revealed++;
    }
    assert(revealed >= 5);
  }));

test('the details are of what the pointer is on, also where there is no room for a name', () =>
  withReport('program', async (page) => {
    const print = (await readFrames(page)).find(({ name }) => name === 'app::print');
    await page.mouse.move(print.left + 5, print.top + 18 + 8);
    assert.match(await textOf(page, 'frame-line'), /^func\[4\] — 11\.0 µs total/);
    await page.mouse.move(print.left + 5, print.top + 8);
    assert.match(await textOf(page, 'frame-line'), /^app::print/);
  }));

test('a deep stack scrolls to where its innermost frame is', () =>
  withReport('deep', async (page) => {
    await go(page, 'zoom=150000');
    const shown = await readFrames(page);
    const frame = shown.find(({ level }) => level === 150_000);
    assert(frame.y >= 0 && frame.y < 600, String(frame.y));
  }));

// --- search ---

test('a search counts frames, functions and their share, and filters the table', () =>
  withReport('program', async (page, { functions }) => {
    await search(page, 'malloc|print');
    await settle(page);
    assert.equal(await textOf(page, 'matches'), '3 frames of 2 functions, 45.4 %');
    assert.deepEqual((await readTable(page)).rows.map(({ name }) => name), ['malloc', 'app::print']);
    await page.keyboard.press('Escape');
    assert.equal((await readTable(page)).rows.length, functions.length);
    assert.equal(await textOf(page, 'matches'), '');
  }));

const searches = [
  ['MALLOC', 1], ['func[', 1], ['parse(char const*)', 1], ['nothing like it', 0], ['^.*$', 5], ['(', 1],
];
for (const [text, count] of searches) {
  test(`a search for ${text} finds ${count}`, () =>
    withReport('program', async (page) => {
      await search(page, text);
      await settle(page);
      assert.match(await textOf(page, 'matches'), new RegExp(`of ${count} functions?, `));
    }));
}

test('Enter steps through the matches, the largest first, and brings them into sight', () =>
  withReport('wide', async (page) => {
    await search(page, 'method4999\\(');
    const total = Number((await textOf(page, 'matches')).match(/^(\d+) frame/)?.[1] ?? 0);
    assert(total >= 1);
    const shares = [];
    for (let step = 0; step < Math.min(total, 5); step++) {
      await page.keyboard.press('Enter');
      await settle(page);
      const current = (await readFrames(page)).find(({ isCurrent }) => isCurrent);
      const line = await textOf(page, 'frame-line');
      assert.match(line, /method4999\(/);
      shares.push(Number(line.match(/\(([\d.]+) %\)/)[1]));
      assert(current === undefined || current.name.includes('method4999('));
      assert.match(await textOf(page, 'matches'), new RegExp(`^${step + 1} of `));
    }
    assert.deepEqual(shares, [...shares].sort((a, b) => b - a));
    await page.keyboard.down('Shift');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Shift');
    assert.match(await textOf(page, 'matches'), new RegExp(`^${total === 1 ? 1 : Math.min(total, 5) - 1} of `));
  }));

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

test('a link to something else is no harm', () =>
  withReport('program', async (page) => {
    await go(page, 'zoom=999999&focus=nobody&hide=nobody&value=x&run=7&compare=9&order=up&select=<b>');
    assert.match(await textOf(page, 'frame-line'), /^all — 772 µs total/);
    assert.equal((await readTable(page)).rows.length, 5);
  }));

// --- callers and callees ---

const HOST = 'the host';
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
  test(`${name}: callers and callees are those of the oracle`, () =>
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

// --- the table ---

const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const byNumber = (key) => (a, b) => byText(a[key], b[key]);
const perCall = ({ self, calls }) => (calls === 0n ? -1 : Number(self) / Number(calls));

for (const name of ['program', 'many_functions', 'no_clock', 'slow_clock', 'zero_time']) {
  test(`${name}: a click on a heading sorts, another turns it round`, () =>
    withReport(name, async (page, { functions, hasClock }) => {
      const orders = hasClock
        ? { Self: byNumber('self'), 'Self %': byNumber('self'), Total: byNumber('total'), Calls: byNumber('calls'),
            'Self per call': (a, b) => perCall(a) - perCall(b) }
        : { 'Calls %': byNumber('calls'), Calls: byNumber('calls') };
      const check = async (heading, compare, direction) => {
        await clickHeading(page, heading);
        const names = (await readTable(page)).rows.map((row) => row.name);
        const values = names.map((text) => functions.find((other) => other.name === text));
        assert.equal(new Set(names).size, functions.length);
        for (let i = 1; i < values.length; i++)
          assert(direction * compare(values[i - 1], values[i]) <= 1e-9, `${heading}: ${names[i]}`);
        const sorted = await page.$$eval('#functions [aria-sort]', (cells) =>
          cells.map((cell) => [cell.textContent, cell.getAttribute('aria-sort')]));
        assert.deepEqual(sorted, [[heading, direction > 0 ? 'ascending' : 'descending']]);
      };
      await check('Function', (a, b) => byText(a.name, b.name), 1);
      await check('Function', (a, b) => byText(a.name, b.name), -1);
      for (const [heading, compare] of Object.entries(orders)) {
        await check(heading, compare, -1);
        await check(heading, compare, 1);
      }
    }));
}

test('what was taken out may be wrong by so much', async () => {
  // Of 100 calls and 1 of the caller; each may be off by 2 ns.
  const nodes = [
    { function: 1, parent: 0, calls: 1, self: 5000 },
    { function: 2, parent: 1, calls: 100, self: 9000 },
  ];
  const names = [[1, 'main'], [2, 'work']];
  const path = join(folder, 'cost.wperf');
  writeFileSync(path, writeProfile(nodes, names, { hookCosts: [10, 10, 2].map((cost) => cost * 1024) }));
  await withHtml(writeReport({ path }, 'html', 'html', []), async (page) => {
    const { rows } = await readTable(page);
    assert.deepEqual(rows.map(({ name, cells }) => [name, cells['±'], cells.Self]), [
      ['work', '200 ns', '8.00 µs'],
      ['main', '202 ns', '3.99 µs'],
    ]);
    await clickHeading(page, '±');
    assert.deepEqual((await readTable(page)).rows.map(({ name }) => name), ['main', 'work']);
  });
});

// --- the keyboard, screen readers, windows ---

test('the keyboard does all of it', () =>
  withReport('program', async (page) => {
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
      await settle(page);
    };
    await page.focus('#graph');
    const active = () => page.evaluate(() => {
      const graph = document.getElementById('graph');
      return document.getElementById(graph.getAttribute('aria-activedescendant'))?.getAttribute('aria-label');
    });
    assert.equal(await active(), 'all, 100.0 %');
    await press('ArrowDown', 'ArrowDown');
    assert.equal(await active(), 'json::parse(char const*), 86.8 %');
    await press('ArrowRight');
    assert.equal(await active(), 'app::print, 13.0 %');
    await press('ArrowLeft', 'ArrowUp');
    assert.match(await active(), /^_start/);
    await press('ArrowDown', 'ArrowRight', 'Enter');
    assert.match(await textOf(page, 'frame-line'), /^app::print/);
    assert((await readFrames(page)).every(({ name }) => !name.startsWith('json')));
    await press('/');
    await page.keyboard.type('malloc');
    assert.match(await textOf(page, 'matches'), /^2 frames of 1 function, 33\.6 %$/);
    await press('Escape');
    assert.equal(await textOf(page, 'matches'), '');
    await press('Escape');
    assert((await readFrames(page)).some(({ name }) => name.startsWith('json')));
  }));

test('the keyboard reaches rows', () =>
  withReport('program', async (page) => {
    await page.focus('#functions tbody tr');
    const focused = () => page.evaluate(() => document.activeElement.cells?.[0].textContent);
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'malloc');
    await page.keyboard.press('Enter');
    await settle(page);
    assert.equal(await textOf(page, 'sandwich-name'), 'malloc');
    assert.equal(await focused(), 'malloc');
  }));

test('the accessibility tree has the frames as a tree with levels', () =>
  withReport('program', async (page) => {
    const { children } = await page.accessibility.snapshot({ interestingOnly: false, root: await page.$('#graph') });
    const items = [];
    const collect = (node) => {
      if (node.role === 'treeitem') items.push([node.name, node.level]);
      for (const child of node.children ?? []) collect(child);
    };
    children.forEach(collect);
    assert.deepEqual(items.slice(0, 3), [['all, 100.0 %', 1], ['_start, 100.0 %', 2], ['json::parse(char const*), 86.8 %', 3]]);
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

test('on paper it is light, and the graph fits the page', () =>
  withReport('program', async (page) => {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMediaType('print');
    const [text, background] = await colors(page);
    assert(text < background);
    const frames = await readFrames(page);
    assert.equal(frames.find(({ name }) => name === 'all').width, 1046);
    assert.equal(await page.$eval('#bar', (bar) => bar.getBoundingClientRect().height), 0);
    await page.emulateMediaType('screen');
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await settle(page);
    assert((await readFrames(page)).find(({ name }) => name === 'all').width > 1100);
  }));

/** A stack of so many frames of one function each. */
function writeStack(name, depth, options) {
  const nodes = Array.from({ length: depth }, (_, i) => ({ function: i, parent: i, calls: 1, self: 1000 }));
  const path = join(folder, `${name}.wperf`);
  writeFileSync(path, writeProfile(nodes, nodes.map((_, i) => [i, `function_${i}`]), options));
  return { path };
}

async function print(page, use) {
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMediaType('print');
  await use();
  await page.emulateMediaType('screen');
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await settle(page);
}

test('calls that were not counted are shown as no number', async () => {
  const nodes = [
    { function: 1, parent: 0, calls: 1, self: 5000 },
    { function: 2, parent: 1, calls: 0, self: 9000 },
    { function: 3, parent: 1, calls: 0, self: 1000 },
  ];
  const path = join(folder, 'uncounted.wperf');
  const options = { clock: 4, functionCounts: [3, 2], uncounted: [2] };
  writeFileSync(path, writeProfile(nodes, [[1, 'main'], [2, 'hot'], [3, 'from before']], options));
  await withHtml(writeReport({ path }, 'html', 'html', []), async (page) => {
    const { rows } = await readTable(page);
    const shown = Object.fromEntries(rows.map(({ name, cells }) => [name, [cells.Calls, cells['Self per call']]]));
    assert.deepEqual(shown, { hot: ['?', '?'], main: ['1', '5.00 µs'], 'from before': ['0', '-'] });
    await clickFrame(page, 'hot');
    assert.match(await textOf(page, 'frame-line'), /^hot — 9\.00 µs total .*, calls not counted/);
    await clickHeading(page, 'Calls');
    assert.deepEqual((await readTable(page)).rows.map(({ name }) => name)[0], 'main');
  });
});

test('paper says which levels and functions it leaves out', () =>
  withHtml(writeReport(writeStack('paper', 50), 'html', 'html'), async (page) => {
    const note = () => page.$eval('#graph + p', (line) => (line.hidden ? null : line.textContent));
    const levels = async () => (await readFrames(page)).filter(({ y }) => y >= 0 && y < 540).map(({ level }) => level);
    await print(page, async () => {
      assert.equal(await note(), 'Not printed: 21 inner levels');
      assert.deepEqual(await levels(), Array.from({ length: 30 }, (_, i) => i));
      assert.equal((await readTable(page)).rows.length, 40);
      assert.match(await page.$eval('#function-part .note', (line) => line.textContent), /^10 more functions with 20\.00 %/);
    });
    assert.equal(await note(), null);
    assert.equal((await readTable(page)).rows.length, 50);
    await clickOn(page, '#up');
    await print(page, async () => {
      const frames = await readFrames(page);
      assert.equal(frames.find(({ name }) => name === 'all').y, 29 * 18, 'the root is on paper, too');
    });
    await go(page, 'zoom=40');
    await print(page, async () => {
      assert.equal(await note(), 'Not printed: 21 outer levels');
      assert((await levels()).includes(40));
    });
  }));

test('the innermost frames of a long stack are in sight', () =>
  withHtml(writeReport(writeStack('path', 50), 'html', 'html'), async (page) => {
    await go(page, 'zoom=40');
    assert.match(await textOf(page, 'path'), /^3\d frames › function_.* › function_39$/);
    const { right } = await page.$eval('#path button:last-child', (link) => link.getBoundingClientRect().toJSON());
    assert(right <= (await page.$eval('#path', (line) => line.getBoundingClientRect().right)));
  }));

for (const width of [360, 390]) {
  for (const name of ['many_functions', 'odd_names', 'limits']) {
    test(`${name}: on a phone of ${width} pixels only the table scrolls sideways`, () =>
      withReport(
        name,
        async (page) => {
          assert.deepEqual(
            await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]),
            [width, width],
          );
          const input = await page.$eval('#search', (field) => field.getBoundingClientRect().toJSON());
          assert(input.left >= 0 && input.right <= width);
        },
        { viewport: { width, height: 844, isMobile: true, hasTouch: true } },
      ));
  }
}

// --- several profiles ---

/** Two runs: the second has a new function, calls another one more often, and lacks a third. */
function makeRuns(change = {}) {
  const names = [[0, 'main'], [1, 'parse'], [2, 'print'], [3, 'check']];
  const before = [
    { function: 0, parent: 0, calls: 1, self: 1000 },
    { function: 1, parent: 1, calls: 10, self: 4000 },
    { function: 2, parent: 1, calls: 5, self: 5000 },
  ];
  const after = [
    { function: 0, parent: 0, calls: 1, self: 1000 },
    { function: 1, parent: 1, calls: 30, self: 10_000 },
    { function: 3, parent: 2, calls: 7, self: 9000 },
  ];
  const paths = ['before', 'after'].map((name) => join(folder, `${name}.wperf`));
  writeFileSync(paths[0], writeProfile(before, names));
  writeFileSync(paths[1], writeProfile(after, names, change));
  return paths;
}

const wasmPerf = (...args) => spawnSync(tool('wasm-perf'), args, { encoding: 'utf8' });

async function checkRuns(html) {
  await withHtml(html, async (page) => {
    assert.match(await textOf(page, 'frame-line'), /^all — 30\.0 µs total/, 'all together');
    await choose(page, 'run', '1');
    assert.match(await textOf(page, 'frame-line'), /^all — 20\.0 µs total/);
    assert.deepEqual((await readFrames(page)).map(({ name }) => name), ['all', 'main', 'parse', 'check']);
    await choose(page, 'run', '0');
    assert.match(await textOf(page, 'frame-line'), /^all — 10\.0 µs total/);
    const { rows } = await readTable(page);
    assert.equal(rows.find(({ name }) => name === 'print').cells.Calls, '5');
    await choose(page, 'compare', '1');
    assert.match(await textOf(page, 'frame-line'), /^all — total 20\.0 µs → 10\.0 µs \(−10\.0 µs, −50\.0 %\)/);
  });
}

test('several profiles are one page with a switch', async () => {
  const paths = makeRuns();
  const html = join(folder, 'runs.html');
  assert.equal(wasmPerf('report', ...paths, '-o', html).status, 0);
  await checkRuns(html);
});

test('a folder of profiles is one page, too', async () => {
  const runs = join(folder, 'runs');
  mkdirSync(runs);
  makeRuns().forEach((path, i) => copyFileSync(path, join(runs, `${i}.wperf`)));
  const html = join(folder, 'folder.html');
  assert.equal(wasmPerf('report', runs, '-o', html).status, 0);
  await checkRuns(html);
});

test('what many profiles are stands behind one line, and what few are behind one each; warnings are in sight', async () => {
  const few = makeRuns({ unbalancedCount: 1 });
  const copies = Array.from({ length: 12 }, (_, i) => join(folder, `copy${i}.wperf`));
  copies.forEach((path, i) => copyFileSync(few[i % 2], path));
  for (const [paths, closed, caution] of [[few, 2, /^Ignored: 1 return/], [copies, 13, /^6 of 12 with a warning$/]]) {
    const html = join(folder, 'header.html');
    assert.equal(wasmPerf('report', ...paths, '-o', html).status, 0);
    await withHtml(html, async (page) => {
      const height = await page.$eval('header', ({ clientHeight }) => clientHeight);
      assert(height < 140, `${height}`);
      assert.equal((await page.$$('header details:not([open])')).length, closed);
      const seen = await page.$$eval('header .caution', (all) => all.filter((line) => line.checkVisibility()).map((line) => line.textContent));
      assert.match(seen.join(), caution);
      await clickOn(page, 'header summary');
      assert.match(await page.$eval('header .run summary', (line) => line.innerText), /before|copy0/);
    });
  }
});

test('profiles that count different things are refused', () => {
  const paths = makeRuns({ clock: 2, ticksPerSecond: 0 });
  const { status, stderr } = wasmPerf('report', ...paths, '-o', join(folder, 'never.html'));
  assert.equal(status, 1);
  assert.match(stderr, /after\.wperf: /);
  assert(!existsSync(join(folder, 'never.html')));
  const svg = wasmPerf('report', ...makeRuns(), '-o', join(folder, 'never.svg'));
  assert.equal(svg.status, 2);
  assert.match(svg.stderr, /only html shows several profiles/);
});

test('a difference is coloured by change, and says what is new and gone', async () => {
  const html = join(folder, 'diff.html');
  assert.equal(wasmPerf('diff', ...makeRuns(), '-o', html).status, 0);
  await withHtml(html, async (page) => {
    assert.match(await textOf(page, 'frame-line'), /^all — total 10\.0 µs → 20\.0 µs \(\+10\.0 µs, \+100 %\)/);
    const rows = Object.fromEntries((await readTable(page)).rows.map(({ name, cells }) => [name, cells]));
    assert.deepEqual(Object.keys(rows), ['check', 'parse', 'print', 'main']);
    assert.deepEqual([rows.check.Change, rows.check['Change %']], ['+9.00 µs', 'new']);
    assert.deepEqual([rows.parse.Change, rows.parse['Change %']], ['+6.00 µs', '+150 %']);
    assert.deepEqual([rows.print.Change, rows.print['Change %']], ['−5.00 µs', 'gone']);
    assert.equal(rows.main.Change, 'no change');
    assert.match(await textOf(page, 'legend'), /Gone, so not drawn: 1 frame with 50\.0 %/);
    const colorAt = (level) => page.$eval('#graph canvas', (canvas, row) => {
      const ratio = canvas.width / canvas.clientWidth;
      const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, -400 * ratio, -(18 * row + 9) * ratio);
      return [...copy.getImageData(0, 0, 1, 1).data];
    }, level);
    const [[red, , blue], main] = [await colorAt(2), await colorAt(1)];
    assert(red > blue + 40, 'parse is red');
    assert(Math.abs(main[0] - main[2]) < 10, 'main is grey');
  });
});

// --- what it is made of ---

test('what was truncated and left open stands in the summary', () =>
  withReport('limits', async (page) => {
    const lines = await page.$$eval('header p', (all) => all.map((line) => [line.className, line.textContent]));
    assert(lines.some(([kind, line]) => kind === 'caution' &&
      /^Out of nodes \(65,536\): 1,234,567 calls .* has 77\.0 µs, 9\.1 %/.test(line)), JSON.stringify(lines));
    assert(lines.some(([kind, line]) => kind === 'fact' && line === 'Still running at the end: 3 frames'));
  }));

test('the findings say what takes most', () =>
  withReport('program', async (page) => {
    const lines = await page.$$eval('#findings li', (items) => items.map((item) => item.textContent));
    assert.deepEqual(lines, [
      'json::parse(char const*) takes 54.4 % of the time by itself: 420 µs in 20 calls, 21.0 µs each.',
      '3 of 5 functions take 90 % of the time.',
      '86.8 % of the time passes through json::parse(char const*), 2 frames deep; below it the work splits.',
    ]);
  }));

test('there are no findings where times are rough', async () => {
  const few = writeStack('few', 3, { clock: 4, clockReadCount: 7 });
  await withHtml(writeReport(few, 'html', 'html'), async (page) => {
    assert.match(await page.$eval('header .caution', (line) => line.textContent), /^Too few samples to trust: 7 samples/);
    assert.equal(await page.$('#findings'), null);
    assert.match(await page.$eval('header', (header) => header.textContent), /No findings: the times are too rough for them/);
  });
});

test('without scripts the summary and a table are there', () =>
  withReport(
    'program',
    async (page, { functions }) => {
      assert.match(await page.$eval('header', (header) => header.textContent),
        /772 µs \(wall clock\), 4,052 calls, 5 functions, 6 call stacks/);
      const names = await page.$$eval('noscript tbody th', (cells) => cells.map((cell) => cell.textContent));
      assert.deepEqual(names, functions.map(({ name }) => name));
      assert.equal(await page.$eval('#app', (app) => app.getBoundingClientRect().height), 0);
    },
    { scripts: false },
  ));

test('names are text, whatever is in them', () =>
  withReport('odd_names', async (page) => {
    const script = 'with ]]> and <script>alert(1)</script>';
    assert((await readAllRows(page)).rows.some(({ name }) => name === script));
    assert.equal(await page.$$eval('script', (scripts) => scripts.length), 1);
  }));

test('a name that is cut is cut between characters', () =>
  withReport('odd_names', async (page) => {
    for (const { text, name } of await readFrames(page)) {
      assert(text.isWellFormed(), text);
      if (text !== name) assert.match(text, /…/);
    }
  }));

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

test('a report that cannot be written is no success', (context) => {
  if (!existsSync('/dev/full')) return context.skip('there is no device that is full');
  const { path } = makeProfile('program');
  const args = ['report', '--format', 'html', '-o', '/dev/full', path];
  const { status, stderr } = spawnSync(tool('wasm-perf'), args, { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /No space left on device/);
});

test('no two modules of the page use a name for different things', () => {
  const sources = join(import.meta.dirname, '../../src/report/formats/html');
  const modules = ['format', 'source_link', 'data', 'tree', 'views', 'search', 'layout', 'flame', 'table', 'sandwich', 'lines', 'details', 'state', 'main'];
  const names = modules.flatMap((name) =>
    [...readFileSync(join(sources, `${name}.mjs`), 'utf8').matchAll(/^(?:export )?(?:async )?(?:function|const|class|let) (\w+)/gm)]
      .map((match) => match[1]));
  assert.deepEqual(names.filter((name, i) => names.indexOf(name) !== i), []);
});
