/** --times of what perf really prints: a program's samples by Linux's profiler, with V8's and wasmtime's perf maps. */

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { spawnSync } from 'node:child_process';
import { assemble, at, folder, read, run, tool } from '../js/support.mjs';
import { noWasmtime } from '../support/tools.mjs';

/** Some tenths of a second, four fifths of them in `heavy`. */
const work = (name, count, operation) => `(func $${name} (local $i i32)
  (local.set $i (i32.const ${count}))
  (loop
    (i32.store (i32.const 0) (${operation} (i32.load (i32.const 0)) (local.get $i)))
    (br_if 0 (local.tee $i (i32.sub (local.get $i) (i32.const 1))))))`;
assemble('work', `(module (memory (export "memory") 1)
  ${work('heavy', 400_000, 'i32.add')} ${work('light', 100_000, 'i32.xor')}
  (func (export "_start") (local $i i32)
    (local.set $i (i32.const 300))
    (loop (call $heavy) (call $light)
      (br_if 0 (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))))`);
writeFileSync(at('work.mjs'), `
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';
const wasi = new WASI({ version: 'preview1' });
wasi.start(await WebAssembly.instantiate(await WebAssembly.compile(readFileSync('work.wasm')), wasi.getImportObject()));`);

const RECORD = ['record', '-q', '-N', '-g', '-k', 'mono', '-e', 'cpu-clock', '-o', 'perf.data'];
const works = (command, ...args) => spawnSync(command, args, { cwd: folder }).status === 0;
const refused = !works('perf', ...RECORD, 'true') && 'perf is not installed, or perf_event_open is not permitted';

const engines = {
  V8: [process.execPath, '--no-warnings', '--perf-basic-prof', '--interpreted-frames-native-stack', '--no-logfile-per-isolate', 'work.mjs'],
  wasmtime: ['wasmtime', 'run', '--profile=perfmap', 'work.wasm'],
};

for (const [engine, command] of Object.entries(engines)) {
  const skip = refused || (engine === 'wasmtime' && noWasmtime);
  test(`${engine}: samples of perf are the times of exact calls`, { skip }, () => {
    const sampled = run('perf', [...RECORD, ...command]);
    assert.equal(sampled.status, 0, sampled.stderr);
    const { stdout: text } = run('perf', ['script', '-i', 'perf.data'], { maxBuffer: 1 << 28 });
    writeFileSync(at('times.txt'), text);
    for (const [, pid] of text.matchAll(/^\S+\s+(\d+)/gm)) rmSync(`/tmp/perf-${pid}.map`, { force: true });
    const recorded = tool('wasm-perf', ['record', '--times', 'times.txt', '-o', 'timed.json', 'work.wasm']);
    assert.deepEqual([recorded.status, recorded.stderr], [0, '']);
    const { functions } = JSON.parse(read('timed.json'));
    const byName = Object.fromEntries(functions.map((one) => [one.name, one]));
    assert.deepEqual([byName.heavy.calls, byName.light.calls], [300, 300]);
    // Four to one; samples of a busy machine may be few.
    assert(byName.heavy.self > byName.light.self, JSON.stringify(functions));
    assert(byName.light.self > 0, JSON.stringify(functions));
  });
}
