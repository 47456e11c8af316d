// What changed between two profiles, and a summary of what is shown. Other findings come from C (model/findings.h).
import { formatChange, formatCount, formatError, formatQuantity, formatRelative, formatShare, formatShort, formatValue } from './units.mjs';
import { appearanceOf } from './tree.mjs';

const MAX_FINDINGS = 4; // see model/findings.h
const MAJOR = 0.1; // share of the whole from which a frame is part of the heaviest path

/** Functions whose self value changed most. diff_findings.c has the same for the terminal. */
export function changesOf({ tree, stats, unit }) {
  const size = (i) => Math.abs(stats.self[i] - stats.otherSelf[i]);
  const labels = Array.from(stats.self.keys()).filter((i) => size(i) > 0).sort((a, b) => size(b) - size(a));
  const all = labels.reduce((sum, i) => sum + size(i), 0);
  return labels.slice(0, MAX_FINDINGS).filter((i, rank) => rank === 0 || size(i) >= all / 50).map((i) => ({
    label: i,
    node: 0,
    before: '',
    after: `${formatChange(unit, stats.otherSelf[i], stats.self[i], formatShort)}` +
      `${formatError(unit, tree.changeError(stats.otherSelf[i], stats.self[i]), formatShort)} ` +
      `(${formatRelative(stats.otherSelf[i], stats.self[i], appearanceOf(stats, i))})`,
  }));
}

/** Of how many functions at least one is in both profiles of a program. */
const LEAST_COMMON = 4;

/** "different programs? 3 of 90 functions in common", or '' if that many are. diff_findings.c has the same. */
function strangeness({ tree, stats }) {
  const isLarge = (self, whole) => self > 0 && self >= Math.floor(whole / 50);
  let [count, common] = [0, 0];
  for (let i = 0; i < stats.self.length; i++) {
    const isCounted = !Number.isNaN(stats.calls[i] + stats.otherCalls[i]);
    if (!isCounted && !isLarge(stats.self[i], tree.total[0]) && !isLarge(stats.otherSelf[i], tree.otherTotal[0])) continue;
    const sides = [stats.otherTotal[i] > 0 || stats.otherCalls[i] > 0, stats.total[i] > 0 || stats.calls[i] > 0];
    count += sides.includes(true) ? 1 : 0;
    common += sides.includes(false) ? 0 : 1;
  }
  if (!tree.hasAllStacks || common >= Math.floor(count / LEAST_COMMON)) return '';
  return `different programs? ${formatCount(common)} of ${formatQuantity(count, 'function')} in common`;
}

/** Summarises a difference: "34.5 % less: 12 ms -> 8 ms". */
export function headlineOf(shown) {
  const { tree, unit } = shown;
  const [before, after] = [tree.otherTotal[0], tree.total[0]];
  const relation = before !== after && (before === 0 || after === 0) ? formatRelative(before, after)
    : strangeness(shown) || (before === after ? 'the same' : `${formatRelative(before, after).slice(1)} ${after > before ? 'more' : 'less'}`);
  return `${relation}: ${formatValue(unit, before)} \u2192 ${formatValue(unit, after)}`;
}

/** The heaviest path from the root, as [{label, total}]; a direct recursion is listed once. */
function heaviestPath(tree) {
  const path = [];
  for (let node = 0; path.length < 12;) {
    let best = -1;
    for (let k = tree.firstKid[node]; k < tree.firstKid[node + 1]; k++)
      if (best < 0 || tree.total[tree.kids[k]] > tree.total[best]) best = tree.kids[k];
    if (best < 0 || tree.total[best] < MAJOR * tree.total[0]) break;
    node = best;
    if (path.at(-1)?.label !== tree.label[node]) path.push({ label: tree.label[node], total: tree.total[node] });
  }
  return path;
}

/** The blank between a finding's name and the text behind it, or ''. */
export const spaced = (label, after) => (label < 0 || /^[,;:]|^$/.test(after) ? '' : ' ');

const escapeMarkdown = (text) => text.replace(/[\\`*_<>[\]|#~]/g, '\\$&');

/** Summarises the shown profile as Markdown, for an issue or a chat. */
export function summaryOf(shown, findings, title, totals) {
  const { tree, stats, names, unit } = shown;
  const name = (label) => escapeMarkdown(names[label]);
  const lines = [`# ${escapeMarkdown(title)}`, '', escapeMarkdown(totals), ''];
  for (const { label, before, after } of findings)
    lines.push(`* ${escapeMarkdown(before)}${label < 0 ? '' : name(label)}${spaced(label, after)}${escapeMarkdown(after)}`);
  const top = Array.from(stats.self.keys()).filter((i) => stats.self[i] > 0)
    .sort((a, b) => stats.self[b] - stats.self[a]).slice(0, 10);
  lines.push('', '| self % | self | calls | function |', '|--:|--:|--:|---|');
  for (const i of top)
    lines.push(`| ${formatShare(stats.self[i], tree.total[0])} | ${formatValue(unit, stats.self[i])} | ` +
      `${Number.isNaN(stats.calls[i]) ? '?' : formatCount(stats.calls[i])} | ${name(i)} |`);
  lines.push('', 'Heaviest path:', '');
  for (const { label, total } of heaviestPath(tree)) lines.push(`* ${formatShare(total, tree.total[0])} ${name(label)}`);
  return `${lines.join('\n')}\n`;
}
