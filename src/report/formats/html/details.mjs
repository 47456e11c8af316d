// The line about one frame: what it is, what it took, and the stack that it stands on.
import { formatChange, formatMean, formatQuantity, formatRelative, formatShare, formatValue } from './format.mjs';

const MAX_PATH = 8; // frames of the stack that have room

function figures({ tree, unit, isMemory }, node) {
  const whole = tree.total[0];
  const parts = [`${formatValue(unit, tree.total[node])} total (${formatShare(tree.total[node], whole)})`];
  if (tree.other !== null) {
    const change = (name, before, after) =>
      `${name} ${formatValue(unit, before)} \u2192 ${formatValue(unit, after)}` +
      ` (${formatChange(unit, before, after)}, ${formatRelative(before, after)})`;
    parts[0] = change('total', tree.otherTotal[node], tree.total[node]);
    if (node > 0) parts.push(change('self', tree.other[node], tree.self[node]));
    return parts;
  }
  if (node === 0) return parts;
  parts.push(`${formatValue(unit, tree.self[node])} self (${formatShare(tree.self[node], whole)})`);
  if (unit !== 'calls') {
    parts.push(formatQuantity(tree.calls[node], 'call'));
    if (tree.calls[node] > 1 && !isMemory) parts.push(`${formatMean(unit, tree.total[node], tree.calls[node])} per call`);
  }
  return parts;
}

function showPath({ tree, names }, node, choose) {
  const path = tree.path(node);
  const shown = path.length > MAX_PATH ? path.slice(path.length - MAX_PATH) : path;
  const line = document.getElementById('path');
  line.replaceChildren();
  if (shown.length < path.length) line.append(`${path.length - shown.length} frames \u203a `);
  shown.forEach((frame, i) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = names[tree.label[frame]];
    button.addEventListener('click', () => choose(frame));
    if (i > 0) line.append(' \u203a ');
    line.append(button);
  });
}

/** `choose(node)` is for the frames of the stack. */
export function showDetails(report, node, choose) {
  const { tree, names } = report;
  const line = document.getElementById('frame-line');
  const name = document.createElement('b');
  name.textContent = node === 0 ? 'all' : names[tree.label[node]];
  line.replaceChildren(name, ` \u2014 ${figures(report, node).join(', ')}`);
  const place = report.links.element(tree.label[node], false);
  if (place !== null) line.append(', ', place);
  showPath(report, node, choose);
  for (const id of ['focus', 'hide', 'callers', 'copy']) document.getElementById(id).disabled = node === 0;
}
