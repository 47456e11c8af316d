// Reports and differences, whole, as a person reads them: expected/NAME.FORMAT of the profiles that
// golden_profiles.py makes. What their numbers must be, the oracle says.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { testGolden } from '../support/golden.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';

const folder = temporaryFolder();
execFileSync('python3', ['-B', join(import.meta.dirname, 'golden_profiles.py'), folder]);
const profiles = (kind) => readdirSync(join(folder, kind)).map((file) => file.replace('.wperf', ''));

const EXTENSIONS = { folded: 'folded', top: 'top', tree: 'tree', flamegraph: 'svg' };

/** Style and script have files of their own; golden pictures go without them. */
const withoutEmbedded = (text) => text.replace(/(<(style|script)><!\[CDATA\[\n)[^]*?(\]\]><\/\2>)/g, '$1$3');

const output = (command, args) =>
  withoutEmbedded(execFileSync(tool(command), args, { encoding: 'utf8' }));

const reports = {};
for (const name of profiles('reports'))
  for (const [format, extension] of Object.entries(EXTENSIONS))
    reports[`${name}.${extension}`] = () =>
      output('report-export', [format, join(folder, 'reports', `${name}.wperf`)]);
testGolden(join(import.meta.dirname, 'expected'), reports);

const diff = (name, ...options) => {
  const sides = ['before', 'after'].map((kind) => join(folder, kind, `${name}.wperf`));
  return output('wasm-perf', ['diff', '--show=hooks', '--no-demangle', ...options, ...sides]);
};
const differences = {};
for (const name of profiles('before')) {
  differences[`${name}.table`] = () => diff(name);
  differences[`${name}_stacks.table`] = () => diff(name, '--by', 'stack');
  differences[`${name}.svg`] = () => diff(name, '--format', 'flamegraph');
}
testGolden(join(import.meta.dirname, 'expected/diff'), differences);
