// What the benchmarks share.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { tool } from '../support/tools.mjs';

export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Instruments a file into another, whose path it returns. */
export function instrument(input, output, ...options) {
  execFileSync(tool('wasm-instrument'), ['-q', ...options, input, '-o', output]);
  return output;
}

const scriptOf = (name) => join(import.meta.dirname, `../real/run_${name}.mjs`);
const NODE_OPTIONS = ['--no-warnings', '--stack-size=4000'];

/** Records such a program with wasm-perf, as a user does; `options` are of `wasm-perf record`. */
export function recordReal(name, module, profile, ...options) {
  const command = [process.execPath, ...NODE_OPTIONS, scriptOf(name), module];
  execFileSync(tool('wasm-perf'), ['record', ...options, '-o', profile, '--', ...command], {
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/**
 * Runs a program of tests/real in a process of its own. `files` are the module and, where it is to be
 * profiled, the profile; `profiler` has options of createProfiler.
 */
export function runReal(name, files, { profiler = {}, nodeOptions = [], env = {} } = {}) {
  const args = [...NODE_OPTIONS, ...nodeOptions, scriptOf(name), ...files];
  execFileSync(process.execPath, args, {
    env: { ...process.env, WI_PROFILER_OPTIONS: JSON.stringify(profiler), ...env },
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
