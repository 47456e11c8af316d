// A summary of what is shown. Findings come from C (model/findings.h, diff/diff_findings.h).
import { formatCount, formatShare, formatValue } from './units.mjs';

const MAJOR = 0.1; // share of the whole from which a frame is part of the heaviest path

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
