// The shares of a program's functions: of one that was recorded, and of the program as it is by V8's own profiler.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { KINDS, NO_PROCESSOR, readProfile } from '../js/wperf.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';

const IMPORTS = '(imports)';
const temporary = temporaryFolder();
let folder;
let profileCount = 0;
const run = (command, args) => execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

/** Where the packages are; the programs of tests/packages are copied there. */
export function useFolder(path) {
  folder = path;
  cpSync(join(import.meta.dirname, '../packages/programs'), join(folder, 'programs'), { recursive: true });
}

// How often each does its work, for a second or more: shorter ones have too few samples.
const TIMES = { 'oxc-parser': 60, tailwind: 100, duckdb: 400, binaryen: 1, rapier: 100, yosys: 4, 'sql.js': 30, swc: 6000, pyodide: 300, pglite: 30 };

/** The programs that take an argument, how often to do their work. */
export const LONG_PROGRAMS = Object.keys(TIMES);
export const timesOf = (program) => String(TIMES[program] ?? 1);
export const scriptOf = (program) => join('programs', `${program}.mjs`);

/**
 * What a function is called on both sides: one of JavaScript by its place, as source maps may rename it, with the column
 * where `names` has it, as several are on one line. V8 names those of modules as their name section does, or by number,
 * for which `names` has what we call it.
 */
function keyOf(name, { url, line, column }, names = new Map()) {
  if (url !== '' && !url.startsWith('wasm:')) {
    const place = `${basename(url)}:${line}`;
    return names.has(`${place}:${column}`) ? `${place}:${column}` : place;
  }
  const [, number] = /^wasm-function\[(\d+)\]$/.exec(name) ?? [];
  return (number && names.get(Number(number))) || name || '(anonymous)';
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

/** Where V8's frame is in the source: {url, line, column}, by Node's reader of source maps. */
function placeOf({ url, lineNumber, columnNumber }) {
  const [line, column] = [lineNumber, columnNumber].map((number) => Math.max(number, 0));
  if (!maps.has(url)) maps.set(url, readMap(url));
  const { originalSource, originalLine, originalColumn } = maps.get(url)?.findEntry(line, column) ?? {};
  return originalSource
    ? { url: originalSource, line: originalLine + 1, column: originalColumn + 1 }
    : { url, line: line + 1, column: column + 1 };
}

/** What is compared: functions of JavaScript and of modules, but Node's own, most of which run before a module does. */
const isLeftOut = (url) => url === '' || url.startsWith('node:');

const isImport = ({ functionName }) => /^wasm-to-js(:|$)/.test(functionName);

/** The function whose time it is: we show V8's wrapper of a call from JavaScript, or of a native import, as part of the caller. */
function chargedOf(id, frames, parents) {
  while (/^js-to-wasm(:|$)/.test(frames.get(id).functionName)) id = parents.get(id);
  const caller = frames.get(parents.get(id));
  return frames.get(id).url === '' && caller && isImport(caller) ? caller : frames.get(id);
}

const COMPILES = new Set(['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming', 'Module', 'Instance']);

/** Whether a module runs or is compiled there. A recording begins with the first. Node instantiates scripts, too. */
function hasModule(id, frames, parents) {
  let compiles = false;
  for (let at = id; at !== undefined; at = parents.get(at)) {
    const { url, functionName } = frames.get(at);
    if (url.startsWith('wasm:')) return true;
    if (url !== '') return compiles && !url.startsWith('node:');
    compiles ||= COMPILES.has(functionName);
  }
  return false;
}

/** Names by index in the module; if a profile joins several, in the one with most functions. */
function namesInModule({ header, nodes, names }) {
  if (header.hostFunctionCount > 0) return names;
  const frames = nodes.slice(1).filter(({ parent }) => parent === 0).map(({ function: index }) => index); // of modules and others
  const sizeAfter = (frame) => Math.min(...frames.filter((other) => other > frame)) - frame;
  const largest = 1 + frames.slice().sort((a, b) => sizeAfter(b) - sizeAfter(a)).find((frame) => sizeAfter(frame) < Infinity);
  return new Map([...names].map(([index, name]) => [index - largest, name]));
}

/** {function: ms} of the script as it is; a sample lasts until the next one, as DevTools has it. */
export function sampledByV8(script, times, names, options = []) {
  const profiles = join(temporary, `v8.${profileCount++}`);
  mkdirSync(profiles);
  run(process.execPath, ['--no-warnings', ...options, '--cpu-prof', '--cpu-prof-interval=700', `--cpu-prof-dir=${profiles}`, script, times]);
  const sums = {};
  for (const file of readdirSync(profiles)) {
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(profiles, file), 'utf8'));
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
    const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
    const first = samples.findIndex((id) => hasModule(id, frames, parents));
    samples.forEach((id, i) => {
      if (first < 0 || i < first) return;
      const frame = chargedOf(id, frames, parents);
      const place = placeOf(frame);
      if (!isImport(frame) && isLeftOut(place.url)) return;
      const key = isImport(frame) ? IMPORTS : keyOf(frame.functionName, place, names);
      sums[key] = (sums[key] ?? 0) + (timeDeltas[i + 1] ?? 0) / 1000;
    });
  }
  return sums;
}

/** The same of a recorded run: {sums, names, all: ms of all nodes, ran: ms of the run, output: its file}. */
export function recorded(script, times) {
  const output = join(temporary, `${basename(script)}.wperf`);
  run(tool('wasm-perf'), ['record', '-o', output, '--', process.execPath, '--no-warnings', script, times]);
  const profile = readProfile(readFileSync(output));
  const { header, nodes, names, places, kinds } = profile;
  const kindOf = (index) => kinds.get(index) ?? (index < header.hostFunctionCount ? KINDS.import : KINDS.wasm);
  const columns = new Map(); // by place with its column
  const sums = {};
  let all = 0;
  for (const { parent, function: own, self } of nodes.slice(1)) {
    all += Number(self) / 1e6;
    if (names.get(own) === NO_PROCESSOR) continue; // V8 charges it to whatever it samples next
    const above = nodes[parent].function;
    const isNativeImport = kindOf(own) === KINDS.native && kindOf(above) === KINDS.import;
    const index = kindOf(own) === KINDS.wait || isNativeImport ? above : own; // V8 knows no waits
    const kind = kindOf(index);
    const name = names.get(index) ?? '';
    const { file: url = '', line = 0 } = kind === KINDS.javascript ? places.get(index) ?? {} : {};
    if (![KINDS.wasm, KINDS.import].includes(kind) && isLeftOut(url)) continue;
    const [withColumn, column] = url === '' ? [] : / \S+:\d+:(\d+)$/.exec(name) ?? [];
    if (withColumn) columns.set(withColumn.slice(1), name);
    const key = kind === KINDS.import ? IMPORTS : keyOf(name, { url, line, column }, columns);
    sums[key] = (sums[key] ?? 0) + Number(self) / 1e6;
  }
  return { sums, names: new Map([...namesInModule(profile), ...columns]), all, ran: Number(header.runTime) / 1e6, output };
}

/** {function: its share in percent}, the mean of several runs. */
export function sharesOf(runs) {
  const shares = {};
  for (const sums of runs) {
    const whole = Object.values(sums).reduce((sum, ms) => sum + ms, 0);
    for (const [name, ms] of Object.entries(sums)) shares[name] = (shares[name] ?? 0) + (100 * ms) / whole / runs.length;
  }
  return shares;
}
