/** Wrong usage exits with 2, says what is wrong and where to find help, and does nothing else. */

import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { at, folder, tool } from '../js/support.mjs';

writeFileSync(at('m.wasm'), 'never read');
writeFileSync(at('bad.whitelist'), 'fine\n/(/\n');
writeFileSync(at('real.wasm'), '\0asm\x01\0\0\0');
writeFileSync(at('app.svg'), '<svg/>');
const before = readdirSync(folder);

/** command line: what the message says */
const wrong = [
  [[], 'wasm-perf: a command is missing'],
  [['sing'], "wasm-perf: unknown command 'sing'"],
  [['recrod'], "wasm-perf: unknown command 'recrod'; did you mean 'record'?"],
  [['tpo'], "wasm-perf: unknown command 'tpo'; did you mean 'top'?"],
  [['top', '--limt=3', 'a'], "wasm-perf top: unrecognized option '--limt=3'; did you mean '--limit'?"],
  [['top', '--min-share', '3', 'a'], "wasm-perf top: unrecognized option '--min-share'"],
  [['help', 'calers'], "wasm-perf help: unknown command 'calers'; did you mean 'callers'?"],
  [['--sing'], "wasm-perf: unrecognized option '--sing'"],

  [['run'], 'wasm-perf run: a module is missing'],
  [['run', '--engine', 'node'], 'wasm-perf run: a module is missing'],
  [['run', '-o'], "wasm-perf run: option requires an argument -- 'o'"],
  [['run', '--engine', 'abacus', 'm.wasm'], "wasm-perf run: --engine wants node or wasmtime, not 'abacus'"],
  [
    ['run', '--recursion', 'half', 'm.wasm'],
    "wasm-perf run: --recursion wants full, fold or auto, not 'half'",
  ],
  [['run', '--env', 'A', 'm.wasm'], "wasm-perf run: --env 'A' is not of the form NAME=VALUE"],
  [['run', '--env', '=A', 'm.wasm'], "wasm-perf run: --env '=A' is not of the form NAME=VALUE"],
  ...['67108865', '4294967295', '99999999999999999999'].map((value) => [
    ['run', '--node-limit', value, 'm.wasm'],
    `wasm-perf run: --node-limit wants at most 67108864, not '${value}'`,
  ]),
  ...['', '0', 'x'].map((value) => [
    ['run', '--node-limit', value, 'm.wasm'],
    `wasm-perf run: --node-limit wants a positive number, not '${value}'`,
  ]),
  [['run', '--only', 'f', 'm.wasm'], "wasm-perf run: unrecognized option '--only'"],
  [['run', '-w', 'f', 'm.wasm'], "wasm-perf run: invalid option -- 'w'"],
  [
    ['run', '-o', 'a.svg', 'm.wasm'],
    'wasm-perf run: -o a.svg: run writes a .wperf; wasm-perf record',
  ],
  [
    ['run', 'm.wasm', '-o', 'a.svg'],
    'wasm-perf run: -o a.svg: run writes a .wperf; wasm-perf record',
  ],
  [['run', '-'], 'wasm-perf run: the module must be a file'],

  [['record'], 'wasm-perf record: a module or a command is missing'],
  [['record', 'node', 'app.mjs'], "wasm-perf record: 'node' is not a module; to profile a command: wasm-perf record -- node app.mjs\n"],
  [['sample', 'node', 'app.mjs'], "wasm-perf sample: 'node' is not a module; to profile a command: wasm-perf sample -- node app.mjs\n"],
  [['sample', '--symbols', 'm.wasm', '--', 'node', 'app.mjs'], 'wasm-perf sample: --symbols cannot be used with -- COMMAND'],
  [['record', 'app.mjs'], "wasm-perf record: 'app.mjs' is not a module; to profile a command: wasm-perf record -- node app.mjs\n"],
  [['record', '--', './m.wasm'], "wasm-perf record: './m.wasm' is a module, not a command: leave out the '--'\n"],
  [['record', '--compare', '--duration=1s', 'm.wasm'], 'wasm-perf record: --compare runs the program several times, so it cannot be used with --duration\n'],
  ...['--memory', '--lines', '--guest=both'].map((option) => [
    ['record', '--clock=wall', option, 'm.wasm'],
    `wasm-perf record: ${option.split('=')[0]} cannot be used with --clock wall\n`,
  ]),
  [['record', '-o', 'a.png', 'm.wasm'], "wasm-perf record: cannot tell the format from the name 'a.png'; "],
  [['record', 'm.wasm', '-o', 'plain'], "wasm-perf record: cannot tell the format from the name 'plain'; "],
  [
    ['record', '--clock', 'sun', 'm.wasm'],
    "wasm-perf record: --clock wants auto, none, wall, instructions or sampled, not",
  ],
  [['record', '--only', '/(/', 'm.wasm'], "wasm-perf record: pattern '/(/': "],
  [['record', '--exclude', '@x', 'm.wasm'], "wasm-perf record: pattern '@x': "],
  ...['', '-1', '1x', ' 1', '4294967296', '99999999999999999999'].map((value) => [
    ['record', '--min-instructions', value, 'm.wasm'],
    `wasm-perf record: --min-instructions wants a number, not '${value}'`,
  ]),

  ...['--env=A=1', '--dir=.', '--engine=wasmtime', '--engine-option=-x', '--invoke=f'].map((option) => [
    ['record', option, '--', 'node', 'app.mjs'],
    `wasm-perf record: ${option.split('=')[0]} cannot be used with -- COMMAND\n`,
  ]),
  ...['--module=a', '--per-instance'].map((option) => [
    ['record', option, 'm.wasm'],
    `wasm-perf record: ${option.split('=')[0]} needs -- COMMAND\n`,
  ]),
  [['record', '--budget-runs=2', 'm.wasm'], 'wasm-perf record: --budget-runs needs --budget\n'],
  [['record', '--allocator=f=malloc', 'm.wasm'], 'wasm-perf record: --allocator needs --memory\n'],

  [['report'], 'wasm-perf report: a profile is needed'],
  [['report', '--format', 'svg', 'a', 'b'], 'wasm-perf report: only html shows several profiles'],
  [['diff', '--format', 'svg', 'a'], 'wasm-perf diff: two profiles are needed'],
  [['callers', 'a.wperf', 'f'], 'wasm-perf callers: FUNC comes before the profile: f a.wperf\n'],
  [['top', 'a', 'b'], 'wasm-perf top: '],
  [['report', '--format', 'gif', 'a'], "wasm-perf report: --format wants "],
  [['report', '-o', 'a.gif', 'a'], "wasm-perf report: cannot tell the format from the name 'a.gif'; give --f"],
  [['help', 'sing'], "wasm-perf help: unknown command 'sing'"],
  [['help', 'run', 'report'], 'wasm-perf help: one command, not 2'],
  [['report', '--sing', 'a'], "wasm-perf report: unrecognized option '--sing'"],
];

for (const [args, message] of wrong) {
  test(`wasm-perf ${args.join(' ')}`, () => {
    const { status, stdout, stderr } = tool('wasm-perf', args);
    assert.equal(stderr.slice(0, message.length), message);
    const command = message.slice(0, message.indexOf(':'));
    assert(stderr.endsWith(`\nTry '${command} --help'.\n`), stderr);
    assert.deepEqual([status, stdout], [2, '']);
  });
}

test('bad files differ from wrong usage: exit code 1', () => {
  const cases = [
    [['run', 'none.wasm'], 'wasm-perf: none.wasm: No such file or directory\n'],
    [['run', '--dir', 'none', 'm.wasm'], 'wasm-perf: none: No such file or directory\n'],
    [['run', '--dir', 'm.wasm::/x', 'm.wasm'], 'wasm-perf: m.wasm: Not a directory\n'],
    [['record', '-w', 'none', 'm.wasm'], 'wasm-perf: none: No such file or directory\n'],
    [['record', '-w', 'bad.whitelist', 'm.wasm'], 'wasm-perf: bad.whitelist: offset 0x5: '],
    [['record', 'm.wasm'], 'wasm-perf: m.wasm: offset 0x0'],
    [['report', 'none'], 'wasm-perf: none: No such file or directory\n'],
    [['report', 'm.wasm'], 'wasm-perf: m.wasm: offset 0x0: '],
    [['top', 'app.svg'], 'wasm-perf: app.svg: it is a report, not a profile; wasm-perf record -o FILE.wperf keeps one\n'],
    [['top', 'real.wasm'], 'wasm-perf: real.wasm: it is a module, not a profile; '],
  ];
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = tool('wasm-perf', args);
    assert.equal(stderr.slice(0, message.length), message);
    assert.deepEqual([status, stdout], [1, '']);
  }
});

test('help and version', () => {
  for (const option of ['-h', '--help']) {
    for (const command of [[], ['run'], ['record'], ['report']]) {
      const { status, stdout, stderr } = tool('wasm-perf', [...command, option]);
      assert.equal(stdout.split('\n')[0].indexOf(`Usage: wasm-perf ${command[0] ?? 'COMMAND'}`), 0);
      assert.deepEqual([status, stderr], [0, '']);
    }
  }
  assert.match(tool('wasm-perf', ['--version']).stdout, /^wasm-perf \d+\.\d+\.\d+( \([0-9a-f]{10,}\))?\n$/);
  assert.match(tool('wasm-perf', ['report', '--help']).stdout, /\n +flamegraph .*\n +folded /s);
});

test('the name alone shows how to begin', () => {
  for (const [args, count] of [[[], 5], [['record'], 5], [['sample'], 3]]) {
    const { status, stderr } = tool('wasm-perf', args);
    assert.equal(status, 2);
    const [first, ...lines] = stderr.trimEnd().split('\n');
    assert.match(first, /is missing$/);
    assert.match(lines.pop(), /^Try 'wasm-perf/);
    assert.equal(lines.length, count);
    for (const line of lines) assert.match(line, /^  wasm-perf \w+ [^\\]*$/);
  }
});

test('a script that is not executable is not called missing', () => {
  writeFileSync(at('plain.mjs'), '');
  const { status, stderr } = tool('wasm-perf', ['record', '--', './plain.mjs']);
  rmSync(at('plain.mjs'));
  assert.deepEqual([status, stderr],
    [1, 'wasm-perf: ./plain.mjs: it is not executable; to run a script: wasm-perf record -- node ./plain.mjs\n']);
  assert.equal(tool('wasm-perf', ['record', '--', './none']).stderr, 'wasm-perf: ./none: command not found\n');
});

test('nothing was written', () => {
  assert.deepEqual(readdirSync(folder), before);
});
