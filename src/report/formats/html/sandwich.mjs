// A function between its callers and its callees, as graphs and as lists.
import { FlameView } from './flame.mjs';
import { formatCallCount, formatCalls, formatShare, formatValue } from './units.mjs';
import { calleesOf, callersOf, edgesOf } from './views.mjs';

const MAX_LISTED = 10;
const HOST = 'the host';

export class Sandwich {
  constructor(part, forms, colorOf, choose) {
    this.part = part;
    this.names = forms.names;
    this.forms = forms;
    this.choose = choose;
    this.graphs = ['caller', 'callee'].map((kind) => this.makeGraph(kind, colorOf));
    this.key = null;
  }

  find(id) {
    return this.part.querySelector(`#${id}`);
  }

  makeGraph(kind, colorOf) {
    const nameOf = (node) => this.names[view.tree.label[node]];
    const style = {
      color: (node) => colorOf(view.tree.label[node]),
      forms: (node) => this.forms.of(view.tree.label[node]),
      describe: (node) => `${nameOf(node)}, ${formatShare(view.tree.total[node], this.whole)}`,
      isMatch: () => false,
      isSelected: () => false,
      hasNoRoot: true,
    };
    const tip = document.createElement('p');
    tip.className = 'fact tip';
    const view = new FlameView(this.find(`${kind}-graph`), kind === 'caller' ? 'Callers' : 'Callees', style, {
      choose: (node) => node < view.tree.count && this.choose(view.tree.label[node]),
      hover: (node) => { tip.textContent = node > 0 ? this.describe(view.tree, node) : '\u00a0'; },
    });
    tip.textContent = '\u00a0';
    view.holder.after(tip);
    return view;
  }

  describe(tree, node) {
    const { calls, isAtMost } = tree.callsOf([node]);
    return `${this.names[tree.label[node]]} \u2014 ${formatValue(this.unit, tree.total[node])} ` +
      `(${formatShare(tree.total[node], this.whole)}), ${formatCalls(calls, isAtMost)}`;
  }

  /** Shows a function; `label` < 0: none. `key` changes with the tree. */
  show(tree, label, { unit, key }) {
    this.part.hidden = label < 0;
    if (label < 0 || this.key === `${key} ${label}`) return;
    this.key = `${key} ${label}`;
    this.unit = unit;
    this.whole = tree.total[0];
    this.find('sandwich-name').textContent = this.names[label];
    const [callers, callees] = [callersOf(tree, label, this.names.length), calleesOf(tree, label, this.names.length)];
    this.graphs[0].setTree(callers, true);
    this.graphs[1].setTree(callees, false);
    const edges = edgesOf(tree, label);
    this.list('caller-list', edges.callers);
    this.list('callee-list', edges.callees);
    this.find('sandwich-facts').textContent = callers.count > 1
      ? `${formatValue(unit, callers.total[0])} with all that it calls, ${formatShare(callers.total[0], this.whole)}` : '';
  }

  list(id, edges) {
    const table = this.find(id);
    const body = document.createElement('tbody');
    for (const { label, calls, isAtMost, total } of edges.slice(0, MAX_LISTED)) {
      const line = body.insertRow();
      line.insertCell().textContent = formatShare(total, this.whole, 2);
      line.insertCell().textContent = formatCallCount(calls, isAtMost);
      const cell = line.insertCell();
      if (label < 0) {
        cell.textContent = HOST;
      } else {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = this.names[label];
        button.addEventListener('click', () => this.choose(label));
        cell.append(button);
      }
    }
    const note = edges.length === 0 ? 'nothing that was profiled'
      : edges.length > MAX_LISTED ? `${edges.length - MAX_LISTED} more` : '';
    if (note !== '') Object.assign(body.insertRow().insertCell(), { colSpan: 3, textContent: note });
    const head = document.createElement('thead');
    if (edges.length > 0) {
      const line = head.insertRow();
      for (const text of ['Total', 'Calls', 'Function']) {
        const cell = document.createElement('th');
        cell.textContent = text;
        line.append(cell);
      }
    }
    table.replaceChildren(head, body);
  }
}
