/** Reads the Firefox Profiler's format, exactly and by the profiler's own code, profiler-cli. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compareRounded, file, fitsDoubles, index, packageFolder, parseExactly, print, scaled, sumTree } from './reader.mjs';

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

/** The sums of a thread: {name: {self, total}} */
function readThread({ samples }, decimals) {
  checkLengths({ length: samples.length, stack: samples.stack, time: samples.time, weight: samples.weight });
  const selves = parents.map(() => 0n);
  samples.stack.forEach((stack, i) => {
    const weight = scaled(samples.weight[i], decimals);
    if (stack !== null) selves[index(stack, stackCount)] += weight;
    else assert.deepEqual([weight, i], [0n, samples.stack.length - 1]);
  });
  return sumTree(parents, names, selves);
}

const timeDecimals = unit === 'nanoseconds' ? 6 : 3;
const decimals = unit === 'nanoseconds' ? 6 : 0;
const [values, calls = values] = threads;
assert.equal(values.samples.weightType, decimals ? 'tracing-ms' : 'samples');
assert.equal(calls.name, 'calls');
const functions = readThread(values, decimals);
const callSums = calls === values ? functions : readThread(calls, 0);

/** Where no time is lost between samples, each one begins where the one before ends. */
let now = 0n;
values.samples.time.forEach((time, i) => {
  assert.equal(scaled(time, timeDecimals), now);
  now += scaled(values.samples.weight[i], decimals);
  now = now < 2n ** 64n ? now : 2n ** 64n - 1n;
});

/** The program keeps the profile in a process of its own between the commands. */
function askProfiler(commands) {
  const folder = mkdtempSync(path.join(tmpdir(), 'wi-')); // a short name, since a socket goes there
  const env = { ...process.env, PROFILER_CLI_SESSION_DIR: folder };
  const program = path.join(packageFolder('@firefox-devtools/profiler-cli'), 'dist/profiler-cli.js');
  const run = (...args) => {
    const result = spawnSync(process.execPath, [program, ...args, '--session', 'test'], {
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    });
    assert.equal(result.status, 0, `profiler-cli ${args[0]}: ${result.stderr}`);
    return result.stdout;
  };
  try {
    run('load', file);
    return commands.map((command) => JSON.parse(run(...command, '--json')));
  } finally {
    spawnSync(process.execPath, [program, 'stop', '--all'], { env });
    rmSync(folder, { recursive: true, force: true });
  }
}

function compareThread(thread, functions, { functions: rows, weightType }, decimals) {
  assert.equal(weightType, thread.samples.weightType);
  const read = new Map(rows.map((row) => [row.name, { self: row.selfSamples, total: row.totalSamples }]));
  const expected = new Map([...functions].filter(([name, { total }]) => total > 0n || read.has(name)));
  compareRounded(expected, read, decimals);
}

if (fitsDoubles(functions) && fitsDoubles(callSums)) {
  const command = (thread) => ['thread', 'functions', '--limit', '0', '--include-idle', '--thread', thread];
  const rows = askProfiler(threads.map((thread, i) => command(`t-${i}`)));
  compareThread(values, functions, rows[0], decimals);
  compareThread(calls, callSums, rows.at(-1), calls === values ? decimals : 0);
}
for (const [name, sums] of functions) sums.calls = callSums.get(name).self;
print(functions);
