/** Profiles and reports are sent to others: no arguments and no names of home folders are in them. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { assemble, at, run, tool } from '../js/support.mjs';

const home = at('users/jane-doe');
const project = join(home, 'work');
for (const folder of ['work/src', 'work/node_modules/near', 'lib', 'node_modules/far'])
  mkdirSync(join(home, folder), { recursive: true });
mkdirSync(at('elsewhere/node_modules/far'), { recursive: true });

const SPIN = (name) => `int ${name}(int n) { int sum = n; while (n-- > 0) sum = sum * 31 + n; return sum; }\n`;
writeFileSync(join(home, 'lib/other.c'), SPIN('other'));
writeFileSync(at('elsewhere/node_modules/far/packed.c'), SPIN('packed'));
writeFileSync(join(project, 'src/app.c'), `int other(int), packed(int);
int main(int argc, char **argv) { return (other(argc * 999) + packed(argc * 999)) == 7; }
`);
const clang = (...args) => assert.equal(run(process.env.WI_CLANG, ['--target=wasm32-wasi', ...args], { cwd: project }).status, 0);
const sources = [join(project, 'src/app.c'), join(home, 'lib/other.c'), at('elsewhere/node_modules/far/packed.c')];
sources.forEach((source, i) => clang('-O1', '-g', '-c', source, '-o', `${i}.o`));
clang('0.o', '1.o', '2.o', '-o', 'app.wasm');

assemble('once', '(module (func $run (export "run")))');
writeFileSync(join(home, 'lib/helper.mjs'), `export const work = (run) => { for (let end = Date.now() + 300; Date.now() < end;) run(); };\n`);
writeFileSync(join(project, 'app.mjs'), `import { readFileSync } from 'node:fs';
  import { work } from '../lib/helper.mjs';
  work(new WebAssembly.Instance(new WebAssembly.Module(readFileSync(${JSON.stringify(at('once.wasm'))}))).exports.run);
  if (!process.argv[2].includes('hunter2')) throw new Error('no argument');`);

const perf = (...args) => tool('wasm-perf', args, { cwd: project, env: { ...process.env, HOME: home }, timeout: 600_000 });
const succeed = (result) => {
  assert.equal(result.status, 0, result.stderr);
  return result.stdout;
};
const SECRET = '--password=hunter2';
const RUNS = {
  'a module': ['--lines', 'app.wasm', '--', SECRET],
  'a script': ['--', process.execPath, 'app.mjs', SECRET],
};
const formats = succeed(tool('wasm-perf', ['report', '--help'])).match(/--format[^]*?\n\n/)[0].match(/\b(html|json|folded|pprof|speedscope|cpuprofile|chrome|firefox|callgrind|flamegraph|top|otlp|lcov)\b/g);

/** The file as text, with what is compressed in it. */
function textOf(path) {
  const bytes = readFileSync(path);
  const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes).toString('latin1') : bytes.toString('latin1');
  const packed = (text.match(/[A-Za-z0-9+/=]{200,}/g) ?? []).map((word) => Buffer.from(word, 'base64'));
  return [text, ...packed.filter(([first, second]) => first === 0x1f && second === 0x8b).map((word) => gunzipSync(word).toString('latin1'))].join('\n');
}

for (const [name, words] of Object.entries(RUNS))
  test(`${name}: no format has private words, but those for sources their whole paths`, () => {
    succeed(perf('record', '-o', 'app.wperf', ...words));
    assert(formats.length > 8, formats.join());
    const files = ['app.wperf', ...new Set(formats.map((format) => `app.${format}`))];
    for (const format of new Set(formats)) succeed(perf('report', `--format=${format}`, '-o', `app.${format}`, 'app.wperf'));
    succeed(perf('record', '-o', 'direct.html', ...words));
    const isReadable = /app\.(c|mjs)/; // what is packed in the page is unpacked here
    assert.match(textOf(join(project, 'direct.html')), isReadable);
    assert.match(textOf(join(project, 'app.html')), isReadable);
    for (const file of [...files, 'direct.html']) {
      const isForSources = /\.(?:lcov|callgrind)$/.test(file); // whose readers open files of this machine
      assert.doesNotMatch(textOf(join(project, file)), isForSources ? /hunter2/ : /hunter2|jane-doe/, file);
    }
  });

test('--keep-arguments keeps them', () => {
  succeed(perf('record', '--keep-arguments', '-o', 'kept.wperf', ...RUNS['a script']));
  assert.match(textOf(join(project, 'kept.wperf')), /app\.mjs --password=hunter2/);
});

test('annotate finds shortened paths', () => {
  succeed(perf('record', '-o', 'app.wperf', ...RUNS['a module']));
  for (const [name, path] of [['main', 'src/app.c'], ['other', '~/lib/other.c'], ['packed', 'node_modules/far/packed.c']]) {
    const text = succeed(perf('annotate', name, 'app.wperf'));
    assert(text.includes(path), text);
    if (name !== 'packed') assert.match(text, new RegExp(`int ${name}\\(`));
  }
  const below = tool('wasm-perf', ['annotate', 'packed', join(project, 'app.wperf')], { cwd: at('elsewhere') });
  assert.match(succeed(below), /int packed\(/);
});
