// How near a recorded program comes to what V8's own profiler says of the program as it is, JavaScript, WebAssembly and
// the rest together. For each script: by how many points the furthest of its ten largest functions is off, beside how
// far two runs of --cpu-prof are from each other; and what share of the run the sum of all kinds is, of a single thread.
//
//     whole.mjs FOLDER [PROGRAM...]   of tests/packages; FOLDER has their packages in node_modules
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { KINDS, readProfile } from '../js/wperf.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';

const TOP = 10;
const PROGRAMS = ['rapier', 'sql.js', 'resvg', 'tiktoken', 'swc', 'mupdf', 'z3', 'duckdb', 'pglite', 'pyodide'];
const [folder, ...wanted] = process.argv.slice(2);
const temporary = temporaryFolder();
const run = (command, args) => execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

/**
 * What a function is called on both sides: one of JavaScript by its place, as source maps may rename it. V8 names those of
 * modules as their name section does, or by number, for which `names` has what we call it.
 */
function keyOf(name, url, line, names = new Map()) {
  if (url !== '' && !url.startsWith('wasm:')) return `${basename(url)}:${line}`;
  const [, number] = /^wasm-function\[(\d+)\]$/.exec(name) ?? [];
  return number === undefined ? name || '(anonymous)' : names.get(Number(number)) ?? name;
}

const maps = new Map(); // by URL; null: it has none

function readMap(url) {
  if (!url.startsWith('file:')) return null;
  const path = fileURLToPath(url);
  const given = readFileSync(path, 'utf8').match(/^\/\/[#@] sourceMappingURL=(\S+)\s*$/m)?.[1];
  if (!given) return null;
  const data = /^data:[^,]*;base64,(.*)$/.exec(given);
  try {
    return new SourceMap(JSON.parse(data ? Buffer.from(data[1], 'base64').toString() : readFileSync(join(dirname(path), given), 'utf8')));
  } catch {
    return null; // it was not published
  }
}

/** Where V8's frame is in the source: {url, line}, by Node's reader of source maps. */
function placeOf({ url, lineNumber, columnNumber }) {
  const [line, column] = [lineNumber, columnNumber].map((number) => Math.max(number, 0));
  if (!maps.has(url)) maps.set(url, readMap(url));
  const { originalSource, originalLine } = maps.get(url)?.findEntry(line, column) ?? {};
  return originalSource ? { url: originalSource, line: originalLine + 1 } : { url, line: line + 1 };
}

/** {function: ms} of the script as it is; a sample lasts until the next one, as DevTools has it. */
function sampledByV8(script, round, names) {
  const profiles = join(temporary, `${basename(script)}.${round}`);
  mkdirSync(profiles);
  run(process.execPath, ['--no-warnings', '--cpu-prof', '--cpu-prof-interval=700', `--cpu-prof-dir=${profiles}`, script]);
  const sums = {};
  for (const file of readdirSync(profiles)) {
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(profiles, file), 'utf8'));
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
    samples.forEach((id, i) => {
      const frame = frames.get(id);
      const { url, line } = placeOf(frame);
      const key = keyOf(frame.functionName, url, line, names);
      sums[key] = (sums[key] ?? 0) + (timeDeltas[i + 1] ?? 0) / 1000;
    });
  }
  return sums;
}

/** The same of a recorded run: {sums, names, all: ms of all nodes, ran: ms of the run}. */
function recorded(script) {
  const output = join(temporary, `${basename(script)}.wperf`);
  run(tool('wasm-perf'), ['record', '-o', output, '--', process.execPath, '--no-warnings', script]);
  const { header, nodes, names, places, kinds } = readProfile(readFileSync(output));
  const sums = {};
  let all = 0;
  for (const { function: index, self } of nodes.slice(1)) {
    const { file = '', line = 0 } = kinds.get(index) === KINDS.javascript ? places.get(index) ?? {} : {};
    const key = keyOf(names.get(index) ?? '', file, line);
    sums[key] = (sums[key] ?? 0) + Number(self) / 1e6;
    all += Number(self) / 1e6;
  }
  return { sums, names, all, ran: Number(header.runTime) / 1e6 };
}

/** What does not work is left out: the runs wait differently long. */
function sharesOf(sums) {
  const busy = Object.entries(sums).filter(([name]) => !['(idle)', '(program)', '(root)'].includes(name));
  const whole = busy.reduce((sum, [, ms]) => sum + ms, 0);
  return Object.fromEntries(busy.map(([name, ms]) => [name, (100 * ms) / whole]));
}

function furthestOff(reference, shares) {
  const top = Object.entries(reference).sort(([, a], [, b]) => b - a).slice(0, TOP);
  const [off, name] = top.map(([name, share]) => [Math.abs(share - (shares[name] ?? 0)), name]).sort(([a], [b]) => b - a)[0];
  return `${off.toFixed(1)} (${name})`;
}

cpSync(join(import.meta.dirname, '../packages/programs'), join(folder, 'programs'), { recursive: true });
console.log('| program | recorded, points off | --cpu-prof again | kinds of the run |\n|---|--:|--:|--:|');
for (const program of wanted.length > 0 ? wanted : PROGRAMS) {
  const script = join('programs', `${program}.mjs`);
  const { sums, names, all, ran } = recorded(script);
  const [reference, again] = [1, 2].map((round) => sharesOf(sampledByV8(script, round, names)));
  const columns = [furthestOff(reference, sharesOf(sums)), furthestOff(reference, again), `${((100 * all) / ran).toFixed(1)} %`];
  console.log(`| ${program} | ${columns.join(' | ')} |`);
}
