// The programs: build() makes one in the folder and returns what `wasm-perf record` runs, or null where its
// compiler is missing.
import { spawnSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageFile } from '../support/tools.mjs';

const source = (name) => join(import.meta.dirname, 'programs', name);

/** Runs a compiler; false where there is none. */
export function compile(command, args, options = {}) {
  const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (error?.code === 'ENOENT') return false;
  if (error || status !== 0) throw error ?? new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return true;
}

/** Compiles and links apart: with options the linker would have a wasm-opt run, which drops names. */
export function clang(compiler, file, output, ...options) {
  const target = '--target=wasm32-wasi';
  compile(compiler, [target, '-O1', '-g', '-w', ...options, '-c', file, '-o', `${output}.o`]);
  return compile(compiler, [target, `${output}.o`, '-o', output]);
}

const module = (isThere, path) => (isThere ? { module: path } : null);

export const programs = {
  'C: clock, files, streams': (folder) => {
    const output = join(folder, 'probe.wasm');
    const probe = resolve(import.meta.dirname, '../cli_perf/programs/probe.c');
    return { ...module(clang('clang', probe, output), output), options: ['--dir=files'] };
  },
  'C++: maps, sorting': (folder) => {
    const output = join(folder, 'cc.wasm');
    return module(clang('clang++', source('maps.cc'), output, '-fno-exceptions'), output);
  },
  'Go: maps, goroutines, time': (folder) => {
    const output = join(folder, 'go.wasm');
    const env = { ...process.env, GOOS: 'wasip1', GOARCH: 'wasm' };
    return module(compile('go', ['build', '-o', output, source('maps.go')], { env }), output);
  },
  'Rust: maps, time': (folder) => {
    const output = join(folder, 'rust.wasm');
    return module(compile('rustc', ['--target=wasm32-wasip1', '-O', '-g', source('maps.rs'), '-o', output]), output);
  },
  'AssemblyScript: maps, random numbers': (folder) => {
    const compiler = packageFile('assemblyscript/bin/asc.js');
    copyFileSync(source('maps.ts'), join(folder, 'maps.ts'));
    const args = [compiler, join(folder, 'maps.ts'), '--outFile', join(folder, 'maps.wasm'), '--bindings', 'esm', '--optimize', '--debug'];
    compile(process.execPath, args, { cwd: folder });
    writeFileSync(join(folder, 'maps.mjs'), `import { run } from './maps.js';\nconsole.log(run(2000));\n`);
    return { script: join(folder, 'maps.mjs') };
  },
  'npm sql.js: random keys': (folder) => {
    copyFileSync(source('sql.cjs'), join(folder, 'sql.cjs'));
    return { script: join(folder, 'sql.cjs') };
  },
};
