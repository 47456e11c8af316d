/** Reads what --help prints, so that nothing else has to say which options there are. */

import assert from 'node:assert/strict';
import { tool } from '../js/support.mjs';

/** Text with its words one space apart. */
export const words = (text) => text.trim().split(/\s+/).join(' ');

/** The help of a command, "wasm-perf report" for example, as text. */
export function helpText(command) {
  const [program, ...rest] = command.split(' ');
  const { status, stdout, stderr } = tool(program, [...rest, '--help']);
  assert.deepEqual([status, stderr], [0, ''], command);
  return stdout.includes('--help-all') ? tool(program, [...rest, '--help-all']).stdout : stdout;
}

/** {usage, description, sections: Map of heading to its lines}. */
export function sectionsOf(help) {
  const [head, ...parts] = help.split(/\n\n(?=\S[^\n]*:\n {2})/);
  const [usage, ...paragraphs] = head.split('\n\n');
  const sections = new Map(
    parts.map((part) => {
      const [heading, ...lines] = part.split('\n');
      return [heading.slice(0, -1), lines];
    }),
  );
  return { usage, description: paragraphs.join('\n\n'), sections };
}

const otherHeadings = ['Commands', 'Environment', 'Exit status', 'Examples'];
const optionLine = /^ {2}(?:-(\w), | {4})--([\w-]+)(?: (\S+))?(?: {2,}(\S.*))?$/;

/**
 * The options of a help: {letter, name, label, text, choices: [{name, text}]}, what is not there
 * being undefined.
 */
export function optionsOf(help) {
  const options = [];
  let column = 0;
  const { sections } = sectionsOf(help);
  for (const heading of otherHeadings) sections.delete(heading);
  for (const line of [...sections.values()].flat()) {
    const found = line.match(optionLine);
    const indent = line.search(/\S/);
    const option = options.at(-1);
    if (found) {
      const [, letter, name, label, text = ''] = found;
      options.push({ letter, name, label, text, choices: [] });
      column = text ? line.indexOf(text, line.indexOf(label ?? name) + (label ?? name).length) : 0;
    } else if (indent >= 8 && option) {
      column ||= indent;
      const row = indent === column + 2 && line.trim().match(/^(\S+) {2,}(\S.*)$/);
      if (row) option.choices.push({ name: row[1], text: row[2] });
      else if (indent === column) option.text = words(`${option.text} ${line}`);
      else option.choices.at(-1).text += ` ${line.trim()}`;
    }
  }
  const value = options.find(({ text }) => text.includes('wasm-perf help values lists them'));
  if (value) value.choices = listedValues();
  return options;
}

/** The table of values, which is printed once for all commands. */
const listedValues = () =>
  [...tool('wasm-perf', ['help', 'values']).stdout.matchAll(/^ {2}(\S+) {2,}(\S.*)$/gm)].map(([, name, text]) => ({ name, text }));

/** What may stand for an option's value, where that is a choice. */
export const choicesOf = ({ label, choices }) =>
  label?.startsWith('FILE') ? [] : choices.map(({ name }) => name);

/** The words of wasm-perf's commands, also of the one for scripts, which help leaves out. */
export const commands = sectionsOf(helpText('wasm-perf'))
  .sections.get('Commands')
  .map((line) => line.match(/^ {2}(\w+) {2}/)?.[1])
  .filter(Boolean)
  .concat('functions');

/** All that has a table: what one types. */
export const all = [
  'wasm-instrument',
  'wasm-perf',
  ...commands.map((command) => `wasm-perf ${command}`),
];
