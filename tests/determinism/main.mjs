/**
 * Each program in a fixed host, in every engine, in two places that differ in folder, user, order and times of
 * files: the counts of all runs have to be the same, or `wasm-perf bench` has to refuse the program, with the
 * function in which its runs differ first. Then instructions are planted (plants.mjs). Prints a table in Markdown.
 *
 *     main.mjs [--runs N] [--share] [--table PAGE] [PROGRAM...]
 *
 * --share takes the programs that are built and run quickly. --table writes the rows into PAGE's table, too.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tool } from '../support/tools.mjs';
import { distribute, engines, folder, listOf, measure, places } from './places.mjs';
import { prove } from './plants.mjs';
import { Missing, programs } from './programs.mjs';

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, share: { type: 'boolean' }, table: { type: 'string' } },
  allowPositionals: true,
});
const runs = Number(values.runs);
const HEAD = '| program | language | instructions | runs | result | planted, found | rebuilds, quiet |\n|---|---|---|---|---|---|---|\n';

/** Where the first two of several results differ. */
function differences(seen) {
  const [[first, firstPlace], [second, secondPlace]] = seen;
  const others = second.split('\n');
  const at = first.split('\n').findIndex((line, i) => line !== others[i]);
  return `${firstPlace}: ${first.split('\n')[at]}; ${secondPlace}: ${others[at]}`;
}

/**
 * Runs it everywhere: {done, total, seen}, `seen` with each different result and where it was first seen. Of a
 * program that sees its folder, `byFolder`, only results in the same one have to be the same.
 */
function runEverywhere(program, built, byFolder) {
  const result = { done: 0, total: 0, seen: new Map() };
  for (const engine of Object.keys(engines).filter((name) => program.module || name !== 'wasmtime'))
    for (const place of places)
      for (let i = 0; i < runs; i++, result.done++) {
        const { total, counts } = measure(program, engine, built, place);
        result.total = total;
        const key = byFolder ? `${place.path}\n${counts}` : counts;
        if (!result.seen.has(key)) result.seen.set(key, `${engine} in ${place.path}, run ${i + 1}`);
      }
  return result;
}

/** Undefined if each engine's bench refuses it with that function, or else what it says. */
function refusalProblem(program, first, built) {
  for (const [name, engine] of Object.entries(engines)) {
    if (program.script && name === 'wasmtime') continue;
    writeFileSync(join(built, 'wasm-perf.toml'), listOf(program, engine));
    const env = { ...process.env, WASM_PERF_NODE: (name === 'wasmtime' ? engines.node : engine).command };
    const { status, stdout, stderr } = spawnSync(tool('wasm-perf'), ['bench', '--save', `--engine=${name.split(' ')[0]}`], { cwd: built, encoding: 'utf8', env });
    if (status !== 1 || !stdout.includes(`two runs differ first in ${first}: `)) return `${name}: ${stdout}${stderr}`;
  }
  return undefined;
}

/** A row of the table: cells, and whether all is as it has to be. */
function check({ name, language, build, byFolder, differs, first, change, isFinished }) {
  const built = join(folder, 'built');
  rmSync(built, { recursive: true, force: true });
  mkdirSync(built);
  const program = build(built);
  if (differs) {
    const problem = refusalProblem(program, first, built);
    return { isRight: !problem, cells: [name, language, '', '', problem ?? `refused, first in \`${first}\`: ${differs}`, '', ''] };
  }
  distribute(built);
  const { done, total, seen } = runEverywhere(program, built, byFolder);
  const isSame = seen.size === (byFolder ? places.length : 1);
  const result = isSame ? `the same${byFolder ? ` in the same folder: ${byFolder}` : ''}` : differences(seen);
  const { planted, found, rebuilds, quiet } = prove(folder, { build, change, isFinished });
  const pair = (all, right) => (all > 0 ? `${all}, ${right}` : '');
  return {
    isRight: isSame && found === planted && quiet === rebuilds,
    cells: [name, language, Number(total).toLocaleString('en'), done, result, pair(planted, found), pair(rebuilds, quiet)],
  };
}

function rowOf(program) {
  try {
    return check(program);
  } catch (error) {
    if (!(error instanceof Missing)) return { isRight: false, cells: [program.name, program.language, '', '', error.message.replaceAll('\n', ' '), '', ''] };
    return { isRight: true, cells: [program.name, program.language, '', '', error.message, '', ''] };
  }
}

/** Writes a row into the page's table, between its head and the next empty line; rows of other programs stay. */
function replaceRow(page, row) {
  const [before, after] = readFileSync(page, 'utf8').split(HEAD);
  const end = after.indexOf('\n\n');
  const all = new Map([...after.slice(0, end).split('\n'), row].map((each) => [each.split(' | ')[0].slice(2), each]));
  const text = programs.map(({ name }) => all.get(name)).filter(Boolean).join('\n');
  writeFileSync(page, `${before}${HEAD}${text}${after.slice(end)}`);
}

const isWanted = ({ name, isHeavy }) => (positionals.length > 0 ? positionals.some((part) => name.includes(part)) : !values.share || !isHeavy);
console.log(`Engines: ${Object.values(engines).map(({ label }) => label).join(', ')}\n\n${HEAD.trimEnd()}`);
const rows = programs.filter(isWanted).map((program) => {
  const row = rowOf(program);
  row.text = `| ${row.cells.join(' | ')} |`;
  console.log(row.text);
  if (values.table) replaceRow(values.table, row.text);
  return row;
});
process.exitCode = rows.length > 0 && rows.every(({ isRight }) => isRight) ? 0 : 1;
