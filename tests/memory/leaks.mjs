/**
 * Trees of web-tree-sitter whose delete() one function of two forgets, and that the program keeps: the lines that hold most
 * must be of that function, and 100 more trees must hold exactly 100 trees more. Prints a
 * table. Exit code 1 if something is wrong.
 */

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { packageFile } from '../support/tools.mjs';
import { at, wasmPerf } from './programs.mjs';

const COUNT = 100; // trees

const require = createRequire(packageFile('.'));
writeFileSync(at('trees.mjs'), `import { Parser, Language } from ${JSON.stringify(require.resolve('web-tree-sitter'))};
await Parser.init();
const language = await Language.load(${JSON.stringify(require.resolve('tree-sitter-javascript/tree-sitter-javascript.wasm'))});
const parser = new Parser();
parser.setLanguage(language);
const source = 'function f(a, b) { return a + b * 2; }\\n'.repeat(50);
const kept = [];
const parse = () => parser.parse(source);
function tidy() {
  parse().delete();
}
function culprit() {
  kept.push(parse());
}
const count = Number(process.argv[2]);
for (let i = 0; i < 200; i++) {
  tidy();
  if (i < count) culprit();
}
`);

/** {function of trees.mjs: live bytes} with that many trees kept. */
function measure(count) {
  const profile = at(`${count}.wperf`);
  wasmPerf('record', '--memory', '--clock=none', '-o', profile, '--', process.execPath, at('trees.mjs'), String(count));
  const { functions } = JSON.parse(wasmPerf('report', '--format', 'json', '--value', 'live_bytes', profile));
  const own = functions.filter(({ host, file }) => host && file?.endsWith('trees.mjs'));
  return Object.fromEntries(own.map(({ name, total }) => [name, Number(total)]));
}

const runs = [0, COUNT, 2 * COUNT].map((count) => ({ count, ...{ culprit: 0, tidy: 0 }, ...measure(count) }));
console.log('| trees kept | held below culprit | below tidy |\n|--:|--:|--:|');
for (const { count, culprit, tidy } of runs) console.log(`| ${count} | ${culprit} B | ${tidy} B |`);

// The parser keeps buffers, which belong to the call that made or enlarged them last.
const [none, first, second] = runs.map(({ culprit, tidy }) => culprit + tidy);
console.log(`\n${COUNT} trees hold ${first - none} B, ${COUNT} more ${second - first} B.`);
const isExact = first > none && second - first === first - none;
const isFound = runs.every(({ culprit, tidy }) => culprit === 0 || culprit > 1000 * tidy);
process.exitCode = isExact && isFound && runs[0].culprit === 0 ? 0 : 1;
