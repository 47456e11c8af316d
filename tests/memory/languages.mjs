// Programs of several languages with memory profiles: what each of their functions holds or has made is what
// their sources say, without a word of ours about their allocators. Writes a flame graph of each.
//
//   node languages.mjs FOLDER [LANGUAGE...]
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { strip } from '../matching/module.mjs';
import { packageFile } from '../support/tools.mjs';
import * as compile from '../real/compile.mjs';
import { factsOf, stacksBy, wasmPerf } from './programs.mjs';

const [, , folder, ...chosen] = process.argv;
mkdirSync(folder, { recursive: true });
process.env.WASM_PERF_NODE ??= process.execPath;

/** What stacks through a function have of a value. */
function below(value, profile, name) {
  const isIt = (frame) => frame === name || frame.endsWith(`.${name}`) || frame.endsWith(`::${name}`) ||
    frame.endsWith(`/${name}`) || frame.startsWith(`${name}(`);
  const sums = Object.entries(stacksBy(value, profile)).filter(([stack]) => stack.split(';').some(isIt));
  return sums.reduce((sum, [, n]) => sum + n, 0);
}

const HEADER = 16; // of AssemblyScript's managed objects

/** {value: {function: number}} as the sources in ./programs have it; and whether its allocators are known without names. */
const expected = {
  rust: {
    knownByCode: true,
    compiler: compile.rust, source: 'keeps.rs', shown: 'live_bytes',
    values: {
      live_bytes: { keep: 1000 * 100 + 1000 * 4, spoil: 0 },
      live_objects: { keep: 1001, spoil: 0 },
      allocated_bytes: { spoil: 500 * 64 },
      temporary_objects: { spoil: 500 },
    },
  },
  'rust, #[global_allocator]': {
    knownByCode: true,
    compiler: compile.rust, source: 'keeps_global.rs', shown: 'allocated_bytes',
    values: {
      live_bytes: { keep: 1000 * 100 + 1000 * 4, spoil: 0 },
      allocated_bytes: { spoil: 500 * 64 },
    },
    innermost: ['keeps_global::keep', 'keeps_global::spoil'],
  },
  'c++': {
    knownByCode: true,
    compiler: compile.cxx, source: 'keeps.cc', shown: 'live_bytes',
    values: {
      live_bytes: { keep: 1000 * 100, spoil: 0, align: 10 * 128 },
      allocated_objects: { keep: 1000, spoil: 500, align: 10 },
      temporary_objects: { keep: 0, spoil: 500 },
    },
  },
  emscripten: {
    compiler: compile.cxxLegacy, source: 'keeps.cc', shown: 'live_bytes',
    values: {
      live_bytes: { keep: 1000 * 100, spoil: 0, align: 10 * 128 },
      allocated_objects: { keep: 1000, spoil: 500, align: 10 },
    },
  },
  emmalloc: {
    compiler: compile.cxxEmmalloc, source: 'keeps.cc', shown: 'live_bytes',
    values: {
      live_bytes: { keep: 1000 * 100, spoil: 0, align: 10 * 128 },
      allocated_objects: { keep: 1000, spoil: 500, align: 10 },
    },
  },
  go: {
    knownByCode: true,
    compiler: compile.go, source: 'keeps.go', shown: 'allocated_bytes',
    values: { allocated_bytes: { spoil: 250 * 64 + 250 * 65 }, allocated_objects: { spoil: 500 } },
    innermost: ['main.keep', 'main.spoil'], // and not what the compiler calls for them
  },
  assemblyscript: {
    compiler: compile.assemblyScript, source: 'keeps.ts', shown: 'live_bytes',
    values: {
      live_bytes: { keep: 1000 * (HEADER + 36), spoil: 0 },
      allocated_bytes: { keep: 1000 * (HEADER + 36), spoil: 500 * (HEADER + 12 + HEADER + 64) },
    },
  },
  moonbit: {
    compiler: compile.moonBit, source: 'keeps.mbt', shown: 'gc_bytes',
    values: { gc_objects: { _M0FP14main4keep: 2000, _M0FP14main5spoil: 1000, _M0FP14main6length: 0 } },
  },
};

/** The profile of a WASI command, and its flame graph. */
function record(name, wasm, shown) {
  const profile = join(folder, `${name}.wperf`);
  wasmPerf('record', '--memory', '-o', profile, wasm);
  wasmPerf('report', '--value', shown, profile, '-o', join(folder, `${name}.svg`));
  return profile;
}

function checkValues(profile, values) {
  for (const [value, functions] of Object.entries(values))
    for (const [name, n] of Object.entries(functions)) assert.equal(below(value, profile, name), n, `${value} of ${name}`);
}

/** What all stacks have of each value. */
const totals = (values, profile) =>
  Object.keys(values).map((value) => Object.values(stacksBy(value, profile)).reduce((sum, n) => sum + n, 0));

/** The same module without names has the same memory. It keeps its path, which a program copies. */
function checkStripped(name, wasm, profile, { shown, values }) {
  writeFileSync(wasm, strip(readFileSync(wasm)));
  assert.deepEqual(totals(values, record(`${name}.stripped`, wasm, shown)), totals(values, profile), 'stripped');
}

async function checkProgram(name, program) {
  const { compiler, source, shown, values, innermost = [], knownByCode } = program;
  const wasm = resolve(folder, `${name}.wasm`);
  await compiler(join('../../memory/programs', source), wasm);
  const profile = record(name, wasm, shown);
  checkValues(profile, values);
  if (knownByCode) checkStripped(name, wasm, profile, program);
  const stacks = Object.keys(stacksBy(shown, profile)).map((stack) => stack.split(';'));
  for (const own of innermost)
    assert.deepEqual(stacks.filter((stack) => stack.includes(own)).map((stack) => stack.at(-1)), [own]);
  assert.equal(factsOf(profile).unknown_free_count ?? 0, 0);
  const svg = readFileSync(join(folder, `${name}.svg`), 'utf8');
  assert.match(svg, /<title>\S*keep/);
}

/**
 * Interpreters, by what a script's own blocks make of a difference: {script file of tests/real, module,
 * bytes that are kept}.
 */
const interpreters = {
  ruby: { runner: 'keeps_ruby.mjs', module: '@ruby/3.4-wasm-wasi/dist/ruby.debug+stdlib.wasm' },
  python: { runner: 'keeps_python.mjs', module: 'pyodide/pyodide.asm.wasm' },
};

const KEPT = { count: 1000, size: 10_000 };

function checkInterpreter(name, { runner, module }) {
  const live = [0, KEPT.count].map((count) => {
    const profile = join(folder, `${name}-${count}.wperf`);
    const program = [join(import.meta.dirname, 'programs', runner), packageFile(module), count, KEPT.size].map(String);
    wasmPerf('record', '--memory', '-o', profile, '--', process.execPath, ...program);
    const sum = Object.values(stacksBy('live_bytes', profile)).reduce((all, n) => all + n, 0);
    assert.equal(factsOf(profile).lost_block_count ?? 0, 0);
    return sum;
  });
  wasmPerf('report', '--value', 'live_bytes', join(folder, `${name}-${KEPT.count}.wperf`), '-o', join(folder, `${name}.svg`));
  const bytes = live[1] - live[0];
  const wanted = KEPT.count * KEPT.size;
  assert(bytes >= wanted && bytes < 1.02 * wanted, `${bytes} bytes kept by a script that keeps ${wanted}`);
}

let failures = 0;
for (const [name, program] of Object.entries({ ...expected, ...interpreters })) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  try {
    if (program.runner) checkInterpreter(name, program);
    else await checkProgram(name, program);
    console.log(`ok    ${name}`);
  } catch (error) {
    const isMissing = error instanceof compile.Missing;
    if (!isMissing) failures++;
    console.log(`${isMissing ? 'skip' : 'FAIL'}  ${name}: ${error.message}`);
  }
}
process.exitCode = failures > 0 ? 1 : 0;
