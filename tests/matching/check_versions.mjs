/**
 * Names the second version of generated programs after the first one, and compares them with the true names.
 *
 *     check_versions.mjs FOLDER [COUNT [FIRST_SEED]]
 *
 * Prints each wrong name with the seed of its pair, and the share of functions with a name. Exit code 1 if a name is wrong.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { tool } from '../support/tools.mjs';
import { run } from './compilers.mjs';
import { readNames, strip } from './module.mjs';
import { percent } from './rows.mjs';
import { versions } from './versions.mjs';

/** Compiles in two steps, because clang would run a wasm-opt that it finds. An earlier build of the same source is reused. */
function compile(folder, name, source) {
  const at = (ending) => join(folder, `${name}.${ending}`);
  if (existsSync(at('wasm')) && readFileSync(at('c'), 'utf8') === source) return at('wasm');
  mkdirSync(folder, { recursive: true });
  writeFileSync(at('c'), source);
  run('clang', ['--target=wasm32', '-O2', '-w', '-c', at('c'), '-o', at('o')]);
  run('wasm-ld', ['--no-entry', '--allow-undefined', at('o'), '-o', at('wasm')]);
  return at('wasm');
}

/** Names `second`, stripped, after `first`: {functions, named, wrong: [{index, known, name, confidence}]}. */
export function nameAfter(folder, name, { first, second }) {
  const from = compile(folder, `${name}-first`, first), bytes = readFileSync(compile(folder, `${name}-second`, second));
  const truth = readNames(bytes), stripped = join(folder, `${name}-stripped.wasm`);
  writeFileSync(stripped, strip(bytes));
  const { status, stdout, stderr } = spawnSync(tool('wasm-perf'), ['symbols', stripped, from], { encoding: 'utf8' });
  if (status !== 0 || stderr !== '') throw new Error(`${name}: ${stderr}`);
  const given = stdout.split('\n').slice(0, -1).map((line) => line.split('\t'))
    .map(([index, name, confidence]) => ({ index: Number(index), known: truth.names.get(Number(index)), name, confidence }));
  return { functions: truth.bodies.size, named: given.length, wrong: given.filter(({ known, name }) => known !== name) };
}

function main(folder, count, first) {
  const sum = { functions: 0, named: 0, wrong: 0, pairs: 0 };
  for (let seed = first; seed < first + count; seed++) {
    const pair = versions(seed), { functions, named, wrong } = nameAfter(folder, String(seed), pair);
    sum.functions += functions;
    sum.named += named;
    sum.wrong += wrong.length;
    sum.pairs += wrong.length > 0;
    for (const { index, known, name, confidence } of wrong)
      console.log(`  seed ${seed} (${pair.changes.join(', ')}): ${index} ${known}  given: ${name} ${confidence}`);
  }
  console.log(`${count} pairs: ${sum.named} of ${sum.functions} functions named (${percent(sum.named, sum.functions)} %), ` +
    `${sum.wrong} wrong names in ${sum.pairs} pairs`);
  return sum.wrong > 0 ? 1 : 0;
}

const [, script, folder, count = '1000', first = '1001'] = process.argv;
if (script === import.meta.filename) process.exitCode = main(folder, Number(count), Number(first));
