/** Names for profiles that have none: --symbols, and modules beside a profile. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, at, read, tool } from '../js/support.mjs';
import { writeProfile } from '../js/wperf.mjs';

const text = `(module (import "env" "log" (func $log))
  (func $first (call $log)) (func $second (call $first)) (func (export "last") (call $second)))`;
const identity = 'f797ac28e53b459a'; // of its code section, by another tool: xxhsum -H3
mkdirSync(at('beside'));
assemble('app', text);
assemble('other', text.replace('(call $second)', '(call $first)'));
writeFileSync(at('damaged.txt'), '1:one\n\nno module');

const nodes = [
  { function: 4, parent: 0, calls: 1, self: 10 },
  { function: 3, parent: 1, calls: 1, self: 10 },
  { function: 1, parent: 2, calls: 1, self: 10 },
  { function: 0, parent: 3, calls: 1, self: 10 },
];
/** As of a module to which one import was added: functions from 1 on are one further. */
const facts = { identity, module: 'app.wasm', hostFunctionCount: 2 };
const profile = (path, options) => writeFileSync(at(path), writeProfile(nodes, [], options));
profile('a.wperf', facts);

const folded = (...args) => tool('wasm-perf', ['report', '--format', 'folded', ...args]);

function innermost(result) {
  assert.deepEqual([result.status, result.stderr], [0, '']);
  return result.stdout.split('\n').reduce((a, b) => (b.length > a.length ? b : a));
}

test('names come from the module, whatever imports were added to it', () => {
  assert.equal(innermost(folded('--symbols', 'app.wasm', 'a.wperf')), 'last;second;func[1];env.log 10');
});

test('all commands that show a profile take it', () => {
  for (const command of [['top'], ['tree'], ['callers', 'second'], ['callees', 'second']]) {
    const args = [command[0], '--symbols', 'app.wasm', ...command.slice(1), 'a.wperf'];
    const { status, stdout, stderr } = tool('wasm-perf', args);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /second/);
  }
});

function refused(message, profilePath, ...files) {
  const args = files.flatMap((file) => ['--symbols', file]);
  const { status, stdout, stderr } = folded('-o', 'no.txt', ...args, profilePath);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, message);
  assert(!existsSync(at('no.txt')));
}

test('what cannot be of the module, a damaged file and none are refused', () => {
  refused(/^wasm-perf: damaged\.txt: line 3: expected INDEX:NAME, or a module\n$/, 'a.wperf', 'damaged.txt');
  refused(/^wasm-perf: none\.wasm: No such file/, 'a.wperf', 'none.wasm');
  writeFileSync(at('cut.wasm'), read('app.wasm').subarray(0, 20));
  refused(/^wasm-perf: cut\.wasm: offset /, 'a.wperf', 'cut.wasm');
  writeFileSync(at('long.txt'), `1:a\n2:${'x'.repeat(65536)}\n`);
  refused(/^wasm-perf: long\.txt: line 2: the name is longer than 65,535 bytes\n$/, 'a.wperf', 'long.txt');
  tool('wasm-instrument', ['app.wasm', '-o', 'app.prof.wasm']);
  refused(/it is instrumented; give the original module/, 'a.wperf', 'app.prof.wasm');
  profile('counted.wperf', { ...facts, functionCounts: [4, 4] });
  refused(/^wasm-perf: other\.wasm: not a build of the module, so it names no function\n$/, 'counted.wperf', 'other.wasm');
  const elsewhere = { ...facts, module: 'elsewhere.wasm', functionCounts: [4, 4] };
  profile('far.wperf', elsewhere);
  refused(/not the module of far\.wperf: .* its number of functions differs; also give the module that ran: --symbols app\.wasm --symbols FILE\n$/, 'far.wperf', 'other.wasm');
});

test('without the module another build names by function index, and says so', () => {
  profile('away.wperf', { ...facts, module: 'elsewhere.wasm' });
  const { status, stdout, stderr } = folded('--symbols', 'other.wasm', 'away.wperf');
  assert.equal(status, 0);
  assert.equal(stderr, 'wasm-perf: other.wasm: cannot tell whether it is the module of away.wperf: names are assigned by function index\n');
  assert.match(stdout, /^last;second;/m);
});

/** As a host writes it of a stripped module: a name that is none for each function. */
const numbers = [[3, 'func[2]'], [4, 'good'], [1, 'func[1]']].sort(([a], [b]) => a - b);
writeFileSync(at('stripped.wperf'), writeProfile(nodes, numbers, { ...facts, addedImportCount: 1 }));

test('a list of names, and a map of Emscripten, name what has no name', () => {
  writeFileSync(at('app.js.symbols'), '0:log_it\r\n\n# a comment\n2:shape::area\\28int\\2c\\20\\5c29)\n2:again\n3:bad\n');
  const { status, stdout, stderr } = folded('--symbols', 'app.js.symbols', 'stripped.wperf');
  assert.equal(status, 0);
  assert.match(stderr, /^wasm-perf: app\.js\.symbols: cannot tell .* names are assigned by function index\n$/);
  assert.equal(stdout.trimEnd().split('\n').at(-1), 'good;shape::area(int, \\29);func[1];log_it 10');
});

test('names of a file are cleaned before a terminal or a page sees them', () => {
  writeFileSync(at('evil.txt'), Buffer.from('2:\x1b[2J\0<script>\xff\n', 'latin1'));
  const { stdout } = folded('--symbols', 'evil.txt', 'stripped.wperf');
  assert.match(stdout, /^good;_\[2J;/m);
  const svg = tool('wasm-perf', ['report', '--format', 'flamegraph', '--symbols', 'evil.txt', 'stripped.wperf']).stdout;
  assert(svg.includes('_[2J') && !svg.includes('\x1b') && !svg.includes('<script>\ufffd'));
});

const section = (name, contents) => {
  const body = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), contents]);
  return Buffer.concat([Buffer.from([0, body.length]), body]);
};
const sized = (bytes) => Buffer.concat([Buffer.from([bytes.length]), Buffer.from(bytes)]);

test('a build_id tells builds apart, and what belongs together, whatever the code', () => {
  profile('built.wperf', { ...facts, identity: '0'.repeat(16), buildId: '01fe' });
  const withId = (...id) => Buffer.concat([read('app.wasm'), section('build_id', sized(id))]);
  writeFileSync(at('same.wasm'), withId(1, 254));
  writeFileSync(at('changed.wasm'), withId(1, 255));
  assert.equal(innermost(folded('--symbols', 'same.wasm', 'built.wperf')), 'last;second;func[1];env.log 10');
  refused(/it is another build: the build_id differs\n$/, 'built.wperf', 'changed.wasm');
});

const withoutNames = (bytes) => {
  const at = bytes.indexOf(Buffer.from('\x04name')); // the last section
  return bytes.subarray(0, at - 2);
};

test('a stripped module leads to its debug file', () => {
  const url = Buffer.from('http://localhost/x/app.debug.wasm');
  const stripped = Buffer.concat([withoutNames(read('app.wasm')), section('external_debug_info', sized(url))]);
  writeFileSync(at('led.wasm'), stripped);
  assert.match(innermost(folded('--symbols', 'led.wasm', 'a.wperf')), /^last;func\[2\];/);
  writeFileSync(at('app.debug.wasm'), read('app.wasm'));
  assert.match(innermost(folded('--symbols', 'led.wasm', 'a.wperf')), /^last;second;/);
});

/** As emcc -gseparate-dwarf leaves a debug file: without section 10. Sections are short here. */
function withoutCode(bytes) {
  const kept = [bytes.subarray(0, 8)];
  for (let offset = 8; offset < bytes.length; offset += 2 + bytes[offset + 1])
    if (bytes[offset] !== 10) kept.push(bytes.subarray(offset, offset + 2 + bytes[offset + 1]));
  return Buffer.concat(kept);
}

test('a debug file from which the code was taken has names all the same', () => {
  const bare = withoutCode(read('app.wasm'));
  assert(bare.length < read('app.wasm').length - 10);
  writeFileSync(at('bare.debug.wasm'), bare);
  const { status, stdout, stderr } = folded('--symbols', 'bare.debug.wasm', 'a.wperf');
  assert.equal(status, 0);
  assert.match(stderr, /^wasm-perf: bare\.debug\.wasm: cannot tell .* names are assigned by function index\n$/);
  assert.match(stdout, /^last;second;func\[1\];env\.log 10$/m);
  writeFileSync(at('app.debug.wasm'), bare); // to which the stripped module leads
  assert.match(innermost(folded('--symbols', 'led.wasm', 'a.wperf')), /^last;second;/);
  profile('fewer.wperf', { ...facts, functionCounts: [2, 2] });
  refused(/not the module of fewer\.wperf: .* its number of functions differs; also give [^\n]*\n$/, 'fewer.wperf', 'bare.debug.wasm');
  const run = tool('wasm-instrument', ['bare.debug.wasm', '-o', 'no.wasm']);
  assert.deepEqual([run.status, run.stderr], [1, 'wasm-instrument: bare.debug.wasm: 3 functions are declared but 0 have bodies\n']);
});

test('a profile of several modules is not named by the indices of one', () => {
  const joined = [{ function: 0, parent: 0, calls: 0, self: 0 }, { function: 1, parent: 1, calls: 1, self: 1 }];
  writeFileSync(at('joined.wperf'), writeProfile(joined, [[0, 'a.wasm'], [1, 'func[0]']]));
  refused(/the profile covers several modules/, 'joined.wperf', 'app.wasm');
});

test('a few functions without names are mentioned if they have a good part of the cost', () => {
  const names = ['one', 'two', 'three', 'four', 'func[4]'].map((name, i) => [i, name]);
  const top = (self) => {
    const nodes = names.map(([i]) => ({ function: i, parent: i, calls: 1, self: i === 4 ? self : 10 }));
    writeFileSync(at('few.wperf'), writeProfile(nodes, names, { clock: 2 }));
    return tool('wasm-perf', ['top', 'few.wperf']).stdout;
  };
  assert.doesNotMatch(top(10), /No names/);
  assert.match(top(20), /^No names for 1 function: .*--symbols FILE/m);
});

test('a stripped module, recorded, takes the names of its unstripped twin', () => {
  const program = `(module (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 1) (func $inner) (func $outer (call $inner)) (func (export "_start") (call $outer)))`;
  assemble('twin', program);
  writeFileSync(at('bare.wasm'), withoutNames(read('twin.wasm')));
  for (const clock of ['instructions', 'wall']) { // embedded, and linked
    const run = tool('wasm-perf', ['record', '--clock', clock, 'bare.wasm', '-o', 'bare.wperf']);
    assert.equal(run.status, 0);
    assert.match(run.stderr, clock === 'wall' ? /^wasm-perf: bare\.wasm: warning: --clock wall is for few.*\n$/ : /^$/);
    assert.match(tool('wasm-perf', ['top', 'bare.wperf']).stdout, /^No names for 2 functions: .*--symbols FILE/m);
    const { stdout, stderr } = tool('wasm-perf', ['top', '--symbols', 'twin.wasm', 'bare.wperf']);
    for (const name of ['_start', 'outer', 'inner']) assert.match(stdout, new RegExp(` ${name}$`, 'm'));
    assert.equal(stderr === '', clock === 'instructions', stderr);
  }
  const merged = tool('wasm-perf', ['merge', '--symbols', 'twin.wasm', 'bare.wperf', '-o', 'named.wperf']);
  assert.equal(merged.status, 0);
  assert.match(tool('wasm-perf', ['callers', 'inner', 'named.wperf']).stdout, / outer/);
});

test('so does one that was sampled, and its table has no column of calls', () => {
  const program = `(module (memory (export "memory") 1) (func $spin (param $n i32)
      (loop $more (br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1))))))
    (func (export "_start") (call $spin (i32.const 400000000))))`;
  assemble('spinner', program);
  writeFileSync(at('spinner.bare.wasm'), withoutNames(read('spinner.wasm')));
  const run = tool('wasm-perf', ['record', '--no-hooks', 'spinner.bare.wasm', '-o', 'spinner.wperf']);
  assert.deepEqual([run.status, run.stderr], [0, '']);
  const { stdout, stderr } = tool('wasm-perf', ['top', '--symbols', 'spinner.wasm', 'spinner.wperf']);
  assert.equal(stderr, '');
  assert.match(stdout, / spin$/m);
  assert.match(stdout, /calls were not counted/);
  assert.doesNotMatch(stdout, /^self %.*calls/m);
});

test('exports that an optimiser renamed have the names of the JavaScript beside the module', () => {
  assemble('short', '(module (func (export "a") (call 1)) (func) (func (export "b") (call 0)))', { names: false });
  const program = (key) => `const { readFileSync } = require('node:fs');
    const wasmExports = new WebAssembly.Instance(new WebAssembly.Module(readFileSync('short.wasm'))).exports;
    const Module = {};
    var _main = Module['_main'] = wasmExports['b'];
    if (false) Module['_step'] = wasmExports['${key}'];
    _main();`;
  const stack = () => {
    const { status, stderr } = tool('wasm-perf', ['record', '--clock', 'instructions', '-o', 'short.wperf', '--', process.execPath, 'short.js']);
    assert.deepEqual([status, stderr], [0, '']);
    return innermost(folded('short.wperf'));
  };
  writeFileSync(at('short.js'), program('a'));
  assert.match(stack(), /^main;step /);
  writeFileSync(at('short.js'), program('z')); // of another build
  assert.match(stack(), /^b;a /);
});

test('a profile without an identity is named by the module that ran', () => {
  profile('ran.wperf', { hostFunctionCount: 3 });
  assert.match(innermost(folded('--symbols', 'app.prof.wasm', 'ran.wperf')), /^wasm_perf\.perf_unwind;wasm_perf\.perf_depth;wasm_perf\.perf_start;env\.log /);
  const { status, stderr } = folded('--symbols', 'app.wasm', 'ran.wperf');
  assert.equal(status, 1);
  assert.match(stderr, /the profile does not name its module: only the instrumented module/);
});

test('a module beside the profile is found by the name in it or that of the profile, if it fits', () => {
  mkdirSync(at('away'));
  writeFileSync(at('away/far.wasm'), read('app.wasm'));
  profile('beside/x.wperf', { ...facts, module: '../away/far.wasm' });
  assert.match(folded('beside/x.wperf').stderr, /^wasm-perf: beside\/x\.wperf has no names: give its module, far\.wasm, with --symbols FILE\n$/);
  for (const name of ['far.wasm', 'x.wasm']) {
    writeFileSync(at(`beside/${name}`), read('app.wasm'));
    assert.match(innermost(folded('beside/x.wperf')), /^last;second;/);
    writeFileSync(at(`beside/${name}`), 'damaged');
    assert.match(folded('beside/x.wperf').stderr, /has no names/);
    rmSync(at(`beside/${name}`));
  }
});

test('a module in the working directory is found by the name in the profile, if it fits', () => {
  profile('beside/y.wperf', { ...facts, module: '../app.wasm' });
  assert.match(innermost(folded('beside/y.wperf')), /^last;second;/);
  profile('beside/y.wperf', { ...facts, module: 'other.wasm' });
  assert.match(folded('beside/y.wperf').stderr, /has no names: give its module, other\.wasm/);
});

test('two profiles take each the one of two modules that fits', () => {
  const args = ['--symbols', 'other.wasm', '--symbols', 'app.wasm', 'a.wperf', 'a.wperf'];
  const { status, stdout, stderr } = tool('wasm-perf', ['diff', ...args]);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /because they have no names: 1 function before, 1 after$/m); // the import that was added
});
