/** wasm-perf open: a profile for a page, fetched once, by that page alone. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { assemble, at, build, folder, read, tool } from '../js/support.mjs';

const PAGES = { firefox: 'https://profiler.firefox.com', speedscope: 'https://www.speedscope.app' };

assemble('app', '(module (memory (export "memory") 1) (func $leaf (nop)) (func (export "_start") (call $leaf)))');
assert.equal(tool('wasm-perf', ['record', '--clock', 'none', 'app.wasm', '-o', 'app.wperf']).status, 0);

/** Programs that a desktop has: this one notes what it was asked to open. */
const desktop = at('desktop');
mkdirSync(desktop);
writeFileSync(join(desktop, 'xdg-open'), '#!/bin/sh\nprintf %s "$1" >opened.part && mv opened.part opened\n');
chmodSync(join(desktop, 'xdg-open'), 0o755);

async function start(args, path = desktop) {
  const env = { ...process.env, PATH: path };
  const child = spawn(join(build, 'wasm-perf'), ['open', ...args], { cwd: folder, env });
  child.end = once(child, 'exit');
  child.said = '';
  child.stderr.on('data', (data) => (child.said += data));
  const [line] = await once(child.stdout, 'data');
  return { child, address: String(line).trim() };
}

function ask(url, headers, method = 'GET') {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (response) => {
      let text = '';
      for await (const data of response) text += data;
      resolve({ status: response.statusCode, text, headers: response.headers });
    });
    sent.on('error', reject).end();
  });
}

for (const [page, origin] of Object.entries(PAGES))
  test(`${page} fetches it once, and nobody else does`, async () => {
    const { child, address } = await start(['--in', page, '--no-browser', 'app.wperf']);
    const prefix = { firefox: `${origin}/from-url/`, speedscope: `${origin}/#profileURL=` }[page];
    assert(address.startsWith(prefix), address);
    const url = decodeURIComponent(address.slice(prefix.length));
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/);
    const others = ['https://evil.example', 'null', Object.values(PAGES).find((other) => other !== origin)];
    for (const other of others) assert.equal((await ask(url, { origin: other })).status, 403);
    assert.equal((await ask(url, { origin, host: 'evil.example' })).status, 403);
    assert.equal((await ask(new URL('/', url), { origin })).status, 404);
    const preflight = { origin, 'access-control-request-private-network': 'true' };
    const { headers } = await ask(url, preflight, 'OPTIONS');
    assert.equal(headers['access-control-allow-origin'], origin);
    assert.equal(headers['access-control-allow-private-network'], 'true');
    assert.equal((await ask(url, { origin }, 'HEAD')).status, 405);
    const answer = await ask(url, { origin, 'sec-fetch-site': 'cross-site' });
    assert.deepEqual([answer.status, answer.headers['access-control-allow-origin']], [200, origin]);
    assert.deepEqual(await child.end, [0, null]);
    await assert.rejects(ask(url, { origin }));
    const format = `app.${page}.json`;
    assert.equal(tool('wasm-perf', ['report', 'app.wperf', '-o', format]).status, 0);
    assert.equal(answer.text, String(read(format)));
  });

test('where nobody fetches it, it ends', async () => {
  const { child } = await start(['--in', 'firefox', '--no-browser', '--wait', '1s', 'app.wperf']);
  assert.deepEqual(await child.end, [1, null]);
  assert.equal(child.said, 'wasm-perf: app.wperf: no page fetched it within 1 s\n');
});

async function opened() {
  const deadline = Date.now() + 60_000;
  while (!existsSync(at('opened')) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  return String(read('opened'));
}

test('a file of ours is written, and opened by what the desktop has', async () => {
  const { child, address } = await start(['app.wperf'], [desktop, process.env.PATH].join(delimiter));
  assert.deepEqual([await child.end, child.said], [[0, null], '']);
  assert.equal(address, at('app.html'));
  assert.equal(await opened(), address);
  assert.match(readFileSync(at('app.html'), 'utf8'), /^<!DOCTYPE html>/i);
  const named = tool('wasm-perf', ['open', '--no-browser', '-o', 'other.html', 'app.wperf']);
  assert.deepEqual([named.status, named.stdout, named.stderr], [0, `${at('other.html')}\n`, '']);
});

test('names from another file are demangled', () => {
  const text = (name) => `(module (memory (export "memory") 1) (func $${name} (nop)) (func (export "_start") (call 0)))`;
  assemble('shop', text('_ZN4shop3buyEi'));
  assemble('stripped', text('_ZN4shop3buyEi'), { names: false });
  assert.equal(tool('wasm-perf', ['record', '--clock', 'none', 'stripped.wasm', '-o', 'shop.wperf']).status, 0);
  const { status, stderr } = tool('wasm-perf', ['open', '--no-browser', '--symbols', 'shop.wasm', '-o', 'shop.html', 'shop.wperf']);
  assert.deepEqual([status, stderr], [0, '']);
  const table = /<noscript>\n<table>[^]*?<\/table>/.exec(readFileSync(at('shop.html'), 'utf8'))[0]; // the data is packed
  assert.match(table, /shop::buy\(int\)/);
  assert.doesNotMatch(table, /_ZN|func\[/);
});

test('a page that is there is opened as it is', () => {
  writeFileSync(at('page.html'), '<!DOCTYPE html>');
  const { status, stdout, stderr } = tool('wasm-perf', ['open', '--no-browser', 'page.html']);
  assert.deepEqual([status, stdout, stderr], [0, `${at('page.html')}\n`, '']);
  assert.equal(tool('wasm-perf', ['open', '--no-browser', 'none.html']).stderr, 'wasm-perf: none.html: No such file or directory\n');
});

test('without a browser the address is all', async () => {
  const { child } = await start(['app.wperf'], at('nowhere'));
  assert.deepEqual(await child.end, [0, null]);
  assert.equal(child.said, 'wasm-perf: no browser was found: open that address in one\n');
});

test('what cannot be done is refused', () => {
  for (const args of [['--in', 'firefox'], ['a', 'b'], ['--in', 'chrome', 'app.wperf'], ['--wait', '0', 'app.wperf'],
    ['--in', 'firefox', '-o', 'x.html', 'app.wperf']])
    assert.equal(tool('wasm-perf', ['open', ...args]).status, 2, args.join(' '));
  const { status, stdout, stderr } = tool('wasm-perf', ['open', '--in', 'firefox', 'app.wasm']);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^wasm-perf: app\.wasm: it is a module, not a profile/);
});
