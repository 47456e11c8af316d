// Profiles as lines on stderr: --stderr of core modules, and what wasm-perf finds in a text.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

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
  assert.match(lines, /^(\[wasm-perf\+[\w+/]{4000}\]\n)*\[wasm-perf=[\w+/]+=*\]\n$/);
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
  for (const text of ['', 'nothing', '[wasm-perf=', '[wasm-perf=!]', lines.replace('=', '+'), lines.replace('=iXd', '=AAA')]) {
    writeFileSync(at('bad.log'), text);
    const { status, stderr } = top(at('bad.log'));
    assert.equal(status, 1);
    assert.match(stderr, /bad\.log: .*offset 0x/);
  }
});
