// Behaviour: each case runs as it is and instrumented; results must be the same, and the
// call tree that the runtime kept must be the one written beside the case, by hand.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { embeddedProfiler } from '../js/embedded.mjs';
import { callCounts, readProfile } from '../js/wperf.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';
import { parse } from '../support/wat.mjs';
import { cases } from './cases.mjs';

const { createProfiler } = await import(tool('js/engine/profiler.mjs'));
const { readModuleInfo } = await import(tool('js/engine/module_info.mjs'));
const runtime = readFileSync(tool('wasm_perf.wasm'));
const temporary = temporaryFolder();
const CLOCKS = ['none', 'wall', 'instructions']; // as profiles number them
const VARIANTS = [
  ...CLOCKS.map((clock) => ({ clock, options: [] })),
  ...['none', 'instructions'].map((clock) => ({ clock, options: ['--embed'] })),
];

function instrument(bytes, clock, options) {
  const [input, output] = ['in.wasm', 'out.wasm'].map((name) => join(temporary, name));
  writeFileSync(input, bytes);
  const run = spawnSync(tool('wasm-instrument'), ['--clock', clock, ...options, input, '-o', output]);
  assert.equal(run.status, 0, run.stderr.toString());
  return readFileSync(output);
}

/** What the case's run returns, given a way to instantiate the module. */
async function perform(test, bytes, profiler) {
  const context = {};
  const own = test.imports?.(context) ?? {};
  const { instance } = await WebAssembly.instantiate(bytes, {
    env: own,
    ...(profiler && { wasm_perf: profiler.imports }),
  });
  context.raw = instance.exports;
  profiler?.attach?.(instance.exports);
  context.exports =
    profiler && !test.unwrapped ? profiler.wrapExports(instance.exports) : instance.exports;
  return test.run(context.exports);
}

/** "name calls" a line, indented by depth, from {"outer;inner": calls}. */
function treeText(counts) {
  const lines = Object.entries(counts).map(([stack, calls]) => {
    const names = stack.split(';');
    return `${'  '.repeat(names.length - 1)}${names.at(-1)} ${calls}`;
  });
  return lines.join('\n');
}

const dedent = (text) => {
  const lines = text.split('\n').filter((line) => line.trim());
  const margin = Math.min(...lines.map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(margin)).join('\n');
};

/** {name: instructions} over all stacks. */
function selfByName({ nodes, names }) {
  const sums = {};
  for (const node of nodes.slice(1)) {
    const name = names.get(node.function);
    sums[name] = (sums[name] ?? 0) + Number(node.self);
  }
  return sums;
}

const namesOf = (nodes, profiler) =>
  new Map(nodes.map((node) => [node.function, profiler.functionName(node.function)]));

/** As treeText, of a profile that leaves names to its module. */
function callTree(profile, profiler) {
  const { nodes } = readProfile(profile);
  return treeText(callCounts(profile, namesOf(nodes, profiler)));
}

async function check(test, { clock, options }) {
  const bytes = await parse(test.wat);
  const expected = await perform(test, bytes, null);
  const instrumented = instrument(bytes, clock, [...options, ...(test.options ?? [])]);
  const isEmbedded = options.includes('--embed');
  const profiler = isEmbedded
    ? embeddedProfiler(readModuleInfo(instrumented))
    : await createProfiler({ runtime, module: instrumented });
  assert.deepEqual(await perform(test, instrumented, profiler), expected);
  const profile = profiler.profile();
  const { header, nodes, names } = readProfile(profile);
  if (isEmbedded) {
    assert.deepEqual(callTree(profile, profiler), dedent(test.embeddedTree ?? test.tree));
    if (clock === 'instructions' && test.instructions)
      assert.deepEqual(selfByName({ nodes, names: namesOf(nodes, profiler) }), test.instructions);
    return;
  }
  assert.equal(header.clock, CLOCKS.indexOf(clock));
  assert.equal(header.unbalancedCount, 0n, 'perf_end without a frame');
  assert.equal(header.openFrameCount, test.openFrames ?? 0, 'open frames');
  assert.equal(treeText(callCounts(profile)), dedent(test.tree));
  if (clock === 'instructions' && test.instructions)
    assert.deepEqual(selfByName({ nodes, names }), test.instructions);
}

let failures = 0;
let count = 0;
for (const test of cases)
  for (const variant of VARIANTS) {
    const name = [test.name, variant.clock, ...variant.options].join(', ');
    count++;
    try {
      await check(test, variant);
      console.log(`ok   ${name}`);
    } catch (error) {
      failures++;
      console.log(`FAIL ${name}: ${error.message}`);
    }
  }
console.log(`${count - failures} passed, ${failures} failed`);
process.exit(failures || count === 0 ? 1 : 0);
