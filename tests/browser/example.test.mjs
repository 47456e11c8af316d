// examples/browser, made as its Makefile says: a profile taken in a page, downloaded and reported.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { tool } from '../support/tools.mjs';
import { browser, download, folder, withPage } from './support.mjs';

const SIZE = 7;
const site = join(folder, 'site');
const downloads = join(folder, 'downloads');
const types = { '.html': 'text/html', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

/** The files of the site, by their names; nothing else. */
const server = createServer((request, response) => {
  const name = request.url === '/' ? 'index.html' : request.url.slice(1);
  const path = join(site, name);
  const isThere = /^[\w.]+(\/[\w.]+)*$/.test(name) && existsSync(path);
  response.writeHead(isThere ? 200 : 404, { 'Content-Type': types[extname(name)] ?? 'text/plain' });
  response.end(isThere ? readFileSync(path) : 'there is no such file');
});

function makeSite() {
  cpSync(join(import.meta.dirname, '../../examples/browser'), site, { recursive: true });
  const share = join(folder, 'share'); // a prerequisite, which may not have a blank
  symlinkSync(tool(''), share);
  const env = { ...process.env };
  delete env.MAKEFLAGS; // of a make that runs us
  const variables = [
    `CLANG=${process.env.WI_CLANG ?? 'clang'}`,
    `WASM_LD=${process.env.WI_WASM_LD ?? 'wasm-ld'}`,
    `WASM_INSTRUMENT='${tool('wasm-instrument')}'`,
    `WASM_PERF_SHARE=${share}`,
  ];
  execFileSync('make', ['-C', site, 'clean', ...variables], { env }); // of what the copy brought along
  execFileSync('make', ['-C', site, 'site', ...variables], { env });
}

let url;
before(async () => {
  makeSite();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${server.address().port}/`;
});
after(async () => {
  await browser.close();
  server.close();
});

/** What queens.c does, in JavaScript, with every call counted. */
function countCalls(size) {
  const calls = { count_solutions: 1, place_row: 0, is_safe: 0 };
  const isSafe = (queens, column) => {
    calls.is_safe++;
    return queens.every((other, row) => {
      const distance = Math.abs(other - column);
      return distance !== 0 && distance !== queens.length - row;
    });
  };
  const placeRow = (queens) => {
    calls.place_row++;
    if (queens.length === size) return 1;
    let count = 0;
    for (let column = 0; column < size; column++) {
      if (isSafe(queens, column)) count += placeRow([...queens, column]);
    }
    return count;
  };
  return { solutions: placeRow([]), calls };
}

const allows = (other) => other.startsWith(url) || /^(data|blob):/.test(other);

async function runPage(page, size) {
  await page.waitForSelector('form button:not([disabled])');
  await page.$eval('#size', (field, value) => { field.value = value; }, size);
  await page.click('form button');
  await page.waitForSelector('#download:not([hidden])');
}

test('the page profiles a module, and wasm-perf reads what it offers', () =>
  withPage(url, async (page) => {
    await runPage(page, SIZE);
    const { solutions, calls } = countCalls(SIZE);
    assert.equal(solutions, 40);
    assert.equal(await page.$eval('#answer', (answer) => answer.textContent), '40 solutions.');

    const path = await download(downloads, 'queens.wperf', () => page.click('#download'));
    const top = execFileSync(tool('wasm-perf'), ['report', '--format', 'top', path], { encoding: 'utf8' });
    assert.match(top, /^[\d,]+ instructions/);
    for (const [name, count] of Object.entries(calls)) {
      const line = top.split('\n').find((text) => text.endsWith(`  ${name}`)) ?? '';
      assert.equal(line.trim().split(/ +/)[5], count.toLocaleString('en'), top);
    }
  }, { allows }));

test('the bars are nested as the calls were, in proportion to their instructions', () =>
  withPage(url, async (page) => {
    await runPage(page, SIZE);
    const bars = await page.$$eval('.frame', (frames) => frames.map((frame) => {
      const [, total, calls] = frame.firstChild.title.match(/: (\d+) instructions, \d+ of its own, (\d+) calls$/);
      const parent = frame.parentElement.closest('.frame');
      return {
        name: frame.firstChild.textContent,
        total: Number(total),
        calls: Number(calls),
        width: frame.getBoundingClientRect().width,
        parentName: parent?.firstChild.textContent,
      };
    }));
    const [all] = bars;
    const sums = {};
    for (const { name, calls, total, width } of bars) {
      sums[name] = (sums[name] ?? 0) + calls;
      assert(Math.abs(width - (all.width * total) / all.total) < 1, name);
    }
    assert.deepEqual(sums, { all: 0, ...countCalls(SIZE).calls });
    const parents = new Set(bars.map(({ name, parentName }) => `${parentName} > ${name}`));
    assert.deepEqual([...parents].sort(), [
      'all > count_solutions', 'count_solutions > place_row', 'place_row > is_safe',
      'place_row > place_row', 'undefined > all',
    ]);
  }, { allows }));

test('each run is a profile of its own', () =>
  withPage(url, async (page) => {
    await runPage(page, 5);
    await runPage(page, 4);
    const titles = await page.$$eval('.bar', (bars) => bars.map((bar) => bar.title));
    assert.equal(titles.filter((title) => /^count_solutions: .* 1 calls$/.test(title)).length, 1);
    assert.equal(await page.$eval('#answer', (answer) => answer.textContent), '2 solutions.');
  }, { allows }));
