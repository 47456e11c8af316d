/** The profiler of profiler.mjs, used by hand as a page or a program uses it. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { invoking } from './invoking.mjs';
import { assemble, at, build, importHost, instrument, read, tool } from './support.mjs';
import { callCounts, readProfile } from './wperf.mjs';

const { createProfiler } = await importHost('engine/profiler.mjs');
const runtime = readFileSync(join(build, 'wasm_perf.wasm'));

assemble(
  'calls',
  `(module
    (import "host" "call" (func $call))
    (func $leaf (export "leaf"))
    (func $fail (export "fail") (call $leaf) unreachable)
    (func $outer (export "outer") (call $call) (call $leaf))
    (func $twice (export "twice") (call $outer) (call $outer))
    (memory (export "memory") 1))`,
);
instrument('calls');
const calls = read('calls.prof.wasm');

/** An instance of the module above; `call` is what its import does, given the exports. */
async function start(call, options = {}, module = calls) {
  const profiler = await createProfiler({ runtime, module, ...options });
  const imports = { host: { call: () => call(exports) }, wasm_perf: profiler.imports };
  const { instance } = await WebAssembly.instantiate(module, imports);
  const { exports } = instance;
  return { profiler, exports, wrapped: profiler.wrapExports(exports) };
}

const ignore = () => {};

test('calls are counted by stack', async () => {
  const { profiler, exports } = await start(ignore);
  exports.twice();
  exports.leaf();
  assert.deepEqual(callCounts(profiler.profile()), {
    leaf: 1,
    twice: 1,
    'twice;outer': 2,
    'twice;outer;leaf': 2,
  });
});

test('a snapshot leaves the profile going on; reset empties it', async () => {
  const { profiler, exports } = await start(ignore);
  exports.leaf();
  assert.deepEqual(callCounts(profiler.profile()), { leaf: 1 });
  exports.leaf();
  assert.deepEqual(callCounts(profiler.profile()), { leaf: 2 });
  profiler.reset();
  assert.deepEqual(callCounts(profiler.profile()), {});
  exports.leaf();
  assert.deepEqual(callCounts(profiler.profile()), { leaf: 1 });
});

test('a wrapped export that throws leaves no frame behind', async () => {
  const { profiler, wrapped } = await start(() => {
    throw new Error('from the host');
  });
  assert.throws(() => wrapped.outer(), /from the host/);
  assert.throws(() => wrapped.fail(), WebAssembly.RuntimeError);
  wrapped.leaf();
  assert.equal(readProfile(profiler.profile()).header.openFrameCount, 0);
  assert.deepEqual(callCounts(profiler.profile()), {
    fail: 1,
    'fail;leaf': 1,
    leaf: 1,
    outer: 1,
  });
});

test('without the wrapper frames stay open, and the profile says so', async () => {
  const { profiler, exports } = await start(ignore);
  assert.throws(() => exports.fail(), WebAssembly.RuntimeError);
  exports.leaf();
  assert.equal(readProfile(profiler.profile()).header.openFrameCount, 1);
  assert.deepEqual(callCounts(profiler.profile()), { fail: 1, 'fail;leaf': 2 });
});

test('an exception that the host swallows below a frame is unwound after the call', async () => {
  const { profiler, exports } = await start((own) => {
    assert.throws(() => own.fail(), WebAssembly.RuntimeError);
  });
  exports.outer();
  assert.deepEqual(callCounts(profiler.profile()), {
    outer: 1,
    'outer;fail': 1,
    'outer;fail;leaf': 1,
    'outer;leaf': 1,
  });
});

test('wrapped functions pass arguments, results and other exports through', async () => {
  assemble(
    'add',
    `(module (memory (export "memory") 1)
      (func (export "add") (param i32 i64) (result i64)
        (i64.add (i64.extend_i32_s (local.get 0)) (local.get 1))))`,
  );
  const module = read(instrument('add'));
  const { exports, wrapped } = await start(ignore, {}, module);
  assert.equal(wrapped.add(2, 40n), 42n);
  assert.equal(wrapped.memory, exports.memory);
});

test('each function is charged its own time', async () => {
  const milliseconds = 2;
  const { profiler, exports } = await start(() => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  });
  exports.twice();
  const { header, nodes, names } = readProfile(profiler.profile());
  assert.equal(header.clock, 1);
  assert.equal(header.ticksPerSecond, 1_000_000_000n);
  const outer = nodes.find((node) => names.get(node.function) === 'outer');
  assert(outer.self >= 2n * BigInt(milliseconds) * 1_000_000n, `outer took ${outer.self} ns`);
});

test('time is exact on both sides of 32 bits of nanoseconds', async () => {
  let time = 4294;
  const { profiler, exports } = await start(() => (time += 3), { now: () => time });
  exports.twice();
  const { nodes } = readProfile(profiler.profile());
  assert.deepEqual(
    nodes.map((node) => node.self),
    [0n, 0n, 6_000_000n, 0n], // host, twice, twice;outer, twice;outer;leaf
  );
});

test('a clock that the program puts into place of the real one is not read', async () => {
  const real = performance.now;
  performance.now = () => 1e9 * Math.random();
  try {
    const { profiler, exports } = await start(ignore);
    exports.twice();
    const { nodes } = readProfile(profiler.profile());
    assert(nodes.every((node) => node.self < 1_000_000_000n), nodes.map((node) => node.self).join());
  } finally {
    performance.now = real;
  }
});

test('what the hooks cost can be told from what the functions do', async () => {
  assemble(
    'work',
    `(module
      (import "host" "complex" (func $do_complex))
      (import "host" "simple" (func $do_simple))
      (func $complex (call $do_complex))
      (func $simple (call $do_simple))
      (func (export "main") (local $i i32)
        (loop $again
          (call $complex)
          (call $simple)
          (br_if $again (i32.lt_u
            (local.tee $i (i32.add (local.get $i) (i32.const 1)))
            (i32.const 1000))))))`,
  );
  instrument('work');
  const module = read('work.prof.wasm');
  let time = 0;
  const now = () => (time += 0.01); // each reading costs 10 µs, as much as a hook
  const profiler = await createProfiler({ runtime, module, now });
  const host = { complex: () => void (time += 0.08), simple: () => void (time += 0.02) };
  const imports = { host, wasm_perf: profiler.imports };
  const { instance } = await WebAssembly.instantiate(module, imports);
  instance.exports.main();
  writeFileSync(at('work.wperf'), profiler.profile());
  const selfOf = (...options) => {
    const report = ['report', '--format', 'folded', ...options, 'work.wperf'];
    const lines = tool('wasm-perf', report).stdout.trim().split('\n');
    return Object.fromEntries(
      lines.map((line) => {
        const [name, value] = line.split(/[; ]/).slice(-2);
        return [name, Number(value)];
      }),
    );
  };
  const near = (value, microseconds) => Math.abs(value / 1e6 - microseconds) < 1; // of 1000 calls
  const raw = selfOf('--show=hooks');
  assert(near(raw.complex, 90) && near(raw.simple, 30) && near(raw.main, 20), JSON.stringify(raw));
  const { complex, simple, main } = selfOf();
  assert(near(complex, 80) && near(simple, 20) && near(main ?? 0, 0), `${complex} ${simple} ${main}`);
});

test('the clock is the one the module was instrumented for, unless one is asked for', async () => {
  const untimed = read(instrument('calls', '--clock', 'none'));
  instrument('calls');
  const clockOf = async (...args) => {
    const { profiler, exports } = await start(...args);
    exports.twice();
    const { header, nodes } = readProfile(profiler.profile());
    if (header.clock === 0) assert(nodes.every((node) => node.self === 0n));
    return header.clock;
  };
  assert.equal(await clockOf(ignore, {}, untimed), 0);
  assert.equal(await clockOf(ignore, { clock: 'wall' }, untimed), 1);
  assert.equal(await clockOf(ignore, { clock: 'none' }), 0);
  const counting = read(instrument('calls', '--clock', 'instructions'));
  instrument('calls');
  assert.equal(await clockOf(ignore, {}, counting), 2);
  assert.equal(await clockOf(ignore, { clock: 'none' }, counting), 0);
  await assert.rejects(start(ignore, { clock: 'instructions' }, untimed), /hooks are for the clock 'none', which does not fit the clock 'instructions'/);
  await assert.rejects(start(ignore, { clock: 'wall' }, counting), /hooks are for the clock 'instructions', which does not fit the clock 'wall'/);
  await assert.rejects(start(ignore, { clock: 'sampled' }), /the linked runtime has no sampled clock/);
  await assert.rejects(start(ignore, { clock: 'sundial' }), /unknown clock 'sundial'/);
});

test('past the node limit new stacks fold, and the profile says so', async () => {
  const { profiler, exports } = await start(({ leaf }) => leaf(), { nodeLimit: 4 });
  exports.twice(); // twice, twice;outer, twice;outer;leaf
  exports.outer();
  exports.leaf();
  const { header, nodes } = readProfile(profiler.profile());
  assert.equal(header.nodeLimit, 4);
  assert.equal(header.nodeCount, 4);
  assert.equal(header.truncatedCallCount, 8n); // all but the first two stacks' calls
  const calls = nodes.reduce((sum, node) => sum + node.calls, 0n);
  assert.equal(calls, 1n + 2n + 4n + 1n + 2n + 1n);
});

test('recursive calls fold where that is wanted', async () => {
  let again = true;
  const call = ({ outer }) => {
    if (again) ((again = false), outer());
  };
  const { profiler, exports } = await start(call, { recursion: 'fold' });
  exports.outer();
  const { header, nodes } = readProfile(profiler.profile());
  assert.equal(header.recursion, 1);
  assert.deepEqual(nodes.map(({ calls }) => calls), [0n, 2n, 2n]);
  await assert.rejects(start(ignore, { recursion: 'half' }), /unknown recursion 'half'/);
});

test('the profile says which functions are the host\'s, and which have no hooks', async () => {
  const { profiler, exports } = await start(ignore, {}, read(instrument('calls', '--exclude=leaf')));
  instrument('calls');
  exports.leaf();
  const { header } = readProfile(profiler.profile());
  assert.equal(header.hostFunctionCount, 1);
  assert.equal(header.hookedFunctionCount, header.functionCount - 1);
});

test('names can be added later; the clock follows, too', async () => {
  const untimed = read(instrument('calls', '--clock', 'none'));
  instrument('calls');
  const profiler = await createProfiler({ runtime });
  assert.throws(() => profiler.addNames(new Uint8Array(8)), /not a WebAssembly module/);
  const imports = { host: { call: ignore }, wasm_perf: profiler.imports };
  const { instance } = await WebAssembly.instantiate(untimed, imports);
  instance.exports.leaf();
  const before = readProfile(profiler.profile());
  assert.deepEqual([before.names.size, before.header.clock], [0, 1]);
  profiler.addNames(untimed);
  instance.exports.leaf();
  const after = readProfile(profiler.profile());
  assert.deepEqual([[...after.names.values()], after.header.clock], [['leaf'], 0]);
});

test('the runtime may come compiled, the module in any kind of buffer', async () => {
  const compiled = await WebAssembly.compile(runtime);
  const padded = new Uint8Array(calls.length + 3);
  padded.set(calls, 3);
  for (const module of [calls, Uint8Array.from(calls).buffer, padded.subarray(3)]) {
    const { profiler, exports } = await start(ignore, { runtime: compiled }, module);
    exports.leaf();
    assert.deepEqual(callCounts(profiler.profile()), { leaf: 1 });
  }
});

test('the import module is the one the module names', async () => {
  const module = read(instrument('calls', '--import-module', 'probe'));
  instrument('calls');
  const profiler = await createProfiler({ runtime, module });
  assert.equal(profiler.importModule, 'probe');
  const imports = { host: { call: ignore }, [profiler.importModule]: profiler.imports };
  const { instance } = await WebAssembly.instantiate(module, imports);
  instance.exports.leaf();
  assert.deepEqual(callCounts(profiler.profile()), { leaf: 1 });
});

/* Frames that an import skips which was called by a table hold no hook that would close them. */
assemble(
  'indirect',
  `(module
    (type $nothing (func))
    (import "host" "call" (func $call))
    (table 1 funcref)
    (elem (i32.const 0) $call)
    (func $throws (export "throws") (call_indirect (type $nothing) (i32.const 0)))
    (func $outer (export "outer") (call_indirect (type $nothing) (i32.const 0)))
    (func $next (export "next")))`,
);
instrument('indirect');

test('frames that an import called indirectly left are closed when the outermost call returns', async () => {
  let inner = false;
  const swallow = (exports) => {
    if (inner) throw new Error('skips a frame');
    inner = true;
    try {
      exports.throws();
    } catch {
      // The frame of throws is dead, and nobody has told.
    }
  };
  const { profiler, wrapped } = await start(swallow, {}, read('indirect.prof.wasm'));
  wrapped.outer();
  wrapped.next();
  assert.deepEqual(callCounts(profiler.profile()), { next: 1, outer: 1, 'outer;throws': 1 });
});

assemble('invoke', invoking('host'));
instrument('invoke');

test('what JavaScript calls after an exception it swallowed hangs below its caller', async () => {
  const bytes = read('invoke.prof.wasm');
  const profiler = await createProfiler({ runtime, module: bytes });
  let wrapped;
  const host = {
    invoke() {
      try {
        wrapped.table.get(0)();
      } catch {
        wrapped.restore();
      }
    },
    throw() {
      throw new Error('for nobody');
    },
  };
  const { instance } = await WebAssembly.instantiate(bytes, { host, wasm_perf: profiler.imports });
  wrapped = profiler.wrapExports(instance.exports);
  wrapped.main();
  assert.deepEqual(callCounts(profiler.profile()), {
    main: 1,
    'main;inner': 1,
    'main;inner;deep': 1,
    'main;restore': 1,
    'main;after': 1,
  });
  assert.equal(wrapped.table.get(0), wrapped.inner);
  wrapped.table.set(0, wrapped.restore);
  assert.equal(wrapped.table.get(0), wrapped.restore);
});
