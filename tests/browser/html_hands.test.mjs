// What hands do in the HTML report: moves with a way back, matches that are chosen, the list of keys, folded parts.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { writeProfile } from '../js/wperf.mjs';
import { clickOn, go, readFrames, settle, textOf, withHtml, withReport } from './report_page.mjs';
import { browser, folder, search, writeReport } from './support.mjs';

after(() => browser.close());

const widthOf = async (page, name) => (await readFrames(page)).find((frame) => frame.name === name)?.width ?? 0;
const hash = (page) => page.evaluate(() => location.hash);

/** Zooms with Ctrl and the wheel in the middle of the graph, and waits until the address has it. */
async function wheel(page) {
  const { x, y, width } = await page.$eval('#graph', (graph) => graph.getBoundingClientRect().toJSON());
  await page.mouse.move(x + width / 2, y + 30);
  await page.keyboard.down('Control');
  await page.mouse.wheel({ deltaY: -300 });
  await page.keyboard.up('Control');
  await page.waitForFunction(() => location.hash.includes('view='));
  await settle(page);
}

for (const [name, back] of [
  ['Escape', (page) => page.keyboard.press('Escape')],
  ['Reset', (page) => clickOn(page, '#reset')],
  ['Back', (page) => page.goBack()],
])
  test(`${name} leads back from a zoom by the wheel`, () =>
    withReport('program', async (page) => {
      const before = await widthOf(page, 'json::parse(char const*)');
      await wheel(page);
      assert(await widthOf(page, 'json::parse(char const*)') > 1.1 * before);
      await back(page);
      await settle(page);
      assert.equal(await widthOf(page, 'json::parse(char const*)'), before);
      assert(!(await hash(page)).includes('view='));
      assert(await page.$eval('#reset', (button) => button.disabled));
    }));

test('the address keeps a zoom by the wheel', () =>
  withReport('program', async (page) => {
    await wheel(page);
    const [address, width] = [await hash(page), await widthOf(page, 'json::parse(char const*)')];
    await page.keyboard.press('Escape');
    await settle(page);
    await go(page, address.slice(1));
    assert(Math.abs(await widthOf(page, 'json::parse(char const*)') - width) < 0.5);
  }));

test('a match is selected, outlined, and the buttons are about it', () =>
  withReport('program', async (page) => {
    await search(page, 'malloc');
    await clickOn(page, '#next');
    assert.match(await textOf(page, 'frame-line'), /^malloc/);
    assert(!(await page.$eval('#focus', (button) => button.disabled)));
    assert(await page.$eval('.outline', (outline) => !outline.hidden));
    await clickOn(page, '#focus');
    assert.match(await textOf(page, 'filters'), /Only stacks with malloc/);
  }));

test('a selected function that is called on several stacks shows what all of them take', () =>
  withReport('program', async (page) => {
    await go(page, 'select=malloc');
    const [, total] = /in all 2 call stacks (\S+ \S+) total \(33\.6 %\)/.exec(await textOf(page, 'frame-line'));
    const cells = await page.$$eval('#functions tr[aria-current] td', (tds) => tds.map(({ textContent }) => textContent));
    assert(cells.includes(total), `${total} of ${cells}`);
  }));

test('? lists the keys, and Escape closes the list only', () =>
  withReport('program', async (page) => {
    await go(page, 'focus=malloc');
    await page.keyboard.type('?');
    assert(await page.$eval('#keys', (dialog) => dialog.open));
    await page.keyboard.press('Escape');
    assert(!(await page.$eval('#keys', (dialog) => dialog.open)));
    assert.match(await hash(page), /focus=malloc/);
  }));

test('the legend has twelve parts, and unfolds the others', () => {
  const names = Array.from({ length: 15 }, (_, i) => [i, `part${String.fromCharCode(97 + i)}::run`]);
  const path = join(folder, 'parts15.wperf');
  writeFileSync(path, writeProfile(names.map(([i]) => ({ function: i, parent: 0, calls: 1, self: 1000 - i })), names));
  return withHtml(writeReport({ path, name: 'parts15' }, 'html', 'html'), async (page) => {
    const texts = () => page.$$eval('#legend button', (buttons) => buttons.map(({ textContent }) => textContent));
    assert.equal((await texts()).length, 13);
    assert.match((await texts())[12], /^3 more parts with 19\.\d %$/);
    await clickOn(page, '#legend button:last-child');
    assert.equal((await texts()).length, 15);
  });
});

test('a pattern hides and focuses functions, and the address keeps it', () =>
  withReport('program', async (page) => {
    const names = async () => (await readFrames(page)).map(({ name }) => name);
    await search(page, 'malloc|app::');
    await clickOn(page, '#hide-matches');
    await settle(page);
    assert(!(await names()).some((name) => /malloc|app::/.test(name)));
    assert.equal(await textOf(page, 'filters'), 'Hidden: /malloc|app:: \u00d7');
    assert.equal(await textOf(page, 'matches'), '');
    const address = await hash(page);
    await clickOn(page, '#filters button');
    await settle(page);
    assert((await names()).some((name) => /malloc/.test(name)));
    await search(page, 'APP::');
    await clickOn(page, '#focus-matches');
    await settle(page);
    assert.equal(await textOf(page, 'filters'), 'Only stacks with /APP:: \u00d7');
    assert.deepEqual((await names()).filter((name) => name.includes('json')), []);
    await go(page, address.slice(1));
    assert.equal(await textOf(page, 'filters'), 'Hidden: /malloc|app:: \u00d7');
    await search(page, 'nothing has this name');
    assert(await page.$eval('#hide-matches', (button) => button.disabled));
  }));

test('a right click opens the menu of a frame', () =>
  withReport('program', async (page) => {
    const rightClick = async (name) => {
      const { x, y, width } = (await readFrames(page)).find((frame) => frame.name === name);
      const { left, top } = await page.$eval('#graph', (graph) => graph.getBoundingClientRect().toJSON());
      await page.mouse.click(left + x + width / 2, top + y + 9, { button: 'right' });
      await settle(page);
    };
    const isOpen = () => page.$eval('#menu', (menu) => menu.matches(':popover-open'));
    await rightClick('json::parse(char const*)');
    assert(await isOpen());
    assert.match(await textOf(page, 'frame-line'), /^json::parse/);
    await page.keyboard.press('Escape');
    assert(!(await isOpen()));
    assert.match(await hash(page), /select=json/, 'Escape only closed the menu');
    await rightClick('json::parse(char const*)');
    await clickOn(page, '#menu [data-action="hide"]');
    await settle(page);
    assert.match(await textOf(page, 'filters'), /^Hidden: json::parse/);
    assert(!(await isOpen()));
  }));

test('two fingers zoom, one moves what is zoomed', () =>
  withReport('program', async (page) => {
    const { x, y, width } = await page.$eval('#graph', (graph) => graph.getBoundingClientRect().toJSON());
    const client = await page.createCDPSession();
    const touch = (type, ...places) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints: places.map((place, id) => ({ id, x: x + place * width, y: y + 40 })) });
    const before = await widthOf(page, 'json::parse(char const*)');
    await touch('touchStart', 0.4, 0.6);
    await touch('touchMove', 0.3, 0.7);
    await touch('touchMove', 0.2, 0.8);
    await touch('touchEnd');
    await page.waitForFunction(() => location.hash.includes('view='));
    await settle(page);
    const view = async () => new URLSearchParams((await hash(page)).slice(1)).get('view').split('-').map(Number);
    const [left, part] = await view();
    assert(part < 0.6 && await widthOf(page, 'json::parse(char const*)') > before, `${part}`);
    await touch('touchStart', 0.5);
    await touch('touchMove', 0.4);
    await touch('touchMove', 0.3);
    await touch('touchEnd');
    await page.waitForFunction((old) => location.hash !== old, {}, await hash(page));
    const [moved, same] = await view();
    assert(moved > left && Math.abs(same - part) < 1e-6);
  }, { viewport: { width: 800, height: 700, hasTouch: true } }));

test('marks of large counts have room', () => {
  const path = join(folder, 'large.wperf');
  writeFileSync(path, writeProfile([{ function: 0, parent: 0, calls: 1, self: 6_063_530_188 }], [[0, 'main']], { clock: 2, ticksPerSecond: 0 }));
  return withHtml(writeReport({ path, name: 'large' }, 'html', 'html'), async (page) => {
    const marks = await page.$$eval('#scale span', (spans) => spans.map((span) => ({ text: span.textContent, ...span.getBoundingClientRect().toJSON() })));
    assert.deepEqual(marks.slice(0, 4).map(({ text }) => text), ['0 instructions', '1 G', '2 G', '3 G']);
    marks.slice(1).forEach(({ left }, i) => assert(marks[i].right <= left, marks[i].text));
  }, { viewport: { width: 700, height: 700 } });
});

test('the axis has round marks with units, and the first rows of the table are in sight', () =>
  withReport('deep', async (page) => {
    const marks = await page.$$eval('#scale span', (spans) => spans.map((span) => span.textContent));
    assert(marks.length > 4, String(marks));
    assert.equal(marks.shift(), '0');
    for (const mark of marks) assert.match(mark, /^[\d,]+(\.\d+)? (ns|\u00b5s|ms|s)$/);
    const steps = await page.$$eval('#scale span', (spans) => spans.map((span) => span.getBoundingClientRect().left));
    const widths = steps.slice(1).map((step, i) => step - steps[i]);
    assert(Math.max(...widths) - Math.min(...widths) < 1);
    const bar = await page.$eval('#details', (details) => details.getBoundingClientRect().top);
    const row = await page.$eval('#functions tbody tr', (line) => line.getBoundingClientRect().bottom);
    assert(row < await page.evaluate(() => innerHeight), `${row} ${bar}`);
  }, { viewport: { width: 1440, height: 900 } }));
