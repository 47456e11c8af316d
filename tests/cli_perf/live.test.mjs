/**
 * wasm-perf record --listen: profiles of a running program as go tool pprof fetches them. The
 * programs count themselves what they call, and note the count when they are asked for a snapshot.
 */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { assemble, at, build, folder, instrument, tool } from '../js/support.mjs';
import { lacks, packageFile } from '../support/tools.mjs';

const temporary = at('temporary');
mkdirSync(temporary);
process.env.TMPDIR = temporary;
const missingReader = !existsSync(packageFile('pprof-format')) && 'pprof-format is not installed';
const noGo = lacks('go');

// ---- Programs -----------------------------------------------------------------------------------

const counting = `(func $leaf (nop))
  (func $step (param $size i32) (drop (call $malloc (local.get $size))) (call $leaf) (call $leaf)
    (i64.store (i32.const 0) (i64.add (i64.load (i32.const 0)) (i64.const 1))))
  (func $malloc (param i32) (result i32)
    (global.set $top (i32.add (global.get $top) (i32.const 16))) (global.get $top))
  (global $top (mut i32) (i32.const 64))`;
assemble('counter', `(module (memory (export "memory") 1) ${counting}
  (func (export "run") (param $count i32)
    (loop $again
      (call $step (i32.const 10))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $again (local.get $count)))))`);
assemble('endless', `(module (memory (export "memory") 1) ${counting}
  (func (export "_start") (loop $again (call $step (i32.const 10)) (br $again))))`);

assemble('freeing', `(module (memory (export "memory") 1) ${counting}
  (func $free (param i32) (i64.store (i32.const 0) (i64.add (i64.load (i32.const 0)) (i64.const 1))))
  (func $keep (param $size i32) (result i32) (call $malloc (local.get $size)))
  (func $other (drop (call $malloc (i32.const 50))))
  (func (export "take") (result i32) (call $keep (i32.const 100)))
  (func (export "give") (param i32) (call $free (local.get 0)))
  (func (export "more") (call $other)))`);

const common = `const fs = require('node:fs');
  const wasm = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync('counter.wasm'))).exports;
  const count = () => new DataView(wasm.memory.buffer).getBigInt64(0, true);
  const session = globalThis[Symbol.for('wasm-perf.session')], { flush } = session;
  session.flush = (threads) => { fs.appendFileSync('counts', count() + '\\n'); flush(threads); };`;
writeFileSync(at('busy.cjs'), `${common} for (;;) wasm.run(0);`); // 2^32 steps at once
writeFileSync(at('server.cjs'), `${common}
  wasm.run(5);
  process.stdin.on('data', (text) => { wasm.run(Number(text)); console.log('done'); });`);
writeFileSync(at('freeing.cjs'), `${common.replace('counter', 'freeing')}
  const blocks = [wasm.take(), wasm.take(), wasm.take()];
  process.stdin.on('data', (text) => { blocks.splice(0, Number(text)).forEach((block) => wasm.give(block)); wasm.more(); });`);
writeFileSync(at('plain.cjs'), 'setInterval(() => {}, 1000);');

/** Starts it, and returns it once it listens, with where that is. */
async function listen(t, args) {
  writeFileSync(at('counts'), '');
  const words = ['record', '--listen', '0', '-o', 'live.wperf', ...args];
  const child = spawn(join(build, 'wasm-perf'), words, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  t.after(async () => { // a test that failed is not to fail those after it
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await child.end;
    for (const name of readdirSync(temporary)) rmSync(join(temporary, name), { recursive: true, force: true });
  });
  let text = '';
  child.stderr.on('data', (data) => (text += data));
  child.end = once(child, 'exit');
  await until(() => text.includes('\n') || child.exitCode !== null);
  const [, place] = /^wasm-perf: http:\/\/(127\.0\.0\.1:\d+)\/ shows the run so far/.exec(text) ?? [];
  assert(place, text);
  return { child, place, url: `http://${place}/debug/pprof/` };
}

async function until(condition) {
  const deadline = Date.now() + 60_000;
  while (!(await condition()) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Whether somebody waits for a difference, whose begin is kept. */
const hasMark = () => readdirSync(temporary, { recursive: true }).some((name) => name.includes('.mark-'));

/** Until the program has WebAssembly to tell of. */
async function ready({ url }) {
  await until(async () => (await fetch(`${url}profile?seconds=1&debug=1`)).ok);
  await until(() => !hasMark());
}

async function stop({ child }, signal = 'SIGINT', code = 130) {
  child.kill(signal);
  assert.deepEqual(await child.end, [code, null]);
  assert.deepEqual(readdirSync(temporary), []);
}

/** What the program had counted when it was asked for snapshots. */
const counts = () => readFileSync(at('counts'), 'utf8').trim().split('\n').map(BigInt);

// ---- Profiles -----------------------------------------------------------------------------------

/** {name: sum} of one of a profile's values, by the function itself, or else by its caller. */
function sums(bytes, type, frame = 0) {
  writeFileSync(at('fetched.pb.gz'), bytes);
  const script = join(import.meta.dirname, '../report/pprof_decode.mjs');
  const args = [script, packageFile('pprof-format'), at('fetched.pb.gz')];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const { types, samples } = JSON.parse(stdout);
  const value = types.findIndex((name) => name.startsWith(`${type}/`));
  assert(value >= 0, types);
  const result = {};
  for (const [stack, values] of samples) {
    const name = stack[frame];
    const number = BigInt.asIntN(64, BigInt(values[value])); // the reader has them without a sign
    if (number !== 0n) result[name] = (result[name] ?? 0n) + number;
  }
  return result;
}

async function fetchProfile(url) {
  const response = await fetch(url);
  assert.equal(response.status, 200, await response.clone().text());
  assert.equal(response.headers.get('content-type'), 'application/octet-stream');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.match(response.headers.get('content-disposition'), /^attachment; filename="[a-z-]+"$/);
  return Buffer.from(await response.arrayBuffer());
}

for (const clock of ['none', 'sampled'])
  test(`busy, clock ${clock}: the difference is what the program did meanwhile`, { skip: missingReader }, async (t) => {
    const run = await listen(t, ['--clock', clock, '--', process.execPath, 'busy.cjs']);
    await ready(run);
    const before = counts().length;
    const calls = sums(await fetchProfile(`${run.url}profile?seconds=1`), 'calls');
    const [first, second, ...more] = counts().slice(before);
    assert(second > first && more.length === 0);
    assert.deepEqual(calls, { step: second - first, leaf: 2n * (second - first), malloc: second - first });
    await stop(run);
  });

test('idle: what is called in the time, and nothing else', { skip: missingReader }, async (t) => {
  const run = await listen(t, ['--clock', 'none', '--', process.execPath, 'server.cjs']);
  await ready(run);
  const profile = fetchProfile(`${run.url}profile?seconds=2`);
  await until(hasMark);
  run.child.stdin.write('1000');
  const calls = { run: 1n, step: 1000n, leaf: 2000n, malloc: 1000n };
  assert.deepEqual(sums(await profile, 'calls'), calls);
  assert.deepEqual(sums(await fetchProfile(`${run.url}profile?seconds=1`), 'calls'), {});
  await stop(run);
});

test('heap and allocs, of the whole run and of a time', { skip: missingReader }, async (t) => {
  const run = await listen(t, ['--memory', '--', process.execPath, 'server.cjs']);
  await ready(run);
  assert.deepEqual(sums(await fetchProfile(`${run.url}heap`), 'inuse_space'), { step: 50n });
  const profile = fetchProfile(`${run.url}allocs?seconds=2`);
  await until(hasMark);
  run.child.stdin.write('7');
  assert.deepEqual(sums(await profile, 'alloc_space'), { step: 70n });
  assert.deepEqual(sums(await fetchProfile(`${run.url}heap`), 'inuse_objects'), { step: 12n });
  await stop(run);
});

test('what was freed meanwhile is below 0 in a difference, and go tool pprof reads it', { skip: missingReader }, async (t) => {
  const run = await listen(t, ['--memory', '--', process.execPath, 'freeing.cjs']);
  await ready(run);
  assert.deepEqual(sums(await fetchProfile(`${run.url}heap`), 'inuse_space'), { keep: 300n });
  const profile = fetchProfile(`${run.url}heap?seconds=2`);
  await until(hasMark);
  run.child.stdin.write('2');
  const bytes = await profile;
  assert.deepEqual(sums(bytes, 'inuse_space'), { keep: -200n, other: 50n });
  assert.deepEqual(sums(bytes, 'inuse_objects'), { keep: -2n, other: 1n });
  assert.deepEqual(sums(bytes, 'alloc_space'), { other: 50n });
  const top = !noGo && spawnSync('go', ['tool', 'pprof', '-top', at('fetched.pb.gz')], { encoding: 'utf8' });
  if (!noGo) assert.match(top.stdout, /^ *-200B .* keep$/m, top.stderr);
  assert.equal((await ask(run.place, '/debug/pprof/heap?seconds=1&debug=1'))[0], 400);
  await stop(run);
});

test('go tool pprof reads them', { skip: noGo }, async (t) => {
  const run = await listen(t, ['--', process.execPath, 'busy.cjs']);
  await ready(run);
  const options = { encoding: 'utf8', env: { ...process.env, PPROF_TMPDIR: folder, GOTOOLCHAIN: 'local' } };
  const pprof = (...args) => spawnSync('go', ['tool', 'pprof', '-symbolize=none', ...args], options);
  const { status, stdout, stderr } = pprof('-top', '-sample_index=calls', `${run.url}profile?seconds=1`);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Type: calls$[^]* leaf$/m);
  const before = counts().length;
  const raw = pprof('-raw', '-seconds=1', `http://${run.place}`);
  assert.equal(raw.status, 0, raw.stderr);
  const [first, second] = counts().slice(before);
  assert.match(raw.stdout, new RegExp(`^ +${second - first} +[0-9]+ +[0-9]+: `, 'm'));
  const refused = pprof('-top', `${run.url}heap`);
  assert.match(refused.stderr, /allocations are not followed: use --memory of wasm-perf record/);
  await stop(run);
});

test('record serves a module that is instrumented; the page is a flame graph', async (t) => {
  instrument('endless', '--embed', '--clock=none');
  const run = await listen(t, ['endless.prof.wasm', 'an argument']);
  await ready(run);
  const response = await fetch(`http://${run.place}/`);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  const [, packed] = /id="profile">([^<]*)</.exec(await response.text());
  assert(gunzipSync(Buffer.from(packed, 'base64')).includes('"step"'));
  assert.match(await (await fetch(run.url)).text(), /href="\/debug\/pprof\/allocs"/);
  const command = await (await fetch(`${run.url}cmdline`)).text();
  assert.equal(command, 'endless.prof.wasm\0an argument');
  assert.match(await (await fetch(`${run.url}heap`)).text(), /use --memory of wasm-perf record or wasm-instrument/);
  await stop(run, 'SIGTERM', 143);
});

test('a module whose hooks are imports, and a sampled one', { skip: missingReader }, async (t) => {
  instrument('endless', '--clock=none');
  for (const [args, type] of [[['endless.prof.wasm'], 'calls'], [['--no-hooks', 'endless.wasm'], 'cpu']]) {
    const run = await listen(t, args);
    await ready(run);
    const found = sums(await fetchProfile(`${run.url}profile?seconds=1`), type);
    assert(Object.hasOwn(found, 'step'), JSON.stringify(Object.keys(found)));
    if (type === 'calls') assert(2n * found.step - found.leaf <= 2n && found.step > 0n);
    await stop(run, 'SIGTERM', 143);
  }
});

test('who waits for a difference when the program ends gets it up to there', { skip: missingReader }, async (t) => {
  const run = await listen(t, ['--clock', 'none', '--', process.execPath, 'server.cjs']);
  await ready(run);
  const profile = fetchProfile(`${run.url}profile?seconds=3000`);
  await until(hasMark);
  run.child.stdin.write('3');
  await once(run.child.stdout, 'data');
  await stop(run);
  assert.deepEqual(sums(await profile, 'calls'), { run: 1n, step: 3n, leaf: 6n, malloc: 3n });
});

// ---- What is refused ----------------------------------------------------------------------------

/** [status, body] of a request with those headers. */
function ask(place, path, headers = {}, method = 'GET') {
  return new Promise((resolve, reject) => {
    const sent = request(`http://${place}${path}`, { method, headers }, async (response) => {
      let text = '';
      for await (const data of response) text += data;
      resolve([response.statusCode, text, response.headers]);
    });
    sent.on('error', reject).end();
  });
}

test('other names, origins, methods and paths are refused', async (t) => {
  const run = await listen(t, ['--', process.execPath, 'plain.cjs']);
  const port = run.place.split(':')[1];
  const index = (headers, method) => ask(run.place, '/debug/pprof/', headers, method);
  for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example'])
    assert.equal((await index({ host }))[0], 403, `'${host}'`);
  for (const host of ['localhost', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
    assert.equal((await index({ host }))[0], 200, host);
  for (const origin of ['http://evil.example', 'null', `https://${run.place}`, 'http://127.0.0.1:1'])
    assert.equal((await index({ origin }))[0], 403, origin);
  assert.equal((await index({ origin: `http://${run.place}` }))[0], 200);
  for (const site of ['cross-site', 'same-site']) assert.equal((await index({ 'sec-fetch-site': site }))[0], 403);
  assert.equal((await index({ 'sec-fetch-site': 'none' }))[0], 200);
  for (const method of ['POST', 'PUT', 'OPTIONS']) assert.equal((await index({}, method))[0], 405);
  const [status, text, headers] = await ask(run.place, '/debug/pprof/goroutine');
  assert.deepEqual([status, text, headers['x-go-pprof']], [404, 'no such profile\n', '1']);
  for (const seconds of ['0', '-1', 'x', '', '3601', '1e3'])
    assert.equal((await ask(run.place, `/debug/pprof/profile?seconds=${seconds}`))[0], 400, seconds);
  const [none, why] = await ask(run.place, '/debug/pprof/heap');
  assert.deepEqual([none, why], [503, 'the program has run no instrumented WebAssembly yet\n']);
  await stop(run);
});

test('so many wait at a time', async (t) => {
  const run = await listen(t, ['--clock', 'none', '--', process.execPath, 'server.cjs']);
  await ready(run);
  const waiting = Array.from({ length: 8 }, () => ask(run.place, '/debug/pprof/profile?seconds=3000'));
  await until(() => counts().length > 1);
  await until(async () => (await ask(run.place, '/debug/pprof/allocs'))[0] === 503);
  const [status, text] = await ask(run.place, '/debug/pprof/profile');
  assert.deepEqual([status, text], [503, '8 profiles are being taken: try again later\n']);
  await stop(run);
  const answers = await Promise.all(waiting); // intervals that had not begun: the program runs between two snapshots
  for (const [status, text] of answers) if (status !== 200) assert.deepEqual([status, text], [503, 'the program has ended\n']);
});

test('clients that have gone make room', async (t) => {
  const run = await listen(t, ['--clock', 'none', '--', process.execPath, 'server.cjs']);
  await ready(run);
  const gone = Array.from({ length: 8 }, () => request(`http://${run.place}/debug/pprof/profile?seconds=3000`));
  for (const sent of gone) sent.on('error', () => {}).end();
  await until(async () => (await ask(run.place, '/debug/pprof/allocs'))[0] === 503);
  for (const sent of gone) sent.destroy();
  const page = () => ask(run.place, '/debug/pprof/profile?seconds=1');
  await until(async () => (await page())[0] === 200);
  assert.equal((await page())[0], 200);
  await stop(run);
});

test('clients that never say what they want keep nobody out', async (t) => {
  const run = await listen(t, ['--', process.execPath, 'plain.cjs']);
  const [host, port] = run.place.split(':');
  const silent = Array.from({ length: 40 }, () => connect(port, host).on('error', () => {}));
  await Promise.all(silent.slice(0, 32).map((socket) => once(socket, 'connect')));
  const dripping = setInterval(() => silent.forEach((socket) => socket.write('G')), 20);
  t.after(() => {
    clearInterval(dripping);
    for (const socket of silent) socket.destroy();
  });
  for (let i = 0; i < 5; i++) assert.equal((await ask(run.place, '/debug/pprof/'))[0], 200);
  await stop(run);
});

test('clients that ask while the server closes are refused', async (t) => {
  const run = await listen(t, ['--clock', 'none', '--', process.execPath, 'server.cjs']);
  await ready(run);
  const [host, port] = run.place.split(':');
  const clients = Array.from({ length: 20 }, () => connect(port, host).on('error', () => {}));
  await Promise.all(clients.map((socket) => once(socket, 'connect')));
  const answers = clients.map((socket) => new Promise((resolve) => {
    let text = '';
    socket.on('data', (data) => (text += data)).on('close', () => resolve(text));
  }));
  run.child.stdin.end(); // then the program ends
  for (const socket of clients) {
    socket.write(`GET /debug/pprof/profile?seconds=3000 HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual(await run.child.end, [0, null]);
  const refusals = (await Promise.all(answers)).filter((text) => text.startsWith('HTTP/1.1 503') && text.endsWith('the server is closing\n'));
  assert(refusals.length > 0);
});

test('where it cannot listen, nothing runs', async (t) => {
  const first = await listen(t, ['--', process.execPath, 'plain.cjs']);
  writeFileSync(at('note.cjs'), "require('node:fs').writeFileSync('ran', '');");
  for (const address of [first.place, 'no-such-host.invalid:1']) {
    const { status, stderr } = tool('wasm-perf', ['record', '--listen', address, '--', process.execPath, 'note.cjs']);
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`^wasm-perf: ${address}: .+\n$`));
  }
  assert(!readdirSync(folder).includes('ran'));
  await stop(first);
});

test('impossible requests are refused; listening for other machines prints a warning', () => {
  for (const address of ['', 'x', '127.0.0.1', '::1:80', '1:65536', 'a:b:1']) {
    const { status, stderr } = tool('wasm-perf', ['record', '--listen', address, 'endless.wasm']);
    assert.equal(status, 2);
    assert.match(stderr, new RegExp(`--listen wants \\[HOST:\\]PORT, not '${address}'`));
  }
  for (const option of ['--compare', '--budget=3%']) {
    const { status } = tool('wasm-perf', ['record', '--listen', '0', option, 'endless.wasm']);
    assert.equal(status, 2);
  }
  const env = { ...process.env, WASM_PERF_WASMTIME: '/bin/true' };
  const other = tool('wasm-perf', ['record', '--listen', '0', '--engine', 'wasmtime', 'endless.wasm'], { env });
  assert.equal(other.status, 1);
  assert.match(other.stderr, /--listen needs --engine node and a core module/);
  const open = tool('wasm-perf', ['record', '--listen', '0.0.0.0:0', '--', process.execPath, '-e', '0']);
  assert.match(open.stderr, /^wasm-perf: 0\.0\.0\.0:\d+ is open to other machines, which can read what the program does$/m);
});
