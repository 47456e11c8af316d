// The HTML report of measured calls: functions with percentiles and a chart, and the slowest calls.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, test } from 'node:test';

import { at, wasmPerf } from '../memory/programs.mjs';
import { writeProfile } from '../js/wperf.mjs';
import { withHtml } from './report_page.mjs';
import { browser } from './support.mjs';

after(() => browser.close());

const names = [[1, 'main'], [2, 'render'], [3, 'a<b>']];
const nodes = [[1, 0, 1], [2, 1, 101], [3, 1, 2]].map(([index, parent, calls]) => ({ function: index, parent, calls, self: 10 }));
const times = [...Array.from({ length: 100 }, (_, i) => 1_000_000 + 10_000 * i), 212_000_000];
const measured = {
  histograms: [{ node: 2, values: times }, { node: 3, values: [5e6, 6e6] }],
  kept: [{ node: 2, why: 1, number: 7, start: 2e9, values: [212_000_000, 0] }, { node: 3, why: 1, number: 1, values: [6e6, 0] }],
};
writeFileSync(at('measured.wperf'), writeProfile(nodes, names, { clock: 2, ticksPerSecond: 0, measured }));
writeFileSync(at('plain.wperf'), writeProfile(nodes, names, { clock: 2, ticksPerSecond: 0 }));
for (const name of ['measured', 'plain']) wasmPerf('report', at(`${name}.wperf`), '-o', at(`${name}.html`));
const { functions } = JSON.parse(wasmPerf('calls', '--format', 'json', at('measured.wperf')));

const cellsOf = (page, table) =>
  page.$$eval(`#measured .${table} tbody tr`, (rows) => rows.map(({ cells }) => [...cells].map(({ textContent }) => textContent)));

for (const scripts of [true, false])
  test(`functions, charts and the slowest calls are there ${scripts ? 'with' : 'without'} scripts`, async () => {
    await withHtml(at('measured.html'), async (page) => {
      const rows = await cellsOf(page, 'measured');
      assert.deepEqual(rows.map(([name, count]) => [name, Number(count)]), functions.map(({ name, calls }) => [name, calls]));
      assert.deepEqual(rows.map((cells) => cells[5]), ['212 ms', '6.00 ms']);
      const bars = await page.$$eval('#measured svg', (charts) =>
        charts.map((svg) => ({ count: svg.querySelector('path').getAttribute('d').match(/M/g).length, width: svg.getBoundingClientRect().width })));
      for (const { count, width } of bars) assert(count >= 2 && width > 50, `${count} ${width}`);
      assert.deepEqual((await cellsOf(page, 'slowest')).map((cells) => cells.slice(0, 3)), [['1', 'render', '212 ms'], ['2', 'a<b>', '6.00 ms']]);
    }, { scripts });
  });

test('a phone shows the table without scrolling the page sideways', async () => {
  await withHtml(at('measured.html'), async (page) => {
    await page.setViewport({ width: 360, height: 640 });
    const { scrollWidth, clientWidth } = await page.$eval('html', (html) => ({ scrollWidth: html.scrollWidth, clientWidth: html.clientWidth }));
    assert(scrollWidth <= clientWidth, `${scrollWidth} ${clientWidth}`);
    const { left, right } = await page.$eval('#measured svg', (svg) => svg.getBoundingClientRect().toJSON());
    assert(left >= 0 && right <= 360 && right - left > 250, `${left} ${right}`);
  });
});

test('a page without measured calls has no such section', async () => {
  await withHtml(at('plain.html'), async (page) => {
    assert.equal(await page.$eval('#measured', (part) => part.getBoundingClientRect().height), 0);
  });
});
