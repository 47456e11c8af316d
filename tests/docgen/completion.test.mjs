/**
 * completion.test.mjs SHELL EXECUTABLE [PACKAGE]: what a real shell offers is what --help lists.
 * PACKAGE is the file of bash-completion, to be loaded.
 */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { at, build, folder, run, source } from '../js/support.mjs';
import { writeProfile } from '../js/wperf.mjs';
import { all, choicesOf, commands, helpText, optionsOf } from './help.mjs';

const [shell, executable, ...packages] = process.argv.slice(2);
const driver = join(source, 'tests/docgen', `complete.${shell}`);
const documents = join(build, 'docgen', shell);
mkdirSync(at('share'));
symlinkSync(documents, at('share/completions'));

// What the shells find in the current folder.
const files = ['a.wasm', 'a.wasm.map', 'b.wperf', 'spaced name.wperf', 'c.svg', 'list'];
for (const name of files) writeFileSync(at(name), '');
mkdirSync(at('folder'));
const folders = ['folder', 'share'];

/** What the shell offers at the ends of the lines, or at their |: a Set for each. */
function complete(lines, cwd = folder) {
  const options = {
    bash: ['--norc', '--noprofile', driver, at('share'), ...packages],
    fish: ['--no-config', driver, documents],
    zsh: ['-f', driver, documents],
  }[shell];
  const env = {
    ...process.env,
    HOME: folder,
    PATH: [build, process.env.PATH].join(delimiter), // fish completes commands that there are
  };
  const { status, stdout, stderr } = run(executable, options, {
    input: `${lines.join('\n')}\n`,
    env,
    cwd,
  });
  assert.deepEqual([status, stderr], [0, '']);
  const answers = [new Set()];
  for (const line of stdout.split('\n').slice(0, -1)) {
    if (line) answers.at(-1).add(line);
    else answers.push(new Set());
  }
  assert.equal(answers.length - 1, lines.length);
  return answers;
}

const cases = [];
/** The shell offers these at the end of the line, and nothing else. */
const offers = (line, expected) => cases.push({ line, expected });
/** The same for files; fish offers others after those that fit. */
const offersFiles = (line, expected) => cases.push({ line, expected, files: true });

/** An option's value in the word that it begins, as the shell puts it. */
const joined = (option, values) =>
  shell === 'fish' ? values.map((value) => `--${option}=${value}`) : values;

const everything = [...files, ...folders];

/** All files for "FILE", those with the extension for "FILE.wperf"; and folders. */
const filesLike = (label) =>
  everything.filter((name) => folders.includes(name) || name.endsWith(label.replace('FILE', '')));

for (const command of all) {
  const options = optionsOf(helpText(command));
  const long = options.map(({ name }) => `--${name}`);
  const short = options.filter(({ letter }) => letter).map(({ letter }) => `-${letter}`);
  offers(`${command} --`, long);
  offers(`${command} -`, [...long, ...short]);
  for (const option of options.filter(({ label }) => label)) {
    const { letter, name, label } = option;
    const choices = choicesOf(option);
    for (const words of [`--${name} `, ...(letter ? [`-${letter} `] : [])]) {
      const line = `${command} ${words}`;
      if (label.startsWith('FILE')) offersFiles(line, filesLike(label));
      else if (/^(HOST|FOLDER)/.test(label)) offers(line, folders);
      else offers(line, choices);
    }
    if (choices.length === 0) continue;
    offers(`${command} --${name}=`, joined(name, choices));
    for (const choice of choices) {
      const start = choice.slice(0, 2);
      const fitting = choices.filter((other) => other.startsWith(start));
      offers(`${command} --${name} ${start}`, fitting);
      offers(`${command} --${name}=${start}`, joined(name, fitting));
    }
  }
}

offers('wasm-perf ', commands);
offers('wasm-perf rep', ['report']);
offers('wasm-perf help ', [...commands, 'values']);
offers('wasm-perf sing ', []);
offers('wasm-perf record --only ', []);
offersFiles('wasm-instrument ', ['a.wasm', ...folders]);
offersFiles('wasm-perf report ', ['b.wperf', 'spaced name.wperf', ...folders]);
offersFiles('wasm-perf report -f top --show hooks --show no-host ', ['b.wperf', 'spaced name.wperf', ...folders]);
offers('wasm-perf report b.wperf --fo', ['--format']);
offersFiles('wasm-perf record ', ['a.wasm', ...folders]);
offersFiles('wasm-perf record --env A=B --dir x::y ', ['a.wasm', ...folders]);
// What follows the module is the program's.
offersFiles('wasm-perf record a.wasm ', everything);
offersFiles('wasm-perf record a.wasm b ', everything);
offers('wasm-perf record a.wasm --en', []);
offers('wasm-perf record --env a.wasm --en', ['--engine', '--engine-option', '--env']);

const narrowed = {
  'wasm-instrument --output ': ['a.wasm', ...folders],
  'wasm-instrument -o ': ['a.wasm', ...folders],
  'wasm-instrument --debug-file ': ['a.wasm', ...folders],
  'wasm-instrument --source-map ': ['a.wasm.map', ...folders],
  'wasm-instrument --debug-file ': ['a.wasm', ...folders],
  // No file of these kinds is there.
  'wasm-perf bench --file ': folders,
  'wasm-perf bench --baseline ': folders,
  'wasm-perf symbols --output ': folders,
  'wasm-perf symbols -o ': folders,
};

// Functions, of the profile on the line or of the only one in the folder.
const functions = ['json::parse(char const*)', 'json::print', 'main', '$(touch oops) `touch oops`'];
const program = writeProfile(
  functions.map((_, i) => ({ function: i, parent: i, calls: 1, self: 10 })),
  functions.map((name, i) => [i, name]),
);
const only = at('folder');
writeFileSync(join(only, 'app.wperf'), program);
// Bash replaces what follows the last colon.
const methods = shell === 'bash' ? ['parse(char const*)', 'print'] : functions.slice(0, 2);
const functionCases = [
  ['wasm-perf callers ', functions],
  ['wasm-perf callees js', functions.slice(0, 2)],
  ['wasm-perf annotate json::p', methods],
  ['wasm-perf callers --limit 3 ma', ['main']],
  ['wasm-perf callers nothing', []],
];
if (shell !== 'fish') { // which completes ends of lines only, where nobody sees it
  functionCases.push(
    ['wasm-perf callers ma| ../b.wperf', []],
    [`wasm-perf callers ma| ${join(only, 'app.wperf')}`, ['main']],
  );
}
const offered = complete(functionCases.map(([line]) => line), only);
functionCases.forEach(([line, expected], index) => {
  test(`one profile: ${line}`, () => assert.deepEqual([...offered[index]].sort(), [...expected].sort()));
});
test('several profiles: none is chosen', () => {
  assert.deepEqual([...complete(['wasm-perf callers ma'])[0]], []);
  assert(!existsSync(join(only, 'oops')));
});

const answers = complete(cases.map(({ line }) => line));
cases.forEach(({ line, expected, files: ofFiles }, index) => {
  test(`${line}|`, () => {
    const wanted = new Set(narrowed[line] ?? expected);
    const offered = new Set([...answers[index]].map((word) => word.replace(/\/$/, '')));
    if (ofFiles && shell === 'fish') {
      for (const word of wanted) assert(offered.has(word), `${word} in ${[...offered]}`);
      const named = [...wanted].filter((word) => files.includes(word));
      if (named.length < files.length) {
        assert.deepEqual([...offered].filter((word) => files.includes(word)).slice(0, named.length), named);
      }
    } else {
      assert.deepEqual([...offered].sort(), [...wanted].sort());
    }
  });
});
