// A headless Chromium, to be closed at the end, that remembers whatever a page complains of or asks the network for.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { importPackage, temporaryFolder, tool } from '../support/tools.mjs';

export const folder = temporaryFolder();
const { default: puppeteer } = await importPackage('puppeteer-core');

const HANG = 300_000; // ms: only what will never come takes so long

export const browser = await puppeteer.launch({
  executablePath: process.env.WI_CHROMIUM ?? '/usr/bin/chromium',
  userDataDir: join(folder, 'browser'),
  protocolTimeout: HANG,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [], // which root cannot have
});

const NUMBERS = ['self', 'total', 'calls', 'start'];

/** BigInts for the numbers of figures.py, which come as strings. */
const exact = (entry) =>
  Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, NUMBERS.includes(key) ? BigInt(value) : value]),
  );

/** Makes a profile of tests/report/profiles.py: its path, and what the oracle reads in it. */
export function makeProfile(name) {
  const path = join(folder, `${name}.wperf`);
  const script = join(import.meta.dirname, 'figures.py');
  const options = { encoding: 'utf8', maxBuffer: 2 ** 30 };
  const read = JSON.parse(execFileSync('python3', ['-B', script, name, path], options));
  const [functions, edges, frames] = [read.functions, read.edges, read.frames].map((all) => all.map(exact));
  const { hasClock, isComplete, whole } = read;
  return { path, hasClock, isComplete, whole: BigInt(whole), functions, edges, frames };
}

/** Writes the report of a profile, by default with its numbers as they are; returns its path. */
export function writeReport(profile, format, extension, options = ['--show=hooks', '--no-demangle']) {
  const path = profile.path.replace(/wperf$/, extension);
  execFileSync(tool('wasm-perf'), ['report', ...options, '--format', format, '-o', path, profile.path]);
  return path;
}

/** As reports show a share, without its sign: rounded half up. */
export function percentage(part, whole, decimals) {
  const factor = 100n * 10n ** BigInt(decimals);
  const digits = whole === 0n ? 0n : (2n * factor * part + whole) / (2n * whole);
  const text = String(digits).padStart(decimals + 1, '0');
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

/**
 * Opens a file or a URL. Once `use` is done, the page must have complained of nothing and loaded
 * nothing but itself and what `allows` says.
 */
export async function withPage(target, use, { viewport, scripts = true, allows = () => false } = {}) {
  const page = await browser.newPage();
  page.setDefaultTimeout(HANG);
  const complaints = [];
  const loaded = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => loaded.push(request.url()));
  await page.evaluateOnNewDocument(() => {
    window.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => {
      window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  await page.setViewport(viewport ?? { width: 1200, height: 800 });
  await page.setJavaScriptEnabled(scripts);
  const url = /^http/.test(target) ? target : pathToFileURL(target).href;
  try {
    await page.goto(url);
    const result = await use(page);
    assert.deepEqual(complaints, []);
    assert.deepEqual(scripts ? await page.evaluate(() => window.violations) : [], []);
    assert.deepEqual(loaded.filter((other) => other !== url && !allows(other)), []);
    return result;
  } finally {
    await page.close();
  }
}

/**
 * Saves in a folder what a page offers for download because of `start`, which must have this name; returns its path.
 * Only Chromium's events say that the file is complete: an empty one of that name can be there before.
 */
export async function download(downloadPath, name, start) {
  mkdirSync(downloadPath, { recursive: true });
  const session = await browser.target().createCDPSession();
  try {
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath, eventsEnabled: true });
    const saved = new Promise((resolve, reject) => {
      const fail = (reason) => reject(new Error(`the download of ${name} ${reason}`));
      AbortSignal.timeout(HANG).onabort = () => fail('did not end');
      session.on('Browser.downloadProgress', ({ state }) => {
        if (state === 'completed') resolve(join(downloadPath, name));
        if (state === 'canceled') fail('was canceled');
      });
      session.on('Browser.downloadWillBegin', ({ suggestedFilename }) => {
        if (suggestedFilename !== name) fail(`has the name ${suggestedFilename}`);
      });
    });
    await start();
    return await saved;
  } finally {
    await session.detach();
  }
}

/** What stands in the page for each frame of a flame graph: the title's parts, where and whether. */
export function readFrames(page) {
  return page.evaluate(() => {
    const graph = document.getElementById('frames');
    const left = graph.getBoundingClientRect().left;
    return Array.from(graph.children, (element) => {
      const title = element.querySelector('title').textContent;
      const box = element.querySelector('rect').getBoundingClientRect();
      return {
        title,
        name: title.slice(0, title.lastIndexOf(' — ')),
        isShown: box.width > 0,
        x: box.x,
        y: box.y,
        width: box.width,
        height: box.height,
        fill: getComputedStyle(element.querySelector('rect')).fill,
        classes: Array.from(element.classList),
      };
    });
  });
}

/** Types into the search field what it is to hold then. */
export async function search(page, text) {
  await page.$eval('input[type=search]', (input) => { input.focus(); input.select(); });
  await page.keyboard.press('Backspace');
  await page.keyboard.type(text);
}
