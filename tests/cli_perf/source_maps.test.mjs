/** JavaScript from a bundler: names, files and lines come from its source map. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { assemble, at, read, run, tool } from '../js/support.mjs';
import { readProfile } from '../js/wperf.mjs';
import { packageFile } from '../support/tools.mjs';

const hasBundler = existsSync(packageFile('esbuild'));
const skip = hasBundler ? false : 'esbuild is not installed';

assemble(
  'called',
  `(module
    (func (export "call") (param i32)
      (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))))`,
);
writeFileSync(
  at('spin.ts'),
  `// é𝒳 shifts bytes, and units of UTF-16
   export type Turns = number;

   export function spinLong(turns: Turns): Turns {
     let sum = 0;
     for (let i = 0; i < turns; i++) sum = (sum * 7 + i) % 1009;
     return sum;
   }
   export const spinByArrow = async (turns: Turns) => {
     let sum = 1;
     for (let i = 0; i < turns; i++) sum = (sum * 7 + i) % 1013;
     return sum;
   };
   export class Wheel {
     turn(turns: Turns) {
       let sum = 2;
       for (let i = 0; i < turns; i++) sum = (sum * 7 + i) % 1019;
       return sum;
     }
   }`,
);
writeFileSync(
  at('main.ts'),
  `import { readFileSync } from 'node:fs';
   import { Wheel, spinByArrow, spinLong } from './spin.ts';
   console.log('é𝒳');
   const bytes = readFileSync(new URL('called.wasm', import.meta.url));
   const { call } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as any;
   call(30_000_000);
   let result = spinLong(2e7) + (await spinByArrow(2e7)) + new Wheel().turn(2e7);
   [2e7].forEach((turns) => {
     for (let i = 0; i < turns; i++) result = (result * 7 + i) % 1021;
   });
   console.log(result);`,
);

function bundle(output, options) {
  const { buildSync } = createRequire(import.meta.url)(packageFile('esbuild'));
  const whole = { bundle: true, minify: true, charset: 'utf8', platform: 'node', format: 'esm', logLevel: 'error', ...options };
  buildSync({ ...whole, absWorkingDir: at('.'), entryPoints: ['main.ts'], outfile: at(output) });
}

function record(script, output) {
  const { status, stderr } = tool('wasm-perf', ['record', '-o', at(output), '--', process.execPath, at(script)]);
  assert.deepEqual([status, stderr], [0, '']);
}

/** ["name file:line", ...] of the functions in files of that ending that took 30 ms and more, sorted. */
function longFunctions(file, ending) {
  const { nodes, names, places } = readProfile(read(file));
  const sums = new Map();
  for (const { function: index, self } of nodes) sums.set(index, (sums.get(index) ?? 0n) + self);
  return [...places]
    .filter(([index, place]) => place.file.endsWith(ending) && sums.get(index) >= 30_000_000n)
    .map(([index, place]) => `${names.get(index)} ${place.file.split('/').slice(-1)}:${place.line}`)
    .sort();
}

const EXPECTED = ['(anonymous) main.ts:8:19 main.ts:8', 'spinByArrow spin.ts:9', 'spinLong spin.ts:4', 'turn spin.ts:15'];

test('a map beside the bundle', { skip }, () => {
  bundle('beside.mjs', { sourcemap: true });
  assert.doesNotMatch(readFileSync(at('beside.mjs'), 'utf8'), /spinLong/);
  record('beside.mjs', 'beside.wperf');
  assert.deepEqual(longFunctions('beside.wperf', '.ts'), EXPECTED);
  const { places } = readProfile(read('beside.wperf'));
  assert([...places.values()].some(({ file }) => file === 'spin.ts'));
});

test('a map inside the bundle, in another folder', { skip }, () => {
  bundle('dist/deep/inline.mjs', { sourcemap: 'inline' });
  writeFileSync(at('dist/deep/called.wasm'), read('called.wasm'));
  record('dist/deep/inline.mjs', 'inline.wperf');
  assert.deepEqual(longFunctions('inline.wperf', '.ts'), EXPECTED);
  const { places } = readProfile(read('inline.wperf'));
  assert([...places.values()].some(({ file }) => file === 'spin.ts'));
});

test('the profile of another profiler', { skip }, () => {
  bundle('other.mjs', { sourcemap: true });
  const options = ['--cpu-prof', `--cpu-prof-dir=${at('.')}`, '--cpu-prof-name=other.cpuprofile'];
  assert.equal(run(process.execPath, [...options, at('other.mjs')]).status, 0);
  const args = ['record', '--times', at('other.cpuprofile'), '-o', at('other.wperf'), '--', process.execPath, at('other.mjs')];
  assert.equal(tool('wasm-perf', args).status, 0);
  const { names } = readProfile(read('other.wperf'));
  for (const name of ['spinLong', 'spinByArrow', 'turn']) assert([...names.values()].includes(name), name);
});

test('without a map, or with a broken one, the bundle stays as it is', { skip }, () => {
  bundle('broken.mjs', { sourcemap: true });
  for (const map of ['{"version":3,"sources":["a.ts"],"mappings":"A!"}', '{', '', null]) {
    if (map === null) rmSync(at('broken.mjs.map'));
    else writeFileSync(at('broken.mjs.map'), map);
    record('broken.mjs', 'broken.wperf');
    assert.equal(longFunctions('broken.wperf', '.mjs').length, 4, map);
    assert.deepEqual(longFunctions('broken.wperf', '.ts'), []);
  }
});
