/** What tests of goroutines share: running commands, what a program says of itself, and profiles. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, tool } from '../support/tools.mjs';

export const folder = temporaryFolder();

export function run(command, args, env = {}) {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, ...env } };
  const { error, status, stdout, stderr } = spawnSync(command, args, options);
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return { stdout, stderr };
}

/**
 * What the program says of itself, names as a module has them: {calls: {function: n}, edges: {'caller callee': n}}.
 */
export function readCounts(stdout, inModule) {
  const calls = {};
  const edges = {};
  for (const [kind, ...words] of stdout.split('\n').map((line) => line.split(' '))) {
    const count = Number(words.pop());
    if (kind === 'calls') calls[inModule(words[0])] = count;
    if (kind === 'edge') edges[words.map(inModule).join(' ')] = count;
  }
  return { calls, edges };
}

/** {functions, nodes} as the JSON report of a profile has them. */
export function readReport(path, ...options) {
  run(tool('wasm-perf'), ['report', ...options, path, '-o', 'report.json']);
  return JSON.parse(readFileSync(join(folder, 'report.json')));
}

/** What of the one is not in the other. */
export const differences = (what, wanted, found) =>
  Object.entries(wanted)
    .filter(([key, count]) => found[key] !== count)
    .map(([key, count]) => `${what} ${key}: ${found[key]}, not ${count}`);

/** Prints how a comparison ended; whether it failed. */
export function tell(label, problems) {
  console.log(`${label}: ${problems.length === 0 ? 'equal' : 'DIFFERENT'}`);
  for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`);
  return problems.length > 0;
}
