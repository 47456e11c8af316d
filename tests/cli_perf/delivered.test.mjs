/** What pprof and OTLP files say beside their numbers: when, how long, which module, whose frames. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { assemble, at, run, tool } from '../js/support.mjs';
import { lacks } from '../support/tools.mjs';

const succeed = (result) => {
  assert.equal(result.status, 0, result.stderr);
  return result.stdout;
};
const perf = (...args) => succeed(tool('wasm-perf', args));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const LOOP = (name, step) => `(module (func $${name} (export "${name}") (param i32) (result i32)
  (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const ${step}))))) (local.get 0)))`;
assemble('first', LOOP('first', 1));
assemble('second', LOOP('second', 2));
writeFileSync(at('two.mjs'), `import { readFileSync } from 'node:fs';
  const load = (name) => new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL(name, import.meta.url)))).exports;
  const { first } = load('first.wasm'), { second } = load('second.wasm');
  function work() { for (const end = performance.now() + 300; performance.now() < end;) { first(1e5); second(1e5); } }
  work();`);

/** Runs the program and returns the profile's path and the limits of when it can have begun, in milliseconds. */
function record(name, ...args) {
  const before = Date.now();
  perf('record', '-o', at(name), ...args);
  return [at(name), before, Date.now()];
}

/** What readers of OTLP find, or null where their Python package is missing. */
function factsOf(profile) {
  perf('report', profile, '-o', at('facts.otlp'));
  const { unit } = JSON.parse(perf('report', profile, '--format=json'));
  const python = (...args) => run('python3', ['-B', ...args, at('facts.otlp')],
    { cwd: here('../report'), env: { ...process.env, WI_UNIT: unit } });
  const facts = python(here('otlp_facts.py'));
  if (facts.status === 77) return null;
  succeed(python('-m', 'readers.otlp')); // checks the tables
  return JSON.parse(succeed(facts));
}

const [several, ...severalTimes] = record('several.wperf', '--', process.execPath, at('two.mjs'));

test('OTLP: modules are mappings, frames have types, profiles have times', (t) => {
  const facts = factsOf(several);
  if (!facts) return t.skip('opentelemetry-proto is not installed');
  assert.deepEqual(facts.service, { 'service.name': 'two.mjs' });
  assert.deepEqual(facts.mappings.map(({ name }) => name).sort(), ['first.wasm', 'second.wasm', 'two.mjs']);
  assert.deepEqual(facts.frames.first, ['first.wasm', 'wasm']);
  assert.deepEqual(facts.frames.second, ['second.wasm', 'wasm']);
  const [, work] = Object.entries(facts.frames).find(([name]) => name.startsWith('work'));
  assert.deepEqual(work, ['two.mjs', 'v8js']);
  assert.deepEqual(facts.profiles.map(({ type }) => type).sort(), ['calls', 'cpu', 'wall']);
  for (const { start, duration } of facts.profiles) checkTimes(start, duration, severalTimes);
});

function checkTimes(start, duration, [before, after]) {
  assert(start >= before && start + duration <= after, `${before} ${start} + ${duration} ${after}`);
  assert(duration > 0);
}

test('OTLP: a module alone has its build id, or the identity of its code', (t) => {
  const [alone] = record('alone.wperf', '--engine=node', '--invoke=first', at('first.wasm'), '100000');
  const facts = factsOf(alone);
  if (!facts) return t.skip('opentelemetry-proto is not installed');
  const [{ name, ...version }] = facts.mappings;
  assert.equal(name, 'first.wasm');
  assert.match(version['wasm.code.xxh3'], /^[0-9a-f]{16}$/);
  writeFileSync(at('built.wasm'), Buffer.concat([readFileSync(at('first.wasm')),
    Buffer.from([0, 14, 8, ...Buffer.from('build_id'), 4, 0xde, 0xad, 0xbe, 0xef])]));
  const [built] = record('built.wperf', '--engine=node', '--invoke=first', at('built.wasm'), '100000');
  assert.deepEqual(factsOf(built).mappings, [{ name: 'built.wasm', 'process.executable.build_id.gnu': 'deadbeef' }]);
});

test('pprof: go tool pprof finds the time, the modules and the build id', { skip: lacks('go') }, () => {
  perf('report', several, '-o', at('several.pb.gz'));
  const raw = succeed(run('go', ['tool', 'pprof', '-raw', at('several.pb.gz')]));
  const [, date] = raw.match(/^Time: (\S+ \S+) \+0000 UTC$/m);
  const [, duration] = raw.match(/^Duration: ([\d.]+)/m); // milliseconds, cut
  const start = Date.parse(`${date.replace(' ', 'T')}Z`);
  checkTimes(start + 1, Number(duration), severalTimes);
  for (const name of ['two.mjs', 'first.wasm', 'second.wasm']) assert.match(raw, new RegExp(`^\\d: \\S+ ${name} `, 'm'));
});
