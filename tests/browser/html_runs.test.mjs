// The HTML report of several profiles, and of two compared.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { writeProfile } from '../js/wperf.mjs';
import { tool } from '../support/tools.mjs';
import { choose, clickOn, readFrames, readTable, textOf, withHtml } from './report_page.mjs';
import { browser, folder } from './support.mjs';

after(() => browser.close());

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

test('what the profiles are stands behind one line, with one badge for their warnings', async () => {
  const few = makeRuns({ unbalancedCount: 1 });
  const copies = Array.from({ length: 12 }, (_, i) => join(folder, `copy${i}.wperf`));
  copies.forEach((path, i) => copyFileSync(few[i % 2], path));
  for (const [paths, badge] of [[few, '1 of 2 unreliable'], [copies, '6 of 12 unreliable']]) {
    const html = join(folder, 'header.html');
    assert.equal(wasmPerf('report', ...paths, '-o', html).status, 0);
    await withHtml(html, async (page) => {
      assert.equal(await page.$eval('header .badge', (mark) => mark.checkVisibility() && mark.textContent), badge);
      assert.equal(await page.$eval('.panel', (panel) => panel.checkVisibility()), false);
      await clickOn(page, '#about summary');
      assert.match(await page.$eval('.panel', (panel) => panel.innerText), /Ignored: 1 return/);
      assert.equal((await page.$$('.panel .run')).length, paths.length);
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

test('a difference begins with the same sentences in the page and in the terminal', async () => {
  const html = join(folder, 'sentences.html');
  const runs = makeRuns();
  for (const sides of [runs, runs.toReversed()]) {
    assert.equal(wasmPerf('diff', ...sides, '-o', html).status, 0);
    const [totals, ...lines] = wasmPerf('diff', ...sides).stdout.split('\n');
    await withHtml(html, async (page) => {
      assert.equal(await textOf(page, 'totals'), totals.split('; ')[0]);
      const sentences = await page.$$eval('#findings li', (items) => items.map(({ textContent }) => textContent));
      assert(sentences.length === 3, String(sentences));
      assert.deepEqual(lines.slice(0, 3), sentences);
    });
  }
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
