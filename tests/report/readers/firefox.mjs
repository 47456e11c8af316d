/** Reads the Firefox Profiler's format, exactly and by the profiler's own code, profiler-cli. */

import assert from 'node:assert/strict';
import { compareRounded, file, fitsDoubles, index, parseExactly, print, scaled, sumTree } from './reader.mjs';
import { askProfiler } from './profiler_cli.mjs';

/** A larger or deeper tree is only printed in part. */
const MAX_PRINTED_STACKS = 1000;
const MAX_PRINTED_DEPTH = 200;

const { meta, shared, threads } = parseExactly();
const { stackTable, frameTable, funcTable, stringArray } = shared;
assert.equal(meta.preprocessedProfileVersion.number, '66');
const unit = meta.extra[0].entries[0].value;
const stackCount = index(stackTable.length);

function checkLengths(table) {
  const { length, ...columns } = table;
  for (const [name, column] of Object.entries(columns))
    assert.equal(column.length, index(length), `length of ${name}`);
}
Object.values(shared).forEach((table) => Array.isArray(table) || checkLengths(table));

const parents = stackTable.prefixOffset.map((offset, i) => (offset.number === '0' ? -1 : i - index(offset, i + 1)));
const names = stackTable.frame.map((frame) => {
  const place = index(frameTable.func[index(frame, frameTable.func.length)], funcTable.name.length);
  return stringArray[index(funcTable.name[place], stringArray.length)];
});

/** What a thread's samples make of each stack. */
function readSelves({ samples }, decimals) {
  checkLengths({ length: samples.length, stack: samples.stack, time: samples.time, weight: samples.weight });
  const selves = parents.map(() => 0n);
  samples.stack.forEach((stack, i) => {
    const weight = scaled(samples.weight[i], decimals);
    if (stack !== null) selves[index(stack, stackCount)] += weight;
    else assert.deepEqual([weight, i], [0n, samples.stack.length - 1]);
  });
  return selves;
}

const timeDecimals = unit === 'nanoseconds' ? 6 : 3;
const decimals = unit === 'nanoseconds' ? 6 : 0;
const [values, calls = values] = threads;
assert.equal(values.samples.weightType, decimals ? 'tracing-ms' : 'samples');
assert.equal(calls.name, 'calls');
const selves = readSelves(values, decimals);
const functions = sumTree(parents, names, selves);
const callSums = calls === values ? functions : sumTree(parents, names, readSelves(calls, 0));

/** Where no time is lost between samples, each one begins where the one before ends. */
let now = 0n;
values.samples.time.forEach((time, i) => {
  assert.equal(scaled(time, timeDecimals), now);
  now += scaled(values.samples.weight[i], decimals);
  now = now < 2n ** 64n ? now : 2n ** 64n - 1n;
});

/** The files that the profiler has for functions are those of the sources. */
function compareSources(answers) {
  const files = funcTable.source.map((source) => source && stringArray[index(shared.sources.filename[index(source)])]);
  answers.forEach(({ funcIndex, srcAnnotation: { filename } }) => assert.equal(filename, files[funcIndex]));
}

function compareThread(thread, functions, { functions: rows, weightType }, decimals) {
  assert.equal(weightType, thread.samples.weightType);
  const read = new Map(rows.map((row) => [row.name, { self: row.selfSamples, total: row.totalSamples }]));
  const expected = new Map([...functions].filter(([name, { total }]) => total > 0n || read.has(name)));
  compareRounded(expected, read, decimals);
}

/** Compares the call tree as it is printed, but for stacks without weight, which are left out there. */
function compareTree({ regularCallTree }) {
  const totals = [...selves];
  for (let i = stackCount - 1; i >= 0; i--) if (parents[i] >= 0) totals[parents[i]] += totals[i];
  const lines = [];
  const paths = names.map(() => '');
  names.forEach((name, i) => {
    paths[i] = `${paths[parents[i]] ?? ''}\n${name}`;
    if (totals[i] > 0n) lines.push(`${paths[i]} ${selves[i]} ${totals[i]}`);
  });
  const printed = [];
  const add = (node, path) => {
    assert.equal(node.childrenTruncated, undefined);
    const [self, total] = [node.selfSamples, node.totalSamples].map((value) => Math.round(value * 10 ** decimals));
    if (total > 0) printed.push(`${path} ${self} ${total}`);
    for (const child of node.children) add(child, `${path}\n${child.name}`);
  };
  for (const root of regularCallTree.children) add(root, `\n${root.name}`);
  assert.deepEqual(printed.sort(), lines.sort());
}

if (fitsDoubles(functions) && fitsDoubles(callSums)) {
  const ask = (what, thread) => ['thread', what, '--include-idle', '--thread', thread];
  const commands = threads.map((thread, i) => [...ask('functions', `t-${i}`), '--limit', '0']);
  const depths = [];
  for (const parent of parents) depths.push((depths[parent] ?? 0) + 1);
  const isPrinted = stackCount < MAX_PRINTED_STACKS && depths.every((depth) => depth < MAX_PRINTED_DEPTH);
  if (isPrinted) commands.push([...ask('samples-top-down', 't-0'), '--max-lines', `${MAX_PRINTED_STACKS}`]);
  const placed = funcTable.source.flatMap((source, i) => (source === null ? [] : [i])).slice(0, 8);
  commands.push(...placed.map((i) => ['function', 'annotate', `f-${i}`, '--mode', 'src']));
  const rows = await askProfiler(file, commands);
  compareSources(rows.splice(rows.length - placed.length));
  if (isPrinted) compareTree(rows.pop());
  compareThread(values, functions, rows[0], decimals);
  compareThread(calls, callSums, rows.at(-1), calls === values ? decimals : 0);
}
for (const [name, sums] of functions) sums.calls = callSums.get(name).self;
print(functions);
