// How often the lines of a program are executed, as --lines counts them, in Node and wasmtime: the
// same as gcov and llvm-cov count in the program compiled for this machine, and all instructions of
// a function are those of its lines.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { lacks, noWasmtime, pprofSources, shortened, temporaryFolder, tool } from '../support/tools.mjs';
import { sections } from './oracle.mjs';
import { programs } from './programs.mjs';

const folder = temporaryFolder();
const source = join(programs, 'counted.c');
const path = (name) => join(folder, name);

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', ...options });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? stderr}`);
  return stdout;
}


/** {file: {lines: Map of line to count, functions: Map of name to [line, count]}} of an lcov tracefile. */
function parseTrace(text) {
  const files = {};
  let file;
  for (const line of text.split('\n')) {
    const [, key, rest] = /^(\w+):?(.*)$/.exec(line) ?? [];
    const [first, second] = rest?.split(',') ?? [];
    if (key === 'SF') file = files[rest] = { lines: new Map(), functions: new Map() };
    else if (key === 'DA') file.lines.set(Number(first), Number(second));
    else if (key === 'FN') file.functions.set(second, [Number(first)]);
    else if (key === 'FNDA') file.functions.get(second).push(Number(first));
    else if (key === 'LF') assert.equal(file.lines.size, Number(rest));
    else if (key === 'LH') assert.equal([...file.lines.values()].filter((count) => count > 0).length, Number(rest));
  }
  return files;
}

/** Line to count, natively. */
const natively = {
  gcov() {
    mkdirSync(path('gcov'));
    const options = { cwd: path('gcov') };
    run('gcc', ['--coverage', '-O0', source, '-o', 'counted'], options);
    run('./counted', [], options);
    const data = readdirSync(path('gcov')).find((name) => name.endsWith('.gcda'));
    const lines = run('gcov', ['--stdout', data], options).matchAll(/^ *(\d+|#+)\*?: *(\d+):/gm);
    return new Map([...lines].map(([, count, line]) => [Number(line), count[0] === '#' ? 0 : Number(count)]));
  },
  'llvm-cov'() {
    mkdirSync(path('llvm'));
    const options = { cwd: path('llvm') };
    run(process.env.WI_CLANG, ['-fprofile-instr-generate', '-fcoverage-mapping', '-O0', source, '-o', 'counted'], options);
    run('./counted', [], options);
    run('llvm-profdata', ['merge', 'default.profraw', '-o', 'counted.profdata'], options);
    const text = run('llvm-cov', ['export', '--format=lcov', '--instr-profile=counted.profdata', 'counted'], options);
    return parseTrace(text)[source].lines;
  },
};

/** The profile of the program, counted in an engine. */
const engines = {
  node(module, output) {
    run(tool('wasm-perf'), ['record', '--engine=node', '--lines', '--clock=instructions', '-o', output, module]);
  },
  wasmtime(module, output) {
    run(tool('wasm-instrument'), ['--embed', '--lines', '--clock=instructions', module, '-o', `${module}.prof.wasm`]);
    run('wasmtime', ['run', '--dir=.', `--env=WASM_PERF_FILE=${output}`, `${module}.prof.wasm`]);
  },
};

const report = (profile, module, format) =>
  run(tool('wasm-perf'), ['report', `--format=${format}`, `--symbols=${module}`, profile]);

function compileFor(version, ...flags) {
  const module = `counted-${version}${flags.join('')}.wasm`;
  const clang = (...args) => run(process.env.WI_CLANG, ['--target=wasm32-wasi', ...args]);
  clang('-c', `-gdwarf-${version}`, ...flags, source, '-o', `${module}.o`);
  clang(`${module}.o`, '-o', module); // without flags, which would have a wasm-opt run
  return module;
}

for (const version of [4, 5])
  for (const engine of Object.keys(engines))
    test(`DWARF ${version}, ${engine}`, { skip: engine === 'wasmtime' && noWasmtime }, () => {
      const module = compileFor(version, '-O0');
      engines[engine](module, 'a.wperf');
      const { lines, functions } = parseTrace(report('a.wperf', module, 'lcov'))[source];
      assert.deepEqual(functions.get('recurse').slice(1), [5 + 4 + 3 + 2 + 1 + 5]);
      assert.deepEqual(functions.get('never').slice(1), [0]);
      let compared = 0;
      for (const [name, count] of Object.entries(natively)) {
        if (lacks(name === 'gcov' ? 'gcov' : 'llvm-cov')) continue;
        natively[name] = typeof count === 'function' ? count() : count;
        for (const [line, expected] of natively[name]) {
          if (!lines.has(line)) continue; // braces are no code here
          assert.equal(lines.get(line), expected, `line ${line}, ${name}`);
          compared++;
        }
      }
      assert(compared > 30, `only ${compared} lines compared`);
    });

/** Line to instructions of a function, its own ones; 0 is what has no line. */
const byLine = {
  annotate(module, profile, name) {
    const text = run(tool('wasm-perf'), ['annotate', `--symbols=${module}`, name, profile]);
    const [whole, ...lines] = text.split(/ line {2}source\n|^(?=.*\(no line\)$)/m);
    assert(lines.length > 0, whole);
    const rows = lines.join('').matchAll(/^ *([\d,]+) +[\d.]+ +(?:[\d,]+ +[\d.]+ +)?[\d,]+ +(?:[\d,]+ +)?(?:(\d+) {2}.*|\(no line\))$/gm);
    return new Map([...rows].map(([, instructions, line]) => [Number(line ?? 0), Number(instructions.replaceAll(',', ''))]));
  },
  callgrind(module, profile, name) {
    const text = report(profile, module, 'callgrind');
    const [, id] = new RegExp(`fn=\\((\\d+)\\) ${name}$`, 'm').exec(text); // a name stands where it comes first
    const [, own] = text.split(new RegExp(`^fn=\\(${id}\\).*$`, 'm'));
    const lines = new Map();
    for (const row of own.split(/^(?:cfn|cob|cfi|fn)=/m)[0].split('\n')) {
      const [, line, instructions] = /^(\d+) (\d+)$/.exec(row) ?? [];
      if (instructions > 0) lines.set(Number(line), Number(instructions));
    }
    return lines;
  },
  html(module, profile, name) {
    const [, packed] = /id="profile">([^<]*)</.exec(report(profile, module, 'html'));
    const data = gunzipSync(Buffer.from(packed, 'base64'));
    const { names, lines: { functions } } = JSON.parse(data.subarray(4, 4 + data.readUInt32LE()));
    const [, lines] = functions.find(([label]) => names[label] === name);
    return new Map(lines.map(([, line, instructions]) => [line, instructions]));
  },
};
if (!lacks('go'))
  byLine.pprof = (module, profile, name) => {
    writeFileSync(path('lines.pb.gz'), spawnSync(tool('wasm-perf'), ['report', '--format=pprof', `--symbols=${module}`, profile], { cwd: folder }).stdout);
    const rows = run('go', ['tool', 'pprof', '-raw', 'lines.pb.gz']);
    const [, samples, locations] = /^Samples:\n([^]*)^Locations\n([^]*?)^Mappings/m.exec(rows);
    const places = new Map([...locations.matchAll(/^ *(\d+): \S+ M=1 (\S+) .*?:(\d+)(?::\d+)? s=/gm)].map(([, id, of, line]) => [id, [of, Number(line)]]));
    const lines = new Map();
    for (const [, values, leaf] of samples.matchAll(/^([ \d]+): (\d+)/gm)) {
      const [of, line] = places.get(leaf);
      const value = Number(values.trim().split(/ +/).at(-1));
      if (of === name && value > 0) lines.set(line, (lines.get(line) ?? 0) + value);
    }
    return lines;
  };

test('the lines of a function have all of its instructions', () => {
  let unplaced = 0;
  for (const flags of [['-O0'], ['-O2', '-fno-inline']]) {
    const module = compileFor(5, ...flags);
    engines.node(module, 'b.wperf');
    const { functions } = JSON.parse(report('b.wperf', module, 'json'));
    let compared = 0;
    for (const { name, self, calls, file } of functions) {
      if (file !== shortened(source)) continue;
      const text = run(tool('wasm-perf'), ['annotate', `--symbols=${module}`, name, 'b.wperf']);
      const [, called, counted] = /: ([\d,]+) calls?, ([\d,]+) instructions?(?:; .*)?\n/.exec(text);
      assert.equal(Number(called.replaceAll(',', '')), calls);
      const sum = Number(counted.replaceAll(',', ''));
      assert.equal(sum, self, name);
      const wanted = [...byLine.annotate(module, 'b.wperf', name)].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
      assert.equal(wanted.reduce((all, [, count]) => all + count, 0), self, name);
      for (const [format, read] of Object.entries(byLine)) {
        const found = [...read(module, 'b.wperf', name)].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
        assert.deepEqual(found, wanted, `${format}: ${name}`);
      }
      unplaced += wanted[0]?.[0] === 0;
      compared++;
    }
    assert(compared >= 4);
  }
  assert(unplaced > 0, 'no function has instructions without a line');
});

/** [line, self, total] of each row of annotate that has both; line 0: not one of the source. */
function totalsOf(name, profile) {
  const text = run(tool('wasm-perf'), ['annotate', `--source=${programs}`, name, profile]);
  const rows = text.matchAll(/^ *([\d,]+)? +[\d.]* +([\d,]+) +[\d.]+ (?:.* (\d+) {2}.*|.*\(.*\))$/gm);
  const number = (digits) => Number((digits ?? '0').replaceAll(',', ''));
  return [...rows].map(([, self, total, line]) => [Number(line ?? 0), number(self), number(total)]);
}

test('the total of a line is what it and its calls cost', () => {
  const module = compileFor(5, '-O0');
  engines.node(module, 't.wperf');
  const { functions } = JSON.parse(report('t.wperf', module, 'json'));
  const find = (name) => functions.find((row) => row.name === name);
  const lineOf = (part) => readFileSync(source, 'utf8').split('\n').findIndex((line) => line.includes(part)) + 1;
  const main = totalsOf('__original_main', 't.wperf');
  assert.equal(main.reduce((sum, [, , total]) => sum + total, 0), find('__original_main').total);
  for (const [part, callee] of [['sum += collatz(i)', 'collatz'], ['sum += choose(i)', 'choose'], ['sum += recurse(rest)', 'recurse']]) {
    const [, self, total] = main.find(([line]) => line === lineOf(part));
    assert.equal(total, self + find(callee).total, part);
  }
  // Two lines call one function: 74 of its 149 calls are made at the first.
  const [first, second] = totalsOf('choose', 't.wperf').filter(([, self, total]) => total > self);
  const { total } = find('early');
  assert.deepEqual([first[2] - first[1], second[2] - second[1]], [Math.floor((total * 74) / 149), total - Math.floor((total * 74) / 149)]);
  // A recursive call counts once: all but what the outermost calls cost on other lines.
  const recurse = totalsOf('recurse', 't.wperf');
  const [, , inCalls] = recurse.find(([line]) => line === lineOf('recurse(levels - 1)'));
  assert(inCalls <= find('recurse').total && inCalls > find('recurse').total / 2, String(inCalls));
  for (const [line, self, whole] of recurse) if (line !== lineOf('recurse(levels - 1)')) assert.equal(whole, self);
});

test('pprof has the same totals of lines', { skip: lacks('go') }, () => {
  run(tool('wasm-perf'), ['report', 't.wperf', '-o', 't.pb.gz']);
  for (const [name, least] of [['__original_main', 8], ['choose', 5], ['recurse', 4]]) {
    const listed = run('go', ['tool', 'pprof', ...pprofSources, `-list=^${name}$`, 't.pb.gz']);
    const number = (text) => (text === '.' ? 0 : Number(text));
    const rows = [...listed.matchAll(/^ +([\d.]+) +([\d.]+) +(\d+):/gm)];
    const found = new Map(rows.map(([, self, total, line]) => [Number(line), [number(self), number(total)]]));
    const wanted = totalsOf(name, 't.wperf').filter(([line, self]) => line > 0 && self > 0);
    for (const [line, self, total] of wanted) assert.deepEqual(found.get(line), [self, total], `${name}, line ${line}`);
    assert(wanted.length >= least, `${name}: ${wanted.length}`);
  }
  // The calls are divided, too.
  const calls = run('go', ['tool', 'pprof', '-sample_index=calls', ...pprofSources, '-list=^choose$', 't.pb.gz']);
  for (const count of [74, 75]) assert.match(calls, new RegExp(`^ +\\. +${count} +\\d+: +result = early`, 'm'));
});

test('explain goes on with the lines of the hottest function, and its callers', () => {
  const next = ['wasm-perf annotate collatz t.wperf', 'wasm-perf callers collatz t.wperf'];
  const explain = (...args) => run(tool('wasm-perf'), ['explain', ...args, 't.wperf']);
  assert(explain().endsWith(`\nNext\n${next.join('\n')}\n`));
  assert(explain('--format=md').endsWith(`\n## Next\n\n\`\`\`sh\n${next.join('\n')}\n\`\`\`\n`));
  assert.deepEqual(JSON.parse(explain('--format=json')).next, next);
  assert.deepEqual(JSON.parse(explain('--format=json', '--value=calls')).next.map((command) => command.split(' ')[1]), ['callers']);
});

test('the source is shown with its counts', () => {
  const module = compileFor(4, '-O0');
  engines.node(module, 'c.wperf');
  const shown = run(tool('wasm-perf'), ['annotate', 'early', 'c.wperf']); // the module is beside it
  assert.match(shown, /^early: 149 calls, /);
  assert.match(shown, / 149 +\d+ {2}static int early\(int value\) \{\n/);
  assert.match(shown, / 75 +6 {6}return -1;\n/);
  // The source is cut where the width ends; a name of a file and the numbers never are.
  const rows = (text) => text.split('\n').slice(5, -1);
  const whole = rows(run(tool('wasm-perf'), ['annotate', 'main', 'c.wperf']));
  const cut = rows(run(tool('wasm-perf'), ['annotate', 'main', 'c.wperf', '--width=90']));
  assert(whole.some((row) => row.length > 90));
  assert.deepEqual(cut, whole.map((row) => row.slice(0, 90)));
  const elsewhere = run(tool('wasm-perf'), ['annotate', '--source', programs, 'early', 'c.wperf']);
  assert.equal(elsewhere, shown);
  assert.match(run(tool('wasm-perf'), ['annotate', '--source', folder, 'early', 'c.wperf']), /counted\.c \(not found/);
  // A module may name any file of its reader's; what is in a file may be shown to nobody else.
  run(tool('wasm-perf'), ['annotate', 'early', 'c.wperf', '-o', 'c.txt']);
  const kept = readFileSync(join(folder, 'c.txt'), 'utf8');
  assert.match(kept, /counted\.c \(not read: a file shows only sources in the folder of --source\)\n/);
  assert.doesNotMatch(kept, /return/);
  execFileSync('sh', ['-c', `'${tool('wasm-perf')}' annotate early c.wperf >c.out`], { cwd: folder });
  assert.equal(readFileSync(join(folder, 'c.out'), 'utf8'), kept);
  run(tool('wasm-perf'), ['annotate', '--source', programs, 'early', 'c.wperf', '-o', 'c.txt']);
  assert.equal(readFileSync(join(folder, 'c.txt'), 'utf8'), shown);
});

const target = 'wasm32-wasip1';
const hasRust = spawnSync('sh', ['-c', `test -d "$(rustc --print target-libdir --target ${target})"`]).status === 0;
test("Rust's source is shown with its counts", { skip: !hasRust && `no rustc with ${target}` }, () => {
  const code = join(programs, 'counted.rs');
  run('rustc', ['--edition=2021', `--target=${target}`, '-g', '-Cdebug-assertions=off', code, '-o', 'rust.wasm']);
  engines.node('rust.wasm', 'rust.wperf');
  // 6, 3, 10, 5, 16, 8, 4, 2, 1 and 7, 22, 11, 34, 17, 52, 26, 13, 40, 20, 10 and so on
  const expected = { 'while value != 1': 26, 'if value % 2': 24, 'value /= 2': 17, 'value = 3': 7, 'count += 1': 24 };
  const shown = run(tool('wasm-perf'), ['annotate', '*steps*', 'rust.wperf']);
  assert.match(shown, /^counted::steps[^\n]*: 2 calls, /);
  const trace = report('rust.wperf', 'rust.wasm', 'lcov');
  const { lines } = parseTrace(trace)[code];
  const text = readFileSync(code, 'utf8').split('\n');
  for (const [part, count] of Object.entries(expected)) {
    const number = text.findIndex((line) => line.includes(part)) + 1;
    assert.equal(lines.get(number), count, part);
    assert.match(shown, new RegExp(` ${count} +(\\d+ +)?${number} .*${part.replaceAll(/[*+%]/g, '.')}`));
  }
  checkPages('rust', trace, code, lines);
});

/** That genhtml finds the lines of that source; where it is installed. */
function checkPages(name, trace, path, lines) {
  if (lacks('genhtml')) return;
  const own = trace.split('end_of_record\n').find((part) => part.includes(`SF:${path}\n`));
  writeFileSync(join(folder, `${name}.info`), `${own}end_of_record\n`);
  const output = run('genhtml', [`${name}.info`, '-o', `${name}-pages`]);
  const hit = [...lines.values()].filter((count) => count > 0).length;
  assert.match(output, new RegExp(`lines\\.*: .*\\(${hit} of ${lines.size} lines\\)`));
}

test('callgrind_annotate shows the source', { skip: lacks('callgrind_annotate') }, () => {
  const module = compileFor(4, '-O0');
  engines.node(module, 'd.wperf');
  writeFileSync(path('d.callgrind'), report('d.wperf', module, 'callgrind'));
  const shown = run('callgrind_annotate', ['--threshold=100', '--show-percs=no', 'd.callgrind']);
  const { functions } = JSON.parse(report('d.wperf', module, 'json'));
  const self = functions.find(({ name }) => name === 'collatz').self;
  const text = readFileSync(source, 'utf8').split('\n');
  const [first, last] = ['collatz(long value)', 'return steps'].map((part) => text.findIndex((line) => line.includes(part)));
  let sum = 0;
  for (const line of text.slice(first, last + 1)) {
    const at = shown.split('\n').find((row) => row.endsWith(line) && line.trim().length > 3 && /^ *[\d,]+ /.test(row));
    sum += at ? Number(/[\d,]+/.exec(at)[0].replaceAll(',', '')) : 0;
  }
  assert.equal(sum, self);
  // A call is below its line, with its number and cost.
  const rows = shown.split('\n').map((row) => row.trim());
  const costs = totalsOf('choose', 'd.wperf').filter(([, own, total]) => total > own).map(([, own, total]) => total - own);
  for (const [i, line] of rows.entries())
    if (line.endsWith('result = early(value);') || line.endsWith('result = early(-value);'))
      assert.equal(rows[i + 1].replace(/=> .*:/, '=> '), `${costs.shift().toLocaleString('en')}  => early (${line.includes('-') ? 75 : 74}x)`);
  assert.equal(costs.length, 0);
});

test('genhtml reads what lcov gets', { skip: lacks('genhtml') }, () => {
  const module = compileFor(4, '-O0');
  engines.node(module, 'e.wperf');
  const trace = report('e.wperf', module, 'lcov');
  const { lines } = parseTrace(trace)[source];
  assert(lines.size > 30);
  checkPages('c', trace, source, lines);
});

test('without source, the instructions are shown with their counts', { skip: lacks('wasm-objdump') }, () => {
  const module = 'bare.wasm';
  run(process.env.WI_CLANG, ['--target=wasm32-wasi', '-c', '-O0', source, '-o', 'bare.o']);
  run(process.env.WI_CLANG, ['--target=wasm32-wasi', 'bare.o', '-o', module]);
  engines.node(module, 'bare.wperf');
  const { functions } = JSON.parse(report('bare.wperf', module, 'json'));
  const wanted = new Map(); // offset to instruction
  for (const [, offset, text] of run('wasm-objdump', ['-d', module]).matchAll(/^ (\w+): [0-9a-f ]+ \| +(.*)$/gm))
    wanted.set(offset, text.replace(/^(i(\d\d).const) (\d+)/, (_, name, bits, value) => `${name} ${BigInt.asIntN(Number(bits), BigInt(value))}`));
  let compared = 0;
  for (const { name, self, calls, total } of functions) {
    if (self === 0) continue; // of no instructions
    const text = run(tool('wasm-perf'), ['annotate', '--wasm', name, 'bare.wperf']);
    const rows = [...text.matchAll(/^ *((?:[\d,.]+ +)*)(\d+) {2}0x(\w+) +(.*)$/gm)];
    let sum = 0;
    for (const [, counts, , offset, instruction] of rows) {
      const other = wanted.get(offset);
      assert.equal(instruction.split(' ')[0], other.split(' ')[0], `${name}, ${offset}`);
      if (/^(local|i\d\d.const|br|call|global)/.test(other))
        assert.equal(instruction.split(' (;')[0], other.replace(/ <.*/, '').replace(/call_indirect (\d+) \(type (\d+)\)/, 'call_indirect (type $2)'));
      sum += Number((counts.trim().split(/ +/)[0] || '0').replaceAll(',', ''));
      compared++;
    }
    if (/^_start$|exit$/i.test(name)) continue; // never left
    assert.equal(sum, self, name);
    const inclusive = /; total with callees ([\d,]+)$/m.exec(text)?.[1].replaceAll(',', '');
    assert.equal(Number(inclusive ?? self), total, name);
    if (inclusive && name !== 'recurse') // whose lines share the cost of inner calls
      assert.equal(rows.reduce((all, [, counts]) => all + Number((counts.trim().split(/ +/)[2] ?? '0').replaceAll(',', '')), 0), total, name);
    const executed = / total +% +executed /.test(text) ? 4 : 2;
    assert.equal(rows[0][1].trim().split(/ +/)[executed], calls.toLocaleString('en'), name);
  }
  assert(compared > 300, `only ${compared}`);
  const withLines = compileFor(4, '-O0');
  engines.node(withLines, 'text.wperf');
  assert.match(run(tool('wasm-perf'), ['annotate', '--wasm', 'early', 'text.wperf']), /^WebAssembly of func\[\d+\]\n[^]* local\.get 0\n/m);
});

test('says that debug information is of other code, as wasm-opt without -g leaves it', () => {
  const bytes = readFileSync(path(compileFor(4, '-O0')));
  const debug = sections(bytes).map(({ name, end }, i, all) => name.startsWith('.debug_') ? bytes.subarray(all[i - 1].end, end) : '');
  const other = Buffer.from('0061736d0100000001040160000003020100070501016600000a0601828000000b', 'hex'); // (func (export "f")), not where any was
  writeFileSync(path('stale.wasm'), Buffer.concat([other, ...debug.filter(Boolean)]));
  const warns = (name) =>
    /: warning: debug information fits no function, as after wasm-opt without -g\./.test(
      spawnSync(tool('wasm-instrument'), ['--hints', name, '-o', 'y.wasm'], { cwd: folder, encoding: 'utf8' }).stderr);
  assert.deepEqual(['stale.wasm', compileFor(4, '-O0')].map(warns), [true, false]);
});

test('says what is missing', () => {
  const module = compileFor(4, '-O0');
  const annotate = (...args) => spawnSync(tool('wasm-perf'), ['annotate', ...args], { cwd: folder, encoding: 'utf8' });
  run(tool('wasm-perf'), ['record', '--engine=node', '--clock=instructions', '-o', 'f.wperf', module]);
  assert.match(annotate('early', 'f.wperf').stderr, /record it with --lines/);
  engines.node(module, 'g.wperf');
  run('mv', [module, 'hidden']);
  assert.match(annotate('early', 'g.wperf').stderr, new RegExp(`: its module, ${module}, is neither next to it nor in this folder: give the recorded file, or its folder, with --symbols\\n$`));
  mkdirSync(path('elsewhere'));
  run('mv', ['hidden', join('elsewhere', module)]);
  for (const symbols of ['elsewhere', join('elsewhere', module)])
    assert.match(annotate('--symbols', symbols, 'early', 'g.wperf').stdout, /^early: 149 calls, /);
  run('mv', [join('elsewhere', module), module]);
  run('mv', ['g.wperf', 'elsewhere']);
  assert.match(annotate('early', join('elsewhere', 'g.wperf')).stdout, /^early: 149 calls, /);
  writeFileSync(path(module), readFileSync(path(compileFor(4, '-O1'))));
  assert.match(annotate('early', join('elsewhere', 'g.wperf')).stderr, /nor in this folder/, 'another build is not taken');
  compileFor(4, '-O0');
  run(tool('wasm-perf'), ['record', '--engine=node', '--lines', '--exclude=early', '-o', 'h.wperf', module]);
  assert.match(annotate('choose', 'h.wperf').stdout, /^choose: /);
  const linked = spawnSync(tool('wasm-instrument'), ['--lines', module, '-o', 'x.wasm'], { cwd: folder, encoding: 'utf8' });
  assert.deepEqual([linked.status, /--embed/.test(linked.stderr)], [2, true]);
});
