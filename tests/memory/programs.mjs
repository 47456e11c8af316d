/** The programs of this folder, compiled, run with --memory, and their profiles by functions. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readEmbedded } from '../js/embedded.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';

const folder = temporaryFolder();
const clang = process.env.WI_CLANG ?? 'clang';

export const at = (name) => join(folder, name);
export const source = (name) => join(import.meta.dirname, 'programs', name);

/** Linked without -O: clang would start wasm-opt, which takes the names away. */
export function compile(name, ...options) {
  const object = at(`${name}.o`);
  const args = ['--target=wasm32-wasi', '-O1', ...options, '-c', source(`${name}.c`), '-o', object];
  execFileSync(clang, args);
  execFileSync(clang, ['--target=wasm32-wasi', object, '-o', at(`${name}.wasm`)]);
  return at(`${name}.wasm`);
}

/** Like compile, for a program without main, whose exports a host calls. */
export function compileLibrary(name) {
  const object = at(`${name}.o`);
  execFileSync(clang, ['--target=wasm32-wasi', '-O1', '-c', source(`${name}.c`), '-o', object]);
  execFileSync(clang, ['--target=wasm32-wasi', '-mexec-model=reactor', object, '-o', at(`${name}.wasm`)]);
  return at(`${name}.wasm`);
}

/** The values of truth.c's accounts, in their order. */
export const VALUES = [
  'allocated_objects',
  'allocated_bytes',
  'resized_objects',
  'temporary_objects',
  'live_objects',
  'live_bytes',
  'peak_objects',
  'peak_bytes',
];

/** What truth.c itself says: {value: {function: number}}, zeros left out. */
export function truthOf(output) {
  const { peak_allocation: peakAllocation, sizes, ...functions } = JSON.parse(output);
  const values = VALUES.map((value, i) => [
    value,
    Object.fromEntries(
      Object.entries(functions).map(([name, numbers]) => [name, numbers[i]]).filter(([, n]) => n > 0),
    ),
  ]);
  return { peakAllocation, sizes, values: Object.fromEntries(values) };
}

/** Why the programs in C cannot be built here; false: they can. */
export const missingLibrary = () =>
  !existsSync('/usr/lib/wasm32-wasi/libc.a') && 'no wasi-libc';

/** The exports of a module in WAT, with the embedded runtime, and how its profile is read. */
export async function instantiate(wat, options = [], imports = {}) {
  writeFileSync(at('in.wasm'), await parse(wat));
  const args = ['--embed', '--memory', ...options, at('in.wasm'), '-o', at('out.wasm')];
  execFileSync(tool('wasm-instrument'), args, { stdio: ['ignore', 'inherit', 'pipe'] });
  const module = new WebAssembly.Module(readFileSync(at('out.wasm')));
  const { exports } = new WebAssembly.Instance(module, imports);
  const save = () => {
    writeFileSync(at('out.wperf'), readEmbedded(exports));
    return at('out.wperf');
  };
  return { exports, save };
}

/** Runs `wasm-perf ARGS…`; its standard output. */
export function wasmPerf(...args) {
  const { status, stdout, stderr } = spawnSync(tool('wasm-perf'), args, {
    encoding: 'utf8',
    maxBuffer: Infinity,
  });
  if (status !== 0) throw new Error(`wasm-perf ${args.join(' ')}: exit ${status}\n${stderr}`);
  return stdout;
}

/** {function: value} of one value: what the functions have themselves, by the JSON report. */
export function selfBy(value, profile) {
  const report = JSON.parse(wasmPerf('report', '--value', value, '--format', 'json', profile));
  const rows = report.functions.map(({ name, self }) => [name, Number(self)]);
  return Object.fromEntries(rows.filter(([, self]) => self > 0));
}

/** {stack: value} of one value, the frames joined by ';'. */
export function stacksBy(value, profile) {
  const lines = wasmPerf('report', '--value', value, '--format', 'folded', profile).trim().split('\n');
  return Object.fromEntries(lines.map((line) => /^(.*) (\d+)$/.exec(line).slice(1)).map(([stack, n]) => [stack, Number(n)]));
}

/** The numeric facts of a profile by their names in include/wasm_perf/format.h. */
export function factsOf(profile) {
  const format = readFileSync(join(import.meta.dirname, '../../include/wasm_perf/format.h'), 'utf8');
  const names = new Map(
    [...format.matchAll(/X\(([a-z_]+), (?:u32, |u64, )?(\d+)\)/g)].map(([, name, key]) => [Number(key), name]),
  );
  const bytes = readFileSync(profile);
  const facts = {};
  const end = 32 + Number(bytes.readBigUInt64LE(24)); // the first section is that of facts
  for (let offset = 32; offset < end; ) {
    const key = bytes.readUInt32LE(offset);
    const size = bytes.readUInt32LE(offset + 4);
    if (key < 64) facts[names.get(key)] = Number(bytes.readBigUInt64LE(offset + 8));
    offset += 8 + Math.ceil(size / 8) * 8;
  }
  return facts;
}
