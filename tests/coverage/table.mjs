// Coverage of C programs, as --coverage counts it in WebAssembly and as clang's instrumentation and gcov count it in
// the same program compiled for this machine:
//
//   node table.mjs CACHE
//
// Prints for each program and level of optimisation how many lines both know, on how many they disagree whether the
// line was executed, and on how many about how often; the same for the ways of branches, on lines on which both have as
// many. `off` are lines with other numbers of ways: the compiler for WebAssembly made other branches. Fails if more than
// 2 % of the lines disagree about being executed or, at -O0, of the lines with branches about the ways taken.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { crate } from '../matching/sources.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';

const [cache] = process.argv.slice(2);
const root = join(import.meta.dirname, '../..');
const folder = temporaryFolder();
const clang = process.env.WI_CLANG ?? 'clang';

function run(command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const own = (path) => ({ name: path.replace(/.*\//, ''), files: [join(root, path)] });

function bzip2() {
  const code = join(crate(cache, 'bzip2-sys', '0.1.11+1.0.8'), 'bzip2-1.0.8');
  const files = ['blocksort', 'huffman', 'crctable', 'randtable', 'compress', 'decompress', 'bzlib'].map((name) => join(code, `${name}.c`));
  return { name: 'bzip2 1.0.8', files: [...files, join(root, 'tests/matching/programs/bzip2.c')], options: ['-I', code, '-DBZ_NO_STDIO'] };
}

function lua() {
  const code = join(crate(cache, 'lua-src', '547.0.0'), 'lua-5.4.7');
  const files = readdirSync(code).filter((name) => /^(?!luac?\.c$).*\.c$/.test(name)).map((name) => join(code, name));
  const options = ['-I', code, '-DLUAI_THROW(L,c)=__builtin_trap()', '-DLUAI_TRY(L,c,a)=a', '-Dluai_jmpbuf=int', '-Dl_system(cmd)=0',
    '-Dluai_makeseed(L)=1', '-DLUA_TMPNAMBUFSIZE=32', '-Dlua_tmpnam(b,e)=(e=1)'];
  const forWasm = ['-I', join(root, 'tests/matching/programs/include'), '-D_WASI_EMULATED_SIGNAL', '-D_WASI_EMULATED_PROCESS_CLOCKS'];
  return { name: 'lua 5.4.7', files: [...files, join(root, 'tests/matching/programs/lua.c')], options, forWasm, native: ['-lm'],
    libraries: ['-lwasi-emulated-signal', '-lwasi-emulated-process-clocks'] };
}

const programs = [...['debug/programs/counted.c', 'debug/programs/branches.c', 'debug/programs/inlined.c', 'real/programs/sort.c',
  'bench/programs/words.c'].map((name) => own(`tests/${name}`)), bzip2(), lua()];

/** {FILE:LINE: {count, ways}} of a program, compiled for this machine. */
function natively({ name, files, options = [], native = [] }) {
  const place = join(folder, `${name}-native`);
  const lines = new Map();
  mkdirSync(place);
  run(clang, ['--coverage', '-O0', '-w', ...options, ...files, '-o', 'program', ...native], place);
  spawnSync('./program', [], { cwd: place });
  for (const data of readdirSync(place).filter((file) => file.endsWith('.gcda'))) {
    let file, line;
    for (const row of run('llvm-cov', ['gcov', '-b', '-c', '-t', data], place).split('\n')) {
      const source = /^ +-: +0:Source:(.*)$/.exec(row);
      const counted = /^ *(#+|=+|\d+)\*?: *(\d+):/.exec(row);
      const branch = /^branch +\d+ (?:taken (\d+)|never executed)/.exec(row);
      if (source) file = source[1];
      else if (counted) {
        line = `${file}:${counted[2]}`;
        const before = lines.get(line) ?? { count: 0, ways: [] };
        before.count += Number(/\d/.test(counted[1]) ? counted[1] : 0);
        lines.set(line, before);
      } else if (branch) lines.get(line)?.ways.push(Number(branch[1] ?? 0));
    }
  }
  return lines;
}

/** The same of the WebAssembly. */
function asWasm({ name, files, options = [], forWasm = [], libraries = [] }, level) {
  const place = join(folder, `${name}${level}`);
  const lines = new Map();
  mkdirSync(place);
  run(clang, ['--target=wasm32-wasi', '-c', '-g', '-w', level, ...options, ...forWasm, ...files], place);
  const objects = readdirSync(place).filter((file) => file.endsWith('.o'));
  run(clang, ['--target=wasm32-wasi', ...objects, ...libraries, '-o', 'program.wasm'], place);
  spawnSync(tool('wasm-perf'), ['record', '--engine=node', '--coverage', '-o', 'coverage.info', '--coverage-of=*', 'program.wasm'], { cwd: place });
  let file;
  for (const row of run('cat', ['coverage.info'], place).split('\n')) {
    const [, key, rest] = /^(\w+):(.*)$/.exec(row) ?? [];
    const [first, ...others] = rest?.split(',') ?? [];
    const line = `${file}:${first}`;
    if (key === 'SF') file = rest;
    else if (key === 'BRDA') {
      if (!lines.has(line)) lines.set(line, { count: 0, ways: [] });
      lines.get(line).ways.push(Number(others[2] === '-' ? 0 : others[2]));
    } else if (key === 'DA') lines.set(line, { ways: lines.get(line)?.ways ?? [], count: Number(others[0]) });
  }
  return lines;
}

const byNumber = (a, b) => a - b;
function compare(expected, found) {
  const sums = { lines: 0, executed: 0, counts: 0, branches: 0, reached: 0, ways: 0, off: 0 };
  const differs = [];
  for (const [line, { count, ways }] of found) {
    const other = expected.get(line);
    if (!other) continue;
    sums.lines++;
    if (count > 0 !== other.count > 0) differs.push(`${line}: ${count}, natively ${other.count}`);
    sums.counts += count !== other.count;
    if (ways.length === 0 && other.ways.length === 0) continue;
    if (ways.length !== other.ways.length) sums.off++;
    else {
      const [a, b] = [ways, other.ways].map((counts) => [...counts].sort(byNumber));
      sums.branches++;
      sums.reached += a.some((number, i) => number > 0 !== b[i] > 0);
      sums.ways += a.some((number, i) => number !== b[i]);
    }
  }
  sums.executed = differs.length;
  return { sums, differs };
}

console.log('| program | level | lines | executed differs | count differs | lines with branches | taken differs | count differs | off |');
console.log('|---|---|---|---|---|---|---|---|---|');
let failed = false;
for (const program of programs) {
  const expected = natively(program);
  for (const level of ['-O0', '-O1']) {
    const { sums, differs } = compare(expected, asWasm(program, level));
    console.log(`| ${program.name} | ${level} | ${Object.values({ ...sums }).join(' | ')} |`);
    if (process.env.WI_VERBOSE) console.log(differs.join('\n'));
    failed ||= sums.lines === 0 || sums.executed > sums.lines / 50;
    failed ||= level === '-O0' && sums.reached > sums.branches / 50;
  }
}
process.exitCode = failed ? 1 : 0;
