// Pictures of REPORT.svg and REPORT.html: node screenshots.mjs REPORT FOLDER
import { join } from 'node:path';

import { browser, search, withPage } from './support.mjs';

const [report, folder] = process.argv.slice(2);
const phone = { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

const clickFrame = (page, expression) =>
  page.evaluate((wanted) => {
    const frames = Array.from(document.getElementById('frames').children);
    const frame = frames.find((element) => new RegExp(wanted).test(element.firstElementChild.textContent));
    frame.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  }, expression.source);

const clickRow = (page) => page.$eval('#functions tbody tr:nth-child(3)', (row) => row.click());

const nothing = () => {};

/** name, kind of report, colours, what happens before the picture, the window */
const pictures = [
  ['flamegraph', 'svg', 'light', nothing],
  ['flamegraph-dark', 'svg', 'dark', nothing],
  ['flamegraph-zoomed', 'svg', 'light', (page) => clickFrame(page, /^vm_exec_core/)],
  ['flamegraph-zoomed-dark', 'svg', 'dark', (page) => clickFrame(page, /^vm_exec_core/)],
  ['flamegraph-searched', 'svg', 'light', (page) => search(page, 'str_|string')],
  ['flamegraph-narrow', 'svg', 'light', nothing, { width: 480, height: 800 }],
  ['html', 'html', 'light', nothing],
  ['html-dark', 'html', 'dark', nothing],
  ['html-searched', 'html', 'light', (page) => search(page, 'str_|string')],
  ['html-chosen', 'html', 'light', clickRow],
  ['html-chosen-dark', 'html', 'dark', clickRow],
  ['html-phone', 'html', 'light', nothing, phone],
];

for (const [name, format, scheme, prepare, viewport = { width: 1280, height: 900 }] of pictures) {
  await withPage(
    `${report}.${format}`,
    async (page) => {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await prepare(page);
      await page.screenshot({ path: join(folder, `${name}.png`) });
    },
    { viewport },
  );
}
await browser.close();
