/** What the tests of the browser script share: a server, and what one does with the panel. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { browser, download as saveDownload } from '../browser/support.mjs';
import { at, build, tool } from '../js/support.mjs';

export { browser };

/** The script, as `name`, and the files that it reads: {path: bytes}. */
export function scriptFiles(name = 'wasm-perf.js') {
  const paths = { [name]: 'browser.js', 'wasm-instrument.wasm': 'wasm-instrument.wasm', 'wasm-perf.wasm': 'wasm-perf.wasm' };
  return Object.fromEntries(Object.entries(paths).map(([path, file]) => [path, readFileSync(join(build, 'npm/js/package', file))]));
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const PANEL = 'wasm-perf-panel';

/** Serves {path: text or bytes} with these headers; returns {url, close}. */
export async function serve(files, headers = {}) {
  const server = createServer((request, response) => {
    const name = request.url === '/' ? '/index.html' : request.url;
    const body = files[name.slice(1)];
    const type = { 'Content-Type': TYPES[extname(name)] ?? 'text/plain' };
    const missing = name === '/favicon.ico' ? 204 : 404; // which every page is asked for
    response.writeHead(body === undefined ? missing : 200, { ...type, ...headers });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}

/** Opens a page; `use` gets it and the list of what its console said. */
export async function withPage(url, use) {
  const page = await browser.newPage();
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  try {
    await page.goto(url);
    return await use(page, said);
  } finally {
    await page.close();
  }
}

/** What stands in the panel: {calls, message}. */
export const readPanel = (page) =>
  page.$eval(PANEL, ({ shadowRoot }) => ({
    calls: shadowRoot.querySelector('output').textContent,
    message: shadowRoot.querySelector('p').textContent,
  }));

/** Clicks Stop and waits until the panel says that it has: the browser hands over its samples later. */
export async function stop(page) {
  await click(page, 'Stop');
  await page.waitForFunction((panel) => /, stopped$/.test(document.querySelector(panel).shadowRoot.querySelector('output').textContent), {}, PANEL);
}

/** Clicks a button of the panel as a user does. */
export async function click(page, text) {
  const buttons = await page.$$(`${PANEL} >>> button`);
  for (const button of buttons) {
    if ((await button.evaluate(({ textContent }) => textContent)) === text) return button.click();
  }
  throw new Error(`the panel has no button '${text}'`);
}

let folderCount = 0;

/** Clicks what downloads a file of that name; returns its path. */
export const download = (page, button, name) => saveDownload(at(`downloads${++folderCount}`), name, () => click(page, button));

/** {function: calls} of a profile, as wasm-perf reads it. */
export function callsIn(path) {
  const { status, stdout, stderr } = tool('wasm-perf', ['report', '--format', 'json', path]);
  assert.equal(status, 0, stderr);
  return Object.fromEntries(JSON.parse(stdout).functions.map(({ name, calls }) => [name, Number(calls)]));
}

/** Clicks "Open report" and calls `use` with the page of the new tab, once it shows that function. */
export async function withReport(page, name, use) {
  const opened = new Promise((resolve) => browser.once('targetcreated', resolve));
  await click(page, 'Open report');
  const report = await (await opened).page();
  try {
    await report.waitForFunction((text) => document.body.innerText.includes(text), {}, name);
    return await use(report);
  } finally {
    await report.close();
  }
}
