// Pictures of FOLDER/NAME.svg and .html: node screenshots.mjs FOLDER NAME...
import { join } from 'node:path';

import { browser, search, withPage } from './support.mjs';
import { clickFrame, go, settle, waitForReport } from './report_page.mjs';

const [folder, ...names] = process.argv.slice(2);
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

const nothing = () => {};

/** The widest frame of the tenth level. */
async function zoom(page) {
  const frame = await page.$eval('#graph', (graph) => {
    const frames = [...graph.querySelectorAll('.frame:not([hidden])')];
    const level = frames.filter((other) => other.getAttribute('aria-level') === '10');
    return (level[0] ?? frames.at(-1)).getAttribute('aria-label').replace(/, [\d.,]+ %$/, '');
  });
  await clickFrame(page, frame);
}

async function showSandwich(page) {
  const name = await page.$eval('#functions tbody tr', (row) => row.cells[0].textContent);
  await go(page, `select=${encodeURIComponent(name)}`);
  await page.$eval('#lower', (part) => part.scrollIntoView());
  await settle(page);
}

/** name, kind of report, colours, what happens before the picture, the window */
const pictures = [
  ['svg', 'svg', 'light', nothing, desktop],
  ['svg-phone', 'svg', 'dark', nothing, { width: 390, height: 844 }],
  ['html', 'html', 'light', nothing, desktop],
  ['html-dark', 'html', 'dark', nothing, desktop],
  ['html-phone', 'html', 'light', nothing, phone],
  ['html-phone-dark', 'html', 'dark', nothing, phone],
  ['html-zoomed', 'html', 'light', zoom, desktop],
  ['html-searched', 'html', 'dark', (page) => search(page, 'str|4[0-9]'), desktop],
  ['html-sandwich', 'html', 'light', showSandwich, desktop],
];

for (const name of names) {
  for (const [kind, format, scheme, prepare, viewport] of pictures) {
    await withPage(join(folder, `${name}.${format}`), async (page) => {
      await page.emulateMediaFeatures([
        { name: 'prefers-color-scheme', value: scheme },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ]);
      if (format === 'html') await waitForReport(page);
      await prepare(page);
      await page.screenshot({ path: join(folder, `${name}-${kind}.png`) });
      if (kind === 'html-dark')
        await page.pdf({ path: join(folder, `${name}.pdf`), preferCSSPageSize: true, printBackground: true });
    }, { viewport });
  }
}
await browser.close();
