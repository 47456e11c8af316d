/** wasm-perf symbols: names for a stripped module from another build of it, which must not be wrong. */

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemble, at, read, tool } from '../js/support.mjs';

/** Numbers that are the same in every run. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

function shuffled(list, next) {
  const items = [...list];
  for (let i = items.length - 1; i > 0; i--) {
    const k = next(i + 1);
    [items[i], items[k]] = [items[k], items[i]];
  }
  return items;
}

/** Some straight code that is its own: what it computes is told by its name. */
function mixing(name, count = 6) {
  const next = numbers([...name].reduce((sum, c) => Math.imul(sum, 31) + c.charCodeAt(0), 7) >>> 0);
  const step = () => `local.get 0 i32.const ${next(99991) + 99} i32.mul i32.const ${next(99991) + 99} i32.xor local.set 0`;
  return Array.from({ length: count }, step).join('\n');
}

/** A module of functions {name, body, calls}; main, exported, calls those that nobody else does. */
function program(functions, { head = '' } = {}) {
  const one = ({ name, body = mixing(name), calls = [] }) => {
    const called = calls.map((callee) => `(drop (call $${callee} (local.get 0)))`).join(' ');
    return `(func $${name} (param i32) (result i32) ${called} ${body} local.get 0)`;
  };
  return `(module ${head} ${functions.map(one).join('\n')} (export "main" (func $main)))`;
}

/** Function names in order of the index space, of a module without imports. */
const namesOf = (functions) => functions.map(({ name }) => name);

/** Writes IN, stripped, and FROM; what the command finds: lines [index, name, confidence]. */
function match(inside, from, options) {
  assemble('in', program(inside, options), { names: false });
  assemble('from', program(from, options));
  const result = tool('wasm-perf', ['symbols', 'in.wasm', 'from.wasm']);
  assert.equal(result.status, 0, result.stderr);
  const lines = result.stdout.split('\n').slice(0, -1).map((line) => line.split('\t'));
  return { lines, stderr: result.stderr };
}

/** Each name that was given must be the one that the function had; how many there are. */
function countRight(lines, inside) {
  const names = namesOf(inside);
  for (const [index, name, confidence] of lines) {
    assert.equal(name, names[Number(index)]);
    assert(Number(confidence) > 0.9 && Number(confidence) <= 1);
  }
  return lines.length;
}

const parts = Array.from({ length: 40 }, (_, i) => ({ name: `part${i}`, calls: i > 2 ? [`part${i >> 1}`] : [] }));
const main = { name: 'main', calls: parts.map(({ name }) => name) };

test('the same code: each function is itself, and standard output is nothing but the table', () => {
  const functions = [main, ...parts];
  const { lines, stderr } = match(functions, functions);
  assert.equal(countRight(lines, functions), functions.length);
  assert.equal(stderr, '');
  assert(lines.every(([, , confidence]) => confidence === '1.000'));
});

test('functions are found wherever they went', () => {
  const inside = shuffled([main, ...parts], numbers(1));
  const { lines } = match(inside, [main, ...parts]);
  assert.equal(countRight(lines, inside), inside.length);
});

test('another version: what is new has no name, what was changed a little has its own', () => {
  const changed = parts.map((part) => part.name === 'part7' ? { ...part, body: `${mixing('part7')} local.get 0 i32.const 77777 i32.add local.set 0` } : part);
  const inside = [{ ...main, calls: [...main.calls, 'fresh'] }, ...changed, { name: 'fresh' }];
  const { lines } = match(inside, [main, ...parts]);
  assert.equal(countRight(lines, inside), inside.length - 1);
});

const tiny = Array.from({ length: 3000 }, (_, i) => ({ name: `tiny${i}`, body: 'i32.const 1 local.set 0' }));

test('thousands of equal tiny functions: matched if in order, otherwise not', () => {
  const next = numbers(5);
  const mixed = shuffled(namesOf(tiny), next);
  const withTiny = parts.map((part, i) => ({ ...part, calls: [...part.calls, ...mixed.slice(i * 75, i * 75 + 75)] }));
  const functions = [main, ...withTiny, ...tiny];
  const changed = functions.map((f) => f.name === 'part39' ? { ...f, body: mixing('part39', 7) } : f);
  assert(countRight(match(changed, functions).lines, changed) > functions.length * 0.9);

  const inside = shuffled(functions, next);
  assert(countRight(match(inside, functions).lines, inside) > parts.length);

  const others = inside.map((f) => f.name.startsWith('part') ? { ...f, calls: shuffled(f.calls, next) } : f);
  countRight(match(others, functions).lines, others);
});

test('a function that has taken in the one it called is not that one', () => {
  const inner = { name: 'inner', body: mixing('inner', 30) };
  const apart = [{ ...main, calls: [...main.calls, 'outer'] }, ...parts, { name: 'outer', calls: ['inner'], body: 'local.get 0 local.set 0' }, inner];
  const together = [{ ...main, calls: [...main.calls, 'outer'] }, ...parts, { name: 'outer', body: inner.body }];
  countRight(match(together, apart).lines, together);
  countRight(match(apart, together).lines, apart);
});

/** Functions, of which each is called once by the one before and says as much as `sizes`. */
const chain = (names, sizes) => names.map((name, i) => ({ name, body: mixing(name, sizes[i]), calls: names.slice(i + 1, i + 2) }));

test('functions called once that went into their callers: the outermost gives its name', () => {
  const inner = chain(['step', 'execute', 'release'], [12, 60, 20]);
  const [step, ...others] = inner;
  const apart = [{ ...main, calls: [...main.calls, 'step'] }, ...parts, ...inner];
  const together = [{ ...main, calls: [...main.calls, 'step'] }, ...parts,
    { name: 'step', body: [step, ...others].map(({ body }) => body).join('\n') }];
  for (const [inside, from] of [[together, apart], [apart, together]]) {
    const { lines } = match(inside, from);
    countRight(lines, inside);
    assert(lines.some(([, name]) => name === 'step'), 'step has its name');
  }
});

test('a function that forwards to what it went into is not told from it', () => {
  const work = { name: 'work', body: mixing('work', 30) };
  const forward = { name: 'forward', calls: ['work'], body: 'local.get 0 i32.const 1 i32.add local.set 0' };
  const callers = (callee) => parts.map((part, i) => (i < 6 ? { ...part, calls: [...part.calls, callee] } : part));
  const apart = [main, ...callers('forward'), forward, work];
  const together = [main, ...callers('forward'), { ...forward, calls: [], body: `${work.body} ${forward.body}` }];
  countRight(match(apart, together).lines, apart);
  countRight(match(together, apart).lines, together);
});

test('short functions are not told by a constant, which may be the place of a function in the table', () => {
  const show = (first, count) => Array.from({ length: count }, (_, i) => ({ name: `show${first + i}`, body: `i32.const ${100 + i} local.get 0 i32.const ${1000 + i} i32.mul i32.add local.set 0` }));
  const inside = [main, ...parts, ...show(0, 20)], from = [main, ...parts, ...show(1, 20), { name: 'more' }];
  const inTable = (functions) => program(functions, { head: `(table funcref (elem ${functions.slice(parts.length + 1).map(({ name }) => `$${name}`).join(' ')}))` });
  assemble('in', inTable(inside), { names: false });
  assemble('from', inTable(from));
  const { stdout } = tool('wasm-perf', ['symbols', 'in.wasm', 'from.wasm']);
  assert(countRight(stdout.split('\n').slice(0, -1).map((line) => line.split('\t')), inside) > parts.length);
});

test('numbers that a compiler gave are of one build: no name has them', () => {
  const numbered = [main, ...parts.slice(0, -1), { name: 'part39.llvm.123', calls: ['part19'] }];
  numbered[0] = { ...main, calls: namesOf(numbered.slice(1)) };
  const inside = shuffled(numbered, numbers(2));
  const { lines } = match(inside, numbered);
  assert.equal(countRight(lines, inside), inside.length - 1);
});

test('another program altogether: no name, and stderr says so', () => {
  const library = Array.from({ length: 8 }, (_, i) => ({ name: `library${i}` }));
  const app = (name) => {
    const own = Array.from({ length: 40 }, (_, i) => ({ name: `${name}${i}` }));
    return [{ name: 'main', calls: namesOf([...own, ...library]) }, ...own, ...library];
  };
  const { lines, stderr } = match(app('one'), app('two'));
  assert.deepEqual(lines, []);
  assert.match(stderr, /^wasm-perf: from\.wasm: not a build of the module, [^\n]*\n$/);
});

test('of several builds each function has the surest name', () => {
  const functions = [main, ...parts];
  assemble('in', program(functions), { names: false });
  assemble('same', program(functions));
  assemble('near', program(functions.map((f) => f.name === 'part3' ? { ...f, body: mixing('part3', 7) } : f)));
  const both = tool('wasm-perf', ['symbols', 'in.wasm', 'near.wasm', 'same.wasm']);
  const one = tool('wasm-perf', ['symbols', 'in.wasm', 'same.wasm']);
  assert.deepEqual([both.status, both.stdout], [0, one.stdout]);
});

test('names are cleaned: no tab or line break gets into the table', () => {
  const functions = [main, ...parts];
  assemble('in', program(functions), { names: false });
  const bytes = Buffer.from(read(assemble('odd', program(functions))));
  bytes[bytes.lastIndexOf('part17') + 1] = 9;
  writeFileSync(at('odd.wasm'), bytes);
  const { stdout } = tool('wasm-perf', ['symbols', 'in.wasm', 'odd.wasm']);
  assert(stdout.split('\n').slice(0, -1).every((line) => line.split('\t').length === 3));
  assert.match(stdout, /\tp\\u\{9\}rt17\t/);
});

test('what cannot be read is an error with its place; a module is needed', () => {
  const functions = [main, ...parts];
  assemble('good', program(functions));
  const bytes = Buffer.from(read('good.wasm'));
  writeFileSync(at('short.wasm'), bytes.subarray(0, bytes.length / 2));
  const code = bytes.indexOf(Buffer.from([0x41]), 300); // an i32.const of some body
  bytes[code] = 0xff;
  writeFileSync(at('wild.wasm'), bytes);
  for (const args of [['short.wasm', 'good.wasm'], ['good.wasm', 'short.wasm'], ['wild.wasm', 'good.wasm'], ['good.wasm', 'wild.wasm']]) {
    const { status, stdout, stderr } = tool('wasm-perf', ['symbols', ...args]);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^wasm-perf: (short|wild)\.wasm: .*(offset|0x)/);
  }
  assert.equal(tool('wasm-perf', ['symbols']).status, 2);
});

/** What wasm-instrument --list calls the functions, in order of their indices. */
const listed = (...args) => {
  const { status, stdout, stderr } = tool('wasm-instrument', ['--list', ...args]);
  return { status, stderr, names: stdout.split('\n').slice(1, -1).map((line) => line.replace(/^.* [+-] {2}/, '')) };
};

test('--names writes matched names into the module, marked, and leaves its own and its code alone', () => {
  const functions = [main, ...parts];
  assemble('in', program(functions), { names: false });
  assemble('from', program(functions.map((f) => f.name === 'part3' ? { ...f, body: mixing('part3', 7) } : f)));
  const { names } = listed('--names', 'from.wasm', 'in.wasm');
  assert.equal(names[0], 'main'); // exported
  assert.deepEqual(names.slice(1), parts.map(({ name }) => `~${name}`));
  assert.deepEqual(listed('--names', 'in.wasm', 'from.wasm').names, listed('from.wasm').names);
  const made = tool('wasm-instrument', ['--names', 'from.wasm', 'in.wasm', '-o', 'out.wasm']);
  assert.deepEqual([made.status, made.stderr], [0, '']);
  assert(WebAssembly.validate(read('out.wasm')));
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(read('out.wasm')), 'name');
  assert(Buffer.from(section).includes('~part17'));
});

test('--only chooses a matched name with its mark and without', () => {
  assemble('in', program([main, ...parts]), { names: false });
  assemble('from', program([main, ...parts]));
  for (const name of ['part7', '~part7', '*part7']) {
    const { stdout, stderr } = tool('wasm-instrument', ['--list', '--names', 'from.wasm', '--only', name, 'in.wasm']);
    assert.deepEqual([stdout.match(/ [+] {2}.*/g), stderr], [[' +  ~part7'], ''], name);
  }
});

test('--names accepts several builds and folders, and names the file that is not a build', () => {
  const functions = [main, ...parts];
  const other = Array.from({ length: 40 }, (_, i) => ({ name: `other${i}` }));
  assemble('in', program(functions), { names: false });
  mkdirSync(at('builds'), { recursive: true });
  assemble('builds/a', program([{ name: 'main', calls: namesOf(other) }, ...other]));
  assemble('builds/b', program(functions));
  const inFolder = listed('--names', 'builds', 'in.wasm');
  assert.deepEqual([inFolder.status, inFolder.stderr, inFolder.names[3]], [0, '', '~part2']);
  const both = listed('--names', 'builds/a.wasm', '--names', 'builds/b.wasm', 'in.wasm');
  assert.match(both.stderr, /^wasm-instrument: builds\/a\.wasm: warning: not a build of the module, [^\n]*\n$/);
  assert.equal(both.names[3], '~part2');
  for (const [path, message] of [['none.wasm', 'No such file or directory'], ['in.wat', 'line 1: expected INDEX:NAME, or a module']]) {
    const { status, stderr } = listed('--names', path, 'in.wasm');
    assert.equal(status, 1);
    assert(stderr.startsWith(`wasm-instrument: ${path}: ${message}`), stderr);
  }
});

/** Runs the functions once: a command without names, which calls main. */
const command = (functions) => program(functions).replace(/\)$/, '(func (export "_start") (drop (call $main (i32.const 1)))) (memory (export "memory") 1))');

test('record and report take another build: names of it are marked', () => {
  const functions = [main, ...parts];
  assemble('in', command(functions), { names: false });
  assemble('from', command(functions.map((f) => f.name === 'part3' ? { ...f, body: mixing('part3', 7) } : f)));
  const record = (...args) => tool('wasm-perf', ['record', '--clock=none', ...args, 'in.wasm']);
  const direct = record('--symbols', 'from.wasm', '-o', 'direct.folded');
  assert.deepEqual([direct.status, direct.stderr.match(/warning/)], [0, null]);
  record('-o', 'later.wperf');
  for (const files of [['from.wasm'], ['from.wasm', 'in.wasm']]) {
    const symbols = files.flatMap((file) => ['--symbols', file]);
    const { status, stdout, stderr } = tool('wasm-perf', ['report', '-f', 'folded', ...symbols, 'later.wperf']);
    assert.deepEqual([status, stderr], [0, '']);
    for (const text of [stdout, read('direct.folded', 'utf8').toString()]) {
      assert.match(text, /^_start;main;~part39;~part19;~part9;~part4 \d+$/m);
      assert.match(text, /;~part3 /);
    }
  }
});

/** The functions of a profile that have a confidence: a Map by name. */
const confidencesOf = (...args) => {
  const { status, stdout, stderr } = tool('wasm-perf', ['report', '-f', 'json', ...args]);
  assert.equal(status, 0, stderr);
  const { functions } = JSON.parse(stdout);
  return new Map(functions.filter(({ confidence }) => confidence !== undefined).map(({ name, confidence }) => [name, confidence]));
};

test('the confidence in a name goes into the profile, and from there into JSON', () => {
  const functions = [main, ...parts];
  assemble('in', command(functions), { names: false });
  assemble('from', command(functions.map((f) => f.name === 'part3' ? { ...f, body: mixing('part3', 7) } : f)));
  const table = tool('wasm-perf', ['symbols', 'in.wasm', 'from.wasm']).stdout.split('\n').slice(0, -1).map((line) => line.split('\t'));
  const expected = new Map(table.filter(([, name]) => name !== 'main').map(([, name, confidence]) => [`~${name}`, Number(confidence)]));
  assert(expected.get('~part3') < expected.get('~part4'));
  const sorted = (map) => [...map].sort();
  for (const [name, ...args] of [['counted', '--clock=none'], ['linked', '--clock=wall'], ['hosted', '--engine=node', '--clock=none']]) {
    const run = tool('wasm-perf', ['record', '--symbols', 'from.wasm', ...args, '-o', `${name}.wperf`, 'in.wasm']);
    assert.equal(run.status, 0, run.stderr);
    assert.deepEqual(sorted(confidencesOf(`${name}.wperf`)), sorted(expected), name);
  }
  tool('wasm-perf', ['record', '--clock=none', '-o', 'plain.wperf', 'in.wasm']);
  assert.equal(confidencesOf('plain.wperf').size, 0);
  for (const path of ['plain.wperf', 'hosted.wperf']) assert.deepEqual(sorted(confidencesOf('--symbols', 'from.wasm', path)), sorted(expected), path);
  tool('wasm-perf', ['merge', '-o', 'sum.wperf', 'counted.wperf', 'counted.wperf']);
  assert.deepEqual(sorted(confidencesOf('sum.wperf')), sorted(expected));
});

/** Functions that say what they are: by a string of their own, by an import, or by the export they serve. */
const hinting = `(module
  (import "env" "write_line" (func $write (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 1024) "\\00sqlite_master\\00shared text\\00four\\0a\\09words of a text without an end here\\00")
  (func $table (param i32) (drop (i32.const 1025)) (drop (i32.const 1039)))
  (func $writes (param i32) (call $write (i32.const 1039)))
  (func $long (param i32) (drop (i32.const 1051)) (drop (i32.const 1039)))
  (func $middle (param i32) (drop (i32.const 1032)) (drop (i32.const 1039)))
  (func $served (param i32) (drop (i32.const 1)))
  (func (export "resize") (param i32) (call $served (local.get 0)))
  (func (export "_start")
    (call $table (i32.const 1)) (call $writes (i32.const 1)) (call $long (i32.const 1)) (call $middle (i32.const 1))
    (call $served (i32.const 1)))
  (func (export "once") (param i32) (call $alone (local.get 0)))
  (func $alone (param i32) (drop (i32.const 2))))`;

test('--hints says what functions without a name refer to, call or serve', () => {
  assemble('in', hinting, { names: false });
  assert.deepEqual(listed('--hints', 'in.wasm').names, ['func[1] "sqlite_master"', 'func[2] calls write_line',
    'func[3] "four  words of a text wi…"', 'func[4]', 'func[5]', 'resize', '_start', 'once', 'func[9] called by once']);
  assert.deepEqual(listed('in.wasm').names.slice(0, 2), ['func[1]', 'func[2]']);
  assemble('from', hinting);
  assert(!listed('--hints', 'from.wasm').names.some((name) => name.startsWith('func[')));
  assert.deepEqual(listed('--hints', '--names', 'from.wasm', 'in.wasm').names.slice(0, 2), ['~table', '~writes']);
});

test('--hints finds strings in segments that the start function copies, as in modules with threads', () => {
  const copied = (from) => hinting.replace('(data (i32.const 1024)', '(data $text').replace('(func $table', `(func $init
      (memory.init $text (i32.const 1024) (i32.const ${from}) (i32.const 83)))
    (start $init) (func $table`);
  assemble('in', copied(0), { names: false });
  assert.equal(listed('--hints', 'in.wasm').names[1], 'func[2] "sqlite_master"');
  assemble('in', copied(1).replaceAll('i32.const 83', 'i32.const 82'), { names: false });
  assert.notEqual(listed('--hints', 'in.wasm').names[1], 'func[2] "sqlite_master"');
});

test('record gives hints by itself, and a name replaces one', () => {
  const wasi = hinting.replace('"env" "write_line" (func $write (param i32))', '"wasi_snapshot_preview1" "proc_exit" (func $write (param i32))');
  assemble('in', wasi.replace('(call $writes (i32.const 1))', ''), { names: false });
  assemble('from', wasi.replace('(call $writes (i32.const 1))', ''));
  const { status, stderr } = tool('wasm-perf', ['record', '--clock=none', '-o', 'hints.wperf', 'in.wasm']);
  assert.equal(status, 0, stderr);
  const folded = (...args) => tool('wasm-perf', ['report', '-f', 'folded', ...args, 'hints.wperf']).stdout;
  assert.match(folded(), /^_start;func\[1\] "sqlite_master" 1$/m);
  assert.match(folded('--symbols', 'from.wasm'), /^_start;~?table 1$/m);
});

test('diff finds functions without names that moved, by their code, and says how many', () => {
  const functions = [main, ...parts];
  assemble('first', command(functions), { names: false });
  assemble('second', command(shuffled(functions, numbers(4)).map((f) => f.name === 'part3' ? { ...f, body: mixing('part3', 7) } : f)), { names: false });
  for (const name of ['first', 'second'])
    assert.equal(tool('wasm-perf', ['record', '--clock=instructions', '-o', `${name}.wperf`, `${name}.wasm`]).status, 0);
  const { status, stdout, stderr } = tool('wasm-perf', ['diff', '-f', 'folded', 'first.wperf', 'second.wperf']);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^wasm-perf: \d+ functions that moved or were renamed are matched by their code\n$/);
  const changed = stdout.split('\n').slice(0, -1).filter((line) => {
    const [before, after] = line.split(' ').slice(-2);
    return before !== after;
  });
  const last = new Set(changed.map((line) => line.split(' ').at(-3).split(';').at(-1)));
  assert.deepEqual([...last], ['func[4]']); // part3, on each of its stacks
});
