/**
 * Frames of Python: a module with CPython's table of offsets, whose interpreter makes current what the
 * host says. Where that is what a model of Python calls and leaves at random, the profile must have the
 * model's stacks; where memory is full of anything, it must still end, and be a profile.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readEmbedded } from '../js/embedded.mjs';
import { readProfile } from '../js/wperf.mjs';
import { Random } from '../random/prng.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

const TABLE = 1024; // addresses
const INTERPRETER = 4096;
const THREAD = 4160;
const CODES = 8192;
const FRAMES = 32768;
const PAGES = 2;
const LONGEST_NAME = 512; // bytes

/** Where CPython 3.13, 3.14 and 3.15 have it in the table, and the offset that it is said to have here. */
const offsets = {
  firstInterpreter: [[4, 4, 4], 8], firstThread: [[8, 8, 8], 12], currentFrame: [[22, 25, 25], 52],
  previous: [[28, 31, 39], 4], code: [[29, 32, 40], 0], owner: [[32, 35, 43], 18], file: [[34, 39, 47], 24],
  name: [[36, 41, 49], 28], line: [[38, 43, 51], 20], argumentCount: [[39, 44, 52], 8], localNames: [[40, 45, 53], 36],
  state: [[67, 77, 89], 12], length: [[68, 78, 90], 8], ascii: [[69, 79, 91], 16],
};
const at = Object.fromEntries(Object.entries(offsets).map(([key, [, offset]]) => [key, offset]));
const FLAGS = at.argumentCount - 4;
const VERSION = at.localNames - 4;
const [OWNER_THREAD, OWNER_GENERATOR, OWNER_INTERPRETER] = [0, 1, 3];
const FLAG_GENERATOR = 0x20;

function table(minor) {
  const bytes = Buffer.alloc(8 * 97);
  bytes.write('xdebugpy');
  bytes.writeBigUInt64LE(0x030000f0n | BigInt(minor) << 16n, 8);
  for (const [places, offset] of Object.values(offsets)) {
    bytes.writeBigUInt64LE(BigInt(offset), 8 + 8 * places[Math.min(minor, 15) - 13]);
  }
  return [...bytes].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
}

/** How compilers write the access to a field. */
const accesses = {
  folded: (access, offset, base, value = '') => `(i32.${access} offset=${offset} (local.get ${base}) ${value})`,
  added: (access, offset, base, value = '') => `(i32.${access} (i32.add (local.get ${base}) (i32.const ${offset})) ${value})`,
};

/** A frame is made the current one before it has its caller: the order of these stores is the compiler's. */
const enter = (field) => `(local.set $caller ${field('load', at.currentFrame, '$thread')})
  ${field('store', at.currentFrame, '$thread', '(local.get $frame)')}
  ${field('store', at.previous, '$frame', '(local.get $caller)')}`;
const leave = (field) => field('store', at.currentFrame, '$thread', field('load', at.previous, '$frame'));

const programOf = (minor, field) => `(module
  (import "host" "next" (func $next (result i32)))
  (memory (export "memory") ${PAGES})
  (data (i32.const ${TABLE}) "${table(minor)}")
  (func $interpreter (export "run") (param $thread i32) (local $frame i32) (local $caller i32)
    (loop $more
      (local.set $frame (call $next))
      (if (i32.eq (local.get $frame) (i32.const -1)) (then (return)))
      (if (i32.lt_s (local.get $frame) (i32.const 0))
        (then (local.set $frame (i32.and (local.get $frame) (i32.const 0x7fffffff))) ${leave(field)} (br $more)))
      ${enter(field)}
      (br $more))
    ${leave(field)}${leave(field)}))`;
const forms = [[13, 'folded'], [14, 'folded'], [15, 'added'], [16, 'folded']]; // 3.16: as the last that is known

/** Python: frames by address, each called again where the one before it has left. */
class Model {
  calls = {}; // of each stack
  #memory;
  #random;
  #steps;
  #stack = [];
  #codes;

  constructor(memory, random, steps) {
    this.#memory = new DataView(memory.buffer);
    this.#random = random;
    this.#steps = steps;
    this.#put(TABLE + at.firstInterpreter, INTERPRETER);
    this.#put(INTERPRETER + at.firstThread, THREAD);
    // Two of one name in different lines, one that another replaces at its address, one past ASCII.
    this.#codes = [['f', 10], ['f', 20], ['Class.method', 30], ['größe', 40], ['生成', 50, FLAG_GENERATOR],
      ['long'.repeat(200), 70]]
      .map(([name, line, flags = 0], i) => this.#makeCode(CODES + 2048 * i, name, line, flags));
  }

  #put(address, value) {
    this.#memory.setUint32(address, value, true);
  }

  #makeText(address, text) {
    const width = /^[\0-\x7f]*$/.test(text) ? 1 : 2;
    this.#put(address + at.length, text.length);
    this.#put(address + at.state, width << 2 | 1 << 5 | (width === 1) << 6);
    const start = address + at.ascii + (width === 1 ? 0 : 8);
    [...text].forEach((character, i) => (width === 1
      ? this.#memory.setUint8(start + i, character.charCodeAt(0))
      : this.#memory.setUint16(start + 2 * i, character.charCodeAt(0), true)));
    return address;
  }

  #makeCode(address, name, line, flags) {
    this.#put(address + FLAGS, flags);
    this.#put(address + VERSION, line);
    this.#put(address + at.line, line);
    this.#put(address + at.name, this.#makeText(address + 64, name));
    this.#put(address + at.file, this.#makeText(address + 1024, 'app.py'));
    return { address, label: `${name.slice(0, LONGEST_NAME)}:${line}`, isGenerator: flags !== 0 };
  }

  /** What the interpreter does: a frame to enter, one to leave (the sign bit), or -1. */
  next = () => {
    const current = this.#stack.at(-1);
    if (--this.#steps < 0 || this.#stack.length > 20 || (current && this.#random.chance(45))) {
      if (!current) return -1;
      this.#stack.pop();
      return (current.address | 0x80000000) | 0;
    }
    const code = this.#random.pick(this.#codes);
    const address = FRAMES + 64 * this.#stack.length;
    this.#put(address + at.code, code.address | 1);
    this.#memory.setUint8(address + at.owner, code.isGenerator ? OWNER_GENERATOR : OWNER_THREAD);
    const stack = current ? `${current.stack};${code.label}` : code.label;
    this.calls[stack] = (this.calls[stack] ?? 0) + 1;
    this.#stack.push({ address, stack });
    return address;
  };

  /** Another function where one was that has been freed. */
  replace() {
    this.#codes[2] = this.#makeCode(this.#codes[2].address, 'other', 60, 0);
  }

  /** Frames that are no calls: the interpreter's own, and one in which a generator is made. */
  pass() {
    const address = FRAMES + 32 * 1024;
    const frames = [[OWNER_INTERPRETER, 0], [OWNER_THREAD, 4]].map(([owner, number], i) => {
      this.#put(address + 64 * i + at.code, this.#codes[number].address);
      this.#memory.setUint8(address + 64 * i + at.owner, owner);
      return address + 64 * i;
    });
    const list = frames.flatMap((frame) => [frame, (frame | 0x80000000) | 0]);
    return () => list.shift() ?? -1;
  }
}

const folder = temporaryFolder();

async function instrument(options, [minor, access] = forms[1]) {
  const [input, output] = ['app.wasm', 'app.prof.wasm'].map((name) => join(folder, name));
  writeFileSync(input, await parse(programOf(minor, accesses[access])));
  const words = ['--embed', '--recursion=full', ...options, input, '-o', output];
  const { status, stderr } = spawnSync(tool('wasm-instrument'), words, { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(status, 0);
  return readFileSync(output);
}

async function instantiate(bytes) {
  const host = { next: null };
  const { instance } = await WebAssembly.instantiate(bytes, { host: { next: () => host.next() } });
  return { host, exports: instance.exports };
}

function wasmPerf(...words) {
  const { status, stdout, stderr } = spawnSync(tool('wasm-perf'), words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** The stacks of Python that a profile has, as `wasm-perf` tells them: {stack: calls}. */
function stacksIn(file) {
  const { functions, nodes } = JSON.parse(wasmPerf('report', '--format=json', file));
  const stacks = [];
  const calls = {};
  nodes.parent.forEach((parent, i) => {
    const { name, line, file: place } = functions[nodes.function[i]] ?? {};
    const above = stacks[parent] ?? '';
    stacks[i] = place ? `${above}${above && ';'}${name.replace(/ \(app\.py:\d+\)$/, '')}:${line}` : above;
    if (place && nodes.calls[i] > 0) calls[stacks[i]] = (calls[stacks[i]] ?? 0) + nodes.calls[i];
  });
  return calls;
}

function stacksOf(exports, file = join(folder, 'app.wperf')) {
  writeFileSync(file, readEmbedded(exports));
  return stacksIn(file);
}

function sum(...all) {
  const calls = {};
  for (const [stack, count] of all.flatMap(Object.entries)) calls[stack] = (calls[stack] ?? 0) + count;
  return calls;
}

for (const [minor, access] of forms)
  for (const [guest, clock] of [['python', 'none'], ['python', 'instructions'], ['both', 'none'], ['both', 'instructions']])
    test(`calls of Python 3.${minor}, ${access}: ${guest}, ${clock}`, async () => {
      const options = [`--guest=${guest}`, `--clock=${clock}`];
      const { host, exports } = await instantiate(await instrument(options, [minor, access]));
      const model = new Model(exports.memory, new Random(17), 3000);
      host.next = model.next;
      exports.run(THREAD);
      model.replace();
      host.next = new Model(exports.memory, new Random(1), 0).pass();
      assert.deepEqual(stacksOf(exports), model.calls);
      exports.run(THREAD);
      assert.deepEqual(stacksOf(exports), model.calls, 'what is no call');
    });

test('code at an address where other code was', async () => {
  const { host, exports } = await instantiate(await instrument(['--guest=python', '--clock=none']));
  const model = new Model(exports.memory, new Random(3), 500);
  host.next = model.next;
  exports.run(THREAD);
  const after = new Model(exports.memory, new Random(4), 500);
  after.replace();
  host.next = after.next;
  exports.run(THREAD);
  assert.ok(Object.keys(after.calls).some((stack) => stack.includes('other:60')));
  assert.deepEqual(stacksOf(exports), sum(model.calls, after.calls));
});

test('a profile of Python alone needs no module for its names', async () => {
  const { host, exports } = await instantiate(await instrument(['--guest=python', '--clock=none']));
  host.next = new Model(exports.memory, new Random(3), 500).next;
  exports.run(THREAD);
  const file = join(temporaryFolder(), 'far.wperf');
  writeFileSync(file, readEmbedded(exports));
  const { stdout, stderr } = spawnSync(tool('wasm-perf'), ['top', file], { encoding: 'utf8' });
  assert.match(stdout, /Class\.method {2}app\.py:30/);
  assert.equal(stderr, '');
});

test('two runs, which met the functions in another order, merged', async () => {
  const bytes = await instrument(['--guest=both', '--clock=none']);
  const files = [];
  const calls = [];
  for (const seed of [5, 6, 7]) {
    const { host, exports } = await instantiate(bytes);
    const model = new Model(exports.memory, new Random(seed), 20 * seed);
    host.next = model.next;
    exports.run(THREAD);
    files.push(join(folder, `${seed}.wperf`));
    calls.push(model.calls);
    assert.deepEqual(stacksOf(exports, files.at(-1)), model.calls);
  }
  const first = calls.map((stacks) => Object.keys(stacks)[0]);
  assert.ok(new Set(first).size > 1, 'all runs begin with the same function');
  wasmPerf('merge', '-o', join(folder, 'sum.wperf'), ...files);
  assert.deepEqual(stacksIn(join(folder, 'sum.wperf')), sum(...calls));
});

test('memory that holds anything', async () => {
  const bytes = await instrument(['--guest=python', '--clock=none']);
  for (let seed = 0; seed < 20; seed++) {
    const random = new Random(seed);
    const { host, exports } = await instantiate(bytes);
    const words = new Uint32Array(exports.memory.buffer);
    const limit = random.pick([words.length * 4, 1 << 20, 2 ** 32]);
    for (let i = 0; i < words.length; i++) words[i] = random.u32() % limit;
    let steps = 2000;
    host.next = () => {
      words[random.below(words.length)] = random.u32() % limit;
      return steps-- > 0 ? random.below(words.length * 4 - 64) : -1;
    };
    exports.run(THREAD);
    const { nodes } = readProfile(readEmbedded(exports));
    assert.ok(nodes.length > 0);
    stacksOf(exports);
  }
});
