/** wasm-perf explain: what matters of a profile in one screen, as text, Markdown and JSON. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { at, tool } from '../js/support.mjs';
import { KINDS, writeProfile } from '../js/wperf.mjs';

function explain(...args) {
  const { status, stdout, stderr } = tool('wasm-perf', ['explain', ...args]);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

/** main calls walk, which recurses 800 deep and then calls hash; and print. */
const DEEP = 801;
const nodes = [{ function: 1, parent: 0, calls: 1, self: 1000 }];
for (let i = 0; i < DEEP; i++) nodes.push({ function: 2, parent: nodes.length, calls: 1, self: 10 });
nodes.push({ function: 3, parent: nodes.length, calls: 5000, self: 90_000 });
nodes.push({ function: 4, parent: 1, calls: 3, self: 5000 });
const names = [[1, 'main'], [2, 'walk'], [3, "it's <b>hash|all</b>"], [4, 'print']];
const save = (name, nodes, names, options) => writeFileSync(at(name), writeProfile(nodes, names, { clock: 2, ticksPerSecond: 0, ...options }));
save('deep.wperf', nodes, names);

test('totals, functions, path and the next command', () => {
  const text = explain('deep.wperf');
  assert.match(text, /^deep\.wperf\n104,010 instructions, [^]* 86\.53 +90,000 instructions +5,000 calls {2}it's <b>hash\|all<\/b>\n/);
  const [, path] = text.split('Heaviest path, outermost first (%, total)\n');
  assert.deepEqual(path.split('\n\n')[0].split('\n').map((row) => row.trim().split(/ {2,}/)), [
    ['100.00', '104,010 instructions', 'main'],
    ['94.23', '98,010 instructions', 'walk', '×801'],
    ['86.53', '90,000 instructions', "it's <b>hash|all</b>"],
  ]);
  assert.match(text, /\nNext\nwasm-perf callers 'it'\\''s <b>hash\|all<\/b>' deep\.wperf\n$/);
});

test('findings are sentences, and there are none where times are too rough', () => {
  const sentence = "it's <b>hash|all</b> 86.5 % of the instructions by itself, all from walk (5,000 calls, 18.0 instructions each)";
  assert.equal(explain('deep.wperf').split('\n\n')[1], `Findings\n* ${sentence}`);
  assert(explain('--format=md', 'deep.wperf').includes(`\n## Findings\n\n* ${sentence.replaceAll(/[<>|]/g, '\\$&')}\n`));
  writeFileSync(at('rough.wperf'), writeProfile(nodes, names, { clock: 1, hookCosts: [1000 * 1024, 1000 * 1024] }));
  assert.match(explain('rough.wperf'), /\nFindings\n\* No findings: the times are too rough for them\n/);
});

test('what is left out as waiting, and a language\'s library, are findings', () => {
  const rows = [['main', 300], ['(idle)', 3000], ['runtime.schedule', 250], ['runtime.findRunnable', 240], ['main.work', 210]];
  const tree = rows.map(([, self], i) => ({ function: i + 1, parent: i === 0 || i === 1 ? 0 : 1, calls: i === 1 ? 0 : 1, self: self * 1e6 }));
  save('idle_time.wperf', tree, rows.map(([name], i) => [i + 1, name]), { clock: 4, ticksPerSecond: 1e9, clockReadCount: 4000, kinds: [[2, KINDS.idle]] });
  const { findings } = JSON.parse(explain('--format=json', 'idle_time.wperf'));
  assert.deepEqual(findings.map(({ text }) => text).filter((text) => /idle|runtime,/.test(text)), [
    '3.00 s idle: 75.0 % of 4.00 s',
    "49.0 % of the time is Go's runtime, most in runtime.schedule",
  ]);
  const shown = JSON.parse(explain('--format=json', '--show=waiting', 'idle_time.wperf')).findings;
  assert(!shown.some(({ text }) => text.includes('s idle:')), 'it is a function, then');
});

test('Markdown says the same, and names are escaped', () => {
  const text = explain('--format=md', 'deep.wperf');
  assert.match(text, /^# deep\.wperf\n\n\* 104,010 instructions/);
  assert.match(text, /^\| 86\.53 \| 90,000 instructions \| 5,000 calls \| it's \\<b\\>hash\\\|all\\<\/b\\> \|$/m);
});

test('JSON has the same to the digit, by its schema', () => {
  const found = JSON.parse(explain('--format=json', 'deep.wperf'));
  assert.deepEqual([found.total, found.calls, found.functions], [104_010, 1 + DEEP + 5003, 4]);
  assert.deepEqual(found.top.map(({ name, self, total, calls }) => [name, self, total, calls]), [
    ["it's <b>hash|all</b>", 90_000, 90_000, 5000], ['walk', 8010, 98_010, DEEP], ['print', 5000, 5000, 3], ['main', 1000, 104_010, 1]]);
  assert.deepEqual(found.findings, [{ function: "it's <b>hash|all</b>",
    text: "it's <b>hash|all</b> 86.5 % of the instructions by itself, all from walk (5,000 calls, 18.0 instructions each)" }]);
  assert.deepEqual(found.path.map(({ name, frames }) => [name, frames]), [['main', 1], ['walk', DEEP], ["it's <b>hash|all</b>", 1]]);
  const schema = JSON.parse(readFileSync(new URL('../../include/wasm_perf/explanation.schema.json', import.meta.url)));
  assert.deepEqual(Object.keys(found).sort(), schema.required.toSorted());
  for (const key of ['findings', 'top', 'path'])
    for (const item of found[key])
      for (const member of Object.keys(item)) assert(member in schema.properties[key].items.properties, member);
});

test('a long path keeps both ends, and no profile fills more than a screen', () => {
  const long = Array.from({ length: 500 }, (_, i) => ({ function: i + 1, parent: i, calls: 1, self: i + 1 }));
  save('long.wperf', long, long.map((_, i) => [i + 1, `function_${i}_${'very_long<'.repeat(300)}`]));
  const text = explain('long.wperf');
  assert(text.length < 6000 && text.split('\n').length < 50, `${text.length}`);
  assert.match(text, /function_0_[^]*… 488 more frames\n[^]*function_499_/);
  const { path } = JSON.parse(explain('--format=json', 'long.wperf'));
  assert.deepEqual(path.map((step) => step.frames_left_out_before).filter((count) => count), [488]);
});

test('without any cost, functions are listed by their calls', () => {
  const calls = [{ function: 1, parent: 0, calls: 1, self: 0 }, { function: 3, parent: 1, calls: 20, self: 0 }, { function: 4, parent: 1, calls: 3, self: 0 }];
  save('idle.wperf', calls, [[1, 'main'], [3, 'hash'], [4, 'print']]);
  const text = explain('idle.wperf');
  assert.match(text, /\nFunctions with the most calls \(%, calls\)\n +83\.33 +20 calls {2}hash\n +12\.50 +3 calls {2}print\n/);
  assert.match(text, /\n\* The clock never advanced: there are calls, but no time\.\n\nNext\nwasm-perf callers hash idle\.wperf\n$/);
  assert.deepEqual(JSON.parse(explain('--format=json', 'idle.wperf')).top.map(({ name }) => name), ['hash', 'print', 'main']);
});

test('an empty profile', () => {
  save('empty.wperf', [], []);
  assert.match(explain('empty.wperf'), /^empty\.wperf\n0 [^]*\nCautions\n\* No instrumented function was called\.\n$/);
});
