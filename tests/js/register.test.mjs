/** node --import register.mjs and wasm-perf record -- COMMAND: programs run as ever, and leave profiles. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { invoking } from './invoking.mjs';
import { assemble, at, build, folder, read, run, tool } from './support.mjs';
import { callCounts, readProfile } from './wperf.mjs';

const temporary = at('temporary');
mkdirSync(temporary);
process.env.TMPDIR = temporary;

assemble('app', `(module $application
  (import "env" "call" (func $call (param i32)))
  (func $leaf) (func $twice (call $leaf) (call $leaf))
  (func (export "run") (call $twice) (call $leaf))
  (func (export "back") (param i32) (call $call (local.get 0)))
  (func (export "spin") (param i32)
    (loop (local.set 0 (i32.sub (local.get 0) (i32.const 1))) (br_if 0 (local.get 0))))
  (memory (export "memory") 1 1 shared)
  (func (export "wait") (drop (memory.atomic.wait32 (i32.const 0) (i32.const 0) (i64.const -1))))
  (func (export "trap") (call $leaf) (unreachable)))`);
assemble('other', '(module (func $only (export "run")))');

const prelude = `
const fs = require('node:fs');
const bytes = fs.readFileSync('app.wasm');
const imports = { env: { call: (f) => globalThis.called?.(f) } };
const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
const { run, back, spin, wait, trap } = instance.exports;
`;

/** Writes NAME with that code. */
function program(name, code, start = prelude) {
  writeFileSync(at(name), start + code);
  return name;
}

const node = process.execPath;
const record = (options, ...command) =>
  tool('wasm-perf', ['record', '--clock=none', '-o', 'a.wperf', ...options, '--', ...command]);

/** The program's calls by stack; it has to end as it does without us. */
function recorded(name, options = [], expected = {}) {
  const plain = run(node, [name]);
  const { status, stdout, stderr } = record(options, node, name);
  assert.deepEqual({ status, stdout, stderr }, { status: plain.status, stdout: plain.stdout, stderr: plain.stderr, ...expected });
  assert.deepEqual(readdirSync(temporary), []);
  return callCounts(read('a.wperf'));
}

const once1 = { run: 1, 'run;leaf': 1, 'run;twice': 1, 'run;twice;leaf': 2 };

/** That many calls of each. */
const times = (count) => Object.fromEntries(Object.entries(once1).map(([key, n]) => [key, n * count]));

test('a module of a program is profiled, its output and exit code stay', () => {
  program('plain.cjs', `run(); console.log('out'); console.error('err'); process.exitCode = 3;`);
  assert.deepEqual(recorded('plain.cjs'), once1);
  const { header } = readProfile(read('a.wperf'));
  assert.equal(header.module, 'app.wasm');
  assert.match(header.identity, /^[0-9a-f]{16}$/);
  assert.match(header.engine, /^Node\.js \d+/);
  assert.match(header.command, /plain\.cjs$/);
  assert(header.runTime > 0n);
});

test('every way into WebAssembly is taken', () => {
  program('ways.mjs', `
    const use = (instance) => {
      console.log(instance instanceof WebAssembly.Instance, Object.keys(instance.exports).join());
      instance.exports.run();
    };
    const response = () => new Response(bytes, { headers: { 'Content-Type': 'application/wasm' } });
    const module = await WebAssembly.compile(bytes);
    console.log(module instanceof WebAssembly.Module);
    use(await WebAssembly.instantiate(module, imports));
    use((await WebAssembly.instantiate(bytes, imports)).instance);
    use((await WebAssembly.instantiateStreaming(response(), imports)).instance);
    use(await WebAssembly.instantiate(await WebAssembly.compileStreaming(response()), imports));
    use(new WebAssembly.Instance(module, imports));`,
    `import fs from 'node:fs'; const bytes = fs.readFileSync('app.wasm'); const imports = { env: { call() {} } };`);
  assert.deepEqual(recorded('ways.mjs'), times(5));
});

for (const code of ['nop', ''])
  test(`modules of the same name and ${code ? 'other' : 'the same'} code are numbered in the order in which they are compiled`, () => {
    for (const [name, body] of [['left', ''], ['right', code]]) {
      mkdirSync(at(name), { recursive: true });
      assemble(`${name}/same`, `(module (func $${name} (export "run") ${body}))`);
    }
    for (const [first, second] of [['left', 'right'], ['right', 'left']]) { // which are also two orders of their hashes
      program('order.cjs', `for (const name of ['${first}', '${second}'])
        new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(name + '/same.wasm'))).exports.run();`, "const fs = require('node:fs');");
      const expected = { 'same.wasm': 0, [`same.wasm;${first}`]: 1, 'same.wasm #2': 0, [`same.wasm #2;${second}`]: 1 };
      assert.deepEqual(recorded('order.cjs'), expected);
    }
  });

test('instances are added up or kept apart; modules are named, or ignored if --module excludes them', () => {
  program('several.cjs', `
    const other = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync('other.wasm')));
    const second = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
    run(); second.exports.run(); other.exports.run();`);
  const under = (label, counts) =>
    Object.fromEntries([[label, 0], ...Object.entries(counts).map(([key, n]) => [label + ';' + key, n])]);
  assert.deepEqual(recorded('several.cjs'), { ...under('app.wasm', times(2)), ...under('other.wasm', { only: 1 }) });
  assert.deepEqual(recorded('several.cjs', ['--module', 'oth*']), { only: 1 });
  assert.deepEqual(recorded('several.cjs', ['--module=app.wasm', '--per-instance']), Object.assign(
    ...['app.wasm', 'app.wasm #2'].map((label) => under(label, once1))));
  assert.deepEqual(recorded('several.cjs', ['--module=app.wasm', '--only=leaf']), { leaf: 6 });
});

test('what the program puts in the place of clocks and fetch does not matter', () => {
  program('patched.cjs', `
    globalThis.performance = { now: () => 0 }; Date.now = () => 0; globalThis.fetch = null;
    globalThis.setTimeout = globalThis.setImmediate = null; fs.writeFileSync = fs.readFileSync = null;
    run();`);
  assert.deepEqual(recorded('patched.cjs'), once1);
});

test('exceptions and traps leave the tree right for the calls that follow', () => {
  program('throws.cjs', `
    globalThis.called = () => { throw new Error('thrown'); };
    for (const f of [() => back(1), trap]) try { f(); } catch (error) { console.log(error.message); }
    run();`);
  assert.deepEqual(recorded('throws.cjs'), { ...once1, back: 1, trap: 1, 'trap;leaf': 1 });
});

assemble('invoke', invoking('env'));

test('what JavaScript calls after an exception it swallowed hangs below its caller', () => {
  program('invoke.cjs', `
    const fs = require('node:fs');
    const env = {
      invoke() { try { table.get(0)(); } catch { restore(); } },
      throw() { throw new Error('for nobody'); },
    };
    const invoking = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync('invoke.wasm')), { env });
    const { table, restore, inner, main } = invoking.exports;
    main();
    console.log(table.get(0) === inner);`, '');
  assert.deepEqual(recorded('invoke.cjs'), {
    main: 1, 'main;inner': 1, 'main;inner;deep': 1, 'main;restore': 1, 'main;after': 1 });
});

test('exports go where the engine wants its own functions', () => {
  program('tables.cjs', `
    const table = new WebAssembly.Table({ element: 'anyfunc', initial: 2 });
    table.set(0, run); table.get(0)();
    table.grow(1, run);
    const value = new WebAssembly.Global({ value: 'anyfunc', mutable: true }, run);
    value.value = run; value.value();
    const user = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { call: spin } });
    user.exports.back(1);
    console.log(run.length, run.name, spin.length);`);
  assert.deepEqual(recorded('tables.cjs'), { ...times(2), back: 1, spin: 1 });
});

const ends = {
  'process.exit in a handler': `process.on('beforeExit', () => process.exit(4));`,
  'an uncaught exception': `setImmediate(() => { throw new TypeError('lost'); });`,
  'an unhandled rejection': `Promise.reject(new TypeError('lost'));`,
  'a trap': `setImmediate(() => trap());`,
};
for (const [name, code] of Object.entries(ends)) {
  test(`${name} keeps the profile`, () => {
    program('ends.cjs', `run(); ${code}`);
    const { status, stdout } = record([], node, 'ends.cjs');
    const plain = run(node, ['ends.cjs']);
    assert.deepEqual([status, stdout], [plain.status, plain.stdout]);
    assert.equal(callCounts(read('a.wperf')).run, 1);
  });
}

for (const [name, code] of Object.entries({
  SIGINT: `process.kill(process.pid, 'SIGINT')`,
  'SIGTERM as a number': 'process.kill(process.pid, 15)',
  SIGKILL: `process.kill(process.pid, 'SIGKILL')`,
  SIGABRT: 'process.abort()',
})) {
  test(`a program that ends itself by ${name}, as the last it does, keeps its profile`, () => {
    program('itself.cjs', `run(); ${code};`);
    const { status } = record([], 'sh', '-c', `ulimit -c 0; exec ${node} itself.cjs`);
    assert.equal(status, 128 + constants.signals[name.split(' ')[0]]);
    assert.equal(callCounts(read('a.wperf')).run, 1);
  });
}

test('a module is named after its file, however the program reads it', () => {
  const ways = {
    readFileSync: `fs.readFileSync('other.wasm')`,
    readFile: `await new Promise((done) => fs.readFile('other.wasm', (_, bytes) => done(bytes)))`,
    'promises.readFile': `await fs.promises.readFile(new URL('other.wasm', import.meta.url))`,
    'FileHandle.readFile': `await (handle = await fs.promises.open('other.wasm')).readFile()`,
    readableWebStream: `await new Response((handle = await fs.promises.open('other.wasm')).readableWebStream()).bytes()`,
    createReadStream: `Buffer.concat(await Array.fromAsync(fs.createReadStream('other.wasm')))`,
    readSync: `fs.readSync(fs.openSync('other.wasm'), room) && room`,
    openAsBlob: `await (await fs.openAsBlob('other.wasm')).bytes()`,
  };
  for (const [way, code] of Object.entries(ways)) {
    program('reads.mjs', `const bytes = ${code};
      await handle?.close();
      new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.run();`,
      `import fs from 'node:fs';
      let handle;
      const room = new Uint8Array(${read('other.wasm').length});
      process.removeAllListeners('warning');
      `);
    assert.deepEqual(recorded('reads.mjs', [], { stderr: '' }), { only: 1 }, way);
    assert.equal(readProfile(read('a.wperf')).header.module, 'other.wasm', way);
  }
});

test('a report is called as its script and module, and without a name of its own as the script', () => {
  program('titled.cjs', 'run();');
  tool('wasm-perf', ['record', '--clock=none', '--', node, '--no-warnings', 'titled.cjs', 'x.js']);
  assert.match(read('titled.html').toString(), /titled\.cjs: app\.wasm</);
});

test('that a module as it runs has no source map any more is not said', () => {
  const section = Buffer.concat([Buffer.from([0, 20, 16]), Buffer.from('sourceMappingURLa.b')]);
  writeFileSync(at('mapped.wasm'), Buffer.concat([read('app.wasm'), section]));
  program('mapped.cjs', prelude.replace('app.wasm', 'mapped.wasm') + 'run();', '');
  assert.match(tool('wasm-instrument', ['mapped.wasm', '-o', 'dropped.wasm']).stderr, /warning: dropped/);
  recorded('mapped.cjs');
});

test('what wasm-instrument warns of is said, once for each module', () => {
  program('warns.cjs', `new WebAssembly.Module(bytes); run();`);
  const { stderr } = record(['--only=leaf', '--only=nothing_*'], node, 'warns.cjs');
  assert.equal(stderr, "wasm-perf: app.wasm: warning: pattern 'nothing_*' matches no function\n");
});

test('noInlining keeps V8 from inlining, in threads and child processes, too', () => {
  program('flags.cjs', `
    const { Worker, isMainThread } = require('node:worker_threads');
    const { spawnSync } = require('node:child_process');
    console.log(isMainThread && process.execArgv, process.argv.slice(2), process.execPath === process.argv0);
    run();
    if (isMainThread && !process.env.IS_CHILD) {
      spawnSync(process.execPath, [__filename], { env: { ...process.env, IS_CHILD: 1 }, stdio: 'inherit' });
      new Worker(__filename, { execArgv: [] });
    }`);
  const words = [node, '--no-warnings', 'flags.cjs', '--', '-x', 'ä'];
  const { status, stdout, stderr } = record(['--no-inlining'], ...words);
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(stdout, `[ '--no-wasm-inlining', '--no-warnings' ] [ '--', '-x', 'ä' ] true
[ '--no-wasm-inlining' ] [] true
false [] true
`);
  assert.deepEqual(callCounts(read('a.wperf')), times(3));
});

test('a Node that cannot be kept from inlining is reported once', () => {
  writeFileSync(at('cannot.cjs'), 'process.execve = undefined;');
  program('threads.cjs', `
    const { Worker, isMainThread } = require('node:worker_threads');
    const { spawnSync } = require('node:child_process');
    run();
    if (isMainThread && !process.env.IS_CHILD) {
      spawnSync(process.execPath, [...process.execArgv, __filename], { env: { ...process.env, IS_CHILD: 1 }, stdio: 'inherit' });
      new Worker(__filename);
    }`);
  const { status, stderr } = record(['--no-inlining'], node, '--require', at('cannot.cjs'), 'threads.cjs');
  const message = `wasm-perf: Node.js ${process.version} cannot be kept from inlining functions: --no-inlining has no effect\n`;
  assert.deepEqual([status, stderr], [0, message]);
  assert.deepEqual(callCounts(read('a.wperf')), times(3));
});

test('a program that a signal ends is reported as that', () => {
  for (const start of [prelude, '']) {
    program('crash.cjs', `run?.(); require('node:child_process').spawnSync('sh', ['-c', 'kill -SEGV ' + process.pid]);`,
      start || 'const run = null;');
    const { status, stderr } = record([], 'sh', '-c', `ulimit -c 0; exec ${node} crash.cjs`);
    assert.equal(status, 139);
    assert.match(stderr, /^wasm-perf: [^\n]*: signal 11 ended the program: Segmentation fault\n$/);
  }
});

test('--memory alone measures nothing else, and the report is of memory', () => {
  assemble('holds', `(module (memory 1)
    (func $malloc (export "malloc") (param i32) (result i32) (i32.const 1024))
    (func $free (export "free") (param i32))
    (func $keep (export "keep") (drop (call $malloc (i32.const 48)))))`);
  program('memory.cjs', `
    const holds = new WebAssembly.Module(require('fs').readFileSync('holds.wasm'));
    new WebAssembly.Instance(holds).exports.keep();
    console.log(JSON.parse(process.env.WASM_PERF_SESSION).clock);`, '');
  const reported = (...options) => {
    const { status, stdout, stderr } = tool('wasm-perf', ['record', '--memory', ...options, '--', node, 'memory.cjs']);
    assert.deepEqual([status, stderr], [0, '']);
    return stdout;
  };
  assert.equal(reported('--clock=sampled', '-o', 'a.wperf'), 'sampled\n');
  assert.equal(reported('-o', 'm.folded'), 'none\n');
  assert.match(String(read('m.folded')), /keep.* 48$/m);
});

/** Records the program with samples, where that script ran before all. */
function sampledAfter(script, name) {
  writeFileSync(at('before.cjs'), script);
  const env = { ...process.env, NODE_OPTIONS: `--require=${at('before.cjs')}` };
  return tool('wasm-perf', ['record', '--clock=sampled', '-o', 'a.wperf', '--', node, name], { env });
}

test('samples of a long run are taken in while it runs', () => {
  const hurry = `const { setInterval } = globalThis; // ten minutes pass in a millisecond
    globalThis.setInterval = (call, ms) => setInterval(call, ms / 600_000);
    globalThis.count = 0;
    const v8 = require('node:v8');
    const { startCpuProfile } = v8;
    v8.startCpuProfile = () => (count++, startCpuProfile());`;
  program('long.cjs', `const end = Date.now() + 300;
const go = () => { run(); Date.now() < end ? setTimeout(go, 1) : console.log(count > 2) };
go();`);
  const { status, stdout, stderr } = sampledAfter(hurry, 'long.cjs');
  assert.deepEqual([status, stdout, stderr], [0, 'true\n', '']);
  const counts = callCounts(read('a.wperf'));
  assert(counts.run > 1);
  assert.equal(counts['run;leaf'], counts.run);
});

test('a sampler that does not start again ends no program', () => {
  const fail = `const { setInterval } = globalThis;
    globalThis.setInterval = (call, ms) => setInterval(call, ms / 600_000);
    const v8 = require('node:v8');
    const { startCpuProfile } = v8;
    let count = 0;
    v8.startCpuProfile = () => {
      if (++count === 1) return startCpuProfile();
      throw new Error('no more');
    };`;
  program('once.cjs', 'run(); setTimeout(() => console.log("done"), 50);');
  const { status, stdout, stderr } = sampledAfter(fail, 'once.cjs');
  assert.deepEqual([status, stdout], [0, 'done\n']);
  assert.match(stderr, /^(wasm-perf: times are lost: no more\n)+$/);
  assert.deepEqual(callCounts(read('a.wperf')), once1);
});

test('where the samples are lost, the calls are not', () => {
  program('lost.cjs', 'run();');
  const fail = `require('node:v8').startCpuProfile = () => ({ stop() { throw new Error('too long') } });`;
  const { status, stderr } = sampledAfter(fail, 'lost.cjs');
  assert.deepEqual([status, stderr], [0, 'wasm-perf: times are lost: too long\n']);
  assert.deepEqual(callCounts(read('a.wperf')), once1);
});

test('what others put into our messages does not reach a terminal raw', () => {
  program('raw.cjs', 'run();');
  const raw = String.raw`new Error('\x1b[2J\nwasm-perf: \x9b1m')`;
  const { stderr: lost } = sampledAfter(
    `require('node:v8').startCpuProfile = () => ({ stop() { throw ${raw} } });`, 'raw.cjs');
  assert.equal(lost, 'wasm-perf: times are lost: \\u{1b}[2J\n  wasm-perf: \\u{9b}1m\n');
  const { stderr: refused } = sampledAfter(
    `require('node:child_process').spawnSync = () => ({ error: ${raw} });`, 'raw.cjs');
  assert.equal(refused, 'wasm-perf: \\u{1b}[2J\n  wasm-perf: \\u{9b}1m\n');
});

const threads = `
const { Worker, isMainThread, workerData, parentPort } = require('node:worker_threads');
const start = (mode, module) => new Promise((resolve) => {
  const worker = new Worker('./thread.cjs', { workerData: { mode, module } });
  worker.once('message', () => resolve(worker));
});
`;
program('thread.cjs', `
const { workerData, parentPort } = require('node:worker_threads');
const imports = { env: { call() {} } };
const { run, spin, wait } = new WebAssembly.Instance(workerData.module, imports).exports;
run();
parentPort.postMessage('ready');
if (workerData.mode === 'spin') for (;;) spin(1e9);
if (workerData.mode === 'wait') wait();
if (workerData.mode === 'stay') setInterval(() => {}, 1e6);
if (workerData.mode === 'exit') process.exit(0);`, '');

for (const mode of ['end', 'exit', 'stay', 'spin', 'wait']) {
  test(`threads that ${mode}, and are terminated or end with the process, lose nothing`, () => {
    program('main.cjs', `${threads}
      (async () => {
        const module = new WebAssembly.Module(bytes);
        const workers = [await start('${mode}', module), await start('${mode}', module)];
        await new Promise((resolve) => setTimeout(resolve, 100));
        workers[0].terminate();
        run();
        process.exit(0);
      })();`);
    const { status, stderr } = record(['--module=app.wasm'], node, 'main.cjs');
    assert.deepEqual([status, stderr], [0, '']);
    const counts = callCounts(read('a.wperf'));
    assert.deepEqual([counts.run, counts['run;twice;leaf']], [3, 6]);
  });
}

test('child processes are profiled, too', () => {
  program('child.cjs', `run();`);
  program('parent.cjs', `
    const { execFileSync, fork } = require('node:child_process');
    run();
    execFileSync(process.execPath, ['child.cjs']);
    fork('child.cjs', { execArgv: [] });`);
  assert.deepEqual(recorded('parent.cjs'), times(3));
});

program('outlive.cjs', `
  const child = require('node:child_process').fork('late.cjs', [process.argv[2]], { detached: true, stdio: 'ignore' });
  run();
  child.once('message', () => process.exit(0));`);
program('late.cjs', `process.send('ready');
  setTimeout(() => { run(); process.kill(process.pid, Number(process.argv[2])); }, 300);
  setTimeout(() => process.exit(0), 400);
  process.on('disconnect', () => {});`);

test('children that outlive the program are waited for', () => {
  const { status, stderr } = record([], node, 'outlive.cjs', '0');
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(callCounts(read('a.wperf')), times(2));
});

test('children that are killed, or go on for ever, do not hold up the end', () => {
  const killed = record([], node, 'outlive.cjs', '9');
  assert.deepEqual([killed.status, killed.stderr], [0, '']);
  const stopped = record([], node, 'outlive.cjs', '19');
  const [, pid] = /^wasm-perf: process (\d+) is still running: its later work is not in the profile\n$/.exec(stopped.stderr);
  process.kill(pid, 'SIGKILL');
  assert.deepEqual(callCounts(read('a.wperf')), times(1));
});

async function signalled(signal, code) {
  program('signal.cjs', `run(); console.log('ready'); ${code}`);
  const child = spawn(join(build, 'wasm-perf'), ['record', '--clock=none', '-o', 's.wperf', '--', node, 'signal.cjs'], { cwd: folder });
  await once(child.stdout, 'data');
  child.kill(signal);
  const [status] = await once(child, 'close');
  assert.deepEqual(readdirSync(temporary), []);
  return [status, callCounts(read('s.wperf')).run];
}

for (const [signal, number] of [['SIGINT', 2], ['SIGTERM', 15]]) {
  test(`${signal} keeps the profile of a program that waits`, async () => {
    assert.deepEqual(await signalled(signal, 'setInterval(() => {}, 1e6);'), [128 + number, 1]);
  });
  test(`${signal} keeps the profile of a program that is busy in WebAssembly`, async () => {
    assert.deepEqual(await signalled(signal, 'setTimeout(() => { for (;;) spin(1e9); }, 300);'), [128 + number, 1]);
  });
  test(`${signal} keeps the profile of a program that handles it`, async () => {
    const code = `process.on('${signal}', () => process.exit(5)); setInterval(() => {}, 1e6);`;
    assert.deepEqual(await signalled(signal, code), [5, 1]);
  });
}

test('without wasm-perf: node --import', () => {
  program('alone.cjs', `run(); require('node:child_process').execFileSync(process.execPath, ['child.cjs']);`);
  const env = { ...process.env, WASM_PERF_CLOCK: 'none', WASM_PERF_OUTPUT: 'alone.wperf' };
  const result = run(node, ['--import', join(build, 'js/node/register.mjs'), 'alone.cjs'], { env });
  assert.deepEqual([result.status, result.stderr], [0, '']);
  assert.deepEqual(callCounts(read('alone.wperf')), times(2));
  const late = run(node, ['--import', join(build, 'js/node/register.mjs'), 'outlive.cjs', '0'], { env });
  assert.deepEqual([late.status, late.stderr], [0, '']);
  assert.deepEqual(callCounts(read('alone.wperf')), times(2));
  assert.deepEqual(readdirSync(temporary), []);
});

test('what is written is named after the script, not after one that is loaded before', () => {
  program('before.cjs', '', '');
  program('named.cjs', 'run()');
  assert.equal(tool('wasm-perf', ['record', '--clock=none', '--', node, '-r', './before.cjs', 'named.cjs']).status, 0);
  assert(existsSync(at('named.html')) && !existsSync(at('before.html')));
});

test('where --module matches nothing, it is said what there is', () => {
  program('several_names.cjs', `new WebAssembly.Module(fs.readFileSync('other.wasm'));`);
  const { status, stderr } = record(['--module=ap'], node, 'several_names.cjs');
  assert.deepEqual([status, stderr], [1, "wasm-perf: --module matches none of the program's modules: app.wasm, other.wasm\n"]);
});

test('a program without WebAssembly, and a command that does not exist, print why there is no profile', () => {
  program('none.cjs', `console.log('hello');`, '');
  const none = tool('wasm-perf', ['record', '-o', 'n.wperf', '--', node, 'none.cjs']);
  assert.deepEqual([none.status, none.stdout], [1, 'hello\n']);
  assert.match(none.stderr, /^wasm-perf: the program ended without instantiating a WebAssembly module/);
  assert(!existsSync(at('n.wperf')));
  const hidden = tool('wasm-perf', ['record', '-o', 'n.wperf', '--', 'env', '-i', node, 'none.cjs']);
  assert.equal(hidden.status, 1);
  assert.match(hidden.stderr, /^wasm-perf: no Node\.js ran that can be profiled\. .* env -i and sudo, hide it/);
  program('killed.cjs', `require('node:child_process').execSync('kill -9 ' + process.pid);`);
  const killed = tool('wasm-perf', ['record', '-o', 'n.wperf', '--', 'sh', '-c', `${node} killed.cjs; true`]);
  assert.match(killed.stderr, /^wasm-perf: the program was killed before it wrote its profile of app\.wasm$/m);
  for (const script of ['kill -INT $PPID; sleep 10', `${node} -e 'process.kill(process.ppid, "SIGINT"); setTimeout(() => {}, 10_000)'`]) {
    const stopped = tool('wasm-perf', ['record', '-o', 'n.wperf', '--', 'sh', '-c', `exec ${script}`.replace('exec kill', 'kill')]);
    assert.deepEqual([stopped.status, stopped.stderr], [130, 'wasm-perf: the program was stopped before it wrote a profile\n']);
  }
  const wrong = tool('wasm-perf', ['record', '--', 'no-such-command']);
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /^wasm-perf: no-such-command: command not found/);
});

test('a Node that cannot run rewritten modules is reported once, with its version', () => {
  program('old.cjs', `run(); console.log('goes on');`, `WebAssembly.validate = () => false;${prelude}`);
  const { status, stdout, stderr } = record([], node, 'old.cjs');
  assert.deepEqual([status, stdout], [1, 'goes on\n']);
  assert.match(stderr, /^wasm-perf: Node\.js [\d.]+ does not support modules with several memories, [^\n]*\(Node\.js 22, [^\n]*\n$/);
});

test('a program is not started by a Node that cannot run rewritten modules', () => {
  program('old.mjs', '', 'WebAssembly.validate = () => false;');
  program('new.cjs', `console.log('began');`, '');
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(at('old.mjs'))}` };
  const { status, stdout, stderr } = tool('wasm-perf', ['record', '-o', 'n.wperf', '--', node, 'new.cjs'], { env: { ...process.env, ...env } });
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^wasm-perf: Node\.js [\d.]+ does not support modules with several memories, which profiling needs, so the program was not started [^\n]*\n$/);
});

test('a child with an older Node prints which Node can be profiled', () => {
  program('old_child.cjs', 'run()', `process.execPath = '/usr/old/node'; WebAssembly.validate = () => false;${prelude}`);
  program('parent.cjs', `require('node:child_process').spawnSync(process.execPath, ['old_child.cjs'], { stdio: 'inherit' })`, '');
  const { status, stderr } = record([], node, 'parent.cjs');
  assert.equal(status, 1); // there is no profile
  assert(stderr.endsWith(`; begin PATH with ${dirname(node)}, whose Node.js started this one\n`), stderr);
});

test('what starts once wasm-perf has ended runs as it is', () => {
  program('late.cjs', 'run()');
  const session = JSON.stringify({ folder: at('gone'), clock: 'none', modules: [], args: [] });
  const env = { ...process.env, WASM_PERF_SESSION: session };
  const { status, stderr } = run(node, [`--import=${join(build, 'js/node/register.mjs')}`, 'late.cjs'], { env });
  assert.deepEqual([status, stderr], [0, '']);
});

test('two tasks at once, suspended by turns: each has its own frames', { skip: !WebAssembly.Suspending && 'this Node has no JSPI' }, () => {
  assemble('tasks', `(module
    (import "env" "wait" (func $wait (param i32)))
    (func $leaf)
    (func $step_a (call $wait (i32.const 40)) (call $leaf) (call $wait (i32.const 40)) (call $leaf))
    (func $step_b (call $wait (i32.const 20)) (call $leaf) (call $wait (i32.const 40)) (call $leaf))
    (func (export "a") (call $step_a))
    (func (export "b") (call $step_b)))`);
  writeFileSync(at('tasks.mjs'), `
    import { readFileSync } from 'node:fs';
    const wait = new WebAssembly.Suspending((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
    const { instance } = await WebAssembly.instantiate(readFileSync('tasks.wasm'), { env: { wait } });
    const { a, b } = instance.exports;
    await Promise.all([WebAssembly.promising(a)(), WebAssembly.promising(b)()]);`);
  const { status, stderr } = record([], process.execPath, 'tasks.mjs');
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(callCounts(read('a.wperf')), {
    a: 1, 'a;step_a': 1, 'a;step_a;leaf': 2, b: 1, 'b;step_b': 1, 'b;step_b;leaf': 2,
  });
});
