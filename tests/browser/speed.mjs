// What the HTML report costs: node speed.mjs FILE.html... prints a table of the CPU time that the page's thread
// spent, which is the same however many other programs run beside it.
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

import { browser, search, withPage } from './support.mjs';
import { settle, waitForReport } from './report_page.mjs';

const ZOOM_FRAMES = 60;

/** Milliseconds since the last call that the page's thread was busy: scripts, layout, painting. */
async function meter(page) {
  const client = await page.createCDPSession();
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  let before = 0;
  return async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    const now = 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
    const spent = now - before;
    before = now;
    return spent;
  };
}

/** Zooms by the wheel where the graph is dense and back again, a step a frame. */
function zoomByWheel(page, steps) {
  return page.evaluate(async (count) => {
    const graph = document.getElementById('graph');
    const box = graph.getBoundingClientRect();
    for (let i = 0; i < count; i++) {
      graph.dispatchEvent(new WheelEvent('wheel', { deltaY: i < count / 2 ? -60 : 60, ctrlKey: true, bubbles: true,
        cancelable: true, clientX: box.left + box.width * 0.4, clientY: box.top + 200 }));
      await new Promise((done) => requestAnimationFrame(done));
    }
  }, steps);
}

async function measure(path) {
  const row = { file: basename(path), size: statSync(path).size };
  await withPage(path, async (page) => {
    await page.goto('about:blank');
    const spent = await meter(page);
    await page.goto(pathToFileURL(path).href);
    await waitForReport(page);
    row.open = await spent();
    row.stacks = Number(readFileSync(path, 'utf8').match(/([\d,]+) call stack/)[1].replaceAll(',', ''));
    await page.evaluate(() => document.getElementById('search').focus());
    await spent();
    await search(page, '4');
    await settle(page);
    row.search = await spent();
    await page.keyboard.press('Enter');
    await settle(page);
    row.step = await spent();
    await zoomByWheel(page, ZOOM_FRAMES);
    row.frame = (await spent()) / ZOOM_FRAMES;
  }, { allows: () => true });
  return row;
}

const milliseconds = (time) => `${time < 20 ? time.toFixed(1) : time.toFixed(0)} ms`;
console.log('| report | stacks | size | open | search | next match | a frame of a zoom |\n|---|---:|---:|---:|---:|---:|---:|');
for (const path of process.argv.slice(2)) {
  const { file, stacks, size, ...times } = await measure(path);
  const cells = [file, stacks.toLocaleString('en-US'), `${(size / 1e6).toFixed(2)} MB`,
    ...['open', 'search', 'step', 'frame'].map((what) => milliseconds(times[what]))];
  console.log(`| ${cells.join(' | ')} |`);
}
await browser.close();
