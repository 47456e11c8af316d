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
