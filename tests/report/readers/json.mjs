/** Reads the project's own JSON: by its schema, and exactly. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { assertColumn, index, parseExactly, print, scaled, sumTree, validate } from './reader.mjs';

const clamp = (value) => (value < 2n ** 64n ? value : 2n ** 64n - 1n);
const schema = new URL('../../../include/wasm_perf/report.schema.json', import.meta.url);
validate(JSON.parse(readFileSync(schema)));
const report = parseExactly();
const { functions, nodes } = report;
const columns = Object.values(nodes);
assert.deepEqual(columns.map((column) => column.length), columns.map(() => nodes.parent.length));
const parents = nodes.parent.map((parent) => (parent === null ? -1 : index(parent)));
const names = nodes.function.map((place) => functions[index(place, functions.length)].name);
const [selves, calls] = [nodes.self, nodes.calls].map((column) => column.map((value) => scaled(value)));

// What the file says of functions, of nodes and of all has to be what the tree adds up to.
const sums = sumTree(parents, names, selves, calls);
const hottest = (a, b) => (a.self === b.self ? Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) : a.self < b.self ? 1 : -1);
const rows = functions.map(({ name, self, total, calls }) => ({
  name,
  self: scaled(self),
  total: scaled(total),
  calls: scaled(calls),
}));
const expected = [...sums].map(([name, { self, total, calls }]) => ({
  name,
  self: clamp(self),
  total: clamp(total),
  calls: clamp(calls),
}));
expected.sort(hottest);
for (const key of ['name', 'self', 'total', 'calls'])
  assertColumn(rows.map((row) => row[key]), expected.map((row) => row[key]), key);
const add = (values) => clamp(values.reduce((sum, value) => sum + value, 0n));
assert.equal(scaled(report.total), add(selves));
assert.equal(scaled(report.calls), add(calls));
// The summary's numbers are those of the tree, and those of the notes for people.
const { summary, unit, notes } = report;
assert.equal(scaled(summary.calls), add(calls));
if (unit !== 'calls') assert.equal(scaled(summary[`total_${unit}`]), add(selves));
const quantities = { functions: 'function', call_stacks: 'call stack', host_calls: 'call', samples: 'sample', instances: 'instance' };
for (const [key, noun] of Object.entries(quantities).filter(([key]) => key in summary && scaled(summary[key]) > 1n)) {
  const text = `${scaled(summary[key]).toLocaleString('en')} ${noun}s`;
  assert(notes.some((note) => note.includes(text)), `${key}: ${text} in ${notes}`);
}

const totals = [...selves];
for (let i = totals.length - 1; i >= 0; i--) if (parents[i] >= 0) totals[parents[i]] += totals[i];
assertColumn(nodes.total.map((value) => scaled(value)), totals.map(clamp), 'total');
print(new Map(rows.map(({ name, ...sums }) => [name, sums])));
