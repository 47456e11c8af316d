// Runs a real program as it is and instrumented; prints a JSON object of what came of it.
//
//   node program.mjs PROGRAM FOLDER
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readProfile } from '../hosts/wperf.mjs';
import { packageFile, tool } from '../support/tools.mjs';

const [, , name, folder] = process.argv;

const programs = {
  sqljs: { module: 'sql.js/dist/sql-wasm-debug.wasm', openFrames: 0 },
  esbuild: { module: 'esbuild-wasm/esbuild.wasm', openFrames: 0 },
  ruby: { module: '@ruby/3.4-wasm-wasi/dist/ruby+stdlib.wasm', openFrames: 0 },
};

function run(command, args) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (result.status !== 0) throw new Error(`${args.join(' ')}: exit ${result.status}\n${result.stderr}`);
  return result.stdout;
}

const runProgram = (module, ...profile) =>
  run(process.execPath, ['--no-warnings', '--stack-size=4000',
    join(import.meta.dirname, `run_${name}.mjs`), module, ...profile]);

const program = programs[name];
const instrumented = join(folder, 'program.wasm');
const profilePath = join(folder, 'program.wperf');
const original = packageFile(program.module);
run(tool('wasm-instrument'), ['-q', '--clock', 'none', original, '-o', instrumented]);
const plain = runProgram(original);
const profiled = runProgram(instrumented, profilePath);

const profile = readProfile(readFileSync(profilePath));
const TRUNCATED = 0xfffffffe; // stands for stacks past the node limit, wherever they were
const sumCalls = (nodes) => nodes.reduce((sum, node) => sum + Number(node.calls), 0);
const result = {
  same: plain === profiled && plain.length > 0,
  entries: sumCalls(
    profile.nodes.filter((node, i) => i > 0 && node.parent === 0 && node.function !== TRUNCATED)),
  calls: sumCalls(profile.nodes),
  nodes: profile.nodes.length,
  functions: new Set(profile.nodes.map((node) => node.function)).size - 1,
  open: profile.header.openFrameCount,
  unbalanced: Number(profile.header.unbalancedCount),
  folded: Number(profile.header.foldedCallCount),
  problems: [],
};
const counted = Number(readFileSync(`${profilePath}.entries`, 'utf8'));
if (!result.same) result.problems.push('the output differs');
if (result.unbalanced) result.problems.push('perf_end was called with no frame open');
if (result.open !== program.openFrames)
  result.problems.push(`${result.open} frames are open, not ${program.openFrames}`);
if (result.entries !== counted)
  result.problems.push(`the host entered ${counted} times, the profile has ${result.entries}`);
console.log(JSON.stringify(result));
