// Lines of modules whose places come from a source map: of each instruction what the package source-map says,
// in a map with all kinds of segments and in those that toolchains write; and annotate, lcov and reports with
// them, with the sources that the map holds.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { importPackage, packageFile, temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { instructions, sections } from './oracle.mjs';

const { SourceMapConsumer, SourceMapGenerator } = (await importPackage('source-map')).default;
const folder = temporaryFolder();
const path = (name) => join(folder, name);

function run(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const codeStart = (module) => sections(readFileSync(path(module))).find(({ id }) => id === 10).start;

/** How many instructions have a place, which is in each case that which the package has. */
function compare(module, map) {
  const consumer = new SourceMapConsumer(JSON.parse(readFileSync(path(map), 'utf8')));
  const start = codeStart(module);
  let known = 0;
  for (const line of run(tool('debug-list-lines'), module, map).trim().split('\n')) {
    const [, address, place] = /^0x(\w+)\t- (.*)$/.exec(line);
    const theirs = consumer.originalPositionFor({ line: 1, column: parseInt(address, 16) + start });
    if (place === '??:0:0') continue;
    const source = theirs.source?.replace(/^\.?\//, '');
    assert.equal(place.replace(/^\.?\//, ''), `${source}:${theirs.line}:${theirs.column + 1}`, `at 0x${address}`);
    known++;
  }
  return known;
}

const text = `(module
  (memory (export "memory") 1)
  (func $square (param i32) (result i32) (i32.mul (local.get 0) (local.get 0)))
  (func (export "_start") (local i32)
    (loop
      (i32.store (i32.const 0) (call $square (local.get 0)))
      (local.set 0 (i32.add (local.get 0) (i32.const 1)))
      (br_if 0 (i32.lt_u (local.get 0) (i32.const 10))))))`;
const name = 'ä€𝄞/b.txt';
const source = 'square\n"loop"\tüber 𝄞\nstore\ncount\nend\n';

/** The module and a map, by which each of its instructions is a line of its own but for two. */
async function build() {
  writeFileSync(path('made.wasm'), await parse(text));
  const all = instructions(path('made.wasm'));
  const generator = new SourceMapGenerator({ file: 'made.wasm', sourceRoot: 'root' });
  const start = codeStart('made.wasm');
  for (let i = 0; i < all.length / 2; i++) {
    const generated = { line: 1, column: start + all[2 * i] };
    if (i === 5) generator.addMapping({ generated });
    else if (i !== 6) generator.addMapping({ generated, original: { line: i + 1, column: i % 3 }, source: name, name: 'n' });
  }
  generator.setSourceContent(name, source);
  return generator.toJSON();
}

test('all kinds of segments', async () => {
  const map = await build();
  writeFileSync(path('made.map'), JSON.stringify(map));
  const count = instructions(path('made.wasm')).length / 2;
  assert.equal(compare('made.wasm', 'made.map'), count - 2);
  const indexed = { version: 3, sections: [{ offset: { line: 0, column: 0 }, map }, { offset: { column: 1e6, line: 0 }, map }] };
  writeFileSync(path('indexed.map'), ")]}'\n" + JSON.stringify(indexed, null, 1).replaceAll('ä', '\\u00e4').replaceAll('€', '\\u20AC').replaceAll('𝄞', '\\ud834\\uDD1E'));
  const list = (name) => run(tool('debug-list-lines'), 'made.wasm', name);
  assert.equal(list('indexed.map'), list('made.map'));
  for (const damaged of ['{"mappings":"A', '{"mappings":"!"}', '[]', '{"sources":[1', `{"mappings":${'['.repeat(1000)}`]) {
    writeFileSync(path('damaged.map'), damaged);
    assert.notEqual(spawnSync(tool('debug-list-lines'), [path('made.wasm'), path('damaged.map')]).status, 0, damaged);
  }
});

/** The module with a section sourceMappingURL. */
function link(bytes, url) {
  const leb = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)]);
  const name = Buffer.from('sourceMappingURL');
  const contents = Buffer.concat([Buffer.from([name.length]), name, Buffer.from(leb(url.length)), Buffer.from(url)]);
  return Buffer.concat([bytes, Buffer.from([0, ...leb(contents.length)]), contents]);
}

test('annotate, lcov and JSON, of a map in the module or beside it', async () => {
  const map = await build();
  const bytes = readFileSync(path('made.wasm'));
  const data = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
  mkdirSync(path('deep'), { recursive: true });
  writeFileSync(path('deep/beside.wasm'), link(bytes, 'https://example.org/x/made.map'));
  writeFileSync(path('deep/made.map'), JSON.stringify(map));
  writeFileSync(path('inside.wasm'), link(bytes, data));
  for (const [module, place] of [['deep/beside.wasm', `deep/root/${name}`], ['inside.wasm', `root/${name}`]]) {
    run(tool('wasm-perf'), 'record', '--engine=node', '--lines', '--clock=instructions', '-o', `${module}.wperf`, module);
    const report = (...args) => run(tool('wasm-perf'), ...args, `--symbols=${module}`, `${module}.wperf`);
    const shown = report('annotate', 'square');
    assert.match(shown, /^square: 10 calls, 30 instructions\n/);
    assert(shown.includes(`${place}\n`), shown);
    assert.match(shown, / 10 +1 {2}square\n/);
    assert.match(shown, / 10 +2 {2}"loop" +über 𝄞\n/);
    const info = report('report', '--format=lcov');
    assert(info.includes(`SF:${place}\n`) && info.includes('DA:1,10\nDA:2,10\nDA:3,10\n'), info);
    const { functions } = JSON.parse(report('report', '--format=json'));
    const { file, line } = functions.find(({ name }) => name === 'square');
    assert.deepEqual([file, line], [place, 1]);
  }
});

/** The text of a page, with its profile unpacked. */
function pageText(file) {
  const page = readFileSync(path(file), 'utf8');
  const [, packed] = /id="profile">([^<]*)</.exec(page);
  return page + gunzipSync(Buffer.from(packed, 'base64')).toString('utf8');
}

test('no path of a map leads out of the folder of --source', async () => {
  const map = { ...(await build()), sourceRoot: undefined, sourcesContent: undefined };
  mkdirSync(path('given'), { recursive: true });
  for (const file of ['secret.txt', 'given/open.txt']) writeFileSync(path(file), 'kept to oneself\n'.repeat(9));
  const outside = ['../secret.txt', path('secret.txt'), 'a/../../secret.txt', './../secret.txt', '..//secret.txt', '/../secret.txt'];
  for (const source of ['open.txt', 'elsewhere/open.txt', '/elsewhere/given/open.txt', ...outside]) {
    const data = Buffer.from(JSON.stringify({ ...map, sources: [source] })).toString('base64');
    writeFileSync(path('leads.wasm'), link(readFileSync(path('made.wasm')), `data:application/json;base64,${data}`));
    run(tool('wasm-perf'), 'record', '--engine=node', '--lines', '--clock=instructions', '-o', 'leads.wperf', 'leads.wasm');
    run(tool('wasm-perf'), 'annotate', '--source=given', 'square', 'leads.wperf', '-o', 'leads.txt');
    run(tool('wasm-perf'), 'report', '--source=given', 'leads.wperf', '-o', 'leads.html');
    const texts = [readFileSync(path('leads.txt'), 'utf8'), pageText('leads.html'), run(tool('wasm-perf'), 'annotate', '--source=given', 'square', 'leads.wperf')];
    assert.deepEqual(texts.map((text) => text.includes('kept to oneself')), Array(3).fill(!outside.includes(source)), source);
  }
});

const asc = packageFile('assemblyscript/bin/asc.js');
test('AssemblyScript', { skip: !existsSync(asc) && 'assemblyscript is not installed' }, () => {
  writeFileSync(path('app.ts'), `function digits(value: i32): i32 {
  let count = 0;
  while (value > 0) {
    value /= 10;
    count++;
  }
  return count;
}
export function _start(): void {
  for (let i = 0; i < 200; i++) digits(i);
}
`);
  run(process.execPath, asc, 'app.ts', '-o', 'app.wasm', '--sourceMap', '--debug', '--use', 'abort=');
  assert(compare('app.wasm', 'app.wasm.map') > 20);
  run(tool('wasm-perf'), 'record', '--engine=node', '--lines', '--clock=instructions', '-o', 'app.wperf', 'app.wasm');
  const shown = run(tool('wasm-perf'), 'annotate', 'app/digits', 'app.wperf');
  assert.match(shown, /^app\/digits: 200 calls, /);
  assert.match(shown, new RegExp(` ${9 + 2 * 90 + 3 * 100} +4 {2} {4}value /= 10;\n`));
  assert.match(shown, / 200 +7 {2} {2}return count;\n/);
});
