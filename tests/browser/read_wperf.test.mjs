// What the page reads of a .wperf file that is dropped on it, against what wasm-perf report packs of the same file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { loadProfile } from '../../src/report/formats/html/data.mjs';
import { readWperf } from '../../src/report/formats/html/read_wperf.mjs';
import { KINDS, writeProfile } from '../js/wperf.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';

const folder = temporaryFolder();

/** Numbers of color.h for what is told by a list of names, which the page has not: functions of a runtime. */
const plain = (kind) => (kind === 1 ? 0 : kind);

/** The data by names of stacks: the order of nodes and names is free. */
function byNames({ head, parent, label, columns, threads = [] }) {
  const stacks = [''];
  for (let i = 1; i < parent.length; i++) stacks.push(`${stacks[parent[i]]}/${head.names[label[i]]}`);
  const nodes = stacks.map((stack, i) => [stack, ...columns[0].map((column) => column[i])]).slice(1);
  return {
    values: head.values.map(({ key, unit }) => [key, unit]),
    kinds: Object.fromEntries(head.names.map((name, i) => [name, plain(head.kinds[i])])),
    uncounted: [...new Set(head.uncounted)].map((i) => head.names[i]).sort(),
    nodes: nodes.sort(([a], [b]) => (a < b ? -1 : 1)),
    threads: threads.map(({ name, dropped, edges, nodes: of }) => ({ name, dropped, edges: [...edges], stacks: [...of].map((i) => stacks[i]) })),
  };
}

async function compare(name, ...profile) {
  const path = join(folder, `${name}.wperf`);
  writeFileSync(path, writeProfile(...profile));
  const page = execFileSync(tool('wasm-perf'), ['report', '--format', 'html', path], { encoding: 'utf8' });
  const [, packed] = /id="profile">([^<]*)</.exec(page);
  const read = byNames(readWperf(new Uint8Array(readFileSync(path)), name));
  assert.deepEqual(read, byNames(await loadProfile(packed.trim())));
  return read;
}

const names = [[0, 'print'], [1, 'run'], [2, 'step'], [3, 'loop'], [4, '(garbage collector)'], [5, '(idle)'], [6, 'profiling']];
const nodes = [
  { function: 3, parent: 0, calls: 0, self: 40_000 }, // node 1: JavaScript
  { function: 1, parent: 1, calls: 7, self: 200_000 },
  { function: 2, parent: 2, calls: 90, self: 500_000 },
  { function: 0, parent: 3, calls: 5, self: 60_000 },
  { function: 4, parent: 3, calls: 0, self: 30_000 },
  { function: 5, parent: 0, calls: 0, self: 900_000 },
  { function: 6, parent: 2, calls: 0, self: 10_000 },
  { function: 2, parent: 7, calls: 2, self: 3_000 }, // below what is hidden, so beside the other
];
const kinds = [[3, KINDS.javascript], [4, KINDS.collection], [5, KINDS.idle], [6, KINDS.profiler]];
const threads = [
  { start: 5000, process: 7, number: 0, name: 'main', stretches: [[40, 1], [200, 2], [500, 3], [900, 6], [10, 7], [300, 0]] },
  { start: 4000, dropped: 12, process: 7, number: 1, name: 'worker', stretches: [[3, 8]] },
];

test('kinds, what is hidden, uncounted functions and the time line are those of the report', async () => {
  const options = { clock: 4, kinds, threads, hostFunctionCount: 1, functionCount: 3, uncounted: [2, 5] };
  const { kinds: read, threads: [main], nodes: shown } = await compare('all', nodes, names, options);
  assert.deepEqual([read.print, read.run, read.loop, read['(garbage collector)'], read['(idle)']], [2, 0, 3, 4, undefined]);
  assert.deepEqual(main.stacks.slice(3), ['', '', '']);
  assert.equal(shown.find(([stack]) => stack === '/loop/run/step')[1], 503_000);
});

test('ticks become nanoseconds', async () => {
  const { values } = await compare('ticks', nodes.slice(0, 3), [[3, 'loop']], { clock: 4, ticksPerSecond: 1_000_000 });
  assert.deepEqual(values, [['self', 'nanoseconds'], ['calls', 'calls']]);
});
