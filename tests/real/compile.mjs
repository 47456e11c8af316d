// The compilers that the programs of the folder beside this file need. Each compiler is a function
// (source, output); where it is not to be had it throws Missing, which says what to install.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { packageFile } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { askMoonBit } from './moonbit.mjs';

export class Missing extends Error {}

const sourceFile = (name) => join(import.meta.dirname, 'programs', name);

function run(command, args, { missing, env } = {}) {
  const options = { encoding: 'utf8', env: { ...process.env, ...env } };
  const { error, status, stdout, stderr } = spawnSync(command, args, options);
  if (error?.code === 'ENOENT') throw new Missing(missing ?? `no ${command}`);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status}\n${stderr}`);
  return stdout;
}

/** In two steps: clang that optimises and links runs the wasm-opt that it finds, here but not there. */
function compileAndLink(compiler, source, output, options) {
  const target = '--target=wasm32-wasi';
  const object = `${output}.o`;
  run(compiler, [target, '-O1', ...options, '-c', sourceFile(source), '-o', object]);
  run(compiler, [target, object, '-o', output]);
}

export function c(source, output) {
  compileAndLink('clang', source, output, []);
}

/** Debian's C++ library for WASI cannot throw. */
export function cxx(source, output) {
  compileAndLink('clang++', source, output, ['-std=c++17', '-fno-exceptions']);
}

function emscripten(source, output, ...options) {
  run('em++', ['-std=c++17', '-O1', '--profiling-funcs', ...options, sourceFile(source), '-o', output], {
    missing: "no em++ (Debian's emscripten takes 840 MB, so it is not installed unasked)",
  });
}

/** Exceptions by the instructions of the first proposal: try, catch, rethrow. */
export function cxxLegacy(source, output) {
  emscripten(source, output, '-fwasm-exceptions', '-sSTANDALONE_WASM');
}

/** The same with Emscripten's own small allocator in place of dlmalloc. */
export function cxxEmmalloc(source, output) {
  emscripten(source, output, '-fwasm-exceptions', '-sSTANDALONE_WASM', '-sMALLOC=emmalloc');
}

/** Exceptions by try_table and exnref, into which Binaryen translates the former. */
export async function cxxExnref(source, output) {
  cxxLegacy(source, output);
  const { default: binaryen } = await import(packageFile('binaryen/index.js'));
  const { MutableGlobals, SignExt, BulkMemory, ReferenceTypes, Multivalue, ExceptionHandling } =
    binaryen.Features;
  const features =
    MutableGlobals | SignExt | BulkMemory | ReferenceTypes | Multivalue | ExceptionHandling;
  const module = binaryen.readBinary(readFileSync(output), features);
  module.runPasses(['translate-to-exnref']);
  writeFileSync(output, module.emitBinary());
}

/** Exceptions through JavaScript (invoke_*), which comes beside the module. */
export function cxxInvoke(source, output) {
  const glue = output.replace(/\.wasm$/, '.js');
  emscripten(source, glue, '-fexceptions', '-sMODULARIZE', '-sENVIRONMENT=node');
}

export function rust(source, output) {
  const target = ['--target', 'wasm32-wasip1'];
  const missing = 'no Rust for wasm32-wasip1 (rustup target add wasm32-wasip1)';
  const libraries = run('rustc', ['--print', 'target-libdir', ...target], { missing }).trim();
  if (!existsSync(libraries)) throw new Missing(missing);
  run('rustc', ['--edition=2021', '-O', '-Cstrip=debuginfo', ...target, sourceFile(source), '-o', output]);
}

export function go(source, output) {
  const options = ['-trimpath', '-ldflags=-w', '-o', output]; // without DWARF
  run('go', ['build', ...options, sourceFile(source)], { env: { GOOS: 'wasip1', GOARCH: 'wasm' } });
}

export function assemblyScript(source, output) {
  const compiler = packageFile('assemblyscript/bin/asc.js');
  const options = ['-O1', '--debug', '--use', 'abort=', '--exportRuntime'];
  run(process.execPath, [compiler, sourceFile(source), '-o', output, ...options]);
}

export async function moonBit(source, output) {
  const text = await askMoonBit(source, readFileSync(sourceFile(source), 'utf8'));
  // WASI asks for the memory by name, and the compiler in this form has no option for that.
  const exported = text.replace(/\(memory (\S+) /, '(memory $1 (export "memory") ');
  writeFileSync(output, await parse(`(module ${exported})`));
}
