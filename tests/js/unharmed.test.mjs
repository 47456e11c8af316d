/** Programs that work alone do the same under wasm-perf record, and are profiled or it is said why not. */

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble, at, build, read, run } from './support.mjs';
import { callCounts } from './wperf.mjs';

assemble('once', `(module (func $run (export "run") (call $leaf)) (func $leaf))`);

const CALLS = { run: 1, 'run;leaf': 1 };
const use = `new WebAssembly.Instance(new WebAssembly.Module(require('node:fs').readFileSync(${JSON.stringify(at('once.wasm'))})))
  .exports.run(); console.log('ran');`;
writeFileSync(at('use.cjs'), use);
const used = JSON.stringify(at('use.cjs'));
const node = process.execPath;
const withoutIds = (text) => text.replace(/\(node:\d+\)/g, '(node)');
const hasOption = (...options) => run(node, [...options, '-e', '0']).status === 0;

/** What the program does alone and recorded, which is the same; the latter's errors, and its calls if it has a profile. */
function both(text, { options = [], redirections = '' } = {}) {
  writeFileSync(at('program.cjs'), text);
  rmSync(at('a.wperf'), { force: true });
  const start = (...words) => run('sh', ['-c', `"$@" ${redirections}`, 'sh', ...words]);
  const words = [node, ...options, at('program.cjs')];
  const alone = start(...words);
  const recorded = start(join(build, 'wasm-perf'), 'record', '-o', at('a.wperf'), '--', ...words);
  assert.equal(recorded.stdout, alone.stdout);
  return { alone, recorded };
}

function expectCalls(text, calls, settings) {
  const { alone, recorded } = both(text, settings);
  assert.deepEqual([recorded.status, withoutIds(recorded.stderr)], [alone.status, withoutIds(alone.stderr)]);
  assert.deepEqual(callCounts(read('a.wperf')), calls);
}

/** The program cannot be profiled, which is an error where it makes none itself. */
function expectReason(text, reason, settings) {
  const { alone, recorded } = both(text, settings);
  assert.equal(recorded.status, alone.status || 1);
  const own = recorded.stderr.split('\n').filter((line) => line.startsWith('wasm-perf: '));
  assert.equal(own.length, 1, recorded.stderr);
  assert.match(own[0], reason);
}

test('the current folder is gone', () => {
  expectCalls(`const fs = require('node:fs');
    const folder = fs.mkdtempSync(${JSON.stringify(at('gone-'))});
    process.chdir(folder);
    fs.rmdirSync(folder);
    ${use}
    process.exitCode = 3;`, CALLS);
});

test('another program by execve', { skip: !process.execve }, () => {
  const become = (file, ...args) => `${use} process.execve(${[file, [file, ...args]].map((item) => JSON.stringify(item)).join()});`;
  expectCalls(become('/bin/sh', '-c', 'sleep 0.1; echo other; exit 5'), CALLS); // a signal of the sampler would end it
  expectCalls(become(node, at('use.cjs')), { run: 2, 'run;leaf': 2 });
  expectCalls(`${use} process.execve(process.execPath, [process.execPath, ${used}], { PATH: process.env.PATH });`,
    { run: 2, 'run;leaf': 2 });
});

test('no WebAssembly', () => {
  expectReason(`console.log(typeof WebAssembly); process.exitCode = 4;`, /has no WebAssembly here: --jitless/, { options: ['--jitless'] });
});

test('frozen intrinsics', () => {
  expectReason(use, /--frozen-intrinsics keeps/, { options: ['--frozen-intrinsics'] });
});

const permissions = ['--permission', `--allow-fs-read=${at('*')}`];
test('bytes that the engine rejects, by which programs test for features', () => {
  expectCalls(`const bytes = (...rest) => Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, ...rest);
    const gone = new Uint8Array(8);
    structuredClone(gone, { transfer: [gone.buffer] });
    const sources = [bytes(1, 5, 1), bytes(1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 5, 1, 3, 0, 255, 11), new Uint8Array(4), gone];
    const respond = (source) => new Response(source, { headers: { 'Content-Type': 'application/wasm' } });
    const calls = [
      (source) => new WebAssembly.Module(source), (source) => WebAssembly.compile(source),
      (source) => WebAssembly.instantiate(source, {}), (source) => WebAssembly.compileStreaming(respond(source)),
    ];
    (async () => {
      for (const source of sources)
        for (const call of calls) await (async () => call(source))().catch((error) => console.log(error.message));
    })();
    ${use}`, CALLS);
});

test('permissions', { skip: !hasOption(...permissions) }, () => {
  expectReason(use, /--permission keeps .* add --allow-child-process$/, { options: permissions });
  const { status, stdout } = both(use, { options: [...permissions, '--allow-child-process'] }).recorded;
  assert.deepEqual([status, stdout], [0, 'ran\n']);
  assert.deepEqual(callCounts(read('a.wperf')), CALLS);
});

test('an option of the program is none of Node', { skip: !hasOption(...permissions) }, () => {
  writeFileSync(at('program.cjs'), use);
  const words = ['record', '-o', at('a.wperf'), '--', node, at('program.cjs'), '--permission'];
  const { status, stderr } = run(join(build, 'wasm-perf'), words);
  assert.deepEqual([status, stderr], [0, '']);
});

test('pending deprecations', () => {
  expectCalls(use, CALLS, { options: ['--pending-deprecation', '--throw-deprecation'] });
});

for (const redirections of ['0<&-', '1>&-', '2>&-', '0<&- 1>&- 2>&-'])
  test(`closed streams: ${redirections}`, () => {
    expectCalls(`${use} process.exitCode = 6;`, CALLS, { redirections });
  });
