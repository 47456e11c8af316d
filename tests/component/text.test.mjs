// Profiles as lines on stderr: --stderr of core modules, and what wasm-perf finds in a text.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { coreModules } from './component.mjs';

const folder = temporaryFolder();
const at = (name) => join(folder, name);
const command = (imports, exports = '') => `(module ${imports}
  (memory (export "memory") 1)
  (data (i32.const 65530) "stays")
  (func $work (param i32) (result i32)
    (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 0))
      (else (i32.add (i32.const 1) (call $work (i32.sub (local.get 0) (i32.const 1)))))))
  (func (export "_start") (drop (call $work (i32.const 9)))) ${exports})`;
const WRITE = '(import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))';

async function instrument(name, text) {
  writeFileSync(at(`${name}.wasm`), await parse(text));
  execFileSync(tool('wasm-instrument'), ['--embed', '--stderr', at(`${name}.wasm`), '-o', at(`${name}.prof.wasm`)]);
  return new WebAssembly.Module(readFileSync(at(`${name}.prof.wasm`)));
}
/** What the command writes to stderr in Node. */
const messages = (name) => spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', `
  import { readFileSync } from 'node:fs';
  import { WASI } from 'node:wasi';
  const wasi = new WASI({ version: 'preview1' });
  const module = new WebAssembly.Module(readFileSync(${JSON.stringify(at(`${name}.prof.wasm`))}));
  wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));`], { encoding: 'utf8' }).stderr;
const top = (path) => spawnSync(tool('wasm-perf'), ['top', path], { encoding: 'utf8' });

test('a command writes its profile by the import that it has', async () => {
  const module = await instrument('app', command(WRITE));
  assert.deepEqual(WebAssembly.Module.imports(module).map(({ name }) => name), ['fd_write']);
  const lines = messages('app');
  assert.match(lines, /^(\[wasm-perf [0-9a-f]{16}\.\d+\+[\w+/]{4000}\]\n)*\[wasm-perf [0-9a-f]{16}\.\d+=[\w+/]+=*\]\n$/);
  writeFileSync(at('app.log'), `before ${lines}after`);
  assert.match(top(at('app.log')).stdout, /11 calls[^]*10\s+[\d.]+\s+work/);
  writeFileSync(at('app.log'), `${lines}between\n${lines}`); // two runs
  assert.match(top(at('app.log')).stdout, /22 calls[^]*20\s+[\d.]+\s+work/);
});

test('one that does not import it, or has another function of that name, leaves none and gains nothing', async () => {
  for (const [name, imports] of [['bare', ''], ['other', WRITE.replace('i32 i32 i32 i32', 'i32 i32 i64 i32')]]) {
    const module = await instrument(name, command(imports));
    assert.equal(WebAssembly.Module.imports(module).length, imports === '' ? 0 : 1);
    assert.ok(WebAssembly.Module.exports(module).some((e) => e.name === 'wasm_perf_profile'));
  }
});

test('text without a profile, or with a damaged one, is refused', () => {
  const lines = messages('app');
  const cases = [['', /offset 0x/], ['nothing', /offset 0x/], ['[wasm-perf ', /offset 0x/], ['[wasm-perf 12.0=!]', /offset 0x/],
    [lines.replace('=', '+'), /no profile in it is whole: line 1 or later ones$/m], [lines.replace('=iXd', '=AAA'), /offset 0x/],
    [lines.replace('.0=', '.1='), /no profile in it is whole: line 0$/m], [lines.slice(0, 100), /no profile in it is whole: its lines are cut$/m],
    [lines.replace('.0=', '.999999999='), /whole: line 0$/m], [lines.replace('.0=', '.9999999999='), /offset 0x/]];
  for (const [text, expected] of cases) {
    writeFileSync(at('bad.log'), text);
    const { status, stderr } = top(at('bad.log'));
    assert.equal(status, 1);
    assert.match(stderr, /^wasm-perf: .*bad\.log: /);
    assert.match(stderr, expected);
  }
});

// ---- Profiles at an export's return --------------------------------------------------------------
const PLUGIN = `(module (import "env" "log" (func (param i32 i32))) (import "env" "odd" (func (param i64 f32) (result i32)))
  (memory (export "memory") 1) (data (i32.const 60) "stays")
  (func $work (param i32) (result i32)
    (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 0))
      (else (i32.add (i32.const 1) (call $work (i32.sub (local.get 0) (i32.const 1)))))))
  (func $handle (export "handle") (export "alias") (param i32 f64) (result i32 f64) (call $work (local.get 0)) (local.get 1))
  (func (export "other") (result i32) (drop (call $handle (i32.const 2) (f64.const 0)))))`;

/** What wasm-instrument says, and the module. */
async function writeAt(text, ...options) {
  writeFileSync(at('plugin.wasm'), await parse(text));
  const { status, stderr } = spawnSync(tool('wasm-instrument'), ['--embed', '--clock=none', ...options, at('plugin.wasm'), '-o', at('plugin.prof.wasm')], { encoding: 'utf8' });
  return { status, stderr, bytes: status === 0 && readFileSync(at('plugin.prof.wasm')) };
}
/** An instance that logs to `log` with a time in front of each line. */
async function load(bytes, log, time = '12:00 ') {
  const take = (address, size) => { log.push(`${time}${Buffer.from(exports.memory.buffer, address, size)}\n`); };
  const env = { log: take, odd: () => 0, proxy_log: (level, address, size) => { assert.equal(level, 3); take(address, size); return 0; } };
  const { instance: { exports } } = await WebAssembly.instantiate(bytes, { env });
  return exports;
}
function callsIn(log) {
  writeFileSync(at('host.log'), log);
  const { status, stdout, stderr } = spawnSync(tool('wasm-perf'), ['report', '--format=json', at('host.log')], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const { functions } = JSON.parse(stdout);
  return { work: 0, ...Object.fromEntries(functions.map((f) => [f.name, f.calls])), stderr };
}

for (const form of [[], ['--single-memory']])
  test(`an export writes what is new when the host's call returns ${form}`, async () => {
    const { bytes } = await writeAt(PLUGIN, '--write-at=handle', '--write-by=env.log', ...form);
    const log = [];
    const plugin = await load(bytes, log);
    assert.deepEqual([...plugin.handle(5, 1.5), log.length], [5, 1.5, 1]);
    assert.deepEqual([plugin.other(), ...plugin.alias(1, 2), log.length], [2, 1, 2, 1]); // neither is it
    assert.deepEqual([...plugin.handle(3, 1.5), log.length], [3, 1.5, 2]);
    assert.equal(Buffer.from(plugin.memory.buffer, 60, 5).toString(), 'stays');
    assert.match(log[0], /^12:00 \[wasm-perf [0-9a-f]{16}\.0=[\w+/]+=*\]\n$/);
    const { work, handle, other } = callsIn(log.join('noise\n'));
    assert.deepEqual([work, handle, other], [6 + 3 + 2 + 4, 4, 1]);
  });

test('every Nth return, by the log of a proxy', async () => {
  const { bytes } = await writeAt(PLUGIN.replace('"log" (func (param i32 i32))', '"proxy_log" (func (param i32 i32 i32) (result i32))'),
    '--write-at=*', '--write-every=3');
  const log = [];
  const plugin = await load(bytes, log);
  const counts = [1, 2, 3, 4, 5, 6, 7].map((n) => (plugin.handle(n, 0), log.length));
  assert.deepEqual(counts, [0, 0, 1, 1, 1, 2, 2]);
  assert.equal(callsIn(log.join('')).work, 2 + 3 + 4 + 5 + 6 + 7);
});

test('wasm-perf adds up the lines of several instances, skips repeated ones, and names missing and cut ones', async () => {
  const { bytes } = await writeAt(PLUGIN, '--write-at=handle', '--write-by=env.log');
  const logs = [[], [], []];
  const plugins = await Promise.all(logs.map((log, i) => load(bytes, log, i < 2 ? '' : '12:00 ')));
  for (const plugin of plugins) plugin.handle(9, 0);
  const [same, again, timed] = logs.map((log) => log.join(''));
  assert.equal(same, again);
  assert.equal(callsIn(same + again).work, 20); // two instances that did the same
  const twice = callsIn(timed + timed);
  assert.deepEqual([twice.work, /twice, and count once: 1$/m.test(twice.stderr)], [10, true]);
  plugins[0].handle(1, 0);
  const cut = callsIn(same + logs[0][1].slice(0, 200));
  assert.deepEqual([cut.work, /that are not whole: 1$/m.test(cut.stderr)], [10, true]);
  const missing = callsIn(same + logs[0][1].replace('.0=', '.2='));
  assert.deepEqual([missing.work, /1 of 2 profiles left out, which lack lines, the first one line 0$/m.test(missing.stderr)], [10, true]);
});

test('what cannot be written is refused, with the reason', async () => {
  const cases = [
    [['--write-at=handle'], 1, /--write-at is impossible: the module exports no memory .* or imports nothing that takes text/],
    [['--write-at=handle', '--write-by=env.none'], 1, /--write-by env\.none: the module does not import it/],
    [['--write-at=handle', '--write-by=env.odd'], 1, /--write-by env\.odd: its type is \(i64, f32\) -> \(i32\), not \(i32, i32\) -> \(\) or -> \(i32\)/],
    [['--write-at=none', '--write-by=env.log'], 1, /--write-at none: the module exports no such function/],
    [['--write-by=env.log'], 2, /--write-by needs --write-at/],
    [['--write-at=handle', '--no-file'], 2, /--write-at cannot be used with --no-file/],
  ];
  for (const [options, code, expected] of cases) {
    const { status, stderr } = await writeAt(PLUGIN, ...options);
    assert.equal(status, code);
    assert.match(stderr, expected);
  }
});

test('a handler of requests writes its profile to stderr by default', async () => {
  const component = await parse(`(component (import "i" (instance $i)) (export "wasi:http/incoming-handler@0.2.0" (instance $i))
    (core module $main
      (import "wasi:cli/stderr@0.2.0" "get-stderr" (func (result i32)))
      (import "wasi:io/streams@0.2.0" "[resource-drop]output-stream" (func (param i32)))
      (import "wasi:io/streams@0.2.0" "[method]output-stream.blocking-write-and-flush" (func (param i32 i32 i32 i32)))
      (memory (export "memory") 1)
      (func $work) (func (export "wasi:http/incoming-handler@0.2.0#handle") (param i32 i32) (call $work))))`);
  writeFileSync(at('handler.wasm'), component);
  execFileSync(tool('wasm-instrument'), ['--embed', '--clock=none', '-q', '--single-memory', at('handler.wasm'), '-o', at('handler.prof.wasm')]);
  const [bytes] = coreModules(readFileSync(at('handler.prof.wasm')));
  let log = '';
  const { instance: { exports } } = await WebAssembly.instantiate(bytes, {
    'wasi:cli/stderr@0.2.0': { 'get-stderr': () => 7 },
    'wasi:io/streams@0.2.0': { '[resource-drop]output-stream': () => {}, '[method]output-stream.blocking-write-and-flush': (stream, address, size) => {
      log += Buffer.from(exports.memory.buffer, address, size);
    } },
  });
  for (let i = 0; i < 1000; i++) exports['wasi:http/incoming-handler@0.2.0#handle'](1, 2);
  assert.equal(callsIn(log).work, 1000);
});
