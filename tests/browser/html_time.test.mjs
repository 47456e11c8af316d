/** Time as it passed, in the HTML report: the strip, a part of the time, and frames in order of time. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { KINDS, writeProfile } from '../js/wperf.mjs';
import { clickOn, go, readFrames, readTable, settle, textOf, withHtml, writeStack } from './report_page.mjs';
import { browser, folder, writeReport } from './support.mjs';

after(() => browser.close());

// main calls a, then b, which calls a.
const [MAIN, A, B, BA] = [1, 2, 3, 4];
const nodes = [
  { function: 0, parent: 0, calls: 1, self: 30_000 },
  { function: 1, parent: MAIN, calls: 3, self: 400_000 },
  { function: 2, parent: MAIN, calls: 1, self: 5_000 },
  { function: 1, parent: B, calls: 1, self: 200_000 },
];
const threads = [
  { start: 1000, process: 7, number: 0, name: 'main', stretches: [[10, MAIN], [300, A], [50, 0], [20, MAIN], [100, BA]] },
  { start: 1200, dropped: 5000, process: 7, number: 1, name: 'worker', stretches: [[100, A], [5, B], [100, BA]] },
];
const WHOLE = 480; // microseconds

function write(name, options) {
  const path = join(folder, `${name}.wperf`);
  writeFileSync(path, writeProfile(nodes, [[0, 'main'], [1, 'a'], [2, 'b']], { clock: 5, ...options }));
  return writeReport({ path }, 'html', 'html');
}
const html = write('times', { threads });

const selves = async (page) =>
  Object.fromEntries((await readTable(page)).rows.map(({ name, cells }) => [name, cells.Self]));

/** Drags over the strip, from one share of its width to another. */
async function brush(page, from, to) {
  const box = await page.$eval('#strip [role="group"]', (element) => element.getBoundingClientRect().toJSON());
  await page.mouse.move(box.x + from * box.width, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + to * box.width, box.y + 8, { steps: 4 });
  await page.mouse.up();
  await settle(page);
}

test('start-up is found, and left out by one click', () => {
  const started = [{ start: 1000, process: 7, number: 0, name: 'main', stretches: [[40, MAIN], [300, A], [100, MAIN]] }];
  const begun = [{ ...started[0], stretches: [[200, MAIN], [200, B], [300, A]] }];
  const javascript = { kinds: [[0, KINDS.javascript], [2, KINDS.javascript]] };
  return withHtml(write('start', { threads: begun, ...javascript }), async (page) => {
    const [said] = await page.$$eval('#findings li', (items) => items.map(({ textContent }) => textContent).filter((text) => text.includes('start-up')));
    assert.match(said, /^57\.1 % of the time is start-up, before WebAssembly runs, most in b Leave it out$/);
    await clickOn(page, '#findings .act');
    assert.match(await page.evaluate(() => location.hash), /range=400-700/);
  }).then(() => withHtml(write('no-start', { threads: started }), async (page) => {
    assert.equal(await page.$('#findings .act'), null);
  }));
});

test('start-up names the function with half of it, and what has half of that', () => {
  const path = join(folder, 'path-of-start.wperf');
  const stacks = [[0, 0], [2, 1], [3, 2], [1, 1]].map(([index, parent]) => ({ function: index, parent, calls: 1, self: 100_000 }));
  const stretches = [[140, 1], [100, 2], [160, 3], [300, 4]];
  writeFileSync(path, writeProfile(stacks, [[0, 'main'], [1, 'a'], [2, 'b'], [3, 'c']], { clock: 5,
    kinds: [0, 2, 3].map((index) => [index, KINDS.javascript]), threads: [{ start: 1000, process: 7, number: 0, name: 'main', stretches }] }));
  return withHtml(writeReport({ path }, 'html', 'html'), async (page) => {
    const said = await page.$$eval('#findings li', (items) => items.map(({ textContent }) => textContent));
    assert(said.includes('57.1 % of the time is start-up, before WebAssembly runs, most in b \u2192 c Leave it out'), said.join('\n'));
  });
});

test('what was before a function was first seen is left out by one click', () =>
  withHtml(html, async (page) => {
    await go(page, 'select=b');
    await clickOn(page, '#since');
    assert.match(await page.evaluate(() => location.hash), /range=300-480/);
  }).then(() => withHtml(write('orderless', {}), async (page) => {
    await go(page, 'select=b');
    assert(await page.$eval('#since', (button) => button.hidden));
  })));

test('the strip has a row for each thread, and says what is not there', () =>
  withHtml(html, async (page) => {
    const rows = await page.$$eval('#strip [role="group"] span', (spans) => spans.map((span) => span.textContent));
    assert.deepEqual(rows, ['thread main', 'thread worker']);
    assert.match(await textOf(page, 'strip'), /480 .s from left to right.*; 5\.00 ms before were not kept WebAssembly not running $/);
    const { width, opacities } = await page.evaluate(() => {
      const { width, height } = document.querySelector('#strip canvas');
      const { data } = document.querySelector('#strip canvas').getContext('2d').getImageData(0, 0, width, height);
      return { width, opacities: Array.from({ length: width * height }, (_, i) => data[4 * i + 3]) };
    });
    const isDrawn = (time, row) => opacities[(row * 18 + 8) * width + Math.round((time / WHOLE) * width)] > 0;
    assert.deepEqual([5, 300, 320, 350, 370, 470].map((time) => isDrawn(time, 0)), [true, true, false, false, true, true]);
    assert.deepEqual([5, 190, 210, 400, 410, 470].map((time) => isDrawn(time, 1)), [false, false, true, true, false, false]);
  }));

for (const count of [2, 12])
  test(`the graph begins at the top, and a strip of ${count} threads is in sight below it`, () => {
    const many = Array.from({ length: count }, (_, number) => ({ ...threads[1], number, name: `worker ${number}` }));
    return withHtml(write(`threads-${count}`, { threads: many }), async (page) => {
      const box = (selector) => page.$eval(selector, (element) => element.getBoundingClientRect().toJSON());
      assert((await box('#graph')).top < 120);
      assert((await box('#strip')).bottom <= (await box('#details')).top + 1);
      assert((await box('#strip')).height <= 136, 'five rows, the axis and the caption; more of them scroll');
    }, { viewport: { width: 1440, height: 900 } });
  });

test('a part of the time has a tree, a table and totals; calls count the whole run', () =>
  withHtml(html, async (page) => {
    assert.deepEqual(await selves(page), { a: '600 \u00b5s', main: '30.0 \u00b5s', b: '5.00 \u00b5s' });
    await brush(page, 100 / WHOLE, 300 / WHOLE);
    const [, from, to] = /range=(\d+)-(\d+)/.exec(await page.evaluate(() => location.hash)).map(Number);
    assert(Math.abs(from - 100) <= 1 && Math.abs(to - 300) <= 1);
    await go(page, 'range=100-300');
    assert.deepEqual(await selves(page), { a: '300 \u00b5s', main: '0 ns' });
    const { rows: [{ cells }] } = await readTable(page);
    assert.equal(cells['Calls, whole run'], '4');
    assert.match(await textOf(page, 'totals'), /^300 .s in the chosen part of the time$/);
    assert.match(await textOf(page, 'strip'), /100 .s to 300 .s: .*calls of the whole run/);
    const frames = await readFrames(page);
    assert.deepEqual(frames.map(({ name }) => name).sort(), ['a', 'all', 'main']);
    await clickOn(page, '#reset');
    assert.deepEqual(await selves(page), { a: '600 \u00b5s', main: '30.0 \u00b5s', b: '5.00 \u00b5s' });
  }));

test('the parts of any division of the time add up to the whole', () =>
  withHtml(html, async (page) => {
    let sum = 0;
    for (const range of ['0-7', '7-123', '123-301', '301-480']) {
      await go(page, `range=${range}`);
      sum += Number(/^([\d.]+) \u00b5s/.exec(await textOf(page, 'totals'))[1]);
    }
    assert.equal(sum, 635);
  }));

test('frames in order of time stand where they were', () =>
  withHtml(html, async (page) => {
    await clickOn(page, '#chart');
    assert.match(await textOf(page, 'frame-line'), /480 .s total$/);
    const placed = (await readFrames(page)).map(({ name, level, x, width, whole }) =>
      [name, level, Math.round((x / whole) * WHOLE), Math.round(((x + width) / whole) * WHOLE)]);
    const byPlace = (a, b) => a[1] - b[1] || a[2] - b[2];
    assert.deepEqual(placed.sort(byPlace), [['main', 0, 0, 480], ['main', 1, 0, 310], ['main', 1, 360, 480],
      ['a', 2, 10, 310], ['b', 2, 380, 480], ['a', 3, 380, 480]]);
    await go(page, 'chart=1&thread=1&range=250-350');
    const names = (await readFrames(page)).map(({ name, level }) => `${level} ${name}`).sort();
    assert.deepEqual(names, ['0 worker', '1 main', '2 a', '2 b', '3 a']);
    await clickOn(page, '#chart');
    assert.deepEqual((await readFrames(page)).filter(({ level }) => level === 0).map(({ name }) => name), ['all']);
  }));

test('threads of the same name in several processes are numbered', () => {
  const twins = [0, 1, 2].map((number) => ({ ...threads[1], number, name: 'main' }));
  return withHtml(write('twins', { threads: twins }), async (page) => {
    const names = await page.$$eval('#strip [role="group"] span', (spans) => spans.map(({ textContent }) => textContent));
    assert.deepEqual(names, ['thread main', 'thread main (2)', 'thread main (3)']);
  });
});

test('a click on a row chooses its thread and all of the time; keys scale and move the part', () =>
  withHtml(html, async (page) => {
    await go(page, 'chart=1&range=100-200');
    const box = await page.$eval('#strip [role="group"]', (element) => element.getBoundingClientRect().toJSON());
    await page.mouse.click(box.x + box.width / 2, box.y + 18 + 6);
    await settle(page);
    assert.match(await page.evaluate(() => location.hash), /thread=1/);
    assert.doesNotMatch(await page.evaluate(() => location.hash), /range=/);
    await page.focus('#strip [role="group"]');
    await page.keyboard.press('w');
    await settle(page);
    assert.match(await page.evaluate(() => location.hash), /range=48-432/);
  }));

test('without an order of samples there is no strip', () =>
  withHtml(writeReport(writeStack('orderless', 3), 'html', 'html'), async (page) => {
    assert.deepEqual(await page.evaluate(() => ['strip', 'chart'].map((id) => document.getElementById(id).hidden)), [true, true]);
  }));

test('a part that no profile has is none', () =>
  withHtml(html, async (page) => {
    for (const range of ['9-3', '900-1000', 'x', '1-2-3']) {
      await go(page, `range=${range}&thread=99&chart=1`);
      assert.equal((await selves(page)).a, '600 \u00b5s', range);
    }
  }));
