// Each function of small C and C++ programs is found in its source, in the module and in what it is
// rewritten to.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { temporaryFolder, tool } from '../support/tools.mjs';
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
