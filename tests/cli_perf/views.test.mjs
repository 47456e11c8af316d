/** wasm-perf top, tree, callers, callees: options, the terminal, names. The numbers: tests/report. */

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { at, build, read, run, tool } from '../js/support.mjs';
import { sharedCalls, writeProfile } from '../js/wperf.mjs';

const names = [
  [0, 'env.read'],
  [1, 'main'],
  [2, '_ZNSt3mapIiSt6vectorIcSaIcEESt4lessIiESaISt4pairIKiS2_EEE4findERS6_'],
  [3, '_ZNSt3mapIiSt6vectorIcSaIcEESt4lessIiESaISt4pairIKiS2_EEE5eraseERS6_'],
  [4, 'parse'],
  [5, 'parse_all'],
];
const map =
  'std::map<int, std::vector<char, std::allocator<char> >, std::less<int>, ' +
  'std::allocator<std::pair<int const, std::vector<char, std::allocator<char> > > > >';
const nodes = [
  { function: 1, parent: 0, calls: 1, self: 1000 },
  { function: 2, parent: 1, calls: 30, self: 60_000 },
  { function: 3, parent: 1, calls: 2, self: 30_000 },
  { function: 0, parent: 3, calls: 5, self: 9_000 },
  { function: 4, parent: 2, calls: 100, self: 600 },
  { function: 5, parent: 1, calls: 1, self: 50 },
];
const profile = writeProfile(nodes, names, { hostFunctionCount: 1 });
writeFileSync(at('a.wperf'), profile);
writeFileSync(at('a.wasm'), 'no profile');

const perf = (...args) => tool('wasm-perf', args);
const ESCAPE = '\x1b';

function shown(...args) {
  const { status, stdout, stderr } = perf(...args);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

/** What follows the columns of numbers, line by line. */
function lastColumn(text) {
  const lines = text.split('\n');
  const heading = lines.findIndex((line) => line.endsWith('function'));
  const start = lines[heading].indexOf('function');
  return lines.slice(heading + 1, lines.indexOf('', heading)).map((line) => line.slice(start));
}

const commands = [['top'], ['tree'], ['callers', 'parse'], ['callees', 'main']];

test('each view shows what it is for', () => {
  assert.deepEqual(lastColumn(shown('top', 'a.wperf')), [
    `${map}::find(int const&)`,
    `${map}::erase(int const&)`,
    'env.read',
    'main',
    'parse',
    'parse_all',
  ]);
  assert.deepEqual(lastColumn(shown('tree', '--min-share', '0', 'a.wperf')), [
    'main',
    `├─ ${map}::find(int const&)`,
    '│  ↳ parse',
    `├─ ${map}::erase(int const&)`,
    '│  ↳ env.read',
    '└─ parse_all',
  ]);
  const callers = shown('callers', 'env.read', 'a.wperf');
  assert.deepEqual(lastColumn(callers), [
    'env.read',
    `↳ ${map}::erase(int const&)`,
    '↳ main',
    '↳ (host)',
  ]);
  assert.match(callers, /^Callers of env\.read\n5 calls, self 9.00 µs, total 9.00 µs, 8.94 % of all$/m);
  const callees = ['main', `├─ ${map}::find(int const&)`];
  assert.deepEqual(lastColumn(shown('callees', '--depth=1', '-n1', 'main', 'a.wperf')).slice(0, 1), [
    'main',
  ]);
  assert.deepEqual(lastColumn(shown('callees', 'main', 'a.wperf')).slice(0, 2), callees);
});

test('the limits', () => {
  const tree = (...args) => lastColumn(shown('tree', '--width=0', ...args, 'a.wperf'));
  assert.equal(tree().at(-1), '   ↳ env.read'); // parse_all is less than 1 %, and not worth a line
  assert.deepEqual(tree('-n', '1'), ['main', '├─ … 2 more', `↳ ${map}::find(int const&)`]);
  assert.deepEqual(tree('--depth', '1'), ['main', '└─ … 3 more']);
  assert.deepEqual(tree('--min-share=50').slice(0, 1), ['main']);
  assert.deepEqual(tree('--min-share=50%'), ['main', `↳ ${map}::find(int const&)`]);
  assert.match(shown('tree', '--min-share', '12.5', 'a.wperf'), /\nNot shown: stacks of less than 12.5 % of the total \(--min-share\)\.\n\nHost functions: /);
  assert.match(
    shown('tree', '--depth=2', '-n1', 'a.wperf'),
    /\nNot shown: stacks of less than 1 % of the total \(--min-share\), deeper than 2 levels \(--depth\) or beyond the largest \(-n\)\.\n\nHost functions: /,
  );
  assert.equal(lastColumn(shown('top', '--limit', '2', 'a.wperf')).length, 2);
});

test('a line of calls is one row', () => {
  const line = Array.from({ length: 30 }, (_, i) => ({ function: i, parent: i, calls: 1, self: 0 }));
  const ends = [30, 31, 32].map((name) => ({ function: name, parent: 30, calls: 1, self: 40 - name }));
  writeFileSync(at('line.wperf'), writeProfile([...line, ...ends], Array.from({ length: 33 }, (_, i) => [i, `f${i}`])));
  const rows = lastColumn(shown('tree', '-n2', 'line.wperf'));
  assert.deepEqual(rows.map((row) => row.trim()), ['f0', ...Array.from({ length: 29 }, (_, i) => `\u21b3 f${i + 1}`),
    '├─ f30', '├─ f31', '└─ … f32']);
});

test('of a tree with very many columns the last ones are drawn', () => {
  const deep = [];
  for (let level = 0, parent = 0; level < 60; level++) {
    deep.push({ function: level + 1, parent, calls: 1, self: 1 }, { function: 0, parent, calls: 1, self: 1 });
    parent = deep.length - 1;
  }
  const names = [[0, 'stay'], ...Array.from({ length: 60 }, (_, i) => [i + 1, `go${i}`])];
  writeFileSync(at('deep.wperf'), writeProfile(deep, names));
  const options = ['tree', '--depth=100', '-n1000', '--min-share=0'];
  const rows = lastColumn(shown(...options, 'deep.wperf'));
  assert.deepEqual(rows.slice(0, 3), ['go0', '├─ go1', '│  ├─ go2']);
  assert.equal(rows[41], `${'│  '.repeat(40)}├─ go41`);
  assert.equal(rows[42], `[1] ${'│  '.repeat(40)}├─ go42`);
  assert.equal(rows[59], `[18] ${'│  '.repeat(40)}├─ go59`);
  assert.equal(rows.at(-1), 'stay');
  const lines = shown(...options, '--width=80', 'deep.wperf').split('\n');
  for (const line of lines) assert([...line].length <= 80, line);
  assert(lines.some((line) => line.includes('[50] │')), lines.join('\n'));
});

test('the order of top', () => {
  const top = (...args) => lastColumn(shown('top', ...args, 'a.wperf'));
  assert.deepEqual(top('--sort=self'), top());
  assert.equal(top('--sort=total')[0], 'main');
  assert.equal(top('--sort=calls')[0], 'parse');
  assert.equal(top('--sort=calls')[1], `${map}::find(int const&)`);
});

test('what all reports can do with names and the host', () => {
  for (const [command, ...func] of commands) {
    const raw = shown(command, '--no-demangle', ...func, 'a.wperf');
    assert.match(raw, /_ZNSt3map/);
    assert.doesNotMatch(raw, /std::map/);
    assert.doesNotMatch(shown(command, '--show=no-host', ...func, 'a.wperf'), /env\.read/);
    const piped = tool('wasm-perf', [command, ...func, '-'], { input: profile });
    assert.equal(piped.stdout, shown(command, ...func, 'a.wperf'));
    assert.equal(shown(command, '-o', 'view.txt', ...func, 'a.wperf'), '');
    assert.equal(read('view.txt').toString(), piped.stdout);
  }
  const hookCosts = [10, 10, 2].map((cost) => cost * 1024);
  writeFileSync(at('cost.wperf'), writeProfile(nodes, names, { hookCosts }));
  assert.match(shown('tree', 'cost.wperf'), /^Hooks took at least /m);
  assert.doesNotMatch(shown('tree', '--show=hooks', 'cost.wperf'), /took/);
});

test('a function is chosen by its name, a glob, or a part of its name', () => {
  const first = (pattern, ...args) => lastColumn(shown('callers', ...args, pattern, 'a.wperf'))[0];
  assert.equal(first('parse'), 'parse'); // though parse_all contains it
  assert.equal(first('pars?_*'), 'parse_all');
  assert.equal(first('_all'), 'parse_all');
  assert.equal(first('*::find(*'), `${map}::find(int const&)`);
  assert.equal(first(names[2][1]), `${map}::find(int const&)`);
  assert.equal(first(names[2][1], '--no-demangle'), names[2][1]);
  const several = perf('callees', 'pars*', 'a.wperf');
  const told = "wasm-perf: a.wperf: 'pars*' matches 2 functions; give the whole name of one, in quotes:\n";
  assert.deepEqual([several.status, several.stdout], [1, '']);
  assert.equal(several.stderr, `${told}  parse\n  parse_all\n`);
  const none = perf('callers', 'pause', '-o', 'none.txt', 'a.wperf');
  assert.deepEqual([none.status, none.stdout], [1, '']);
  assert.match(none.stderr, /^wasm-perf: a\.wperf: no function that was called matches 'pause'; did you mean 'parse'\?\n$/);
  assert(!existsSync(at('none.txt')));
  assert.match(perf('callers', 'mian', 'a.wperf').stderr, /; did you mean 'main'\?\n$/);
  assert.match(perf('callers', 'fnd(int', 'a.wperf').stderr, /; did you mean 'std::map<.*>::find\(int const&\)'\?\n$/);
  assert.match(perf('callers', 'quite different', 'a.wperf').stderr, /; wasm-perf functions lists them\n$/);
});

test('a function that is labelled with its place is found by its name', () => {
  const python = [[1, 'main (<exec>:14)'], [2, 'maintain (<exec>:3)'], [3, 'main loop (x)']];
  writeFileSync(at('python.wperf'), writeProfile(nodes.slice(0, 3), python));
  assert.equal(lastColumn(shown('callees', 'main', 'python.wperf'))[0], 'main (<exec>:14)');
});

test('a function that calls itself is one line', () => {
  const down = [{ function: 1, parent: 0, calls: 1, self: 10 }];
  for (let i = 0; i < 801; i++) down.push({ function: 2, parent: down.length, calls: 1, self: 5 });
  down.push({ function: 3, parent: down.length, calls: 7, self: 1000 });
  writeFileSync(at('down.wperf'), writeProfile(down, [[1, 'main'], [2, 'down'], [3, 'leaf']]));
  assert.deepEqual(lastColumn(shown('tree', 'down.wperf')), ['main', '↳ down ×801', '↳ leaf']);
  assert.deepEqual(lastColumn(shown('callers', 'leaf', 'down.wperf')), ['leaf', '↳ down ×801', '↳ main', '↳ (host)']);
  assert.deepEqual(lastColumn(shown('callees', 'main', 'down.wperf')), ['main', '↳ down ×801', '↳ leaf']);
  assert.match(shown('tree', 'down.wperf'), / 5\.01 µs +4\.01 µs +801 {2}↳ down ×801$/m);
});

test('callers have a table of the direct ones first, and no row without a total', () => {
  const calls = [
    { function: 1, parent: 0, calls: 1, self: 10 },
    { function: 2, parent: 1, calls: 3, self: 30 },
    { function: 4, parent: 2, calls: 6, self: 600 },
    { function: 3, parent: 1, calls: 1, self: 10 },
    { function: 4, parent: 4, calls: 2, self: 200 },
    { function: 4, parent: 5, calls: 5000, self: 100 },
  ];
  writeFileSync(at('direct.wperf'), writeProfile(calls, [[1, 'main'], [2, 'often'], [3, 'once'], [4, 'work']]));
  const [, caption, table, tree] = shown('callers', 'work', 'direct.wperf').split('\n\n');
  assert.match(caption, /^Callers of work\n5,008 calls, self 900 ns, total 900 ns, /);
  const rows = (part) => part.trimEnd().split('\n').slice(1).map((row) => row.trim().split(/ {2,}/));
  assert.deepEqual(rows(table), [['66.67', '600 ns', '600 ns', '6', 'often'], ['33.33', '300 ns', '200 ns', '2', 'once']]);
  assert.equal(rows(tree)[0].at(-1), 'work');
  assert(rows(tree).every(([, total]) => total !== '0 ns'), tree);
});

test('calls known only as a sum have a limit, unless all of them had that caller', () => {
  writeFileSync(at('shared.wperf'), sharedCalls());
  const counts = (...args) =>
    Object.fromEntries(shown(...args, 'shared.wperf').split('\n').flatMap((line) => {
      const [, count, name] = / ([≤\d]+) [ │├└─↳]*([a-z]+)$/u.exec(line) ?? [];
      return name ? [[name, count]] : [];
    }));
  assert.deepEqual(counts('tree'), { main: '1', left: '1', right: '1', parse: '≤30', scan: '≤7' });
  assert.deepEqual(counts('callers', 'scan'), { scan: '7', parse: '7', right: '≤7', main: '≤7' });
  assert.deepEqual(counts('callees', 'parse'), { parse: '30', scan: '7' });
  assert.deepEqual(counts('callees', 'right'), { right: '1', parse: '≤30', scan: '≤7' });
});

test('a glob comes before a part', () => {
  const go = [
    [1, 'main.(*Server).Run'],
    [2, 'main.newServer'],
  ];
  writeFileSync(at('go.wperf'), writeProfile(nodes.slice(0, 2), go));
  assert.equal(lastColumn(shown('callers', '*Server', 'go.wperf'))[0], 'main.newServer');
  assert.equal(lastColumn(shown('callers', '(*Server)', 'go.wperf'))[0], 'main.(*Server).Run');
});

test('brackets and backslashes in a glob stand for themselves', () => {
  const odd = [
    [1, 'a[b]\\c(int)'],
    [2, 'abc(int)'],
  ];
  writeFileSync(at('odd.wperf'), writeProfile(nodes.slice(0, 2), odd));
  assert.equal(lastColumn(shown('callers', '?[b]\\*', 'odd.wperf'))[0], odd[0][1]);
});

test('on a terminal notes fill two lines, and explain has the others', () => {
  const notes = (...options) => shown('top', ...options, 'notes.wperf').split('\n\n').at(-1).trimEnd().split('\n');
  const many = { clock: 4, clockReadCount: 5000, ticksPerSecond: 1e9 };
  writeFileSync(at('notes.wperf'), writeProfile([{ function: 0, parent: 0, calls: 1, self: 4e9 }, { function: 1, parent: 1, calls: 5e9, self: 1e9 }], [[0, 'main'], [1, 'tiny']], many));
  const all = notes();
  assert(all.length > 2, all.join('\n'));
  assert.deepEqual(notes('--width=500'), [all.at(-1), `${all.length - 1} more notes: wasm-perf explain notes.wperf`]);
  for (const note of all) assert(shown('explain', 'notes.wperf').includes(note), note);
});

test('names are shortened to a width, numbers never', () => {
  const wide = shown('top', 'a.wperf');
  for (const [command, ...func] of commands) {
    for (const width of [80, 90, 100, 150]) {
      const lines = shown(command, '--width', `${width}`, ...func, 'a.wperf').split('\n');
      for (const line of lines) assert([...line].length <= width, `${width}: ${line}`);
    }
    assert.equal(shown(command, '--width', '0', ...func, 'a.wperf'), shown(command, ...func, 'a.wperf'));
  }
  const start = shown('tree', '--width=30', 'a.wperf').split('\n\n')[0].split('\n');
  for (const line of start) assert([...line].length <= 30, line);
  const whole = shown('tree', 'a.wperf').split('\n\n')[0].split('\n');
  assert.equal(start.join(' '), whole.join(' '));
  const narrow = shown('top', '--width=80', 'a.wperf');
  assert.deepEqual(lastColumn(narrow).slice(0, 2), ['std::map<…>::find(…)', 'std::map<…>::erase(…)']);
  const heading = (text) => text.split('\n').find((line) => line.endsWith('function')).split(/ {2,}/);
  assert(heading(wide).length > heading(narrow).length, 'columns that matter less go');
  assert.equal(heading(shown('top', '--width=1', 'a.wperf')).join(), 'self %,function');
});

test('80 columns are enough', () => {
  for (const [command, ...func] of commands) {
    for (const line of shown(command, '--width', '80', ...func, 'a.wperf').split('\n'))
      assert([...line].length <= 80, line);
  }
});

test('names in sentences are shortened as in tables', () => {
  const sampled = [
    { function: 1, parent: 0, calls: 1, self: 900_000_000 },
    { function: 2, parent: 1, calls: 90_000_000, self: 0 },
  ];
  writeFileSync(at('free.wperf'), writeProfile(sampled, names, { clock: 4, clockReadCount: 1000 }));
  assert.match(shown('top', 'free.wperf'), /^std::map<…>::find\(…\) looks free: /m);
});

test('names that would be shortened to the same text get more of it', () => {
  const alike = ['char', 'double', 'long long'].map((type, i) => [
    i + 1,
    `ns::Container<ns::Allocator<${type}>, 1234>::insert(ns::Value<${type}> const&)`,
  ]);
  writeFileSync(at('alike.wperf'), writeProfile(nodes.slice(0, 3), alike));
  for (let width = 60; width < 140; width++) {
    const rows = lastColumn(shown('top', `--width=${width}`, 'alike.wperf'));
    assert.equal(new Set(rows).size, 3, rows.join('\n'));
  }
});

test('colours are asked for, or a terminal has them', () => {
  for (const [command, ...func] of commands) {
    const plain = shown(command, ...func, 'a.wperf');
    assert(!plain.includes(ESCAPE));
    assert.equal(shown(command, '--color', 'never', ...func, 'a.wperf'), plain);
    assert.equal(shown(command, '--color', 'auto', ...func, 'a.wperf'), plain);
    const colored = shown(command, '--color=always', ...func, 'a.wperf');
    assert(colored.includes(ESCAPE));
    if (command === 'top') // not the sums, which are large in every row
      assert.match(colored, /^ *\x1b\[1;31m59\.61\x1b\[0m +60\.0 µs +59\.61 .* \x1b\[1;31mstd::map.*find/m);
    assert.equal(colored.replace(/\x1b\[[0-9;]*m/g, ''), plain);
  }
});

/** What a command writes to a terminal of so many columns. */
function inTerminal(columns, command, env = {}) {
  const line = `stty cols ${columns} rows 30 && '${join(build, 'wasm-perf')}' ${command}`;
  const options = { env: { ...process.env, TERM: 'xterm', NO_COLOR: '', COLUMNS: '', ...env } };
  const { status, stdout } = run('script', ['-qec', line, '/dev/null'], { ...options, input: '' });
  assert.equal(status, 0, stdout);
  return stdout.replaceAll('\r\n', '\n');
}

test('a terminal has a width and colours', () => {
  for (const command of ['top', 'tree', 'callers parse', 'callees main', 'report', 'report -f tree']) {
    const output = inTerminal(86, `${command} a.wperf`);
    assert(output.includes(ESCAPE), command);
    const plain = output.replace(/\x1b\[[0-9;]*m/g, '');
    const [name, ...rest] = command.split(' ');
    if (name !== 'report') assert.equal(plain, shown(name, '--width=86', ...rest, 'a.wperf'));
    for (const line of plain.split('\n')) assert([...line].length <= 86, line);
    assert(plain.includes('std::map<…'), plain);
  }
  assert(inTerminal(300, 'top a.wperf').includes(map));
  assert(inTerminal(86, 'top --width 0 a.wperf').includes(map));
  assert(inTerminal(0, 'top a.wperf', { COLUMNS: '86' }).includes('std::map<…>::find(…)'));
  assert(inTerminal(0, 'top a.wperf').includes(map));
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }, { TERM: '' }]) {
    assert(!inTerminal(86, 'top a.wperf', env).includes(ESCAPE), JSON.stringify(env));
    assert(inTerminal(86, 'top --color=always a.wperf', env).includes(ESCAPE));
  }
  assert.match(inTerminal(86, 'top -o file.txt a.wperf'), /^Wrote file.txt \(\d+ B\)\n$/);
  assert.equal(read('file.txt').toString(), shown('top', 'a.wperf'));
  assert.equal(inTerminal(86, 'top a.wperf | cat'), shown('top', 'a.wperf'));
});

test('a reader that has enough ends it without a message', () => {
  const many = Array.from({ length: 20_000 }, (_, i) => ({ function: i, parent: 0, calls: 1, self: 1 }));
  writeFileSync(at('many.wperf'), writeProfile(many, []));
  for (const command of ['top', 'tree --min-share 0']) {
    const line = `"$0" ${command} -n 20000 many.wperf | head -n 1; echo \${PIPESTATUS[0]}`;
    for (const ignore of ['', "trap '' PIPE; "]) {
      const { stdout, stderr } = run('bash', ['-c', ignore + line, join(build, 'wasm-perf')]);
      assert.equal(stderr, '');
      assert.match(stdout, /^20.0 µs \(wall clock\).*\n141\n$/);
    }
  }
});

test('an output that cannot be written fails with a message', () => {
  if (!existsSync('/dev/full')) return;
  for (const [command, ...func] of commands) {
    const full = perf(command, '-o', '/dev/full', ...func, 'a.wperf');
    assert.equal(full.status, 1);
    assert.equal(full.stderr, 'wasm-perf: /dev/full: No space left on device\n');
  }
});

test('an error names the stream that cannot be read or written', () => {
  if (!existsSync('/dev/full')) return;
  const commands = ['top a.wperf', 'tree -o - a.wperf', 'report -o - a.wperf', 'diff a.wperf a.wperf', 'merge -o - a.wperf', '--help'];
  for (const command of commands) {
    const { status, stderr } = run('bash', ['-c', `"$0" ${command} >/dev/full`, join(build, 'wasm-perf')]);
    assert.deepEqual([status, stderr], [1, 'wasm-perf: <stdout>: No space left on device\n'], command);
  }
  const { stderr } = run('bash', ['-c', '"$0" top - <a.wasm', join(build, 'wasm-perf')]);
  assert.match(stderr, /^wasm-perf: <stdin>: offset 0x0: /);
});

test('mangled names of C++ and Rust are demangled, and no others', () => {
  const trait = '_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$';
  const readable = {
    _ZNSt6vectorIiSaIiEE9push_backERKi: 'std::vector<int, std::allocator<int> >::push_back(int const&)',
    _ZlsRSoRK5Money: 'operator<<(std::ostream&, Money const&)',
    _ZltRK1AS1_: 'operator<(A const&, A const&)',
    _ZZ4mainENKUliE_clEi: 'main::{lambda(int)#1}::operator()(int) const',
    _ZN12_GLOBAL__N_15parseEv: '(anonymous namespace)::parse()',
    _ZN4shop3buyEi: 'shop::buy(int)',
    __ZN4shop3buyEi: 'shop::buy(int)',
    _ZTv0_n24_N4shop3buyEi: 'virtual thunk to shop::buy(int)',
    _ZN4core3fmt5write17h0123456789abcdefE: 'core::fmt::write',
    [`_ZN${trait.length}${trait}4drop17h0123456789abcdefE`]:
      '<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop',
    _RNvC4shop4sell: 'shop::sell',
    _RINvNtC3std3mem8align_ofdE: 'std::mem::align_of::<f64>',
    _RNvMsr_NtCs3ssYzQotkvD_3std4pathNtB5_7PathBuf3newCs15kBYyAo9fc_7mycrate:
      '<std::path::PathBuf>::new',
    _RNCNvC4shop4main0: 'shop::main::{closure#0}',
    ...Object.fromEntries(
      [
        '$s4main5ModelC6updateyyF', // Swift
        '_$s4main5ModelC6updateyyF',
        '_T04main3fooyyF',
        'main.(*Server).Run', // Go
        'runtime.mallocgc',
        'github.com/me/tool/pkg.Map[go.shape.int]',
        '_D3std5stdio7writelnFZv', // D
        '?buy@shop@@YAHH@Z', // Microsoft's C++
        '~lib/map/Map<~lib/string/String,i32>#find', // AssemblyScript
        '_start',
        '_Z',
        '_Zero',
        '_R',
        '_RustAlloc',
        '__Zebra',
        '_ZN4shop3bu',
      ].map((name) => [name, name]),
    ),
  };
  const mangled = Object.keys(readable);
  const flat = mangled.map((_, i) => ({ function: i, parent: 0, calls: 1, self: 1000 - i }));
  writeFileSync(at('mangled.wperf'), writeProfile(flat, [...mangled.entries()]));
  const twice = (name) => name === 'shop::buy(int)';
  const expected = Object.values(readable).map((name, i) => (twice(name) ? `${name} (func ${i})` : name));
  const rows = lastColumn(shown('top', '-n', '100', 'mangled.wperf'));
  assert.deepEqual(rows.sort(), expected.sort());
  const raw = lastColumn(shown('top', '-n', '100', '--no-demangle', 'mangled.wperf'));
  assert.deepEqual(raw, mangled);
});

const wrong = [
  [['top'], 'wasm-perf top: one profile is needed, not 0 arguments'],
  [['tree', 'a', 'b'], 'wasm-perf tree: one profile is needed, not 2 arguments'],
  [['callers', 'a'], 'wasm-perf callers: a function and a profile are needed, not 1 arguments'],
  [['callees', 'a', 'b', 'c'], 'wasm-perf callees: a function and a profile are needed, not 3'],
  [['top', '--depth', '3', 'a'], "wasm-perf top: unrecognized option '--depth'"],
  [['tree', '--sort', 'self', 'a'], "wasm-perf tree: unrecognized option '--sort'"],
  [['top', '--sort', 'name', 'a'], "wasm-perf top: --sort wants self, total or calls, not 'name'"],
  [['top', '--color', 'red', 'a'], "wasm-perf top: --color wants auto, always or never, not 'red'"],
  ...['', '0', '-1', 'x', '1x', '4294967296'].flatMap((value) => [
    [['top', '-n', value, 'a'], `wasm-perf top: --limit wants a positive number, not '${value}'`],
    [['tree', '--depth', value, 'a'], `wasm-perf tree: --depth wants a positive number, not '${value}'`],
  ]),
  [['top', '--width', '-1', 'a'], "wasm-perf top: --width wants a number, not '-1'"],
  ...['', '.', '1.', '.5', '-1', '101', '100.1', '1.00001', '1000', '1%%', '1e2', 'x'].map((value) => [
    ['tree', `--min-share=${value}`, 'a'],
    `wasm-perf tree: --min-share wants a percentage with up to 4 decimals, not '${value}'`,
  ]),
];

for (const [args, message] of wrong) {
  test(`wasm-perf ${args.join(' ')}`, () => {
    const { status, stdout, stderr } = perf(...args);
    assert.equal(stderr.slice(0, message.length), message);
    assert(stderr.endsWith(`\nTry 'wasm-perf ${args[0]} --help'.\n`), stderr);
    assert.deepEqual([status, stdout], [2, '']);
  });
}

test('help, and bad files', () => {
  for (const [command, ...func] of commands) {
    assert.match(shown(command, '--help'), new RegExp(`^Usage: wasm-perf ${command} .*--width`, 's'));
    assert.match(shown('--help'), new RegExp(`^  ${command} +\\w`, 'm'));
    const { status, stderr } = perf(command, ...func, 'missing.wperf');
    assert.equal(status, 1);
    assert.equal(stderr, 'wasm-perf: missing.wperf: No such file or directory\n');
  }
  for (const share of ['0', '0.0001', '100', '100.0000', '2%'])
    assert.equal(perf('tree', '--min-share', share, 'a.wperf').status, 0);
});

test('indices distinguish functions with the same name, and each can be chosen', () => {
  const twins = [7, 8].map((number) => ({ function: number, parent: 0, calls: 1, self: number }));
  writeFileSync(at('twins.wperf'), writeProfile(twins, [[7, 'twin'], [8, 'twin']]));
  assert.match(shown('top', 'twins.wperf'), / twin \(func 8\)\n.* twin \(func 7\)\n$/);
  const { status, stderr } = perf('callers', 'twin', 'twins.wperf');
  const told = "wasm-perf: twins.wperf: 'twin' matches 2 functions; give the whole name of one, in quotes:\n";
  assert.deepEqual([status, stderr], [1, `${told}  twin (func 7)\n  twin (func 8)\n`]);
  const callers = shown('callers', 'twin (func 7)', 'twins.wperf');
  assert.match(callers, / twin \(func 7\)$/m);
  assert.doesNotMatch(callers, /func 8/);
});
