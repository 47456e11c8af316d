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

/**
 * Runs a program of tests/real in a process of its own. `files` are the module and, where it is to be
 * profiled, the profile; `profiler` has options of createProfiler.
 */
export function runReal(name, files, { profiler = {}, nodeOptions = [], env = {} } = {}) {
  const script = join(import.meta.dirname, `../real/run_${name}.mjs`);
  const args = ['--no-warnings', '--stack-size=4000', ...nodeOptions, script, ...files];
  execFileSync(process.execPath, args, {
    env: { ...process.env, WI_PROFILER_OPTIONS: JSON.stringify(profiler), ...env },
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
