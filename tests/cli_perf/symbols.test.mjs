/** Names for profiles that have none: --module, and modules beside a profile. */

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, at, read, tool } from '../js/support.mjs';
import { writeProfile } from '../js/wperf.mjs';

const text = `(module (import "env" "log" (func $log))
  (func $first (call $log)) (func $second (call $first)) (func (export "last") (call $second)))`;
const identity = 'f797ac28e53b459a'; // of its code section, by another tool: xxhsum -H3
mkdirSync(at('beside'));
assemble('app', text);
assemble('other', text.replace('(call $second)', '(call $first)'));
writeFileSync(at('damaged.wasm'), 'no module');

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
  assert.equal(innermost(folded('--module', 'app.wasm', 'a.wperf')), 'last;second;func[1];env.log 10');
});

test('all commands that show a profile take it', () => {
  for (const command of [['top'], ['tree'], ['callers', 'second'], ['callees', 'second']]) {
    const args = [command[0], '--module', 'app.wasm', ...command.slice(1), 'a.wperf'];
    const { status, stdout, stderr } = tool('wasm-perf', args);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /second/);
  }
});

test('another module, a damaged one and none are refused', () => {
  const refused = (message, ...args) => {
    const { status, stdout, stderr } = folded('-o', 'no.txt', ...args, 'a.wperf');
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, message);
  };
  refused(/^wasm-perf: other\.wasm: not the module of a\.wperf: it is another module .*\n$/, '--module', 'other.wasm');
  refused(/^wasm-perf: damaged\.wasm: /, '--module', 'damaged.wasm');
  refused(/^wasm-perf: none\.wasm: No such file/, '--module', 'none.wasm');
  tool('wasm-instrument', ['app.wasm', '-o', 'app.prof.wasm']);
  refused(/it is instrumented; names come from/, '--module', 'app.prof.wasm');
});

test('a profile without an identity is named by the module that ran', () => {
  profile('ran.wperf', { hostFunctionCount: 3 });
  assert.match(innermost(folded('--module', 'app.prof.wasm', 'ran.wperf')), /^wasm_perf\.perf_unwind;wasm_perf\.perf_depth;wasm_perf\.perf_start;env\.log /);
  const { status, stderr } = folded('--module', 'app.wasm', 'ran.wperf');
  assert.equal(status, 1);
  assert.match(stderr, /the profile does not tell its module: only the instrumented module/);
});

test('a module beside the profile is found by the name in it or that of the profile, if it fits', () => {
  profile('beside/x.wperf', { ...facts, module: '../app.wasm' });
  assert.match(folded('beside/x.wperf').stderr, /^wasm-perf: beside\/x\.wperf has no names: give its module, app\.wasm, by --module FILE\n$/);
  for (const name of ['app.wasm', 'x.wasm']) {
    writeFileSync(at(`beside/${name}`), read('app.wasm'));
    assert.match(innermost(folded('beside/x.wperf')), /^last;second;/);
    writeFileSync(at(`beside/${name}`), 'damaged');
    assert.match(folded('beside/x.wperf').stderr, /has no names/);
    rmSync(at(`beside/${name}`));
  }
});

test('two profiles take each the one of two modules that fits', () => {
  const args = ['--module', 'other.wasm', '--module', 'app.wasm', 'a.wperf', 'a.wperf'];
  const { status, stdout, stderr } = tool('wasm-perf', ['diff', ...args]);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /for want of names: 1 function before, 1 after$/m); // the import that was added
});
