// Compilers of the programs beside this file: what each takes for a variant of a build.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import { packageFile } from '../support/tools.mjs';

export class Missing extends Error {}

export function run(command, args, options = {}) {
  const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...options, env: { ...process.env, ...options.env } });
  if (error?.code === 'ENOENT') throw new Missing(`no ${command}`);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status}\n${stderr?.slice(0, 2000)}`);
  return stdout;
}

const clangOptions = {
  base: ['-O2'],
  os: ['-Os'],
  inline: ['-O2', '-mllvm', '-inline-threshold=25'],
  lto: ['-O2', '-flto'],
  lines: ['-O2', '-g'],
};

/** What engines of today know: with all features Binaryen writes compact imports, which V8 refuses. */
const FEATURES = ['mutable-globals', 'sign-ext', 'nontrapping-float-to-int', 'bulk-memory', 'multivalue', 'reference-types',
  'simd', 'exception-handling'].map((feature) => `--enable-${feature}`);

/** In two steps: clang that optimises and links runs the wasm-opt that it finds. */
export function clang(compiler, sources, options, variant, output) {
  const folder = `${output}.objects`;
  mkdirSync(folder, { recursive: true });
  const level = clangOptions[variant] ?? clangOptions.base;
  const objects = sources.map((source) => {
    const object = join(folder, `${basename(source)}.o`);
    run(compiler, ['--target=wasm32-wasi', ...level, '-w', ...options.filter((option) => !option.startsWith('-Wl,')), '-c', source, '-o', object]);
    return object;
  });
  run(compiler, ['--target=wasm32-wasi', ...(variant === 'lto' ? ['-flto'] : []), ...objects, ...options.filter((option) => /^-(l|Wl,)/.test(option)), '-o', output]);
  rmSync(folder, { recursive: true });
}

const rustOptions = {
  base: ['-Copt-level=2'],
  os: ['-Copt-level=s'],
  inline: ['-Copt-level=2', '-Cllvm-args=-inline-threshold=25'],
  lto: ['-Copt-level=2', '-Clto=fat'],
};

/** Debian's compiler, which has a standard library for WASI; `crates` in order: {name, folder, features}. */
export function rust(source, crates, variant, output) {
  const compiler = '/usr/bin/rustc';
  if (!existsSync(compiler)) throw new Missing("no Rust for WASI (Debian's rustc and libstd-rust-dev-wasm32)");
  const folder = `${output}.crates`;
  mkdirSync(folder, { recursive: true });
  const options = rustOptions[variant] ?? rustOptions.base;
  const extern = (name) => ['--extern', `${name}=${join(folder, `lib${name}.rlib`)}`];
  const common = ['--target', 'wasm32-wasi', '-Cpanic=abort', '--cap-lints=allow', '-L', folder];
  for (const { name, folder: at, edition = '2018', features = [] } of crates) {
    const cfg = features.flatMap((feature) => ['--cfg', `feature="${feature}"`]);
    const links = crates.filter((each) => existsSync(join(folder, `lib${each.name}.rlib`))).flatMap((each) => extern(each.name));
    const own = options.filter((option) => !option.startsWith('-Clto'));
    run(compiler, [...common, ...own, ...cfg, ...links, '--crate-name', name, '--crate-type=rlib', `--edition=${edition}`, join(at, 'src/lib.rs'), '--out-dir', folder]);
  }
  const links = crates.flatMap(({ name }) => extern(name));
  run(compiler, [...common, ...options, ...links, '--edition=2021', source, '-o', output]);
  rmSync(folder, { recursive: true });
}

/** `toolchain`: a version that Go fetches, or undefined for the one at hand. */
export function go(source, variant, toolchain, output) {
  const flags = variant === 'inline' ? ['-gcflags=all=-l'] : [];
  const env = { GOOS: 'wasip1', GOARCH: 'wasm', ...(toolchain && { GOTOOLCHAIN: toolchain }) };
  run('go', ['build', '-trimpath', '-ldflags=-w', ...flags, '-o', output, source], { env });
}

const zigModes = { os: 'ReleaseSmall', inline: 'ReleaseSafe' };

/** `packages`: the folder that has the Python package ziglang. */
export function zig(source, variant, packages, output) {
  const mode = zigModes[variant] ?? 'ReleaseFast';
  const cache = `${output}.cache`;
  run('python3', ['-m', 'ziglang', 'build-exe', source, '-target', 'wasm32-wasi', `-O${mode}`, '-fno-strip',
    `-femit-bin=${output}`, '--cache-dir', cache], { env: { PYTHONPATH: packages } });
  rmSync(cache, { recursive: true, force: true });
}

const ascOptions = {
  base: ['--optimizeLevel', '2', '--shrinkLevel', '0'],
  os: ['--optimizeLevel', '2', '--shrinkLevel', '1'],
  inline: ['--optimizeLevel', '1', '--shrinkLevel', '0'],
  lto: ['--optimizeLevel', '2', '--shrinkLevel', '0', '--converge'],
};

export function assemblyScript(source, variant, folder, output) {
  run(process.execPath, [join(folder, 'bin/asc.js'), source, '-o', output, '--debug', ...(ascOptions[variant] ?? ascOptions.base)]);
}

/** What npm's Binaryen makes of a module, its names kept. */
export function wasmOpt(input, output, level = '-O3') {
  run(process.execPath, [packageFile('binaryen/bin/wasm-opt'), ...FEATURES, level, '-g', input, '-o', output]);
}
