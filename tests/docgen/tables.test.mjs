/** --help says all there is to say, in lines that fit, and is the same however it is asked for. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, tool } from '../js/support.mjs';
import { all, choicesOf, commands, helpText, optionsOf, sectionsOf } from './help.mjs';

const perf = (...args) => tool('wasm-perf', args).stdout;

test('the commands are there', () => {
  for (const command of ['record', 'report', 'help']) assert(commands.includes(command));
});

test('help COMMAND, COMMAND --help and COMMAND -h are the same', () => {
  assert.equal(perf('help'), perf('--help'));
  for (const command of commands) {
    assert.equal(perf('help', command), perf(command, '--help'));
    assert.equal(perf(command, '-h'), perf(command, '--help'));
    assert.match(perf('help', command), new RegExp(`^Usage: wasm-perf ${command} `));
  }
});

test('help that cannot be printed is a failure', () => {
  const asked = ['wasm-instrument --help', 'wasm-perf --version', 'wasm-perf report -h'];
  for (const line of asked) {
    const { status, stderr } = run('sh', ['-c', `"$WI_BUILD"/${line} >/dev/full`]);
    const command = line.slice(0, line.indexOf(' -'));
    assert.deepEqual([status, stderr], [1, `${command}: <stdout>: No space left on device\n`]);
  }
});

for (const command of all) {
  test(`${command}: lines fit a terminal, every option says something`, () => {
    const help = helpText(command);
    for (const line of help.split('\n')) {
      assert(line.length <= 80, line);
      assert.equal(line, line.trimEnd());
    }
    const options = optionsOf(help);
    assert(options.some(({ name }) => name === 'help'));
    for (const { name, text } of options) assert(text.length > 4, name);
    const { usage, description } = sectionsOf(help);
    assert(usage.startsWith(`Usage: ${command} `));
    assert(description.length > 20);
  });
}

test('the formats are those that there are', () => {
  const option = optionsOf(helpText('wasm-perf report')).find(({ name }) => name === 'format');
  const lines = tool('report-export', []).stdout.trimEnd().split('\n');
  assert.deepEqual(choicesOf(option), lines.map((line) => line.split('\t')[0]));
});

test('every option is understood, with every choice that help lists', () => {
  for (const command of all) {
    const [program, ...rest] = command.split(' ');
    for (const option of optionsOf(helpText(command))) {
      if (['help', 'version'].includes(option.name)) continue;
      const wrong = option.label ? '--nonsense' : `--${option.name}`;
      for (const choice of choicesOf(option)) {
        const words = [...rest, `--${option.name}=${choice}`, wrong];
        assert.match(tool(program, words).stderr, /unrecognized option '--nonsense'/);
      }
      if (choicesOf(option).length > 0) {
        const { status, stderr } = tool(program, [...rest, `--${option.name}`, 'nonsense']);
        const message = stderr.split('\n')[0];
        assert.equal(status, 2);
        assert(message.startsWith(`${command}: --${option.name} wants `), message);
        for (const choice of choicesOf(option)) assert(message.includes(choice), message);
      }
    }
  }
});
