// What the tables of measurements.md have in common.
import { readFileSync, writeFileSync } from 'node:fs';

/** What a reader takes for the same name: Rust's hash and what compilers number are of one build. */
export function plain(name) {
  return name.replace(/(?<=E)_\d+$/, '').replace(/\.llvm\.\d+/g, '').replace(/(\.\d+)+$/, '').replace(/17h[0-9a-f]{16}E$/, 'E')
    .replace(/::h[0-9a-f]{16}$/, '').replace(/\[[0-9a-f]{12,16}\]/g, '').replace(/__anon_\d+/g, '__anon').replace(/_\d+$/, '');
}

/** Without arguments of templates and generics, of which there are several in a line. */
export function withoutArguments(name) {
  let text = '', depth = 0;
  for (let i = 0; i < name.length; i++) {
    if (name[i] === '<' && (depth > 0 || /[\w:]/.test(name[i - 1] ?? '') && !/operator$/.test(name.slice(0, i)))) depth++;
    else if (name[i] === '>' && depth > 0) depth--;
    else if (depth === 0) text += name[i];
  }
  return text;
}

export const percent = (part, whole) => (whole > 0 ? `${((100 * part) / whole).toFixed(1)}` : '');

/** Replaces the table of a page between its head, two lines, and the next empty line. */
export function replaceTable(page, head, lines) {
  const text = readFileSync(page, 'utf8'), start = text.indexOf(head) + head.length, end = `${text}\n`.indexOf('\n\n', start - 1) + 1;
  if (start < head.length) throw new Error(`${page}: no table`);
  writeFileSync(page, text.slice(0, start) + lines.map((line) => `${line}\n`).join('') + text.slice(end));
}
