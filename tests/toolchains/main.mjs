/**
 * Programs of several toolchains for JavaScript, each as it is and under `wasm-perf record -- node`: the
 * output has to be the same, and calls as many as the source makes.
 *
 *     main.mjs FOLDER [PROGRAM...]
 *
 * With WI_DEBIAN_SYSTEM, only those of Emscripten, built with the one of that system, see in_system.sh.
 *
 * They are built in FOLDER, whose node_modules has AssemblyScript. Compilers that are not there are told.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSideBySide } from '../support/side_by_side.mjs';

const [folder, ...wanted] = process.argv.slice(2);
cpSync(join(import.meta.dirname, 'programs'), folder, { recursive: true });

function run(command, args, env = {}) {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } };
  const { error, status, stdout, stderr } = spawnSync(command, args, options);
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

const system = process.env.WI_DEBIAN_SYSTEM;
const emxx = (...args) => (system ? run(join(import.meta.dirname, 'in_system.sh'), [system, 'em++', ...args]) : run('em++', args));

let version; // of Emscripten, once it was asked

/** The version of Emscripten as a number: 3.1.69 is 3169, 4.0.2 is 4002. */
function emscriptenVersion() {
  version ??= /\b(\d+)\.(\d+)\.(\d+)/.exec(emxx('--version'));
  const [, major, minor, patch] = version;
  return major * 1000 + minor * 100 + Number(patch);
}

/** Builds `output` with em++; returns the arguments that run it. */
function emscripten(source, output, ...options) {
  emxx('-O1', '-g2', ...options, source, '-o', output);
  const isOld = emscriptenVersion() < 3119; // current versions of Node do not run what it makes
  return [...(isOld ? ['-r', './node_for_emscripten.cjs'] : []), output];
}

/** A program that uses what wasm-bindgen makes for `target`; its version is the command's. */
function bindgen(target, file, code) {
  const [, version] = run('wasm-bindgen', ['--version']).split(' ');
  writeFileSync(join(folder, 'bindgen/Cargo.toml'), `[package]
name = "app"
version = "0.0.0"
edition = "2021"
[lib]
crate-type = ["cdylib"]
[dependencies]
wasm-bindgen = "=${version}"
[workspace]
`);
  run('cargo', ['build', '--quiet', '--release', '--target=wasm32-unknown-unknown', '--manifest-path=bindgen/Cargo.toml']);
  const output = `bindgen/${target}`;
  run('wasm-bindgen', ['--target', target, '--out-dir', output, 'bindgen/target/wasm32-unknown-unknown/release/app.wasm']);
  if (target !== 'nodejs') writeFileSync(join(folder, output, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, output, file), code);
  return ['--no-warnings', `${output}/${file}`];
}

const branches = { branch: 55, leaf: 45, main: 1 };
const throws = { catcher: 100, middle: 100, thrower: 100, after: 25, main: 1 };

const programs = {
  'em++': { build: () => emscripten('plain.cc', 'plain.js'), calls: branches },
  'em++ ES module': {
    build: () => {
      const args = emscripten('plain.cc', 'module.mjs', '-sMODULARIZE', '-sEXPORT_ES6');
      writeFileSync(join(folder, 'use_module.mjs'), `import create from './module.mjs';\nawait create({ locateFile: (name) => name });\n`);
      return [...args.slice(0, -1), 'use_module.mjs'];
    },
    calls: branches,
  },
  'em++ exceptions in JS': { build: () => emscripten('throws.cc', 'throws.js', '-fexceptions'), calls: throws },
  'em++ exceptions': { build: () => emscripten('throws.cc', 'throws_wasm.js', '-fwasm-exceptions'), calls: throws },
  'em++ Asyncify': {
    build: () => emscripten('sleeps.cc', 'sleeps.js', '-sASYNCIFY'),
    calls: { main: 1, rests: 5, work: 5 },
  },
  'em++ dlopen': {
    build: () => {
      emxx('-O1', '-g2', '-sSIDE_MODULE=1', 'side.cc', '-o', 'side.wasm');
      return emscripten('loads.cc', 'loads.js', '-sMAIN_MODULE=1');
    },
    calls: { host_side: 40, side_leaf: 40, side_twice: 20, main: 1 },
  },
  'em++ addFunction': {
    build: () => emscripten('shims.cc', 'shims.js', '-sALLOW_TABLE_GROWTH', '-sEXPORTED_RUNTIME_METHODS=addFunction'),
    calls: { main: 1, times: 200 },
  },
  'em++ JSPI': {
    since: 3161,
    build: () => emscripten('sleeps.cc', 'suspends.js', '-sJSPI'),
    calls: { main: 1, rests: 5, work: 5 },
  },
  'em++ pthreads': {
    build: () => emscripten('threads.cc', 'threads.js', '-pthread', '-sPTHREAD_POOL_SIZE=2', '-sEXIT_RUNTIME=1'),
    calls: { add: 300, adds: 3, main: 1 },
  },
  Go: {
    build: () => {
      run('go', ['build', '-o', 'go.wasm', 'calls.go'], { GOOS: 'js', GOARCH: 'wasm' });
      return [join(run('go', ['env', 'GOROOT']), 'lib/wasm/wasm_exec_node.js'), 'go.wasm'];
    },
    calls: { 'main.branch': 55, 'main.leaf': 45 },
  },
  'wasm-bindgen, Node': {
    build: () => bindgen('nodejs', 'use.cjs', `console.log(require('./app.js').run());\n`),
    calls: { branch: 55, leaf: 45 },
  },
  'wasm-bindgen, web': {
    build: () => bindgen('web', 'use.mjs', `import { readFileSync } from 'node:fs';
import { initSync, run } from './app.js';
initSync({ module: readFileSync(new URL('./app_bg.wasm', import.meta.url)) });
console.log(run());\n`),
    calls: { branch: 55, leaf: 45 },
  },
  // Node imports modules as bundlers do: `import * as wasm from './app_bg.wasm'`.
  'wasm-bindgen, bundler': {
    build: () => bindgen('bundler', 'use.mjs', `import { run } from './app.js';\nconsole.log(run());\n`),
    calls: { branch: 55, leaf: 45 },
  },
  AssemblyScript: {
    build: () => {
      const output = 'assemblyscript';
      mkdirSync(join(folder, output), { recursive: true });
      run(process.execPath, ['node_modules/assemblyscript/bin/asc.js', 'calls.ts', '-o', `${output}/calls.wasm`, '--bindings', 'esm', '--debug']);
      writeFileSync(join(folder, output, 'package.json'), '{"type": "module"}');
      writeFileSync(join(folder, output, 'use.js'), `import { run } from './calls.js';\nconsole.log(run());\n`);
      return [`${output}/use.js`];
    },
    calls: { 'calls/branch': 55, 'calls/leaf': 45, 'calls/run': 1 },
  },
};

function build([name, { since = 0, build, calls }]) {
  try {
    if (since > 0 && emscriptenVersion() < since) return null;
    return { name, args: build(), calls };
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    console.log(`${name}: skipped, there is no ${error.path}`);
    return null;
  }
}

const built = Object.entries(programs)
  .filter(([name]) => (wanted.length === 0 || wanted.includes(name)) && (!system || name.startsWith('em++')))
  .map(build)
  .filter(Boolean);
process.exitCode = built.length > 0 && runSideBySide(built, folder, ['--clock=none']) === 0 ? 0 : 1;
