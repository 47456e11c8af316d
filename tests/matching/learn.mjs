/**
 * Makes src/symbols/libraries.names, by which functions of libraries are known: builds of the programs in libraries
 * by the compilers at hand, and modules of npm packages that have names.
 *
 *     learn.mjs CACHE PACKAGES OUTPUT
 *
 * A function is a library's where two of the programs have it. None of the programs that prove matching.mjs or
 * learned.mjs is among them.
 */
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';

import { tool } from '../support/tools.mjs';
import { clang, run, wasmOpt } from './compilers.mjs';
import { crate } from './sources.mjs';
import { learned } from './packages.mjs';

const [cache, packages, output] = process.argv.slice(2);
const folder = join(cache, 'libraries');
const source = (name) => join(import.meta.dirname, 'libraries', name);
const modules = [];
mkdirSync(folder, { recursive: true });

/** Builds NAME.wasm once; what a compiler cannot make is told of. */
function build(name, make) {
  const file = join(folder, `${name}.wasm`), part = join(folder, `${name}.part.wasm`);
  try {
    if (!existsSync(file)) {
      make(part);
      renameSync(part, file);
    }
    modules.push(file);
    return file;
  } catch (error) {
    console.error(`${name}: left out, ${error.message.slice(0, 400)}`);
    return undefined;
  }
}

/** The module as it is, and as optimisers leave it. */
function buildOptimised(name, make) {
  const file = build(name, make);
  for (const level of file ? ['-O3', '-Os'] : []) build(`${name}${level}`, (part) => wasmOpt(file, part, level));
}

const programs = ['words', 'table'];
const whole = (libraries) => ['-Wl,--whole-archive', ...libraries.map((each) => `-l${each}`), '-Wl,--no-whole-archive', '-Wl,--no-gc-sections', '-Wl,--export-all'];

/** C and C++: as a program takes them, and all of the libraries. */
function learnWasi() {
  const options = ['-fno-exceptions', '-std=c++17', '-lc++', '-lc++abi'];
  for (const program of programs) {
    buildOptimised(`wasi-${program}`, (part) => clang('clang++', [source(`${program}.cc`)], options, 'base', part));
    build(`wasi-whole-${program}`, (part) => clang('clang++', [source(`${program}.cc`)], [...options.slice(0, 2), ...whole(['c', 'c++']), '-Wl,--allow-undefined'], 'base', part));
  }
}

const LEVELS = ['-O2', '-O3', '-Os', '-Oz'];

function emcc(program, options, part) {
  const env = { NODE_PATH: join(packages, 'node_modules') }; // Emscripten's own scripts look there for acorn
  const script = part.replace(/wasm$/, 'js');
  run('emcc', ['-w', '--profiling-funcs', '-std=c++17', '-sERROR_ON_UNDEFINED_SYMBOLS=0', source(`${program}.cc`), ...options, '-o', script], { env });
}

function learnEmscripten() {
  for (const program of programs)
    for (const level of LEVELS) {
      build(`emscripten-${program}${level}`, (part) => emcc(program, [level], part));
      build(`emscripten-whole-${program}${level}`, (part) => emcc(program, [level, ...whole(['c', 'c++', 'c++abi'])], part));
      build(`emscripten-small-${program}${level}`, (part) => emcc(program, [level, '-sMALLOC=emmalloc', '-sFILESYSTEM=0'], part));
    }
}

function learnRust() {
  for (const program of programs)
    for (const [target, ...options] of [['unknown-unknown', '3'], ['unknown-unknown', 's'], ['unknown-unknown', '3', '-Clto=fat'], ['unknown-unknown', 's', '-Clto=fat'], ['wasip1', '3']]) {
      const [level, ...more] = options;
      const args = [`--target=wasm32-${target}`, '--edition=2021', '-Cpanic=abort', `-Copt-level=${level}`, ...more, source(`${program}.rs`)];
      buildOptimised(`rust-${target}-${program}-${options.join('').replace(/-C|=/g, '')}`, (part) => run('rustc', [...args, '-o', part]));
    }
}

function learnAssemblyScript() {
  const asc = join(packages, 'node_modules/assemblyscript/bin/asc.js');
  if (!existsSync(asc)) return;
  for (const program of programs)
    for (const [optimize, shrink] of [[0, 0], [2, 0], [3, 1], [2, 2]])
      for (const runtime of ['incremental', 'minimal'])
        build(`assemblyscript-${program}-${optimize}${shrink}-${runtime}`, (part) =>
          run(process.execPath, [asc, source(`${program}.ts`), '-o', part, '--debug', '--optimizeLevel', optimize, '--shrinkLevel', shrink, '--runtime', runtime]));
}

/** All of zlib, as each of the two compilers of C leaves it. */
function learnZlib() {
  const folder = join(crate(cache, 'libz-sys', '1.1.20'), 'src/zlib');
  const files = readdirSync(folder).filter((name) => /^(?!gz|example|minigzip).*\.c$/.test(name)).map((name) => join(folder, name));
  const options = ['-I', folder, '-Wl,--no-gc-sections', '-Wl,--export-all'];
  const env = { NODE_PATH: join(packages, 'node_modules') };
  for (const program of ['main', 'other'])
    for (const [variant, level] of [['base', '-O2'], ['os', '-Os']]) {
      buildOptimised(`zlib-wasi-${program}-${variant}`, (part) => clang('clang', [source(`${program}.c`), ...files], options, variant, part));
      build(`zlib-emscripten-${program}${level}`, (part) =>
        run('emcc', [level, '-w', source(`${program}.c`), ...files, ...options, '--profiling-funcs', '-o', part.replace(/wasm$/, 'js')], { env }));
    }
}

learnWasi();
learnRust();
learnAssemblyScript();
learnZlib();
learnEmscripten();
for (const file of learned) modules.push(join(packages, 'node_modules', file));
run(tool('wasm-perf'), ['symbols', 'learn', '-o', output, ...modules.filter((file) => existsSync(file))]);
console.error(`${modules.length} modules: ${[...new Set(modules.map((file) => basename(file).split('-')[0]))].join(', ')}`);
