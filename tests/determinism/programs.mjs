// The programs. build(folder) makes one there and returns what `wasm-perf record` runs: a module with dir, env and
// args as in wasm-perf.toml, or a script of JavaScript. Without their compiler it throws Missing. A second build compiles
// again: nothing of the first one is used.
//   language   of the source
//   real       a library or program of others, by the package that brings it
//   isHeavy    takes seconds to run or minutes to build: not in the share
//   isFinished its modules come from npm as they are: there is nothing to build again
//   byFolder   why it counts differently in another folder
//   differs    why its runs cannot be the same; then `first` is the function in which they differ first
//   change     of its source, so that a function does more in that line: [file, part of the line, replacement, function].
//              Other modules get an instruction more where their linker left room, those of scripts by plant.mjs
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Missing, run } from '../matching/compilers.mjs';
import { programs as matched } from '../matching/programs.mjs';
import { packageFile } from '../support/tools.mjs';

const cache = join(process.env.WI_CACHE, 'determinism');
const source = (name) => join(import.meta.dirname, 'programs', name);

/** The path of that source, of a changed copy in the folder if the change is to it. */
function changed(name, folder, change) {
  if (change?.[0] !== name) return source(name);
  const [, from, to] = change;
  const text = readFileSync(source(name), 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${name} has '${from}' not once`);
  const copy = join(folder, basename(name));
  writeFileSync(copy, text.replace(from, to));
  return copy;
}
const wasi = '--target=wasm32-wasi';

/** Compiles and links apart: with options the linker would have a wasm-opt run, which drops names. */
function clang(compiler, file, output, ...options) {
  run(compiler, [wasi, '-O1', '-g', '-w', ...options, '-c', file, '-o', `${output}.o`]);
  run(compiler, [wasi, `${output}.o`, '-o', output]);
  return { module: output };
}

function go(file, output, { isAgain }, env = { GOOS: 'wasip1', GOARCH: 'wasm' }) {
  run('go', ['build', ...(isAgain ? ['-a'] : []), '-o', output, file], { env });
  return { module: output };
}

function cargo(name, output, dependencies, { isAgain }) {
  const crate = join(cache, 'crates', name);
  if (isAgain) rmSync(join(crate, 'target'), { recursive: true });
  mkdirSync(join(crate, 'src'), { recursive: true });
  writeFileSync(join(crate, 'Cargo.toml'), `[package]\nname = "${name}"\nversion = "0.0.0"\nedition = "2021"\n
[profile.release]\ndebug = true\n\n[dependencies]\n${dependencies}\n[workspace]\n`);
  copyFileSync(source(`${name}.rs`), join(crate, 'src/main.rs'));
  run('cargo', ['build', '--quiet', '--release', '--target=wasm32-wasip1', `--manifest-path=${crate}/Cargo.toml`]);
  copyFileSync(join(crate, `target/wasm32-wasip1/release/${name}.wasm`), output);
  return { module: output };
}

/** A folder's script, which uses what asc makes of NAME.ts. */
function assemblyScript(name, folder, change) {
  const from = changed(`${name}.ts`, folder, change);
  if (!change) copyFileSync(from, join(folder, `${name}.ts`));
  run(process.execPath, [packageFile('assemblyscript/bin/asc.js'), join(folder, `${name}.ts`), '--outFile', join(folder, `${name}.wasm`),
    '--bindings', 'esm', '--optimize', '--debug'], { cwd: folder });
  writeFileSync(join(folder, `${name}.mjs`), `import { run } from './${name}.js';\nconsole.log(run(2000));\n`);
  return { script: [join(folder, `${name}.mjs`)] };
}

function copied(path, to) {
  cpSync(path, to);
  return { script: [to] };
}

/** A library that `scripts/matching.sh` builds, too; with lines. It is kept for later runs. */
function real(language, name, more) {
  const { build } = matched.find((each) => each.name === name);
  const kept = join(cache, `${name}.wasm`);
  return {
    language, real: true, isHeavy: true, ...more,
    build(folder, { isAgain } = {}) {
      mkdirSync(cache, { recursive: true });
      if (isAgain || !existsSync(kept)) build(join(process.env.WI_CACHE, 'matching'), 'lines', kept);
      cpSync(kept, join(folder, `${name}.wasm`));
      return { module: join(folder, `${name}.wasm`) };
    },
  };
}

/** One of the programs of scripts/packages.sh. */
const npm = (name, packageName = name, more = {}) => ({
  name: `${packageName}, from npm`, language: 'npm', real: true, isFinished: true, ...more,
  build: (folder) => copied(resolve(import.meta.dirname, `../packages/programs/${name}.mjs`), join(folder, `${name}.mjs`)),
});

/** A program of differs.mjs. */
const differing = (way, differs, first) => ({
  name: `${way} (differs.mjs)`, language: 'JavaScript', differs, first,
  build(folder) {
    for (const each of ['hash', 'race'])
      run('wat2wasm', ['--enable-threads', '--debug-names', source(`${each}.wat`), '-o', join(folder, `${each}.wasm`)]);
    const { script } = copied(source('differs.mjs'), join(folder, 'differs.mjs'));
    return { script: [...script, way] };
  },
});

const report = '../../matching/programs/report.go';
const goChange = ['maps.go', 'sum*31', '(sum^sum>>7)*31', 'main.main'];

const own = (name, language, build, more = {}) => ({ name, language, build, ...more });
const output = (name) => (folder) => join(folder, `${name}.wasm`);

export const programs = [
  own('probe: clock, files, streams', 'C', (folder) => ({
    ...clang('clang', resolve(import.meta.dirname, '../cli_perf/programs/probe.c'), output('probe')(folder)), dir: ['files'],
  })),
  real('C', 'lua', { name: 'Lua 5.4, from crates.io' }),
  real('C', 'sqlite', { name: 'SQLite, from crates.io' }),
  real('C', 'zstd', { name: 'Zstandard, from crates.io' }),
  real('C', 'bzip2', { name: 'bzip2, from crates.io' }),
  real('C', 'webp', { name: 'libwebp, from crates.io' }),
  own('maps.cc: maps, sorting', 'C++', (folder) => clang('clang++', source('maps.cc'), output('maps')(folder), '-fno-exceptions')),
  real('C++', 'ada', { name: 'Ada, from crates.io' }),
  real('C++', 'meshopt', { name: 'meshoptimizer, from crates.io' }),
  real('C++', 'imgui', { name: 'Dear ImGui, from crates.io' }),
  own('maps.cc by Emscripten', 'C++', (folder) => {
    run('em++', ['-O1', '-g2', source('maps.cc'), '-o', join(folder, 'emscripten.js')]);
    cpSync(resolve(import.meta.dirname, '../toolchains/programs/node_for_emscripten.cjs'), join(folder, 'emscripten.cjs'));
    return { script: ['-r', join(folder, 'emscripten.cjs'), join(folder, 'emscripten.js')] };
  }, { isHeavy: true }),
  own('maps.rs: maps, time', 'Rust', (folder) => {
    run('rustc', ['--target=wasm32-wasip1', '-O', '-g', source('maps.rs'), '-o', output('maps_rs')(folder)]);
    return { module: output('maps_rs')(folder) };
  }),
  own('folders.rs: files, variables', 'Rust', (folder) => {
    run('rustc', ['--target=wasm32-wasip1', '-O', '-g', source('folders.rs'), '-o', output('folders')(folder)]);
    return { module: output('folders')(folder), dir: ['files'], env: ['NAME=value'], args: ['one', 'two words'] };
  }),
  own('rand, regex, serde_json, from crates.io', 'Rust', (folder, more = {}) =>
    cargo('crates', output('crates')(folder), 'rand = "=0.8.5"\nregex = "=1.11.1"\nserde_json = "=1.0.140"', more), { real: true, isHeavy: true }),
  own('maps.go: maps, goroutines, time', 'Go', (folder, more = {}) => go(changed('maps.go', folder, more.change), output('maps_go')(folder), more),
    { change: goChange, isHeavy: true }),
  own('files.go: files, random order', 'Go', (folder, more = {}) => ({
    ...go(changed('files.go', folder, more.change), output('files')(folder), more), dir: ['files::/files'], env: ['NAME=value'], args: ['one'],
  }), { change: ['files.go', 'size*3', '(size^size>>40)*3', 'main.main'], isHeavy: true }),
  own('report: templates, JSON, patterns', 'Go', (folder, more = {}) => go(changed(report, folder, more.change), output('report')(folder), more),
    { change: [report, 'return back[i].Name', 'return back[i].Size >= 0 && back[i].Name', 'main.main.func1'], isHeavy: true }),
  own('maps.go for JavaScript', 'Go', (folder, more = {}) => {
    go(changed('maps.go', folder, more.change), output('maps_js')(folder), more, { GOOS: 'js', GOARCH: 'wasm' });
    for (const name of ['wasm_exec_node.js', 'wasm_exec.js'])
      cpSync(join(run('go', ['env', 'GOROOT']).trim(), 'lib/wasm', name), join(folder, name));
    return { script: [join(folder, 'wasm_exec_node.js'), output('maps_js')(folder)] };
  }, { change: goChange, isHeavy: true, byFolder: 'its first argument is the path of its module' }),
  real('Zig', 'words', { name: 'words: maps, JSON, hashes', real: false }),
  own('random.zig: seeds, time', 'Zig', (folder, { isAgain } = {}) => {
    if (isAgain) rmSync(join(cache, 'zig'), { recursive: true });
    run('python3', ['-m', 'ziglang', 'build-exe', source('random.zig'), '-target', 'wasm32-wasi', '-OReleaseFast', '-fno-strip',
      `-femit-bin=${output('random')(folder)}`, '--cache-dir', join(cache, 'zig')]);
    return { module: output('random')(folder) };
  }, { isHeavy: true }),
  own('maps.ts: maps, random numbers', 'AssemblyScript', (folder, { change } = {}) => assemblyScript('maps', folder, change), {
    change: ['maps.ts', 'Math.random() * 10', 'Math.random() * 10 + <f64>(i & 1)', 'maps/run'] }),
  own('dates.ts: dates, sorting', 'AssemblyScript', (folder) => assemblyScript('dates', folder)),
  own('sql.js: random keys, from npm', 'npm', (folder) => copied(source('sql.cjs'), join(folder, 'sql.cjs')), { real: true, isFinished: true }),
  npm('resvg', '@resvg/resvg-wasm', { isHeavy: true }),
  npm('quickjs', 'quickjs-emscripten'),
  npm('tiktoken', 'tiktoken', { isHeavy: true }),
  npm('hash-wasm'),
  npm('graphviz', '@hpcc-js/wasm-graphviz', { isHeavy: true }),
  npm('oniguruma', 'vscode-oniguruma'),
  npm('wasmoon', 'wasmoon', { byFolder: 'addresses, by which Lua hashes, move with the path of the script' }),
  npm('zstd', '@bokuweb/zstd-wasm'),
  own('device.c: a device', 'C', (folder) => ({ ...clang('clang', source('device.c'), output('device')(folder)), dir: ['/dev::dev'] }),
    { differs: 'it reads /dev/urandom', first: 'hash_with' }),
  differing('threads', 'two threads wait for each other', 'lock'),
  differing('process', 'the id of its process', 'hash_with'),
  differing('network', 'the number of a port', 'hash_with'),
  differing('timer', 'a timer ends its work', 'hash_with'),
];

export { Missing };
