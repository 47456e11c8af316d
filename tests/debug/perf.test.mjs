// perf and the engines' own notes for it (jitdump, perf maps) still tell the functions of an instrumented
// module, by the commands of src/docs/source.md. Lines the engines note for no WebAssembly.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { noWasmtime, temporaryFolder, tool } from '../support/tools.mjs';
import { programs } from './programs.mjs';

const folder = temporaryFolder();

function run(cwd, command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 600_000 });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? stderr}`);
  return stdout;
}

const works = (command, ...args) => spawnSync(command, args, { cwd: folder }).status === 0;
const RECORD = ['record', '-q', '-N', '-k', 'mono', '-e', 'cpu-clock', '-o', 'perf.data'];
const refused = !works('perf', ...RECORD, 'true') && 'perf is not installed, or not permitted';

function modules() {
  const path = (name) => join(folder, name);
  const clang = (...args) => run(folder, process.env.WI_CLANG, '--target=wasm32-wasi', ...args);
  clang('-c', '-g', '-O1', join(programs, 'hot.c'), '-o', 'hot.o');
  clang('hot.o', '-o', 'hot.wasm');
  run(folder, tool('wasm-instrument'), '--embed', '--no-file', 'hot.wasm', '-o', 'prof.wasm');
  writeFileSync(path('run.mjs'), `
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';
console.log(process.pid);
const wasi = new WASI({ version: 'preview1' });
wasi.start(await WebAssembly.instantiate(await WebAssembly.compile(readFileSync(process.argv[2])), wasi.getImportObject()));
`);
  return [path('hot.wasm'), path('prof.wasm')];
}

/** Whether perf report, names the function. */
const names = (cwd, data, name) => run(cwd, 'perf', 'report', '-i', data, '--stdio', '--sort', 'symbol').includes(name);

const engines = {
  'wasmtime, jitdump'(cwd, module) {
    run(cwd, 'perf', ...RECORD, 'wasmtime', 'run', '--profile=jitdump', '-D', 'debug-info', module);
    run(cwd, 'perf', 'inject', '--jit', '-i', 'perf.data', '-o', 'jit.data');
    return { data: 'jit.data' };
  },
  'V8, perf map'(cwd, module) {
    const pid = run(cwd, 'perf', ...RECORD, process.execPath, '--no-warnings', '--perf-basic-prof', '--interpreted-frames-native-stack',
        join(folder, 'run.mjs'), module);
    return { data: 'perf.data', map: `/tmp/perf-${pid.trim()}.map` };
  },
};

for (const [engine, record] of Object.entries(engines))
  test(`${engine}: perf report names functions`, { skip: refused || (engine.startsWith('wasmtime') && noWasmtime) }, () => {
    const seen = modules().map((module, i) => {
      const cwd = join(folder, `${engine.slice(0, 2)}${i}`);
      mkdirSync(cwd);
      const { data, map } = record(cwd, module);
      const found = names(cwd, data, 'grind');
      if (map) rmSync(map);
      rmSync(cwd, { recursive: true });
      return found;
    });
    assert.deepEqual(seen, [true, true]);
  });
