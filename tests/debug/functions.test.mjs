// Each function of small C and C++ programs is found in its source, in the module and in what it is
// rewritten to.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { sections } from './oracle.mjs';
import { compile, programs } from './programs.mjs';

const folder = temporaryFolder();

/** "file:line" of each function, by its name. */
function places(module) {
  const { status, stdout } = spawnSync(tool('debug-list-places'), [module]);
  assert.equal(status, 0);
  const lines = stdout.toString().trim().split('\n').map((line) => line.split('\t'));
  return new Map(lines.map(([, file, line, name]) => [name, `${file}:${line}`]));
}

/** Where the sources define what: by the text of the definition. */
const definitions = {
  sum: ['first.c', 'int sum(int count)'],
  run: ['first.c', 'int run(int count)'],
  other: ['second.c', 'int other(int a, int *b)'],
  measure: ['third.cc', 'int measure(int size)'],
};
const optional = { // what is not inlined everywhere
  'shapes::Regular<3>::area() const': ['third.cc', 'int area() const override'],
  'shapes::Regular<3>::square(int)': ['third.cc', 'static int square(int x)'],
};

function expected([file, text]) {
  const path = join(programs, file);
  const line = readFileSync(path, 'utf8').split('\n').findIndex((content) => content.includes(text)) + 1;
  assert(line > 0);
  return `${path}:${line}`;
}

for (const version of [2, 3, 4, 5]) {
  for (const optimization of ['-O0', '-O2']) {
    test(`DWARF ${version}, ${optimization}`, () => {
      const module = compile(folder, `m${version}${optimization}`, 'wasm32', [`-gdwarf-${version}`, optimization]);
      const forms = [[], ['--embed'], ['--clock=instructions']].map((options, i) => {
        const output = module.replace('.wasm', `.${i}.wasm`);
        assert.equal(spawnSync(tool('wasm-instrument'), [...options, module, '-o', output]).status, 0);
        return output;
      });
      for (const path of [module, ...forms]) {
        const found = places(path);
        for (const [name, definition] of Object.entries(definitions)) assert.equal(found.get(name), expected(definition));
        for (const [name, definition] of Object.entries(optional))
          if (found.has(name)) assert.equal(found.get(name), expected(definition));
        assert(optimization === '-O2' || found.has('shapes::Regular<3>::square(int)'));
      }
    });
  }
}

/** The bytes before the first instruction of each body, by the body's address. */
function headers(bytes, { start }) {
  let at = start;
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  return new Map(Array.from({ length: number() }, () => {
    const size = number(), body = at;
    for (let groups = number(); groups > 0; groups--, at++) number();
    const header = [body - start, at - body];
    at = body + size;
    return header;
  }));
}

test('a function may begin at its first instruction, as in Kotlin, but nowhere else', () => {
  const module = compile(folder, 'moved', 'wasm32', ['-gdwarf-4', '-O0']);
  for (const [more, isFound] of [[0, true], [1, false]]) {
    const bytes = readFileSync(module);
    const [code, info] = [10, '.debug_info'].map((wanted) => sections(bytes).find(({ id, name }) => id === wanted || name === wanted));
    for (const [address, size] of headers(bytes, code))
      for (let at = bytes.indexOf(Buffer.from(Uint32Array.of(address).buffer), info.start); at >= 0 && at < info.end;
        at = bytes.indexOf(Buffer.from(Uint32Array.of(address).buffer), at + 4))
        if (address > 255) bytes.writeUInt32LE(address + size + more, at);
    writeFileSync(join(folder, 'shifted.wasm'), bytes);
    const found = places(join(folder, 'shifted.wasm'));
    for (const name of ['run', 'other', 'measure']) assert.equal(found.get(name), isFound ? expected(definitions[name]) : undefined, name);
  }
});

test('a file whose name is a dot is its folder, as in Kotlin', () => {
  const [source, module] = ['dot.c', 'dot.wasm'].map((name) => join(folder, name));
  writeFileSync(source, '# 7 "Main.kt/."\nint seven(int x) { return x; }\n');
  const flags = ['--target=wasm32', '-gdwarf-5', '-O0', '-nostdlib', '-Wl,--no-entry', '-Wl,--export-all'];
  const { status, stderr } = spawnSync(process.env.WI_CLANG, [...flags, source, '-o', module], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(places(module).get('seven'), /\/Main\.kt:7$/);
});
