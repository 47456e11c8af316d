// The line about a frame: its function, its cost, and its stack.
import { formatCalls, formatCell, formatCount, formatChange, formatError, formatMean, formatQuantity, formatRelative, formatShare, formatValue } from './units.mjs';

const MAX_PATH = 8; // maximum number of frames shown
const PROGRAM = 0; // a kind of model/color.h
const LARGE = 0.05; // of the whole: worth another recording

/** A value as a share of the shown tree; of the whole profile if the value is all of the tree. */
function shareOf({ tree, unit, wholeOfProfile }, value) {
  const whole = tree.total[0];
  if (whole !== wholeOfProfile && value === whole)
    return ` (${formatShare(value, wholeOfProfile)} of ${formatCell(unit, wholeOfProfile)})`;
  return ` (${formatShare(value, whole)} of ${formatCell(unit, whole)})`;
}

/** Describes a frame's total and self values, with their shares. */
export function figures(report, node) {
  const { tree, unit, isMemory } = report;
  const whole = tree.total[0];
  const isAll = whole === report.wholeOfProfile || report.chart !== null; // a chart's root includes idle time
  const base = node === 0 && isAll ? '' : shareOf(report, tree.total[node]);
  const parts = [`${formatValue(unit, tree.total[node])} total${base}`];
  if (tree.other !== null) {
    const appearance = tree.appearance(node);
    const change = (name, before, after) =>
      `${name} ${formatValue(unit, before)} \u2192 ${formatValue(unit, after)}` +
      ` (${formatChange(unit, before, after)}${formatError(unit, tree.changeError(before, after))}, ${formatRelative(before, after, appearance)})`;
    parts[0] = change('total', tree.otherTotal[node], tree.total[node]);
    if (node > 0) parts.push(change('self', tree.other[node], tree.self[node]));
    return parts;
  }
  if (node === 0) return parts;
  parts.push(`${formatCell(unit, tree.self[node])} self (${formatShare(tree.self[node], whole)})`);
  if (unit !== 'calls' && report.head.values.some(({ key }) => key === 'calls')) {
    if (report.chart !== null) return parts; // a chart has a frame for each occurrence
    const { calls, isAtMost } = tree.callsOf([node]);
    parts.push(`${formatCalls(calls, isAtMost)}${report.range === null ? '' : ' in the whole run'}`);
    if (report.range === null && calls > 1 && !isAtMost && !isMemory) parts.push(`${formatMean(unit, tree.total[node], calls)} per call`);
  }
  return parts;
}

/** What to know about a function's name, or '': it comes from another build, or it is only a hint. */
export function doubtOf(confidences, hints, label) {
  const thousandths = confidences.get(label);
  if (thousandths !== undefined) return `name from another build, ${thousandths / 10} % certain`;
  return hints.has(label) ? 'no name, but a hint from its code' : '';
}

function makeLink(text, onClick) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', onClick);
  return button;
}

/** Shows as many of the innermost frames as fit, at least one. */
function showPath({ tree, names }, node, choose) {
  const path = tree.path(node);
  const line = document.getElementById('path');
  for (let count = Math.min(path.length, MAX_PATH); count >= 0; count--) {
    const shown = path.slice(path.length - count);
    const hidden = path.length - count;
    const links = shown.map((frame) => makeLink(names[tree.label[frame]], () => choose(frame)));
    const parts = [...(hidden > 0 ? [formatQuantity(hidden, 'frame')] : []), ...links];
    line.replaceChildren(...parts.flatMap((part, i) => (i > 0 ? [' \u203a ', part] : [part])));
    if (count <= 1 || line.scrollWidth <= line.clientWidth) return;
  }
}

/** "in all 4 call stacks 314 ms total (37.2 %), 314 ms self" */
function wholeFunction({ tree, unit, stats }, label, stacks) {
  return `in all ${formatCount(stacks)} call stacks ${formatValue(unit, stats.total[label])} total ` +
    `(${formatShare(stats.total[label], tree.total[0])}), ${formatCell(unit, stats.self[label])} self`;
}

/** Whether another recording would show lines of the function, and what the compiler inlined into it. */
function lacksLines({ tree, unit, isMemory, stats, head, lines }, label) {
  const isCost = !isMemory && unit !== 'calls' && tree.other === null;
  return isCost && lines.isEmpty && head.kinds[label] === PROGRAM && stats.self[label] > LARGE * tree.total[0];
}

/** Shows a frame. `choose(node)` is called when a frame of its stack is clicked. */
export function showDetails(report, node, choose) {
  const { tree, names } = report;
  const line = document.getElementById('frame-line');
  const name = document.createElement('b');
  name.textContent = node === 0 ? 'all' : names[tree.label[node]];
  line.replaceChildren(name, ` \u2014 ${figures(report, node).join(', ')}`);
  const doubt = node === 0 ? '' : report.doubtOf(tree.label[node]);
  if (doubt !== '') line.append(`, ${doubt}`);
  const stacks = node === 0 || tree.other !== null || report.chart !== null ? 0 : report.stats.stacks[tree.label[node]];
  if (stacks > 1) line.append(`; ${wholeFunction(report, tree.label[node], stacks)}`);
  const place = report.links.element(tree.label[node], false);
  if (place !== null) line.append(', ', place);
  if (place !== null && lacksLines(report, tree.label[node])) line.append('. Its lines, and what is inlined: record --lines');
  showPath(report, node, choose);
}
