// Components under wasmtime: profiles among their messages, streams and exit codes as without the profiler.
// Skipped where wasmtime is not installed; scripts/hosts.sh has components that compilers made.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { noWasmtime, temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { stripped } from './component.mjs';

const WASMTIME = process.env.WASM_PERF_WASMTIME ?? 'wasmtime';
const folder = temporaryFolder();
const text = readFileSync(join(import.meta.dirname, 'command.wat'), 'utf8');
const ends = { returns: 'i32.const 0', fails: 'i32.const 1', exits: '(call $exit (i32.const 1)) i32.const 0', traps: 'unreachable' };

const run = (command, args) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  assert.ifError(error);
  return { status, stdout, stderr };
};
/** What wasmtime itself says of a trap has offsets and paths in it. */
const said = ({ stderr }) => stderr.slice(0, stderr.indexOf('without an end') + 'without an end'.length);

for (const [name, end] of Object.entries(ends))
  test(`a component that ${name}: messages and exit code as without, all calls counted`, { skip: noWasmtime }, async () => {
    const [path, output] = [join(folder, `${name}.wasm`), join(folder, `${name}.wperf`)];
    writeFileSync(path, await parse(text.replace('END', end)));
    const plain = run(WASMTIME, ['run', path]);
    const recorded = run(tool('wasm-perf'), ['record', '--clock', 'none', path, '-o', output]);
    assert.equal(recorded.status, plain.status);
    assert.equal(said(recorded), said(plain));
    if (name !== 'traps') assert.deepEqual(recorded, plain);
    const profile = JSON.parse(execFileSync(tool('wasm-perf'), ['report', '--format', 'json', output], { encoding: 'utf8' }));
    const calls = Object.fromEntries(profile.functions.map((f) => [f.name, f.calls]));
    assert.equal(calls.fib, 177);
    assert.equal(calls.say, 1);
  });

test('an instrumented component runs by itself, its messages are a profile, and wasm-perf record finds it', { skip: noWasmtime }, async () => {
  const [plain, path] = [join(folder, 'app.wasm'), join(folder, 'app.prof.wasm')];
  writeFileSync(plain, await parse(text.replace('END', ends.returns)));
  execFileSync(tool('wasm-instrument'), ['--embed', plain, '-o', path]);
  const { status, stderr } = run(WASMTIME, ['run', path]);
  assert.equal(status, 0);
  writeFileSync(join(folder, 'app.log'), `a host's line\r\n${stderr}`);
  assert.match(run(tool('wasm-perf'), ['top', 'app.log']).stdout, /179 calls[^]*177\s+[\d.]+\s+fib/);
  const again = run(tool('wasm-perf'), ['record', path, '-o', 'again.wperf']);
  assert.equal(again.stderr, 'before\n[wasm-perf: not a profile]\nafter, without an end');
  assert.match(run(tool('wasm-perf'), ['top', 'again.wperf']).stdout, /177\s+[\d.]+\s+fib/);
  const { stderr: warning } = run(tool('wasm-perf'), ['record', '--only=fib', path, '-o', 'again.wperf']);
  assert.match(warning, /^wasm-perf: .*app\.prof\.wasm: warning: it is instrumented already, so --only has no effect\n/);
});

test('one memory is enough: record finds that out from the options of wasmtime, and it is said', { skip: noWasmtime }, async () => {
  const [path, output] = [join(folder, 'one.wasm'), join(folder, 'one.prof.wasm')];
  writeFileSync(path, await parse(text.replace('END', ends.returns)));
  const pooled = run(tool('wasm-perf'), ['record', '--engine-option=-Opooling-allocator=y', path, '-o', 'one.wperf']);
  assert.equal(pooled.status, 0, pooled.stderr);
  assert.match(run(tool('wasm-perf'), ['top', 'one.wperf']).stdout, /177\s+[\d.]+\s+fib/);
  const made = run(tool('wasm-instrument'), ['--embed', '--for', 'wasmtime-serve', path, '-o', output]);
  const told = "wasmtime-serve allows one memory, so the profile is in the module's own";
  assert.deepEqual([made.status, made.stderr], [0, `wasm-instrument: ${path}: ${told}\n`]);
  const { status, stderr } = run(WASMTIME, ['run', '-Opooling-allocator=y', output]);
  assert.deepEqual([status, /\[wasm-perf [0-9a-f]{16}\.\d+=/.test(stderr)], [0, true]);
});

test('a component cannot have a fixed host, and bench says so', { skip: noWasmtime }, async () => {
  const path = join(folder, 'unfixed.wasm');
  writeFileSync(path, await parse(text.replace('END', ends.returns)));
  const { status, stdout } = run(tool('wasm-perf'), ['bench', '--save', path]);
  assert.equal(status, 1);
  assert.match(stdout, /unfixed\.wasm: components have no fixed host, which bench and --deterministic need/);
});

test('record names a stripped component after another build, with its confidence', { skip: noWasmtime }, async () => {
  writeFileSync(join(folder, 'bare.wasm'), stripped(Buffer.from(await parse(text.replace('END', ends.returns)))));
  writeFileSync(join(folder, 'near.wasm'), await parse(text.replace('END', 'call $fib (i32.const 3)')));
  const confidences = (...args) => {
    const report = run(tool('wasm-perf'), ['report', '--format', 'json', ...args]);
    assert.equal(report.status, 0, report.stderr);
    return JSON.parse(report.stdout).functions.filter(({ name }) => /fib|say/.test(name)).map(({ name, confidence }) => [name, confidence]).sort();
  };
  run(tool('wasm-perf'), ['record', '--symbols', 'near.wasm', 'bare.wasm', '-o', 'at_once.wperf']);
  const found = confidences('at_once.wperf');
  assert.deepEqual(found.map(([name]) => name), ['~fib', '~say']);
  assert.ok(found.every(([, confidence]) => confidence > 0.9));
  run(tool('wasm-perf'), ['record', 'bare.wasm', '-o', 'later.wperf']);
  assert.deepEqual(confidences('later.wperf'), []);
  assert.deepEqual(confidences('--symbols', 'near.wasm', '--symbols', 'bare.wasm', 'later.wperf'), found);
});

test('one that exits with a code of its own leaves its profile, too', { skip: noWasmtime }, async () => {
  const coded = text.replaceAll('"exit"', '"exit-with-code"').replace('(param "status" 0)', '(param "status-code" u8)')
    .replace('END', '(call $exit (i32.const 7)) i32.const 0');
  writeFileSync(join(folder, 'coded.wasm'), await parse(coded));
  const recorded = run(tool('wasm-perf'), ['record', '--engine-option=-Scli-exit-with-code', 'coded.wasm', '-o', 'coded.wperf']);
  assert.equal(recorded.status, 7, recorded.stderr);
  assert.equal(recorded.stderr, 'before\n[wasm-perf: not a profile]\nafter, without an end');
  assert.match(run(tool('wasm-perf'), ['top', 'coded.wperf']).stdout, /177\s+[\d.]+\s+fib/);
});

const named = (name) => readFileSync(join(import.meta.dirname, name), 'utf8');

test('wasmtime calls the exports of a component that is not a command', { skip: noWasmtime }, async () => {
  for (const name of ['two.wat', 'crowded.wat']) {
    writeFileSync(join(folder, 'library.wasm'), await parse(named(name)));
    execFileSync(tool('wasm-instrument'), ['-q', '--embed', 'library.wasm', '-o', 'library.prof.wasm'], { cwd: folder });
    assert.deepEqual(run(WASMTIME, ['compile', 'library.prof.wasm', '-o', 'library.cwasm']), { status: 0, stdout: '', stderr: '' });
  }
  writeFileSync(join(folder, 'library.wasm'), await parse(named('two.wat')));
  execFileSync(tool('wasm-instrument'), ['-q', '--embed', 'library.wasm', '-o', 'library.prof.wasm'], { cwd: folder });
  const { status, stdout } = run(WASMTIME, ['run', '--invoke', 'wasm-perf-profile2()', 'library.prof.wasm']);
  assert.equal(status, 0);
  assert.ok(Number(stdout) > 100, stdout); // bytes of a file without calls
});

test('what cannot be done with a component is refused in words', { skip: noWasmtime }, async () => {
  const path = join(folder, 'refused.wasm');
  writeFileSync(path, await parse(text.replace('END', ends.returns)));
  const refusal = (...args) => {
    const { status, stderr } = run(tool('wasm-perf'), args);
    assert.equal(status, 1);
    return stderr;
  };
  assert.match(refusal('record', '--no-hooks', path), /components cannot be sampled/);
  assert.match(refusal('record', '--clock', 'sampled', path), /components cannot be sampled/);
  assert.match(refusal('record', '--engine', 'node', path), /it is a component, which this engine cannot run; use --engine wasmtime/);
});
