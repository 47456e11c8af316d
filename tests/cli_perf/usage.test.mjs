/** Wrong usage exits with 2, says what is wrong and where to find help, and does nothing else. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { at, folder, source, tool } from '../js/support.mjs';

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

  [['record'], 'wasm-perf record: a module or a command is missing'],
  [['record', '--engine', 'node'], 'wasm-perf record: a module or a command is missing'],
  [['record', '-o'], "wasm-perf record: option requires an argument -- 'o'"],
  [['record', '--engine', 'abacus', 'm.wasm'], "wasm-perf record: --engine wants node or wasmtime, not 'abacus'"],
  [
    ['record', '--recursion', 'half', 'm.wasm'],
    "wasm-perf record: --recursion wants full, fold or auto, not 'half'",
  ],
  [['record', '--env', 'A', 'm.wasm'], "wasm-perf record: --env 'A' is not of the form NAME=VALUE"],
  [['record', '--env', '=A', 'm.wasm'], "wasm-perf record: --env '=A' is not of the form NAME=VALUE"],
  ...['67108865', '4294967295', '99999999999999999999'].map((value) => [
    ['record', '--node-limit', value, 'm.wasm'],
    `wasm-perf record: --node-limit wants at most 67108864, not '${value}'`,
  ]),
  ...['', '0', 'x'].map((value) => [
    ['record', '--node-limit', value, 'm.wasm'],
    `wasm-perf record: --node-limit wants a positive number, not '${value}'`,
  ]),
  [['record', '-'], 'wasm-perf record: the module must be a file'],
  [['record', 'node', 'app.mjs'], "wasm-perf record: 'node' is not a module; to profile a command: wasm-perf record -- node app.mjs\n"],
  [['record', '--no-hooks', 'node', 'app.mjs'], "wasm-perf record: 'node' is not a module; to profile a command: wasm-perf record -- node app.mjs\n"],
  [['record', '--no-hooks', '--symbols', 'm.wasm', '--', 'node', 'app.mjs'], 'wasm-perf record: --symbols cannot be used with --no-hooks and -- COMMAND\n'],
  ...['--clock=sampled', '--compare', '--budget=3%', '--times=a.wperf', '--node-limit=9', '--recursion=fold', '--deterministic', '--memory', '--lines', '--only=f', '--host-calls', '--strict'].map((option) => [
    ['record', '--no-hooks', option, 'm.wasm'],
    `wasm-perf record: ${option.split('=')[0]} cannot be used with --no-hooks\n`,
  ]),
  ...['--module=a', '--per-instance'].map((option) => [
    ['record', option, '--no-hooks', '--', 'node', 'app.mjs'],
    `wasm-perf record: ${option.split('=')[0]} cannot be used with --no-hooks\n`,
  ]),
  [['record', 'app.mjs'], "wasm-perf record: 'app.mjs' is not a module; to profile a command: wasm-perf record -- node app.mjs\n"],
  [['record', '--', './m.wasm'], "wasm-perf record: './m.wasm' is a module, not a command: leave out the '--'\n"],
  [['record', '--compare', '--duration=1s', 'm.wasm'], 'wasm-perf record: --compare runs the program several times, so it cannot be used with --duration\n'],
  ...['--memory', '--lines', '--guest=both'].map((option) => [
    ['record', '--clock=wall', option, 'm.wasm'],
    `wasm-perf record: ${option.split('=')[0]} cannot be used with --clock wall\n`,
  ]),
  [['record', 'm.wasm', '-o'], "wasm-perf record: -o needs a FILE; if it is the program's argument, write '--' after the module\n"],
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
  [['record', '--allocator=f=malloc', 'm.wasm'], 'wasm-perf record: --allocator needs --memory\n'],

  [['report'], 'wasm-perf report: a profile is needed'],
  [['report', '--format', 'svg', 'a', 'b'], 'wasm-perf report: only html shows several profiles'],
  [['diff', '--format', 'svg', 'a'], 'wasm-perf diff: two profiles are needed'],
  [['callers', 'a.wperf', 'f'], 'wasm-perf callers: FUNC comes before the profile: f a.wperf\n'],
  [['top', 'a', 'b'], 'wasm-perf top: '],
  [['report', '--format', 'gif', 'a'], "wasm-perf report: --format wants "],
  [['report', '-o', 'a.gif', 'a'], "wasm-perf report: cannot tell the format from the name 'a.gif'; give --f"],
  [['help', 'sing'], "wasm-perf help: unknown command 'sing'"],
  [['help', 'record', 'report'], 'wasm-perf help: one command, not 2'],
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

test('removed commands and options name what to type instead', () => {
  const list = readFileSync(join(source, 'src/cli/common/removed.def'), 'utf8');
  const removed = [...list.matchAll(/^CLI_REMOVED\("([^"]+)",\s*"([^"]+)"\)/gm)];
  assert(removed.length > 4);
  for (const [, spelling, instead] of removed) {
    const isOption = spelling.startsWith('--');
    for (const word of isOption ? [spelling, `${spelling}=1`] : [spelling]) {
      const { status, stdout, stderr } = tool('wasm-perf', isOption ? ['top', word, 'm.wasm'] : [word, 'm.wasm']);
      const message = isOption ? `wasm-perf top: unrecognized option '${word}'` : `wasm-perf: unknown command '${word}'`;
      assert.deepEqual([status, stdout, stderr.split('\n')[0]], [2, '', `${message}; use '${instead}'`]);
    }
  }
});

test('bad files differ from wrong usage: exit code 1', () => {
  const cases = [
    [['record', 'none.wasm'], 'wasm-perf: none.wasm: No such file or directory\n'],
    [['record', '--dir', 'none', 'm.wasm'], 'wasm-perf: none: No such file or directory\n'],
    [['record', '--dir', 'm.wasm::/x', 'm.wasm'], 'wasm-perf: m.wasm: Not a directory\n'],
    [['record', '-w', 'none', 'm.wasm'], 'wasm-perf: none: No such file or directory\n'],
    [['record', '-w', 'bad.whitelist', 'm.wasm'], 'wasm-perf: bad.whitelist: line 2: '],
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
    for (const command of [[], ['record'], ['report']]) {
      const { status, stdout, stderr } = tool('wasm-perf', [...command, option]);
      assert.equal(stdout.split('\n')[0].indexOf(`Usage: wasm-perf ${command[0] ?? 'COMMAND'}`), 0);
      assert.deepEqual([status, stderr], [0, '']);
    }
  }
  assert.match(tool('wasm-perf', ['--version']).stdout, /^wasm-perf \d+\.\d+\.\d+( \([0-9a-f]{10,}\))?\n$/);
  assert.match(tool('wasm-perf', ['report', '--help']).stdout, /\n +flamegraph .*\n +folded /s);
});

test('the name alone shows how to begin', () => {
  for (const [args, count] of [[[], 5], [['record'], 8]]) {
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
