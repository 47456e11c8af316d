// A program of known pieces, recorded: JavaScript, WebAssembly, an import, waiting and garbage collection, of which the
// program says itself how long each took. Fails where a piece is shown with more than 3 % more or less.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { KINDS, readProfile } from '../js/wperf.mjs';
import { temporaryFolder, tool } from '../support/tools.mjs';

const MOST_OFF = 3; // per cent
const temporary = temporaryFolder();
const [text, module, script, output] = ['pieces.wat', 'pieces.wasm', 'pieces.mjs', 'pieces.wperf'].map((name) => join(temporary, name));

writeFileSync(text, `(module
  (import "env" "slow" (func $slow))
  (func (export "work") (param i32) (local $i i32)
    loop (local.set $i (i32.add (local.get $i) (i32.const 1))) (br_if 0 (i32.lt_u (local.get $i) (local.get 0))) end)
  (func (export "call") (call $slow)))`);

writeFileSync(script, `import { readFileSync, writeSync } from 'node:fs';
  const { PerformanceObserver } = await import('node:perf_hooks');
  let collected = 0;
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) collected += duration; })
    .observe({ entryTypes: ['gc'] });
  const truth = { JavaScript: 0, WebAssembly: 0, import: 0, waiting: 0, collection: 0 };
  function timed(piece, action) {
    const begin = performance.now();
    action();
    truth[piece] += performance.now() - begin;
  }
  function spin(ms) {
    for (const end = performance.now() + ms; performance.now() < end; );
  }
  const slow = () => timed('import', () => spin(20));
  const bytes = readFileSync(${JSON.stringify(module)});
  const { work, call } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { slow } }).exports;
  timed('JavaScript', function known() { spin(300); });
  while (truth.WebAssembly < 200) timed('WebAssembly', () => work(20_000_000));
  while (truth.import < 400) call();
  timed('waiting', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500));
  const kept = Array.from({ length: 1_000_000 }, (_, i) => ({ i }));
  while (truth.collection < 300) timed('collection', globalThis.gc);
  await new Promise((resolve) => setTimeout(resolve, 20)); // the engine tells of collections later
  writeSync(1, JSON.stringify({ ...truth, collection: collected, kept: kept.length }));`);

/** {piece: ms} as the profile has it. */
function shown({ nodes, names, kinds, header }) {
  const sums = { JavaScript: 0, WebAssembly: 0, import: 0, waiting: 0, collection: 0 };
  const nameOf = (node) => names.get(node.function);
  const isBelow = (node, name) => node !== nodes[0] && (nameOf(node) === name || isBelow(nodes[node.parent], name));
  const pieceOf = (node) => {
    const kind = kinds.get(node.function) ?? (node.function < header.hostFunctionCount ? KINDS.import : KINDS.wasm);
    if (kind === KINDS.collection) return 'collection';
    if (kind === KINDS.wait) return 'waiting';
    if (isBelow(node, 'env.slow')) return 'import';
    if (kind === KINDS.wasm) return 'WebAssembly';
    return isBelow(node, 'known') ? 'JavaScript' : undefined;
  };
  for (const node of nodes.slice(1)) {
    const piece = pieceOf(node);
    if (piece) sums[piece] += Number(node.self) / 1e6;
  }
  return sums;
}

execFileSync('wat2wasm', [text, '-o', module]);
const said = execFileSync(tool('wasm-perf'), ['record', '-o', output, '--', process.execPath, '--expose-gc', script], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
const truth = JSON.parse(said);
const seen = shown(readProfile(readFileSync(output)));
console.log('| piece | took, ms | shown, ms | off by |\n|---|---|---|---|');
for (const [piece, ms] of Object.entries(seen)) {
  const off = (100 * (ms - truth[piece])) / truth[piece];
  console.log(`| ${piece} | ${truth[piece].toFixed(1)} | ${ms.toFixed(1)} | ${off.toFixed(1)} % |`);
  if (!(Math.abs(off) <= MOST_OFF)) process.exitCode = 1;
}
