// Source maps that toolchains write, through a rewrite: AssemblyScript's and Emscripten's. Each segment comes back
// with its source, line and column, and covers the instructions that it covered.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { importPackage, packageFile, temporaryFolder, tool } from '../support/tools.mjs';
import { instructions, sections } from './oracle.mjs';
import { programs } from './programs.mjs';

const { SourceMapConsumer } = (await importPackage('source-map')).default;
const folder = temporaryFolder();
const path = (name) => join(folder, name);

function run(command, ...args) {
  const { status, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, `${command}: ${stderr}`);
}

const asc = packageFile('assemblyscript/bin/asc.js');
const toolchains = {
  AssemblyScript: {
    missing: !existsSync(asc) && 'assemblyscript is not installed',
    build() {
      writeFileSync(path('app.ts'), `export function fib(n: i32): i32 { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
export function words(text: string): i32 {
  let count = 0;
  for (let i = 0; i < text.length; i++)
    if (text.charCodeAt(i) == 32) count++;
  return count + fib(text.length);
}
`);
      run(process.execPath, asc, 'app.ts', '-o', 'app.wasm', '--sourceMap');
    },
  },
  Emscripten: {
    missing: spawnSync('emcc', ['--version']).status !== 0 && 'emcc is not installed',
    build() {
      run('emcc', '-O1', '-gsource-map', '--no-entry', '-sEXPORTED_FUNCTIONS=_grind', join(programs, 'hot.c'), '-o', 'app.wasm');
    },
  },
};

/** The segments that have a source, by offset: {offset, place, codes}, the opcodes up to the next one. */
function segments(module) {
  const start = sections(readFileSync(module)).find(({ id }) => id === 10).start;
  const consumer = new SourceMapConsumer(JSON.parse(readFileSync(`${module}.map`, 'utf8')));
  const found = [];
  consumer.eachMapping(({ generatedColumn: offset, source, originalLine: line, originalColumn: column }) => {
    if (line !== null) found.push({ offset, place: `${source}:${line}:${column}`, codes: [] });
  });
  found.sort((a, b) => a.offset - b.offset);
  const all = instructions(module);
  for (let i = 0, at = -1; i < all.length; i += 2) {
    while (at + 1 < found.length && found[at + 1].offset <= all[i] + start) at++;
    if (at >= 0) found[at].codes.push(all[i + 1]);
  }
  return found;
}

/** Whether all of `part` is in `whole`, in this order. */
function isWithin(part, whole) {
  let at = 0;
  for (const code of whole) if (code === part[at]) at++;
  return at === part.length;
}

for (const [name, { missing, build }] of Object.entries(toolchains))
  test(name, { skip: missing }, () => {
    build();
    const before = segments(path('app.wasm'));
    assert(before.length > 10, `${before.length} segments`);
    for (const options of [[], ['--embed'], ['--embed', '--clock=instructions']]) {
      const { status, stderr } = spawnSync(tool('wasm-instrument'), [...options, path('app.wasm'), '-o', path('out.wasm')]);
      assert.equal(status, 0);
      assert.doesNotMatch(stderr.toString(), /source map|sourceMappingURL/);
      const after = segments(path('out.wasm'));
      assert.deepEqual(after.map(({ place }) => place), before.map(({ place }) => place));
      before.slice(0, -1).forEach(({ codes, place }, i) => assert(isWithin(codes, after[i].codes), place));
    }
  });
