/** Names of this build from files beside the module: every option takes what reports display. */

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assemble, at, build, read, tool } from '../js/support.mjs';

/** As Emscripten's release builds: the glue alone knows that `b` is malloc. */
const text = `(module
  (memory (export "a") 8) (global $top (mut i32) (i32.const 1024))
  (func (export "b") (param $n i32) (result i32) (local $p i32)
    (local.set $p (global.get $top)) (global.set $top (i32.add (local.get $p) (local.get $n))) (local.get $p))
  (func (export "c") (param $p i32))
  (func (export "d") (param $n i32) (result i32) (call 0 (i32.mul (call 3 (local.get $n)) (i32.const 100))))
  (func (param $n i32) (result i32) (i32.shr_u (i32.shl (local.get $n) (i32.const 1)) (i32.const 1))))`;
const glue = `import { readFileSync } from 'node:fs';
let _malloc, _free, _work;
function assign(e) { _malloc = e['b']; _free = e['c']; _work = e['d']; }
const file = new URL('app.wasm', import.meta.url);
assign((await WebAssembly.instantiate(readFileSync(file))).instance.exports);
for (let i = 0; i < 100; i++) { _work(10); _malloc(50); _free(0); }`;
const map = '0:malloc\n1:free\n2:work\n3:half\n';

assemble('app', text, { names: false });
writeFileSync(at('app.mjs'), glue);

const cache = { env: { ...process.env, XDG_CACHE_HOME: at('cache') } };

/** {function: calls} of a recording of the script, and its messages. */
function record(options, script = 'app.mjs') {
  const { status, stderr } = tool('wasm-perf', ['record', ...options, '-o', 'o.wperf', '--', process.execPath, script], cache);
  assert.equal(status, 0, stderr);
  return { calls: callsOf('o.wperf'), stderr };
}

function callsOf(profile, ...options) {
  const { status, stdout, stderr } = tool('wasm-perf', ['report', '--format', 'json', ...options, profile]);
  assert.equal(status, 0, stderr);
  const counted = JSON.parse(stdout).functions.filter(({ calls }) => calls !== null); // not JavaScript
  return Object.fromEntries(counted.map(({ name, calls }) => [name, calls]));
}

const list = (...options) => tool('wasm-instrument', [...options, '--list', 'app.wasm']).stdout
  .split('\n').slice(1, -1).map((line) => line.trim().split(/ +/).slice(2).join(''));

test('names of the glue select functions', () => {
  assert.deepEqual(record(['--clock', 'none']).calls, { malloc: 200, free: 100, work: 100, 'func[3]': 100 });
  const { calls, stderr } = record(['--clock', 'none', '--only', 'malloc']);
  assert.deepEqual([calls, stderr], [{ malloc: 200 }, '']);
  assert.deepEqual(record(['--clock', 'none', '--exclude', 'work', '--exclude', '@3']).calls, { malloc: 200, free: 100 });
  assert.deepEqual(list('--only', 'work'), ['-malloc', '-free', '+work', '-func[3]']);
});

test('names of the glue are allocators', () => {
  const { stderr } = record(['--memory']);
  assert.equal(stderr, '');
  const explained = (options) => {
    record(['--memory', ...options]);
    return tool('wasm-perf', ['explain', 'o.wperf']).stdout;
  };
  assert.match(explained([]), /Allocated: 105 KB in 200 blocks/);
  assert.match(explained(['--allocator', 'malloc=none', '--allocator', 'work=malloc']), /Allocated: 1.00 KB in 100 blocks/);
});

test('a benchmark counts their allocations', () => {
  const node = process.execPath;
  const { status, stderr } = tool('wasm-perf', ['bench', '--save', '--', node, 'app.mjs'], cache);
  assert.equal(status, 0, stderr);
  const [{ values, functions }] = JSON.parse(read('wasm-perf.baseline.json')).benchmarks;
  assert.equal(values.allocated_blocks, 200);
  assert.deepEqual(functions.map(({ name }) => name).sort(), ['free', 'func[3]', 'malloc', 'work']);
});

test('the cache knows the glue', () => {
  writeFileSync(at('app.mjs'), glue.replaceAll('_malloc', '_take'));
  assert.deepEqual(record(['--clock', 'none', '--only', 'take']).calls, { take: 200 });
  writeFileSync(at('app.mjs'), glue);
});

test('the script that compiles a module names its exports', () => {
  const bytes = read('app.wasm').toString('base64');
  const single = glue.replace('readFileSync(file)', `Buffer.from('${bytes}', 'base64')`);
  writeFileSync(at('single.mjs'), single);
  assert.deepEqual(record(['--clock', 'none', '--only', 'malloc'], 'single.mjs').calls, { malloc: 200 });
  writeFileSync(at('bundle.mjs'), `${single}\nlet _one, _two, _three;\nfunction other(m) { _one = m.b; _two = m.c; _three = m.d; }`);
  assert.deepEqual(record(['--clock', 'none'], 'bundle.mjs').calls, { b: 200, c: 100, d: 100, 'func[3]': 100 });
});

test("numbered exports of wasm-bindgen are allocators by their use", () => {
  assemble('bindgen', `(module (memory (export "memory") 1)
    (func (export "__wbindgen_export") (param i32 i32 i32))
    (func (export "__wbindgen_export2") (param i32 i32) (result i32) (i32.const 64))
    (func (export "__wbindgen_export3") (param i32 i32 i32 i32) (result i32) (i32.const 128))
    (func (export "__wbindgen_export4") (param i32 i32 i32))
    (func (export "__wbindgen_export5") (param i32 i32) (result i32) (i32.const 7)))`, { names: false });
  writeFileSync(at('index.mjs'), `import { readFileSync } from 'node:fs';
    const wasm = (await WebAssembly.instantiate(readFileSync('bindgen.wasm'))).instance.exports;
    const passString = (length, malloc, realloc) => realloc(malloc(length, 1) >>> 0, length, 2 * length, 1) >>> 0;
    const pointer = passString(10, wasm.__wbindgen_export2, wasm.__wbindgen_export3), length = 20, add = (one) => one;
    wasm.__wbindgen_export(pointer, length * 1, 1);
    wasm.__wbindgen_export4(pointer, length, add(3));
    wasm.__wbindgen_export5(1, 2);`);
  const { calls } = record(['--memory', '--clock', 'none'], 'index.mjs');
  const names = ['free', 'malloc', 'realloc'].map((name) => `__wbindgen_${name}`);
  assert.deepEqual(calls, Object.fromEntries([...names, '__wbindgen_export4', '__wbindgen_export5'].map((name) => [name, 1])));
  const { stdout } = tool('wasm-perf', ['explain', 'o.wperf']);
  assert.match(stdout, /Allocated: 20 B in 1 block; 1 resized/);
  assert.match(stdout, /Only what JavaScript allocates is known/);
});

test('glue elsewhere is given with --symbols and --names, also afterwards', () => {
  renameSync(at('app.mjs'), at('index.mjs'));
  writeFileSync(at('plain.mjs'), `import { readFileSync } from 'node:fs';
    const { b, c, d } = (await WebAssembly.instantiate(readFileSync('app.wasm'))).instance.exports;
    for (let i = 0; i < 100; i++) { d(10); b(50); c(0); }`);
  try {
    assert.deepEqual(record(['--clock', 'none'], 'plain.mjs').calls, { b: 200, c: 100, d: 100, 'func[3]': 100 });
    copyFileSync(at('o.wperf'), at('app.wperf'));
    const named = { malloc: 200, free: 100, work: 100, 'func[3]': 100 };
    assert.deepEqual(callsOf('app.wperf', '--symbols', 'index.mjs'), named);
    assert.deepEqual(callsOf('o.wperf', '--symbols', 'app.wasm', '--symbols', 'index.mjs'), named);
    assert.deepEqual(record(['--clock', 'none', '--symbols', 'index.mjs'], 'plain.mjs').calls, named);
    assert.deepEqual(list('--names', 'index.mjs', '--only', 'free'), ['-malloc', '+free', '-work', '-func[3]']);
  } finally {
    renameSync(at('index.mjs'), at('app.mjs'));
  }
});

test('a symbol map names every function, in each command', () => {
  writeFileSync(at('app.symbols'), map);
  const all = { malloc: 200, free: 100, work: 100, half: 100 };
  assert.deepEqual(record(['--clock', 'none', '--symbols', 'app.symbols']), { calls: all, stderr: '' });
  assert.deepEqual(record(['--clock', 'none', '--symbols', 'app.symbols', '--only', 'half']).calls, { half: 100 });
  assert.deepEqual(list('--names', 'app.symbols'), ['+malloc', '+free', '+work', '+half']);
  const { stdout } = tool('wasm-perf', ['symbols', 'app.wasm', 'app.symbols']);
  assert.equal(stdout, '0\tmalloc\t1.000\n1\tfree\t1.000\n2\twork\t1.000\n3\thalf\t1.000\n');
});

test('a map of another module of the program names nothing in this one', () => {
  const warning = /other\.symbols: warning: not a build of the module, so it names no function/;
  writeFileSync(at('other.symbols'), '0:one\n1:two\n');
  const { calls, stderr } = record(['--clock', 'none', '--symbols', 'other.symbols']);
  assert.deepEqual(calls, { malloc: 200, free: 100, work: 100, 'func[3]': 100 });
  assert.match(stderr, warning);
  writeFileSync(at('app.symbols'), '3:half\n'); // named like the module: need not be complete
  assert.equal(record(['--clock', 'none', '--symbols', 'app.symbols']).calls.half, 100);
  writeFileSync(at('other.mjs'), 'm._malloc = x.z;');
  const given = tool('wasm-instrument', ['--names', 'other.mjs', 'app.wasm', '-o', 'o.wasm']);
  assert.equal(given.status, 0);
  assert.match(given.stderr, /other\.mjs: warning: not a build of the module/);
});

test("the module's own names stay", () => {
  mkdirSync(at('named'), { recursive: true });
  assemble('named/app', text.replace('(func (param $n i32)', '(func $mine (param $n i32)'));
  const { stdout } = tool('wasm-instrument', ['--list', '--names', 'app.symbols', 'named/app.wasm']);
  assert.match(stdout, /\bmine\n/);
  assert.doesNotMatch(stdout, /half/);
});

const hasPackage = existsSync(join(build, 'npm/package.json'));

test('the package takes scripts as bytes', { skip: !hasPackage && 'it is not built' }, async () => {
  const { instrument } = await import(pathToFileURL(join(build, 'npm/js/package/index.mjs')));
  const { warnings } = instrument(read('app.wasm'), { scripts: { 'module.mjs': read('app.mjs') }, only: ['malloc', 'b'] });
  assert.deepEqual(warnings, []);
  const without = instrument(read('app.wasm'), { only: ['malloc', 'b'] });
  assert.deepEqual(without.warnings, ["pattern 'malloc' matches no function"]);
});
