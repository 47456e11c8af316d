/**
 * The commands in the pages' blocks, word by word, in a folder with what the pages speak of. Recipes have a test of
 * their own, which brings the compilers.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { assemble, at, build, folder, linkPackages, source } from '../js/support.mjs';

/** Pages whose commands are run elsewhere, and what they look like. */
const ELSEWHERE = new Map([
  ['src/docs/recipes.md', /./], // scripts/toolchains.sh, which notices a section that it does not run
  ['src/docs/contributing.md', /^(?:scripts\/|cmake -C src\/cmake\/presets\/)/], // CI
  ['src/docs/field.md', /./], // scripts/field.sh, which writes the page
]);

/** Lines that need what is not here, by where they are tested. A line is here as a page has it: another one runs. */
const OTHERS = {
  'package.bundlers': [
    'npx webpack --env profile',
    'npx esbuild main.js --bundle --format=esm --inject:wasm-perf/browser --outfile=bundle.js',
    "npx rollup profiled.js --file bundle.js --plugin 'node-resolve={browser: true}'",
  ],
  'scripts/hosts.sh': ["go tool pprof -http :8080 'http://127.0.0.1:6060/debug/pprof/profile?seconds=5'"],
  "a build of the reader's own": ['git worktree add ../main main && cmake --build ../main/build'],
  'report.readers, with the same file and another reader': [
    "curl --data-binary @app.otlp -H 'Content-Type: application/x-protobuf' http://localhost:4318/v1development/profiles",
  ],
  'scripts/guests.sh': [
    'wasm-perf record --guest python -o app.html -- node app.mjs',
    'wasm-perf record --guest both --dir . --dir lib::/lib python.wasm app.py',
  ],
  'reports.open, as they wait for a browser': [
    'wasm-perf open --in firefox app.wperf',
    'wasm-perf open --in speedscope app.wperf',
  ],
  'cli_perf.calls': [
    'wasm-perf record --calls-of render -o app.wperf -- node server.mjs',
    'wasm-perf calls app.wperf --call worst --against median',
    'wasm-perf calls app.wperf',
  ],
  'debug.coverage': ['wasm-perf record --coverage -- cargo test --target wasm32-wasip1'],
  'debug.perf': [
    'perf record -k mono wasmtime run --profile=jitdump -D debug-info app.prof.wasm',
    'perf inject --jit -i perf.data -o jit.data',
    'perf report -i jit.data',
    'perf record node --perf-basic-prof main.mjs',
    'perf report',
  ],
  'js.runtimes': [
    'wasm-perf record --clock instructions -- deno run -A app.mjs',
    'wasm-perf record --clock instructions -- bun app.mjs',
  ],
  'package.install': ['npm install ./wasm-perf-1.0.0.tgz'],
  'package.browser': ['wasm-perf report --times trace.json app.wasm.wperf -o app.html'],
};
const others = Object.values(OTHERS).flat();

/** Languages of blocks; commands are in sh, or behind $ in blocks without one. */
const LANGUAGES = ['', 'sh', 'cmake', 'html', 'ini', 'js', 'make', 'python', 'scala', 'toml', 'wat'];

const program = `
#include <stdio.h>
#include <stdlib.h>
#ifndef ROUNDS
#define ROUNDS 5000000
#endif
__attribute__((noinline)) unsigned parse(const char *text, unsigned sum) {
  volatile char *copy = malloc(64);
  for (int i = 0; text[i]; i++)
    sum = 31 * sum + (copy[i % 64] = text[i]);
  free((char *)copy);
  return sum;
}
__attribute__((noinline)) void *arena_take_block(size_t size) {
  return malloc(size);
}
__attribute__((noinline)) void arena_drop(void *block) {
  free(block);
}
__attribute__((noinline)) unsigned collatz(unsigned n) {
  return n == 1 ? 0 : 1 + collatz(n % 2 ? 3 * n + 1 : n / 2);
}
__attribute__((noinline)) unsigned nearest(unsigned n) {
  return n & ~7u;
}
int main(int argc, char **argv) {
  unsigned sum = 0;
  for (int i = 0; i < ROUNDS; i++)
    sum = parse(argv[0], sum);
  void *volatile block = arena_take_block(16);
  arena_drop(block);
  printf("%u %d %u %u\\n", sum, argc, collatz(27), nearest(27));
}
`;

const script = `
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';
const wasi = new WASI({ version: 'preview1', args: ['app'] });
const module = await WebAssembly.compile(readFileSync('app.wasm'));
wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
`;

const path = [at('bin'), build, dirname(process.execPath), process.env.PATH].join(delimiter);
const env = { ...process.env, PATH: path, DISPLAY: ':0', WASM_PERF_CACHE: at('cache') };

/** What the lines with npx run, which the tests' machine has. */
const PACKAGES = ['vite', 'jest'];
const hasPackages = PACKAGES.every((name) => existsSync(join(process.env.WI_NPM, 'node_modules', name)));

const pageTest = `
const { readFileSync } = require('node:fs');
test('runs', async () => {
  const module = await WebAssembly.compile(readFileSync('once.wasm'));
  new WebAssembly.Instance(module).exports.f();
});
`;

function succeed(line) {
  const { status, stdout, stderr, error } = spawnSync('bash', ['-c', line], { cwd: folder, env, encoding: 'utf8', timeout: 600_000 });
  assert.equal(status, 0, `${line}\n${stdout}${stderr}${error ?? ''}`);
}

/** The files that the pages name, as their sentences describe them. */
function prepare() {
  for (const name of ['bin', 'build', 'node_modules']) mkdirSync(at(name));
  writeFileSync(at('bin/xdg-open'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync(join(build, 'npm'), at('node_modules/wasm-perf')); // as npm installs it
  mkdirSync(at('node_modules/.bin'));
  for (const name of ['wasm_perf', 'wasm_instrument'])
    writeFileSync(at(`node_modules/.bin/${name.replace('_', '-')}`), `#!/bin/sh\nexec node '${join(build, `npm/js/command/${name}.mjs`)}' "$@"\n`, { mode: 0o755 });
  if (hasPackages) linkPackages(folder, PACKAGES);
  assemble('once', '(module (func (export "f")))');
  writeFileSync(at('package.json'), '{"private": true}');
  writeFileSync(at('index.html'), '<!doctype html><script type="module" src="page.js"></script>');
  writeFileSync(at('page.js'), 'console.log(1);');
  writeFileSync(at('once.test.js'), `globalThis.test ??= require('node:test').test;${pageTest}`);
  writeFileSync(at('app.c'), program);
  succeed(`clang --target=wasm32-wasi -O2 -g -c app.c -o app.o && clang --target=wasm32-wasi app.o -o app.wasm`);
  for (const name of ['build/app.wasm', 'app.debug.wasm', 'one.debug.wasm', 'two.debug.wasm', 'words.wasm', 'tests.wasm']) copyFileSync(at('app.wasm'), at(name));
  for (const name of ['app.mjs', 'server.mjs', 'main.mjs']) writeFileSync(at(name), script);
  writeFileSync(at('app.js.symbols'), '0:parse\n');
  writeFileSync(at('app.whitelist'), 'parse\n');
  succeed('wasm-perf record --lines --clock instructions -o app.wperf app.wasm');
  for (const name of ['old.wperf', 'new.wperf', 'points.wperf', 'one.wperf', 'two.wperf']) copyFileSync(at('app.wperf'), at(name));
  for (const name of ['cpu.pb.gz', 'before.speedscope.json', 'after.speedscope.json']) succeed(`wasm-perf report app.wperf -o ${name}`);
  succeed('wasm-instrument --embed app.wasm -o app.prof.wasm');
  preparePlugin();
  prepareBenchmarks();
}

/** A plugin, and what its host logged as it called it. */
function preparePlugin() {
  assemble('plugin', `(module (import "env" "log" (func (param i32 i32))) (memory (export "memory") 1)
    (func $work) (func (export "handle") (call $work)))`);
  writeFileSync(at('host.mjs'), `import { readFileSync, writeFileSync } from 'node:fs';
    const log = (address, size) => writeFileSync('host.log', Buffer.from(exports.memory.buffer, address, size) + '\\n', { flag: 'a' });
    const { exports } = (await WebAssembly.instantiate(readFileSync('logs.wasm'), { env: { log } })).instance;
    exports.handle();`);
  succeed('wasm-instrument --embed --write-at handle --write-by env.log plugin.wasm -o logs.wasm && node host.mjs');
}

/** The list of bench.md, and what is in it. */
function prepareBenchmarks() {
  const [list] = blocksOf(pageText('src/docs/bench.md'), 'toml');
  writeFileSync(at('wasm-perf.toml'), list);
  for (const name of ['testdata', 'bench']) mkdirSync(at(name));
  writeFileSync(at('testdata/large.json'), '{}');
  copyFileSync(at('app.wasm'), at('build/parser.wasm'));
  assemble('build/math', `(module (func $fib (export "fib") (param i32) (result i32)
    (if (result i32) (i32.lt_u (local.get 0) (i32.const 2)) (then (local.get 0)) (else
      (i32.add (call $fib (i32.sub (local.get 0) (i32.const 1))) (call $fib (i32.sub (local.get 0) (i32.const 2))))))))`);
  writeFileSync(at('bench/render.mjs'), `
    import { readFileSync } from 'node:fs';
    const { fib } = (await WebAssembly.instantiate(readFileSync('build/math.wasm'))).instance.exports;
    const [parse, draw] = [() => fib(9), () => fib(11)], text = '';
    fib(5);
    ${blocksOf(pageText('src/docs/bench.md'), 'js')[0]}
    performance.mark('parsed');
    draw();
    performance.measure('draw', 'parsed');`);
  prepareOtherBuild();
}

/** The build of another revision, whose parser is faster, in the folder `main`. */
function prepareOtherBuild() {
  mkdirSync(at('main'));
  succeed('clang --target=wasm32-wasi -O2 -DROUNDS=1000000 -c app.c -o old.o && clang --target=wasm32-wasi old.o -o old.wasm');
  succeed('cp -r build bench testdata wasm-perf.toml main/ && cp old.wasm main/build/parser.wasm');
}

/** The page's blocks in a language, '' for those that name none. */
const blocksOf = (text, language) =>
  [...text.matchAll(/^```(\w*)\n([^]*?)^```/gm)].filter((block) => block[1] === language).map((block) => block[2]);

/** The commands of a page's blocks of shell, without their comments, and those in front of what they print. */
function linesOf(text) {
  const shells = blocksOf(text, 'sh').flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  const printed = blocksOf(text, '').flatMap((block) => [...block.matchAll(/^\$ (.*)$/gm)].map(([, line]) => line));
  return [...shells, ...printed].map((line) => line.split(/\s+# /)[0]).filter(Boolean);
}

/** The words that stand for others. Six pairs are the fewest; another program may have the page's port. */
const filledIn = (line) =>
  line
    .replace(' ARGS…', '')
    .replace(/-o FILE$/, '-o app.svg')
    .replace(/--time (?:\.\.\/)?/, '--pairs 6 --time ')
    .replace('--listen 6060', '--listen 0');

const pageText = (name) => readFileSync(join(source, name), 'utf8');
/** The first block of code below a heading of the README. */
const readmeBlock = (title) => pageText('README.md').split(`\n## ${title}\n`)[1].split('```\n')[1];

const docs = readdirSync(join(source, 'src/docs')).map((name) => `src/docs/${name}`);
const pages = ['README.md', 'src/js/package/README.md', ...docs].filter((name) => name.endsWith('.md'));
const commands = pages.map((page) => [page, linesOf(pageText(page))]);
const isOther = (line) => others.includes(line) || (!hasPackages && line.includes('-- npx '));

prepare();
for (const [page, lines] of commands) {
  const ours = lines.filter((line) => !isOther(line) && !ELSEWHERE.get(page)?.test(line));
  if (ours.length > 0) test(page, () => ours.forEach((line) => succeed(filledIn(line))));
}

test('bench.md shows what its measures print', () => {
  const block = blocksOf(pageText('src/docs/bench.md'), '').find((text) => text.startsWith('$ wasm-perf bench render\n'));
  const { stdout } = spawnSync('wasm-perf', ['bench', 'render'], { cwd: folder, env, encoding: 'utf8' });
  assert.equal(block, `$ wasm-perf bench render\n${stdout}`);
});

test('bench.md shows times as they are printed', () => {
  const block = blocksOf(pageText('src/docs/bench.md'), '').find((text) => text.startsWith('$ wasm-perf bench --time ../main\n'));
  const [line, ...shown] = block.trimEnd().split('\n');
  const { stdout } = spawnSync('bash', ['-c', filledIn(line.slice(2))], { cwd: folder, env, encoding: 'utf8' });
  const printed = stdout.trimEnd().split('\n');
  const row = /^(\S+) +(?:faster|slower|unclear) +(?:no difference can be shown: )?[\d.]+ m?s → [\d.]+ m?s, [-+][\d.]+ %; with 95 % confidence [-+][\d.]+ to [-+][\d.]+ % \(\d+ pairs\)$/;
  assert.deepEqual(printed.map((text) => row.exec(text)?.[1]), ['parse', 'fib', 'render'], stdout);
  assert.deepEqual(shown.map((text) => row.exec(text)?.[1]), ['parse', 'fib', 'render'], block);
});

test('what is left out is there', () => {
  const all = commands.flatMap(([, lines]) => lines);
  for (const line of others) assert(all.includes(line), line);
  for (const [page, pattern] of ELSEWHERE) assert(linesOf(pageText(page)).some((line) => pattern.test(line)), page);
  assert(all.length > 40, `${all.length} commands`);
});

test('a command is in a block of shell', () => {
  const tools = /^(?:wasm-|npx |node |cargo |go |cmake |clang |curl |scripts\/)/m;
  const install = readmeBlock('Install'); // scripts/fresh.sh and tests/install/clean_clone.sh run it
  for (const page of pages) {
    const text = pageText(page);
    for (const [, language] of text.matchAll(/^ *(?:```|~~~)(.*)\n[^]*?^ *(?:```|~~~)/gm))
      assert(LANGUAGES.includes(language), `${page}: ${language}`);
    for (const block of blocksOf(text, ''))
      assert(!tools.test(block) || block.startsWith('wasm-instrument: ') || block === install, `${page}: ${block}`);
  }
});

test('the list of functions and the rule for make in clocks.md', () => {
  const text = pageText('src/docs/clocks.md');
  const list = blocksOf(text, '').find((block) => block.startsWith('parse_*'));
  writeFileSync(at('app.whitelist'), list);
  succeed('wasm-instrument -w app.whitelist --list app.wasm');
  writeFileSync(at('app.whitelist'), 'parse\n');
  writeFileSync(at('Makefile'), blocksOf(text, 'make')[0]);
  succeed('rm -f app.prof.wasm && make app.prof.wasm && test -s app.prof.wasm');
});

test('scripts and presets that pages name are there', () => {
  for (const page of docs.filter((name) => name.endsWith('.md')))
    for (const [path] of pageText(page).matchAll(/\b(?:scripts\/[a-z_]+\.(?:sh|py)|src\/cmake\/presets\/\w+\.cmake)/g))
      assert(existsSync(join(source, path)), `${page}: ${path}`);
});
