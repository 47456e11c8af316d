// Findings about the shown tree: sentences, each about a function or a frame.
import { formatChange, formatCount, formatError, formatMeanQuantity, formatQuantity, formatRelative, formatShare, formatShort, formatValue } from './units.mjs';
import { fitName } from './labels.mjs';
import { appearanceOf } from './tree.mjs';

const MAX_FINDINGS = 4;
const OTHER_NAME = 28; // maximum length of another function's name
const [KIND_HOST, KIND_JAVASCRIPT, KIND_UNNAMED] = [2, 3, 6]; // see model/color.h

/** Share of the whole from which a part is worth a sentence. */
const MAJOR = 0.1;
const MAIN = 0.8;
const MANY_CALLS = 1000; // across the border of WebAssembly
const LEAST = 0.02; // share below which a function is not remarkable

const NOUNS = { nanoseconds: 'the time', calls: 'all calls' };
const nounOf = (unit) => NOUNS[unit] ?? `the ${unit}`;

/** Sums `column` over the nodes of function `of` for which `counts` returns true, by calling function. */
function byCaller({ label, parent }, of, column, counts = () => true) {
  const sums = new Map();
  for (let i = 1; i < label.length; i++)
    if (label[i] === of && column[i] > 0 && counts(i)) sums.set(label[parent[i]], (sums.get(label[parent[i]]) ?? 0) + column[i]);
  return sums;
}

function indexOfMax(values) {
  let best = -1;
  for (let i = 0; i < values.length; i++) if (values[i] > 0 && (best < 0 || values[i] > values[best])) best = i;
  return best;
}

/** "83 %", "nearly all", "all" */
function formatPart(part, whole) {
  const text = formatShare(part, whole, 0);
  return part === whole ? 'all' : text === '100 %' ? 'nearly all' : text;
}

/** "parse: 54.4 % of the time by itself, 83 % from main (20 calls, 21.0 ms each)" */
function hotLeaf({ tree, stats, unit, isMemory, forms, timeNotes }) {
  const label = indexOfMax(stats.self);
  if (label < 0) return [];
  const [self, calls, whole] = [stats.self[label], stats.calls[label], tree.total[0]];
  if (self < LEAST * whole) return [];
  const share = `${formatShare(self, whole)} of ${nounOf(unit)}`;
  let text = unit === 'calls' ? `${share}, called most (${formatValue(unit, self)})` : `${share} by itself`;
  const [caller, most] = [...byCaller(tree, label, tree.self)].sort((a, b) => b[1] - a[1])[0];
  if (caller >= 0 && most >= MAIN * self && caller !== label)
    text += `, ${formatPart(most, self)} from ${fitName(forms.of(caller), OTHER_NAME)}`;
  if (unit !== 'calls' && calls > 1 && !isMemory)
    text += ` (${formatQuantity(calls, 'call')}, ${formatMeanQuantity(unit, self, calls)} each)`;
  if (timeNotes.has(label)) text += `; ${timeNotes.get(label)}`;
  return [{ label, text }];
}

/** A function that is called on many stacks, one of which has nearly all of its value. */
function oneOfMany({ tree, stats, unit }, said) {
  const whole = tree.total[0];
  let best = 0;
  for (let i = 1; i < tree.count; i++) {
    const of = tree.label[i];
    const isHeavy = tree.total[i] >= MAJOR * whole && tree.total[i] < MAIN * whole;
    if (isHeavy && stats.stacks[of] >= 4 && tree.total[i] >= MAIN * stats.total[of] && !said.has(of) &&
        tree.total[i] > tree.total[best] * (best > 0)) best = i;
  }
  if (best === 0) return [];
  const label = tree.label[best];
  return [{ label, node: best, text: `${formatPart(tree.total[best], stats.total[label])} of its ` +
    `${formatShort(unit, stats.total[label])} in one of ${formatCount(stats.stacks[label])} call stacks` }];
}

/** The children of `node` with a major part of the whole, largest first. */
function majorKids({ kids, firstKid, total }, node) {
  return Array.from(kids.subarray(firstKid[node], firstKid[node + 1]))
    .filter((kid) => total[kid] >= MAJOR * total[0]).sort((a, b) => total[b] - total[a]);
}

/** The innermost frame that nearly all work passes through before it splits, and its parts. */
function mainSplit({ tree, forms }) {
  const whole = tree.total[0];
  let split = 0;
  for (let main = 0; main >= 0;) {
    const kids = majorKids(tree, main);
    if (main > 0 && kids.length > 1) split = main;
    main = kids.length > 0 && tree.total[kids[0]] >= MAIN * whole ? kids[0] : -1;
  }
  if (split === 0) return [];
  const parts = majorKids(tree, split).slice(0, 3).map((kid) =>
    `${formatShare(tree.total[kid], whole, 0)} ${fitName(forms.of(tree.label[kid]), OTHER_NAME)}`);
  return [{ label: tree.label[split], node: split, text: `splits: ${parts.join(', ')}` }];
}

/** The share of host functions. */
function outside({ tree, stats, unit, kinds }, said) {
  let sum = 0;
  let most = -1;
  for (let i = 0; i < kinds.length; i++) {
    if (kinds[i] !== KIND_HOST) continue;
    sum += stats.self[i];
    if (most < 0 || stats.self[i] > stats.self[most]) most = i;
  }
  if (unit === 'calls' || sum < MAJOR * tree.total[0] / 2) return [];
  if (said.has(most)) return [{ label: -1, text: `${formatShare(sum, tree.total[0])} outside, in functions of the host` }];
  return [{ label: most, text: `most of the ${formatShare(sum, tree.total[0])} outside, in functions of the host` }];
}

/** The share of functions without names, and what to do about it. */
function nameless({ tree, stats, unit, kinds }) {
  const sum = stats.self.reduce((total, self, i) => total + (kinds[i] === KIND_UNNAMED ? self : 0), 0);
  if (sum < 2 * MAJOR * tree.total[0]) return [];
  return [{ label: -1, text: `${formatShare(sum, tree.total[0])} of ${nounOf(unit)} without names: --symbols FILE has them` }];
}

/** The function with the most calls into or out of WebAssembly. */
function crossings({ tree, unit, kinds, names, forms, hasAllCalls }, said) {
  if (!hasAllCalls) return [];
  const { label, parent, calls, count } = tree;
  const isOutside = (of) => of < 0 || kinds[of] === KIND_HOST || kinds[of] === KIND_JAVASCRIPT;
  const crosses = (i) => isOutside(label[i]) !== isOutside(label[parent[i]]);
  const sums = new Float64Array(names.length);
  let all = 0;
  for (let i = 1; i < count; i++) {
    if (!(calls[i] > 0)) continue;
    all += calls[i];
    if (crosses(i)) sums[label[i]] += calls[i];
  }
  const most = indexOfMax(sums);
  if (most < 0 || sums[most] < MANY_CALLS || sums[most] < MAJOR * all || (unit === 'calls' && said.has(most))) return [];
  const [caller] = [...byCaller(tree, most, calls, crosses)].sort((a, b) => b[1] - a[1])[0];
  const from = caller < 0 ? '' : `, most by ${fitName(forms.of(caller), OTHER_NAME)}`;
  return [{ label: most, text: `called ${isOutside(most) ? 'from WebAssembly' : 'from outside WebAssembly'} ` +
    `${formatQuantity(sums[most], 'time')}${from}: ${formatShare(sums[most], all, 0)} of all calls` }];
}

/** Blocks that are freed before the next one is allocated. */
function churn({ temporary, allocated }) {
  if (temporary === null || allocated === null) return [];
  const label = indexOfMax(temporary);
  if (label < 0 || temporary[label] < allocated[label] / 2) return [];
  return [{ label, text: `${formatShare(temporary[label], allocated[label], 0)} of its ` +
    `${formatQuantity(allocated[label], 'block')} freed before the next allocation` }];
}

/** Functions whose self value changed most. diff_findings.c has the same for the terminal. */
function changes({ tree, stats, unit }) {
  const size = (i) => Math.abs(stats.self[i] - stats.otherSelf[i]);
  const labels = Array.from(stats.self.keys()).filter((i) => size(i) > 0).sort((a, b) => size(b) - size(a));
  const all = labels.reduce((sum, i) => sum + size(i), 0);
  return labels.slice(0, MAX_FINDINGS).filter((i, rank) => rank === 0 || size(i) >= all / 50).map((i) => ({
    label: i,
    text: `${formatChange(unit, stats.otherSelf[i], stats.self[i], formatShort)}` +
      `${formatError(unit, tree.changeError(stats.otherSelf[i], stats.self[i]), formatShort)} ` +
      `(${formatRelative(stats.otherSelf[i], stats.self[i], appearanceOf(stats, i))})`,
  }));
}

/**
 * Returns findings about `shown`: {tree, stats, names, forms, kinds, unit, isMemory, hasAllCalls, timeNotes,
 * temporary, allocated}. A finding is {label, node, text}. If there is a label, its name precedes the text; `node` is one
 * of its frames.
 */
export function findingsOf(shown) {
  const { tree } = shown;
  if (tree.other !== null) return changes(shown);
  if (!(tree.total[0] > 0)) return [];
  const list = hotLeaf(shown);
  const said = new Set(list.map(({ label }) => label));
  list.push(...nameless(shown), ...churn(shown), ...oneOfMany(shown, said), ...crossings(shown, said), ...mainSplit(shown), ...outside(shown, said));
  return list.slice(0, MAX_FINDINGS);
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

const escapeMarkdown = (text) => text.replace(/[\\`*_<>[\]|#~]/g, '\\$&');

/** Summarises the shown profile as Markdown, for an issue or a chat. */
export function summaryOf(shown, title, totals) {
  const { tree, stats, names, unit } = shown;
  const name = (label) => escapeMarkdown(names[label]);
  const lines = [`# ${escapeMarkdown(title)}`, '', escapeMarkdown(totals), ''];
  for (const { label, text } of findingsOf(shown)) lines.push(`* ${label < 0 ? '' : `${name(label)}: `}${escapeMarkdown(text)}`);
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
