// Files of other tools have the same functions and values in their tools, in wasm-perf and in its page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { importPackage, tool } from '../support/tools.mjs';
import { openFiles, readAllRows, textOf } from './report_page.mjs';
import { browser as chromium } from './support.mjs';
import { files, ofFirefox, path } from './tool_files.mjs';
import { compareRows, oursOf, sumOf } from './tool_rows.mjs';

const { default: puppeteer } = await importPackage('puppeteer-core');
const firefox = process.env.WI_FIREFOX
  ? await puppeteer.launch({ browser: 'firefox', executablePath: process.env.WI_FIREFOX, protocolTimeout: 300_000, env: ofFirefox })
  : null;
after(async () => {
  await chromium.close();
  await firefox?.close();
});

execFileSync(tool('wasm-perf'), ['open', '--no-browser', '-o', path('view.html')]);

const report = (format, file) => execFileSync(tool('wasm-perf'), ['report', '--format', format, path(file)], { encoding: 'utf8', maxBuffer: 1 << 28 });

async function namesIn(browser, file) {
  const page = await browser.newPage();
  page.setDefaultTimeout(300_000);
  try {
    await page.goto(pathToFileURL(path('view.html')).href);
    await openFiles(page, path(file));
    assert.equal(await textOf(page, 'notice'), '');
    return (await readAllRows(page)).rows.map(({ name }) => name);
  } finally {
    await page.close();
  }
}

for (const { name, file, make, ask, compared } of files)
  test(name, { skip: !make && 'its tool is not here' }, async (context) => {
    await make(file);
    const { total, unit, functions } = JSON.parse(report('json', file));
    for (const browser of [chromium, firefox]) {
      if (browser === null) {
        context.diagnostic('Firefox is not here');
        continue;
      }
      const shown = await namesIn(browser, file);
      assert(shown.some((row) => row.includes('spin_in_test')));
      assert.equal(shown.length, functions.length);
    }
    if (!ask) return;
    const theirs = await ask(path(file));
    const ours = oursOf(functions, theirs);
    assert.equal(sumOf(ours), sumOf(theirs));
    const both = compareRows(ours, theirs, compared);
    assert(both.ours.some((row) => row.includes('spin_in_test')));
    assert.deepEqual(both.ours, both.theirs);
    const stacks = report('folded', file).trim().split('\n').length;
    context.diagnostic(`${total} ${unit}, ${functions.length} functions, ${stacks} stacks; ${both.ours.length} functions as in the tool`);
  });
