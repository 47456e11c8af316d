// The HTML report by keyboard, on paper, on phones, for screen readers.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { writeProfile } from '../js/wperf.mjs';
import {
  clickFrame, clickHeading, clickOn, go, readFrames, readTable, settle, textOf, withHtml, withReport, writeStack,
} from './report_page.mjs';
import { browser, folder, search, writeReport } from './support.mjs';

after(() => browser.close());

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
