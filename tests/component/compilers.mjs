// Components that compilers made, as they are and with the profiler inside: streams, exit codes and the calls that
// are known. scripts/components.sh installs what it takes; without Rust's target that part is skipped, and told.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { packageFile, temporaryFolder, tool } from '../support/tools.mjs';

const folder = temporaryFolder();
const at = (name) => join(folder, name);
const run = (command, args, input = '') => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', input, maxBuffer: 2 ** 30 });
  assert.ifError(error);
  return { status, stdout, stderr };
};
const mustRun = (command, args) => {
  const result = run(command, args);
  assert.equal(result.status, 0, result.stderr);
  return result.stdout;
};
const functions = (...args) => JSON.parse(mustRun(tool('wasm-perf'), ['report', '--format', 'json', ...args])).functions;
const fibCalls = (n) => (n < 2 ? 1 : 1 + fibCalls(n - 1) + fibCalls(n - 2));

symlinkSync(packageFile('.'), at('node_modules'));

/** The component in wasmtime, with arguments of which 13 means an exit code and 14 an abort. */
function compareInWasmtime(path, name) {
  for (const n of ['10', '13', '14']) {
    const plain = run('wasmtime', ['run', path, n], 'one two');
    const recorded = run(tool('wasm-perf'), ['record', '--clock', 'none', '-o', 'out.wperf', path, n], 'one two');
    const said = ({ stderr }) => stderr.split('Error: failed to run')[0]; // after it come paths and offsets
    assert.equal(recorded.status, plain.status);
    assert.equal(recorded.stdout, plain.stdout);
    assert.equal(said(recorded), said(plain));
    const [fib] = functions('out.wperf').filter((f) => name.test(f.name));
    assert.equal(fib.calls, fibCalls(Number(n)));
  }
  mustRun(tool('wasm-instrument'), ['--embed', path, '-o', 'prof.wasm']);
  mustRun('wasm-tools', ['validate', '--features', 'all', 'prof.wasm']);
}

const rust = run('rustc', ['--print', 'target-libdir', '--target', 'wasm32-wasip2']);
const targets = rust.status === 0 && run('ls', [rust.stdout.trim()]).stdout;
test('Rust for wasm32-wasip2', { skip: !targets && 'rustc has no target wasm32-wasip2' }, () => {
  writeFileSync(at('hello.rs'), `
    use std::io::Read;
    #[inline(never)] fn fib(n: u32) -> u64 { if n < 2 { n as u64 } else { fib(n - 1) + fib(n - 2) } }
    fn main() {
      let mut text = String::new();
      std::io::stdin().read_to_string(&mut text).unwrap();
      let n: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
      println!("{} {}", fib(n), text.split_whitespace().count());
      eprint!("no line's end");
      if n == 13 { std::process::exit(3) }
      if n == 14 { panic!("on purpose") }
    }`);
  mustRun('rustc', ['-C', 'opt-level=0', '--target', 'wasm32-wasip2', 'hello.rs', '-o', 'rust.wasm']);
  compareInWasmtime('rust.wasm', /^hello::fib$/);
});

test('C with the adapter for WASI preview 1', () => {
  writeFileSync(at('hello.c'), `
    #include <stdio.h>
    #include <stdlib.h>
    static unsigned long fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    int main(int count, char **words) {
      (void)count;
      int n = atoi(words[1]);
      printf("%lu %c\\n", fib((unsigned)n), getchar());
      fputs("no line's end", stderr);
      if (n == 13) exit(3);
      if (n == 14) abort();
    }`);
  mustRun('clang', ['--target=wasm32-wasi', '-g', '-O0', 'hello.c', '-o', 'hello.wasm']);
  const adapter = packageFile('@bytecodealliance/jco/lib/wasi_snapshot_preview1.command.wasm');
  mustRun('wasm-tools', ['component', 'new', 'hello.wasm', '--adapt', `wasi_snapshot_preview1=${adapter}`, '-o', 'c.wasm']);
  compareInWasmtime('c.wasm', /^fib$/);
});

test('Python by componentize-py, run by jco: its functions', () => {
  mkdirSync(at('wit'));
  writeFileSync(at('wit/hello.wit'), 'package local:hello;\nworld hello { export run: func(n: u32) -> u32; }');
  writeFileSync(at('app.py'), `
import wit_world
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
class WitWorld(wit_world.WitWorld):
  def run(self, n): return fib(n)
`);
  const componentize = 'import componentize_py; componentize_py.script()';
  mustRun('python3', ['-c', componentize, '-d', 'wit', '-w', 'hello', 'componentize', 'app', '-o', 'python.wasm']);
  mustRun(tool('wasm-instrument'), ['--embed', '--guest=python', '--clock=none', 'python.wasm', '-o', 'python.prof.wasm']);
  mustRun('wasm-tools', ['validate', '--features', 'all', 'python.prof.wasm']);
  const jco = packageFile('@bytecodealliance/jco/dist/jco.js');
  mustRun(process.execPath, [jco, 'transpile', '--multi-memory', 'python.prof.wasm', '--name', 'out', '-o', 'python.prof']);
  writeFileSync(at('python.prof/main.mjs'), `
    import { run, wasmPerfProfile, wasmPerfRead } from './out.js';
    import { writeFileSync } from 'node:fs';
    console.log(run(15));
    const size = wasmPerfProfile();
    const words = BigUint64Array.from({ length: Math.ceil(size / 8) }, (_, i) => wasmPerfRead(8 * i));
    writeFileSync('python.wperf', new Uint8Array(words.buffer, 0, size));`);
  assert.equal(mustRun(process.execPath, ['python.prof/main.mjs']), '610\n');
  const calls = Object.fromEntries(functions('python.wperf').map(({ name, calls }) => [name, calls]));
  assert.equal(calls.fib, fibCalls(15));
  assert.equal(calls['WitWorld.run'], 1);
});

test('JavaScript by componentize-js, run by jco: what jco refuses, and with --multi-memory', async () => {
  const { componentize } = await import(packageFile('@bytecodealliance/componentize-js/src/componentize.js'));
  const { component } = await componentize(
    `export const run = { run() { console.log([3, 1, 2].sort().join()); console.error('to stderr'); } };`,
    { worldName: 'hello', disableFeatures: ['http', 'fetch-event'], witWorld: `
      package local:hello;
      package wasi:cli@0.2.10 { interface run { run: func() -> result; } }
      world hello { export wasi:cli/run@0.2.10; }` });
  writeFileSync(at('js.wasm'), component);
  mustRun(tool('wasm-instrument'), ['--embed', 'js.wasm', '-o', 'js.prof.wasm']);
  mustRun('wasm-tools', ['validate', '--features', 'all', 'js.prof.wasm']);
  const jco = packageFile('@bytecodealliance/jco/dist/jco.js');
  assert.match(run(process.execPath, [jco, 'transpile', 'js.prof.wasm', '-o', 'refused']).stderr, /multiple memories/);
  const ran = ['js', 'js.prof'].map((name) => {
    mkdirSync(at(name));
    mustRun(process.execPath, [jco, 'transpile', '--multi-memory', `${name}.wasm`, '--name', 'out', '-o', name]);
    writeFileSync(at(`${name}/main.mjs`), "import { run } from './out.js'; run.run();");
    return run(process.execPath, [`${name}/main.mjs`]);
  });
  assert.equal(ran[0].stdout, '1,2,3\n');
  assert.deepEqual([ran[1].status, ran[1].stdout], [ran[0].status, ran[0].stdout]);
  assert.ok(ran[1].stderr.startsWith(ran[0].stderr));
  writeFileSync(at('js.log'), ran[1].stderr);
  const called = functions('js.log');
  assert.ok(called.length > 100 && called.every((f) => f.calls > 0));
});
