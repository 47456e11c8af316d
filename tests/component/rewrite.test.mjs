// wasm-instrument --embed on components: what changes, what does not, and what is refused.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

import { importPackage, packageFile, temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { coreModules, frame, HEADER, nested, section, stripped } from './component.mjs';

const folder = temporaryFolder();
const two = Buffer.from(await parse(readFileSync(join(import.meta.dirname, 'two.wat'), 'utf8')));

function instrument(bytes, options = [], name = 'app.wasm') {
  const [input, output] = [join(folder, name), join(folder, 'out.wasm')];
  writeFileSync(input, bytes);
  execFileSync(tool('wasm-instrument'), ['--embed', '--no-file', ...options, input, '-o', output]);
  return readFileSync(output);
}

/** Exit code and stderr of what has to fail, with no output left. */
function refusal(bytes, options = ['--embed']) {
  const [input, output] = [join(folder, 'bad.wasm'), join(folder, 'none.wasm')];
  writeFileSync(input, bytes);
  const { status, stderr } = spawnSync(tool('wasm-instrument'), [...options, input, '-o', output], { encoding: 'utf8' });
  assert.ok(!existsSync(output));
  return [status, stderr.replaceAll(folder, '').trim()];
}

test('each core module becomes what it would by itself, the rest stays as it is', () => {
  const output = instrument(two, ['--quiet']);
  assert.deepEqual(frame(output).slice(0, frame(two).length), frame(two)); // exports follow
  const names = ['numbers', 'deep', 'main'];
  assert.deepEqual(coreModules(output), coreModules(two).map((module, i) => instrument(module, [], `app.wasm:${names[i]}`)));
});

test('a component without a chosen function comes back byte for byte, overlong sizes included', () => {
  const [module] = coreModules(two);
  const bytes = Buffer.concat([HEADER, section(0, Buffer.from('\x04nameX'), 5), section(1, module, 5),
    section(4, Buffer.concat([HEADER, section(1, module, 4)]), 5), section(0, Buffer.from('\x01x'), 3)]);
  assert.deepEqual(instrument(bytes, ['--module', 'nothing', '--quiet']), bytes);
  const output = instrument(bytes, ['--module', 'module0']);
  assert.deepEqual(frame(output), frame(bytes));
  assert.ok(output.includes(section(0, Buffer.from('\x04nameX'), 5)) && output.includes(section(0, Buffer.from('\x01x'), 3)));
});

/** CPython 3.14's table of offsets, as far as it matters here. */
function tableOfOffsets() {
  const numbers = new BigUint64Array(97).fill(16n);
  for (const [index, number] of [[0, 0x030e00f0n], [25, 52n], [31, 4n]]) numbers[index] = number;
  return Buffer.concat([Buffer.from('xdebugpy'), Buffer.from(numbers.buffer)]);
}

test('Python whose interpreter and data are in two modules: the first alone changes', async () => {
  const data = [...tableOfOffsets()].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
  const leave = '(i32.store offset=52 (local.get 0) (i32.load offset=4 (local.get 1)))';
  const component = async (imported) => Buffer.from(await parse(`(component
    (core module $data (memory (export "memory") 1) (data (i32.const 1024) "${data}") (func (export "other")))
    (core instance $data (instantiate $data))
    (core module $python ${imported ? '(import "data" "memory" (memory 1))' : '(memory 1)'}
      (func $eval (param i32 i32) ${leave} ${leave} ${leave} ${leave})
      (func (export "run") (call $eval (i32.const 0) (i32.const 0))))
    (core instance $python (instantiate $python (with "data" (instance $data))))
    (func (export "run") (canon lift (core func $python "run"))))`));
  const bytes = await component(true);
  const [before, after] = [bytes, instrument(bytes, ['--guest=python', '--quiet'])].map(coreModules);
  assert.deepEqual(after[0], before[0]);
  assert.ok(after[1].length > before[1].length + 1000); // the runtime is in it
  const apart = await component(false); // another memory: no Python
  assert.deepEqual(coreModules(instrument(apart, ['--guest=python', '--quiet'])), coreModules(apart));
});

test('--module chooses core modules by their names', () => {
  const [numbers, deep, main] = coreModules(two);
  const output = coreModules(instrument(two, ['--module', 'd*p', '--module', 'main']));
  assert.deepEqual(output[0], numbers);
  assert.ok(output[1].length > deep.length && output[2].length > main.length);
});

test('--list tells the modules and what is chosen of each', () => {
  const input = join(folder, 'list.wasm');
  writeFileSync(input, two);
  const list = execFileSync(tool('wasm-instrument'), ['--list', '--module', 'main', '--exclude', 'note', input], { encoding: 'utf8' });
  const rows = list.split('\n').filter((line) => line !== '').map((line) => line.trim().split(/\s+/).join(' '));
  assert.deepEqual(rows, [
    'core module numbers', 'index instrs hook name', '0 3 - square', '1 11 - sum',
    'core module deep', 'index instrs hook name', '0 1 - leaf', '1 3 - deep',
    'core module main', 'index instrs hook name', '1 4 - note', '2 3 + run']);
});

test('--names names the functions of each core module, after a component or a module, and changes nothing else', async () => {
  const text = readFileSync(join(import.meta.dirname, 'command.wat'), 'utf8').replace('END', '(i32.const 0)');
  const named = Buffer.from(await parse(text)), bare = stripped(named);
  const list = (bytes, from, options = []) => {
    const files = { [join(folder, 'bare.wasm')]: bytes, [join(folder, 'from.wasm')]: from };
    for (const [path, contents] of Object.entries(files)) writeFileSync(path, contents);
    const [input, build] = Object.keys(files);
    const { stdout, stderr } = spawnSync(tool('wasm-instrument'), ['--list', '--names', build, ...options, input], { encoding: 'utf8' });
    return { names: stdout.match(/(?<=  [+-]  ).*/g), stderr: stderr.replaceAll(`${folder}/`, '') };
  };
  assert.deepEqual(list(bare, bare).names.slice(0, 2), ['func[4]', 'func[5]']);
  for (const from of [named, coreModules(named)[0]])
    assert.deepEqual(list(bare, from), { names: ['~say', '~fib', 'wasi:cli/run@0.2.0#run', 'write'], stderr: '' });
  const nestedIn = Buffer.concat([HEADER, section(4, bare, 5), section(0, Buffer.from('\x01x'))]);
  assert.deepEqual(list(nestedIn, named).names.slice(0, 2), ['~say', '~fib']);
  const other = Buffer.from(await parse('(module (func (export "half") (param f64) (result f64) (f64.mul (local.get 0) (f64.const 0.5))))'));
  assert.match(list(bare, other).stderr, /^wasm-instrument: from\.wasm: warning: (not a build of|has no function in common with) the module.*\n$/);
  assert.match(list(bare, bare.subarray(0, -9)).stderr, /^wasm-instrument: from\.wasm: offset 0x/);
  const chosenNone = ['--module', 'nothing', '--quiet', '--names', join(folder, 'from.wasm')];
  list(bare, named);
  assert.deepEqual(frame(instrument(bare, chosenNone)), frame(bare));
});

test('transpiled by jco, both give the same results', async () => {
  const { transpileBytes } = await importPackage('@bytecodealliance/jco-transpile');
  const results = [];
  let exported;
  for (const [name, bytes] of [['plain', two], ['prof', instrument(two)]]) {
    const { files } = await transpileBytes(new Uint8Array(bytes), { name, multiMemory: true, instantiation: { tag: 'async' } });
    for (const [path, contents] of Object.entries(files)) writeFileSync(join(folder, basename(path)), contents);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const { instantiate } = await import(join(folder, `${name}.js`));
    const { run, deep, inner, ...ours } = await instantiate(async (path) => new WebAssembly.Module(readFileSync(join(folder, path))), {});
    results.push([run(10), deep(3), inner(5)]);
    if (name === 'prof') exported = ours;
  }
  assert.deepEqual(results[0], [385, 14, 12]);
  assert.deepEqual(results[1], results[0]);
  writeFileSync(join(folder, 'two.wasm'), two);
  assert.deepEqual(callsIn(exported.wasmPerfProfile, exported.wasmPerfRead), { square: 13, sum: 15 });
  assert.deepEqual(callsIn(exported.wasmPerfProfile2, exported.wasmPerfRead2), { note: 2, run: 2 });
  exported.wasmPerfReset();
  assert.deepEqual(callsIn(exported.wasmPerfProfile, exported.wasmPerfRead), {});
});

/** What a component's host reads of a module, by function: the names come from the component. */
function callsIn(profile, read) {
  const size = profile();
  const words = BigUint64Array.from({ length: Math.ceil(size / 8) }, (_, i) => read(8 * i));
  writeFileSync(join(folder, 'read.wperf'), new Uint8Array(words.buffer, 0, size));
  const options = ['report', '-f', 'json', '--symbols', join(folder, 'two.wasm'), join(folder, 'read.wperf')];
  const { functions } = JSON.parse(execFileSync(tool('wasm-perf'), options));
  return Object.fromEntries(functions.map(({ name, calls }) => [name, calls]).sort());
}

// The functions that a component exports; one that is not valid has none.
async function world(bytes) {
  const { componentWit } = await import(packageFile('@bytecodealliance/jco-transpile/dist/wasm-tools.js'));
  return (await componentWit(new Uint8Array(bytes))).match(/(?<=export )[\w-]+(?=: func)/g).sort();
}

test('exports find their places among all sorts of items, one set for each instance', async () => {
  const text = readFileSync(join(import.meta.dirname, 'crowded.wat'), 'utf8');
  const crowded = await parse(text.replace(/.*export "number".*/, '')); // which interfaces of components have no word for
  assert.deepEqual(await world(crowded), ['answer', 'ask']);
  const ours = ['profile', 'read', 'reset'].flatMap((name) => ['', '2', '3'].map((number) => `wasm-perf-${name}${number}`));
  assert.deepEqual(await world(instrument(crowded, ['--quiet'])), ['answer', 'ask', ...ours]);
});

test('every canonical built-in counts as a core function', async () => {
  const text = readFileSync(join(import.meta.dirname, 'builtins.wat'), 'utf8');
  const builtins = await parse(text.replaceAll(/.*\.forward.*/g, '')); // too new for this parser
  assert.deepEqual(await world(instrument(builtins, ['--quiet'])),
    ['wasm-perf-profile', 'wasm-perf-read', 'wasm-perf-reset', 'work']);
});

test('warns of a module whose profile nobody reads, and names the other place', async () => {
  const warnings = (bytes, ...options) => {
    writeFileSync(join(folder, 'told.wasm'), bytes);
    const words = ['--embed', ...options, join(folder, 'told.wasm'), '-o', join(folder, 'out.wasm')];
    return spawnSync(tool('wasm-instrument'), words, { encoding: 'utf8' }).stderr.replaceAll(`wasm-instrument: ${folder}/told.wasm: warning: `, '');
  };
  assert.equal(warnings(two), `\
core module numbers cannot write its profile, as it is not a command: call the exports wasm-perf-profile and wasm-perf-read to get it
core module deep cannot write its profile, as it is not a command, and no export can be added to read it
core module main cannot write its profile, as it is not a command: call the exports wasm-perf-profile2 and wasm-perf-read2 to get it
`);
  // That none of them is Python is told once.
  const ofGuests = warnings(two, '--guest=python').split('\n').filter((line) => !line.includes('is not a command'));
  assert.deepEqual(ofGuests, ['no guest found: the module is not CPython 3.13 or newer', '']);
  // A command of WASI 0.3 writes to streams that need its host to go on: nothing to end with.
  assert.match(warnings(await parse(readFileSync(join(import.meta.dirname, 'async.wat'), 'utf8'))),
    /^core module main cannot write its profile, as it is not a command: call the exports wasm-perf-profile and wasm-perf-read to get it\n$/);
  // Something behind the modules that a reader of today does not know; a name that is taken.
  const unknown = Buffer.concat([two, section(8, Buffer.from('0199', 'hex'))]);
  const taken = Buffer.concat([two, section(11, Buffer.from('\x01\0\x10wasm-perf-answer\x01\0\0', 'latin1'))]);
  for (const bytes of [unknown, taken])
    assert.equal(warnings(bytes, '--module=main'), 'core module main cannot write its profile, as it is not a command, and no export can be added to read it\n');
});

test('components are refused without --embed, and where they are broken, with the place', () => {
  const bad = '/bad.wasm: ';
  assert.deepEqual(refusal(two, []), [1, `wasm-instrument: ${bad}offset 0x4: this is a component, whose modules cannot be linked with hooks: use --embed`]);
  assert.deepEqual(refusal(Buffer.concat([HEADER, Buffer.from([1, 9])])), [1, `wasm-instrument: ${bad}offset 0x9: 9 bytes do not fit into the 0 that are left`]);
  assert.deepEqual(refusal(Buffer.concat([HEADER, Buffer.from([13, 0])])), [1, `wasm-instrument: ${bad}offset 0x8: malformed section id 13 of a component`]);
  assert.deepEqual(refusal(Buffer.from([...HEADER.subarray(0, 4), 0x0c, 0, 1, 0])), [1, `wasm-instrument: ${bad}offset 0x4: a component of an unknown version`]);
  assert.deepEqual(refusal(Buffer.concat([HEADER, section(4, Buffer.from('0061736d01000000', 'hex'))])), [1, `wasm-instrument: ${bad}offset 0xa: malformed header of a nested module or component`]);
  assert.deepEqual(refusal(Buffer.concat([HEADER, section(1, Buffer.from('0061736d0100000003', 'hex'))])), [1, `wasm-instrument: ${bad}offset 0x13: core module module0: truncated LEB128`]);
  const [status, message] = refusal(nested(101));
  assert.equal(status, 1);
  assert.match(message, /offset 0x[0-9a-f]+: components nested more than 100 deep$/);
  instrument(nested(100), ['--quiet']);
});

/** A component whose core module exports wasi:cli/run, which it exports as well if `isCommand`. */
const leftover = (isCommand) => parse(`(component
  (core module $libc (func (export "fd_write") (param i32 i32 i32 i32) (result i32) (i32.const 0)))
  (core module $main
    (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 1)
    (func $one (drop (i32.const 1)))
    (func $two (call $one) (call $one))
    (func (export "wasi:cli/run@0.2.3#run") (result i32) (call $two) (i32.const 0)))
  (core instance $l (instantiate $libc))
  (core instance $m (instantiate $main (with "wasi_snapshot_preview1" (instance $l))))
  (func $run (result (result)) (canon lift (core func $m "wasi:cli/run@0.2.3#run")))
  ${isCommand ? '(instance $i (export "run" (func $run))) (export "wasi:cli/run@0.2.3" (instance $i))' : '(export "handle" (func $run))'})`);

test('whether a component is a command says the component, not what is left over in a core module', async () => {
  for (const isCommand of [true, false]) {
    const [input, output] = [join(folder, 'leftover.wasm'), join(folder, 'leftover.prof.wasm')];
    writeFileSync(input, await leftover(isCommand));
    const { status, stderr } = spawnSync(tool('wasm-instrument'), ['--embed', '--module', 'main', input, '-o', output], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.equal(readFileSync(output).includes('wasm-perf-profile'), !isCommand);
    if (isCommand) assert.equal(stderr, '');
    else assert.match(stderr, /core module main cannot write its profile, as it is not a command: call the exports wasm-perf-profile/);
  }
});

test('an adapter that grows a memory rules --single-memory out, one that does not allows it', async () => {
  const component = async (code) => Buffer.from(await parse(`(component
    (core module $main (memory (export "memory") 1) (func (export "f") (result i32) (i32.load (i32.const 0))))
    (core instance $main (instantiate $main))
    (core module $wit-component:adapter (import "env" "memory" (memory 0)) (func (export "g") (result i32) ${code}))
    (core instance $adapter (instantiate $wit-component:adapter (with "env" (instance $main)))))`));
  const options = ['--embed', '--single-memory'];
  assert.deepEqual(refusal(await component('(memory.grow (i32.const 1))'), options), [1,
    'wasm-instrument: /bad.wasm: core module wit-component:adapter: --single-memory is impossible: ' +
    "it grows another module's memory"]);
  const output = instrument(await component('memory.size'), ['--quiet', '--single-memory']);
  const [main] = coreModules(output);
  const { instance } = await WebAssembly.instantiate(main);
  assert.equal(instance.exports.f(), 0);
  assert.ok(instance.exports.memory.buffer.byteLength > 65536); // the profile is in it
});

test('record refuses a component that is not a command before an engine compiles it', async () => {
  const input = join(folder, 'handler.wasm');
  writeFileSync(input, await leftover(false));
  const options = ['record', '--engine', 'wasmtime', '-o', join(folder, 'none.wperf'), input];
  const { status, stderr } = spawnSync(tool('wasm-perf'), options, { encoding: 'utf8', cwd: folder });
  assert.equal(status, 1);
  if (!stderr.includes('no wasmtime')) assert.match(stderr, /handler\.wasm: not a WASI command: the component does not export wasi:cli\/run/);
});
