// What `wasm-perf record` says of a program, as V8's profiler counts it: all time for functions of modules.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { temporaryFolder, tool } from '../support/tools.mjs';
import { recordReal } from './measure.mjs';

const temporary = temporaryFolder();
const perf = (...args) => execFileSync(tool('wasm-perf'), args, { encoding: 'utf8', maxBuffer: 1 << 29 });

/** Time of what is no function of a module, waiting included, counts for the one that called it. */
function chargeCallers({ functions, nodes }) {
  const at = [];
  for (let i = 0; i < nodes.parent.length; i++) { // parents come first
    const isHost = functions[nodes.function[i]].host;
    at[i] = isHost ? at[nodes.parent[i]] : i;
    if (!isHost) continue;
    if (at[i] !== undefined) nodes.self[at[i]] += nodes.self[i];
    nodes.self[i] = 0;
  }
  return { functions, nodes };
}

/** What `wasm-perf report --format json` says of some runs together. */
export function recorded({ runner, module }, name, rounds, ...options) {
  const files = Array.from({ length: rounds }, (_, round) => {
    const output = join(temporary, `${name}.${round}.wperf`);
    recordReal(runner, module(), output, '--recursion=fold', ...options);
    return output;
  });
  const merged = join(temporary, `${name}.merged.wperf`);
  perf('merge', '-o', merged, ...files);
  return chargeCallers(JSON.parse(perf('report', '--format=json', '--no-demangle', '--show=waiting', merged)));
}

/** {function: self time} */
export function selfOf({ functions, nodes }) {
  const sums = {};
  nodes.self.forEach((self, i) => {
    const { name } = functions[nodes.function[i]];
    sums[name] = (sums[name] ?? 0) + self;
  });
  return sums;
}
