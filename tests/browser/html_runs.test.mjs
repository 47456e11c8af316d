// The HTML report of several profiles, and of two compared.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { writeProfile } from '../js/wperf.mjs';
import { tool } from '../support/tools.mjs';
import { choose, clickOn, openFiles, readFrames, readTable, textOf, withHtml } from './report_page.mjs';
import { browser, folder, withPage } from './support.mjs';

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

/** Two sampled runs of 100 samples, 1 ms each. `script` has no counted calls, `quiet` and `ended` have samples in one run only. */
function makeSampledRuns() {
  const names = ['main', 'quiet', 'ended', 'fresh', 'script'].map((name, i) => [i, name]);
  const at = (index, calls, samples) => ({ function: index, parent: index === 0 ? 0 : 1, calls, self: 1_000_000 * samples });
  const sampled = { clock: 4, clockReadCount: 100, uncounted: [4] };
  const paths = ['sampled_before', 'sampled_after'].map((name) => join(folder, `${name}.wperf`));
  writeFileSync(paths[0], writeProfile([at(0, 1, 91), at(1, 9, 0), at(2, 3, 9)], names, { ...sampled, uncounted: [] }));
  writeFileSync(paths[1], writeProfile([at(0, 1, 43), at(1, 8, 4), at(2, 2, 0), at(3, 5, 16), at(4, 0, 37)], names, sampled));
  return paths;
}

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
  const other = join(folder, 'other.wperf');
  const names = ['main', 'draw', 'load', 'save', 'open', 'close'].map((name, i) => [i, name]);
  writeFileSync(other, writeProfile(names.map(([i]) => ({ function: i, parent: 0, calls: 1, self: 500 * (i + 1) })), names));
  for (const sides of [runs, runs.toReversed(), [runs[0], other]]) {
    assert.equal(wasmPerf('diff', ...sides, '-o', html).status, 0);
    const [totals, ...lines] = wasmPerf('diff', ...sides).stdout.split('\n');
    await withHtml(html, async (page) => {
      assert.equal(await textOf(page, 'totals'), totals.split('; ')[0]);
      assert.equal(/^different programs\? 1 of 8 functions in common: /.test(totals), sides[1] === other);
      const sentences = await page.$$eval('#findings li', (items) => items.map(({ textContent }) => textContent));
      assert(sentences.length >= 3, String(sentences));
      assert.deepEqual(lines.slice(0, sentences.length), sentences);
    });
  }
});

test('a sampled change has its error, and a function without samples is neither new nor gone', async () => {
  const paths = makeSampledRuns();
  const table = wasmPerf('diff', ...paths).stdout;
  assert.match(table, /\nscript \+37\.0 ms \u00b1 6\.08 ms \(none before\)\nfresh \+16\.0 ms \u00b1 4\.00 ms \(new\)\nended \u22129\.00 ms \u00b1 3\.00 ms \(none after\)\nNew: 1 function; gone: 0\n/);
  assert.match(table, /\n *before +after +change +\u00b1 +% +before +after +change +\u00b1 +% +before +after +change +% +function\n/);
  assert.match(table, /\n +9\.000 +0\.000 +-9\.000 +3\.000 .* ended\n/);
  const html = join(folder, 'sampled.html');
  const viewer = join(folder, 'viewer.html');
  assert.equal(wasmPerf('diff', ...paths, '-o', html).status, 0);
  assert.equal(wasmPerf('open', '--no-browser', '-o', viewer).status, 0);
  const check = async (page) => {
    const rows = Object.fromEntries((await readTable(page)).rows.map(({ name, cells }) => [name, cells]));
    const changes = Object.entries(rows).map(([name, cells]) => [name, cells['Change %'], cells['Calls before'], cells['Calls after']]);
    assert.deepEqual(changes.slice(1), [['script', 'none before', '?', '?'], ['fresh', 'new', '0', '5'],
      ['ended', 'none after', '3', '2'], ['quiet', 'none before', '9', '8']]);
    assert.deepEqual(['script', 'fresh', 'main'].map((name) => [rows[name]['\u00b1'], rows[name]['Total \u00b1']]),
      [['6.08 ms', '6.08 ms'], ['4.00 ms', '4.00 ms'], ['11.6 ms', '14.1 ms']]);
    const sentences = await page.$$eval('#findings li', (items) => items.map(({ textContent }) => textContent));
    assert.deepEqual(table.split('\n').slice(1, 5), sentences);
  };
  await withHtml(html, check);
  await withPage(viewer, async (page) => {
    await openFiles(page, ...paths);
    await check(page);
  });
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
    assert.match(await textOf(page, 'legend'), /Only before, so not drawn: 1 frame with 50\.0 %/);
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
