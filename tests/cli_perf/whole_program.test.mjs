/** wasm-perf record -- node …: JavaScript, imports, waiting and garbage collection beside WebAssembly. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble, at, build, read, run, tool } from '../js/support.mjs';
import { KINDS, NO_PROCESSOR, callCounts, readProfile } from '../js/wperf.mjs';
import { packageFile } from '../support/tools.mjs';

const { wasm: WASM, import: IMPORT, javascript: JAVASCRIPT, idle: IDLE, collection: COLLECTION, wait: WAIT } = KINDS;

assemble(
  'pieces',
  `(module
    (import "env" "slow" (func $slow (param i32)))
    (func $work (export "work") (param i32)
      (local $i i32)
      loop
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if 0 (i32.lt_u (local.get $i) (local.get 0)))
      end)
    (func $outer (export "outer") (param i32)
      (call $work (i32.const 1000))
      (call $slow (local.get 0))))`,
);

// Each piece takes long enough for a sample, also on a machine that has more to do than cores.
writeFileSync(
  at('pieces.mjs'),
  `import { readFileSync } from 'node:fs';
   function spin(ms) {
     for (const end = performance.now() + ms; performance.now() < end; );
   }
   function slow(ms) { spin(ms); }
   const bytes = readFileSync(new URL('pieces.wasm', import.meta.url));
   const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { slow } });
   function first() { for (let i = 0; i < 10; i++) exports.outer(20); }
   function second() { for (let i = 0; i < 20; i++) exports.outer(20); }
   function collect() {
     const kept = [];
     for (const end = performance.now() + 300; performance.now() < end; ) kept.push(Array.from({ length: 1000 }, () => ({})));
   }
   first();
   second();
   spin(300);
   collect();
   exports.work(300_000_000);
   setTimeout(() => {}, 1000);`,
);

const { status, stderr } = tool('wasm-perf', ['record', '-o', at('pieces.wperf'), '--', process.execPath, at('pieces.mjs')]);
assert.deepEqual([status, stderr], [0, '']);
const profile = readProfile(read('pieces.wperf'));
const { nodes, names, kinds, shared } = profile;
const kindOf = (node) => kinds.get(node.function) ?? (node.function < profile.header.hostFunctionCount ? IMPORT : WASM);
const nameOf = (node) => (node.function === 0xffffffff ? '' : names.get(node.function));

/** The nodes of a function that have one of that name above them. */
function below(name, above) {
  return nodes.filter((node) => {
    if (nameOf(node) !== name) return false;
    for (let at = node; at !== nodes[0]; at = nodes[at.parent]) if (nameOf(at) === above) return true;
    return false;
  });
}

const report = (...options) => tool('wasm-perf', ['report', ...options, at('pieces.wperf')]).stdout;

test('--no-hooks has the times of the same program without calls, and record --times attributes them to calls', () => {
  assemble('nameless', readFileSync(at('pieces.wat'), 'utf8'), { names: false });
  writeFileSync(at('nameless.mjs'), readFileSync(at('pieces.mjs'), 'utf8').replace('pieces.wasm', 'nameless.wasm'));
  const command = ['--', process.execPath, at('nameless.mjs')];
  const sampled = tool('wasm-perf', ['record', '--no-hooks', '-o', 'nameless.wperf', ...command]);
  assert.deepEqual([sampled.status, sampled.stderr], [0, '']);
  const { nodes, names, shared, header } = readProfile(read('nameless.wperf'));
  const selfOf = (profile, name) => profile.nodes.filter((node) => profile.names.get(node.function) === name).reduce((sum, { self }) => sum + self, 0n);
  assert.ok(nodes.every((node) => node.calls === 0n));
  assert.deepEqual([header.hookedFunctionCount, shared.size], [0, 0]);
  for (const name of ['work', 'spin']) assert.ok(selfOf({ nodes, names }, name) > 0n, name);
  const counted = tool('wasm-perf', ['record', '--times', 'nameless.wperf', '-o', 'counted.wperf', ...command]);
  assert.deepEqual([counted.status, counted.stderr], [0, '']);
  const profile = readProfile(read('counted.wperf'));
  assert.equal(selfOf(profile, 'work'), selfOf({ nodes, names }, 'work'));
  assert.equal(callCounts(read('counted.wperf'))['outer;work'], 30);
});

test('modules with the same code and other names have times of their own', () => {
  const names = ['one', 'two'];
  for (const name of names)
    assemble(name, `(module (func $${name} (export "run") (param i32)
      (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))))`);
  writeFileSync(at('alike.mjs'), `import { readFileSync } from 'node:fs';
    for (const name of ${JSON.stringify(names)}) {
      const bytes = readFileSync(new URL(\`\${name}.wasm\`, import.meta.url));
      new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.run(200_000_000);
    }`);
  const { status, stderr } = tool('wasm-perf', ['record', '-o', 'alike.wperf', '--', process.execPath, at('alike.mjs')]);
  assert.deepEqual([status, stderr], [0, '']);
  const { nodes, names: found } = readProfile(read('alike.wperf'));
  for (const name of names) {
    const [node, ...more] = nodes.filter((node) => found.get(node.function) === name);
    assert.deepEqual([node.calls, node.self > 0n, more.length], [1n, true, 0], name);
  }
});

test('functions are of their kinds, and JavaScript has its place', () => {
  const kindsOf = (name) => [...new Set(nodes.filter((node) => nameOf(node) === name).map(kindOf))];
  assert.deepEqual(kindsOf('work'), [WASM]);
  assert.deepEqual(kindsOf('spin'), [JAVASCRIPT]);
  assert.deepEqual(kindsOf('(idle)'), [IDLE]);
  assert.deepEqual(kindsOf('(garbage collector)'), [COLLECTION]);
  const [spin] = nodes.filter((node) => nameOf(node) === 'spin');
  const { file, line } = profile.places.get(spin.function);
  assert.deepEqual([file, line], ['pieces.mjs', 2]); // below the current folder
});

test('WebAssembly is shown below the JavaScript that called it, and its callees below that', () => {
  assert(below('outer', 'first').length > 0 && below('outer', 'second').length > 0);
  assert(below('spin', 'outer').length > 0);
  assert(below('outer', 'spin').length === 0);
});

test('an import has a frame of its own, with its calls, and the code that it is below that', () => {
  assert(below('env.slow', 'outer').every((node) => kindOf(node) === IMPORT));
  assert(below('spin', 'env.slow').length > 0);
  assert.equal(below('spin', 'env.slow').length, below('spin', 'outer').length);
  assert.equal(below('env.slow', 'outer').reduce((sum, { calls }) => sum + calls, 0n), 30n);
});

test('the time of imports is in the line of kinds alone', () => {
  const { stdout } = tool('wasm-perf', ['top', at('pieces.wperf')]);
  assert.match(stdout, / = WebAssembly .* \+ JavaScript /);
  assert.match(stdout, /^Host functions: \d+ calls$/m);
});

test('calls known only as a sum are exact where all of them are shown, and at most that elsewhere', () => {
  const show = (...args) => tool('wasm-perf', [...args, '--min-share', '0', at('pieces.wperf')]).stdout;
  const callers = show('callers', 'outer');
  assert.match(callers, /^Callers of outer\n30 calls, /m);
  for (const caller of ['first', 'second']) assert.match(callers, new RegExp(` ≤30  ${caller}  pieces\\.mjs`, 'u'));
  assert.match(callers, / 30  outer$/m);
  assert.match(show('callers', 'work'), /^Callers of work\n31 calls, /m);
});

test('a place that is part of a name is shown once', () => {
  const { stdout } = tool('wasm-perf', ['top', '--limit', '100', at('pieces.wperf')]);
  assert.match(stdout, /  spin  pieces\.mjs:2$/m);
  assert.match(stdout, /  \(anonymous\) pieces\.mjs:1:1$/m);
});

test('what an import takes is not time of the function that called it', () => {
  const sum = (list) => list.reduce((total, { self }) => total + self, 0n);
  const outer = nodes.filter((node) => nameOf(node) === 'outer');
  assert(sum(outer) < sum(below('spin', 'outer')));
});

test('calls are exact, and said to be known together where two stacks of JavaScript led to one', () => {
  const counts = callCounts(read('pieces.wperf'));
  assert.deepEqual(counts, { outer: 30, 'outer;env.slow': 30, 'outer;work': 30, work: 1 });
  const outer = nodes.flatMap((node, i) => (nameOf(node) === 'outer' ? [i] : []));
  assert.equal(new Set(outer.map((i) => shared.get(i))).size, 1);
  assert.equal(outer.reduce((sum, i) => sum + nodes[i].calls, 0n), 30n);
  assert.match(report('--format', 'tree'), /≤30 .*outer/);
  const { functions, nodes: columns } = JSON.parse(report('--format', 'json'));
  const isOuter = columns.function.map((index) => functions[index].name === 'outer');
  assert.deepEqual(columns.shared_calls.filter((_, i) => isOuter[i]), outer.map(() => 30));
});

test('the kinds add up to all the time; what waits is not shown unless asked for', () => {
  const [head, ...lines] = report().split('\n');
  const sums = lines.find((line) => line.includes(' = WebAssembly '));
  assert.match(head, /^[\d.]+ m?s \(sampled\), \d+ % of [\d.]+ m?s, 91 calls, /);
  assert.match(sums, /^[\d.]+ m?s = WebAssembly .* \+ JavaScript .* \+ garbage collection .* \+ idle [\d.]+ m?s( \+ waiting [\d.]+ m?s)?( \+ profiling .*)?$/);
  assert.doesNotMatch(report(), /\(idle\)/);
  assert.match(report('--show=waiting'), /\(idle\)/);
});

test('--show wasm leaves WebAssembly, as the counts have it', () => {
  const { functions } = JSON.parse(report('--show=wasm', '--format', 'json'));
  assert.deepEqual(functions.map(({ name, calls }) => [name, calls]).sort(), [['outer', 30], ['work', 31]]);
});

test('waiting for other threads does not count as work', () => {
  assemble(
    'waits',
    `(module
      (import "env" "memory" (memory 1 1 shared))
      (func (export "sleep") (param i64)
        (drop (memory.atomic.wait32 (i32.const 0) (i32.const 0) (local.get 0)))))`,
  );
  writeFileSync(
    at('waits.mjs'),
    `import { readFileSync } from 'node:fs';
     const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
     const module = new WebAssembly.Module(readFileSync(new URL('waits.wasm', import.meta.url)));
     new WebAssembly.Instance(module, { env: { memory } }).exports.sleep(100_000_000n);
     Atomics.wait(new Int32Array(memory.buffer), 0, 0, 100);`,
  );
  assert.equal(tool('wasm-perf', ['record', '-o', at('waits.wperf'), '--', process.execPath, at('waits.mjs')]).status, 0);
  const { nodes, names, kinds } = readProfile(read('waits.wperf'));
  const waiting = nodes.filter((node) => kinds.get(node.function) === WAIT && names.get(node.function) !== NO_PROCESSOR);
  assert.deepEqual(waiting.map((node) => names.get(node.function)).sort(), ['Atomics.wait', 'memory.atomic.wait']);
  const sleep = nodes.find((node) => names.get(node.function) === 'sleep');
  assert.equal(sleep.self, 0n);
  assert.equal(sleep.calls, 1n);
  const shown = (...options) => tool('wasm-perf', ['report', ...options, at('waits.wperf')]).stdout;
  assert.match(shown(), / waiting [\d.]+ m?s( \+ profiling .*)?$/m);
  assert.doesNotMatch(shown(), /Atomics\.wait|memory\.atomic\.wait/);
  assert.match(shown('--show=waiting'), /Atomics\.wait[^]*memory\.atomic\.wait|memory\.atomic\.wait[^]*Atomics\.wait/);
});

const nodes22 = [packageFile('node22/bin/node')].filter(existsSync); // where linking WASI's native functions aborts

for (const node of [process.execPath, ...nodes22]) test(`a program waits for its input, by itself or in a module, and for child processes: ${node}`, () => {
  assemble(
    'reads',
    `(module
      (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
      (memory (export "memory") 1)
      (func (export "_start")
        (i32.store (i32.const 0) (i32.const 64))
        (i32.store (i32.const 4) (i32.const 2))
        (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))))`,
  );
  writeFileSync(
    at('reads.mjs'),
    `import { spawnSync } from 'node:child_process';
     import { readFileSync, readSync, writeFileSync } from 'node:fs';
     import { WASI } from 'node:wasi';
     const wasi = new WASI({ version: 'preview1' });
     const module = new WebAssembly.Module(readFileSync(new URL('reads.wasm', import.meta.url)));
     writeFileSync('begun', '');
     wasi.start(new WebAssembly.Instance(module, wasi.getImportObject()));
     readSync(0, Buffer.alloc(2));
     spawnSync('sleep', ['0.2']);`,
  );
  const command = `rm -f begun; (until [ -e begun ]; do sleep 0.1; done; sleep 0.5; echo a; sleep 0.3; echo b) | '${join(build, 'wasm-perf')}' record -o reads.wperf -- ${node} reads.mjs`;
  const { status, stderr } = run('sh', ['-c', command], { env: { ...process.env, WASM_PERF_NODE: node } });
  assert.deepEqual([status, stderr.match(/WASI is an experimental feature/g)?.length], [0, 1]);
  const { nodes, names, kinds } = readProfile(read('reads.wperf'));
  const nameOf = ({ function: index }) => names.get(index);
  const waits = nodes.filter((node) => kinds.get(node.function) === WAIT && nameOf(node) !== NO_PROCESSOR);
  const callers = waits.map((node) => `${nameOf(nodes[node.parent])} > ${nameOf(node)}`);
  assert.deepEqual(callers.sort(), [
    '(anonymous) reads.mjs:1:1 > standard input',
    'spawnSync > child process',
    'wasi_snapshot_preview1.fd_read > standard input',
  ]);
  const waited = waits.reduce((sum, { self }) => sum + Number(self), 0);
  assert(waited > 0.4e9, `${waited} ns`);
});

test('modules with functions at the same offsets have their own times, in each thread', () => {
  for (const [name, step] of [['one', 1], ['two', 2]])
    assemble(
      name,
      `(module
        (func $${name} (export "spin") (param i32)
          loop
            (local.set 0 (i32.sub (local.get 0) (i32.const ${step})))
            (br_if 0 (i32.gt_s (local.get 0) (i32.const 0)))
          end))`,
    );
  writeFileSync(
    at('twins.mjs'),
    `import { readFileSync } from 'node:fs';
     import { Worker, isMainThread, workerData } from 'node:worker_threads';
     const compiled = (name) => new WebAssembly.Module(readFileSync(new URL(name + '.wasm', import.meta.url)));
     const spin = (module, times) => new WebAssembly.Instance(module).exports.spin(times);
     if (isMainThread) {
       const [one, two] = ['one', 'two'].map(compiled);
       spin(one, 1);
       spin(two, 200_000_000);
       new Worker(new URL(import.meta.url), { workerData: two });
     } else {
       spin(workerData, 1);
       spin(compiled('one'), 200_000_000);
     }`,
  );
  assert.equal(tool('wasm-perf', ['record', '-o', at('twins.wperf'), '--', process.execPath, at('twins.mjs')]).status, 0);
  const { nodes, names, threads } = readProfile(read('twins.wperf'));
  const spun = threads.map(({ number, stretches }) => {
    const times = { one: 0, two: 0 };
    for (const [time, node] of stretches) times[names.get(nodes[node].function)] += time;
    const spinning = times.one + times.two; // a busy machine can take the processor away during the short call
    return [number > 0 ? 'worker' : 'main', ['one', 'two'].find((name) => times[name] > 0.8 * spinning)];
  });
  assert.deepEqual(spun.sort(), [['main', 'two'], ['worker', 'one']]);
});

test("the profiler's own time is separate from the program's", () => {
  const exported = Array.from({ length: 3000 }, (_, i) => `(export "f${i}" (func $f))`);
  assemble('many', `(module (func $f) (func (export "run") (call $f)) ${exported.join(' ')})`);
  writeFileSync(
    at('many.mjs'),
    `import { readFileSync } from 'node:fs';
     const module = new WebAssembly.Module(readFileSync(new URL('many.wasm', import.meta.url)));
     for (let i = 0; i < 200; i++) new WebAssembly.Instance(module).exports.run();`,
  );
  assert.equal(tool('wasm-perf', ['record', '-o', at('many.wperf'), '--', process.execPath, at('many.mjs')]).status, 0);
  const text = tool('wasm-perf', ['report', at('many.wperf')]).stdout;
  assert.match(text, / \+ profiling [\d.]+ (m?s)$/m);
  assert.doesNotMatch(text, /\(profiler\)|guardExports/);
});

test('what compiles is of its own kind', () => {
  const functions = Array.from({ length: 20000 }, (_, i) => `(func (result i32) (i32.add (i32.const ${i}) (i32.const 1)))`);
  assemble('large', `(module (func (export "run")) ${functions.join(' ')})`);
  writeFileSync(
    at('large.mjs'),
    `import { readFileSync } from 'node:fs';
     const bytes = readFileSync(new URL('large.wasm', import.meta.url));
     for (let i = 0; i < 20; i++) { bytes[bytes.length - 1] = 64 + i; new WebAssembly.Module(bytes); }
     new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.run();`,
  );
  assert.equal(tool('wasm-perf', ['record', '-o', at('large.wperf'), '--', process.execPath, at('large.mjs')]).status, 0);
  const { nodes, names, kinds } = readProfile(read('large.wperf'));
  assert(nodes.some((node) => names.get(node.function) === 'Module' && kinds.get(node.function) === KINDS.compilation));
  assert.match(tool('wasm-perf', ['report', at('large.wperf')]).stdout, / \+ compiling [\d.]+ (m?s)/);
});

test('a module that is recorded by itself: what it waits for and what its imports take is not its own time', () => {
  assemble(
    'naps',
    `(module
      (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
      (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
      (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
      (memory (export "memory") 1)
      (data (i32.const 600) "\\60\\02\\00\\00\\01\\00\\00\\00") ;; a newline at 608
      (data (i32.const 608) "\\0a")
      (func $work (local $i i32) (local.set $i (i32.const 300000000))
        (loop (br_if 0 (local.tee $i (i32.sub (local.get $i) (i32.const 1))))))
      (func $sleep
        (i32.store (i32.const 16) (i32.const 1)) ;; the monotonic clock
        (i64.store (i32.const 24) (i64.const 400000000))
        (drop (call $poll (i32.const 0) (i32.const 64) (i32.const 1) (i32.const 128))))
      (func $rest ;; calls two imports
        (i32.store (i32.const 256) (i32.const 512))
        (i32.store (i32.const 260) (i32.const 100))
        (drop (call $read (i32.const 0) (i32.const 256) (i32.const 1) (i32.const 264)))
        (i32.store (i32.const 16) (i32.const 1))
        (i64.store (i32.const 24) (i64.const 200000000))
        (drop (call $poll (i32.const 0) (i32.const 64) (i32.const 1) (i32.const 128))))
      (func $begin (drop (call $write (i32.const 1) (i32.const 600) (i32.const 1) (i32.const 616))))
      (func (export "_start") (call $begin) (call $rest) (call $work) (call $sleep) (call $sleep)))`,
  );
  const recorded = (...options) => {
    const feed = 'rm -f begun; mkfifo begun; (read line < begun; sleep 0.5; echo)';
    const result = run('sh', ['-c', `${feed} | '${join(build, 'wasm-perf')}' "$@" naps.wasm > begun`, 'sh', ...options]);
    assert.deepEqual([result.status, result.stderr], [0, '']);
  };
  const imports = ['rest W.fd_read', 'rest W.poll_oneoff', 'sleep W.poll_oneoff'];
  const check = (file, paths) => {
    const json = (...options) => JSON.parse(tool('wasm-perf', ['report', '-f', 'json', ...options, file]).stdout);
    const { functions, nodes } = json('--show=waiting');
    const pathOf = (i) => (i === null ? [] : [...pathOf(nodes.parent[i]), functions[nodes.function[i]].name]);
    const waits = new Map(nodes.self.map((self, i) => [pathOf(i).join(' '), self]).filter(([path]) => path.endsWith(' waiting')));
    assert.deepEqual([...waits.keys()].sort(), paths.map((path) => `_start ${path} waiting`));
    assert(waits.get(`_start ${paths[2]} waiting`) > 700e6);
    const busy = Object.fromEntries(json().functions.map((f) => [f.name, f]));
    assert(busy.sleep.total + busy.rest.total < 400e6); // of 2 s
    assert.match(tool('wasm-perf', ['top', file]).stdout, / = WebAssembly .* \+ waiting \d/);
    assert.deepEqual([...readProfile(read(file)).kinds.values()].filter((kind) => kind === JAVASCRIPT), []);
    return busy;
  };
  const full = imports.map((path) => path.replace('W.', 'wasi_snapshot_preview1.'));
  const checkCounted = (file) => {
    const busy = check(file, full);
    const counted = ['wasi_snapshot_preview1.poll_oneoff', 'wasi_snapshot_preview1.fd_read', 'sleep', 'work'];
    assert.deepEqual(counted.map((name) => busy[name].calls), [3, 1, 2, 1]);
  };
  recorded('record', '-o', 'naps.wperf');
  checkCounted('naps.wperf');
  recorded('record', '--no-hooks', '-o', 'times.wperf'); // which counts no calls, and so names imports after the host's functions
  check('times.wperf', imports.map((path) => path.replace('W.', '')));
  recorded('record', '--times', 'times.wperf', '-o', 'both.wperf');
  checkCounted('both.wperf');
});

/** A function of JavaScript that needs some CPU time, however busy the machine is. */
const works = `const fs = require('node:fs');
  function prepare() { for (const start = process.cpuUsage().user; process.cpuUsage().user - start < 200_000; ); }`;

test('the profile shows what ran before the first module', () => {
  writeFileSync(at('late.cjs'), `${works}
    prepare();
    new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync('pieces.wasm')), { env: { slow() {} } }).exports.work(5);`);
  const { status, stderr } = tool('wasm-perf', ['record', '-o', 'late.wperf', '--', process.execPath, 'late.cjs']);
  assert.deepEqual([status, stderr], [0, '']);
  const { nodes, names, header } = readProfile(read('late.wperf'));
  assert(nodes.some(({ function: index }) => names.get(index) === 'prepare'));
  assert(header.runTime > 150_000_000n); // of the thread, which needed as much CPU time
  assert.deepEqual(callCounts(read('late.wperf')), { work: 1 });
});

test('a program that only compiles has a profile with the time of that', () => {
  writeFileSync(at('compiles.cjs'), `${works}
    prepare();
    new WebAssembly.Module(fs.readFileSync('pieces.wasm'));`);
  const { status, stderr } = tool('wasm-perf', ['record', '-o', 'compiles.wperf', '--', process.execPath, 'compiles.cjs']);
  const reason = 'wasm-perf: the program compiled WebAssembly but instantiated none: pieces.wasm\n';
  assert.deepEqual([status, stderr], [0, reason]);
  const { nodes, names } = readProfile(read('compiles.wperf'));
  assert(nodes.some(({ function: index }) => names.get(index) === 'prepare'));
  const counted = tool('wasm-perf', ['record', '--clock=none', '-o', 'none.wperf', '--', process.execPath, 'compiles.cjs']);
  assert.deepEqual([counted.status, counted.stderr], [1, reason]);
});

test('waiting for a compilation is compiling, not idling', () => {
  const functions = Array.from({ length: 20000 }, (_, i) => `(func (result i32) (i32.add (i32.const ${i}) (i32.const 1)))`);
  assemble('slow', `(module (func (export "run")) ${functions.join(' ')})`);
  writeFileSync(at('waits.mjs'), `import { readFileSync } from 'node:fs';
    const bytes = readFileSync('slow.wasm');
    const section = (i) => Buffer.of(0, 2, 1, 64 + i); // V8 compiles equal modules once
    for (let i = 0; i < 20; i++) await WebAssembly.compile(Buffer.concat([bytes, section(i)]));
    await new Promise((resolve) => setTimeout(resolve, 1000)); // much longer than the samples of a busy machine are apart
    (await WebAssembly.instantiate(bytes)).instance.exports.run();`);
  const { status, stderr } = tool('wasm-perf', ['record', '-o', 'waits.wperf', '--', process.execPath, 'waits.mjs']);
  assert.deepEqual([status, stderr], [0, '']);
  const { nodes, names, kinds } = readProfile(read('waits.wperf'));
  const timeOf = (name, kind) => nodes.filter(({ function: index }) => names.get(index) === name && kinds.get(index) === kind)
    .reduce((sum, { self }) => sum + Number(self) / 1e6, 0);
  assert(timeOf('WebAssembly.compile', KINDS.compilation) > 10);
  assert(timeOf('(idle)', KINDS.idle) > 150);
});
