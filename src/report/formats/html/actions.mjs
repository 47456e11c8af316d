// What buttons, keys and printing do with the report.
import { explain } from './reader.mjs';
import { firstSampleOf, wholeRange } from './time_line.mjs';

const PAPER = { width: 1046, rows: 30 }; // size of a graph in pixels and levels, see page.css
const PAPER_TABLE_ROWS = 40;

const inPage = (id) => document.getElementById(id);

export class Actions {
  constructor(report) {
    this.report = report;
    this.listen();
  }

  listen() {
    const on = (id, type, handler) => inPage(id).addEventListener(type, handler);
    on('previous', 'click', () => this.report.goToMatch(-1));
    on('next', 'click', () => this.report.goToMatch(1));
    on('focus', 'click', () => this.filter((name) => ({ focus: name })));
    on('hide', 'click', () => this.filter((name) => ({ hide: [...this.report.state.hide, name] })));
    on('focus-matches', 'click', () => this.filterMatches((pattern) => ({ focus: pattern })));
    on('hide-matches', 'click', () => this.filterMatches((pattern) => ({ hide: [...this.report.state.hide, pattern] })));
    on('callers', 'click', () => this.showSandwich());
    on('since', 'click', () => this.showSince());
    on('copy', 'click', () => this.copy());
    on('summary', 'click', () => this.copySummary());
    const { signal } = this.report.lifetime;
    document.addEventListener('keydown', (event) => this.onKey(event), { signal });
    window.addEventListener('beforeprint', () => this.setPrinting(true), { signal });
    window.addEventListener('afterprint', () => this.setPrinting(false), { signal });
  }

  filter(changesFor) {
    const name = this.report.chosenName;
    if (name !== null) this.report.history.change({ ...changesFor(name), zoom: 0, select: name });
  }

  filterMatches(changesFor) {
    this.report.history.change({ ...changesFor(`/${this.report.state.query}`), zoom: 0, query: '' });
  }

  showSandwich() {
    if (this.report.chosenName !== null) this.report.history.change({ select: this.report.chosenName });
    inPage('sandwich').scrollIntoView({ block: 'start' });
  }

  /** Leaves out what was before the function was first seen. */
  showSince() {
    const { data, drawn, chosen, history } = this.report;
    const begin = firstSampleOf(data, drawn.label[chosen]);
    if (begin < Infinity) history.change({ range: `${begin}-${wholeRange(data)[1]}`, zoom: 0 });
  }

  /** Copies the stack. Pages from files may lack the clipboard: then selects the stack for Ctrl+C. */
  copy() {
    const { chosen, drawn, names } = this.report;
    const stack = drawn.path(chosen).map((node) => names[drawn.label[node]]);
    this.copyText(stack.join('\n'), 'copy', () => getSelection().selectAllChildren(inPage('path')));
  }

  async copySummary() {
    const cautions = Array.from(document.querySelectorAll('#about .caution'), ({ textContent }) => `!${textContent}`);
    const filters = Array.from(inPage('filters').children, ({ textContent }) => textContent.slice(0, -2)); // without \u00d7
    const text = await explain(this.report.findingSource, [inPage('totals').textContent, ...filters, ...cautions]);
    this.copyText(text, 'summary', () => {
      inPage('summary-text').hidden = false;
      inPage('summary-text').textContent = text;
      getSelection().selectAllChildren(inPage('summary-text'));
    });
  }

  async copyText(text, id, onFailure) {
    const button = inPage(id);
    const caption = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = caption; }, 1500);
    } catch {
      onFailure();
    }
  }

  onKey(event) {
    if (inPage('keys').open || inPage('menu').contains(event.target)) return;
    const field = inPage('search');
    const isSearching = event.target === field;
    const isFind = (event.ctrlKey || event.metaKey) && event.key === 'f';
    if (!isSearching && (isFind || event.key === '/')) { // pressed again, it is the browser's own search
      field.focus();
      field.select();
    } else if (!isSearching && event.key === '?') {
      inPage('keys').showModal();
    } else if (isSearching && event.key === 'Enter') {
      this.report.goToMatch(event.shiftKey ? -1 : 1);
    } else if (isSearching && event.key === 'Escape') {
      this.report.history.change({ query: '' }, false);
      this.report.graph.holder.focus();
    } else if (event.key === 'Escape' && this.report.state.query !== '') {
      this.report.history.change({ query: '' }, false);
    } else if (event.key === 'Escape') {
      this.report.controls.reset();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Prepares for printing: graphs as wide as in page.css, in light colours and without scrolling. */
  setPrinting(isPrinting) {
    document.documentElement.classList.toggle('printing', isPrinting);
    if (isPrinting) inPage('about').open = true;
    inPage(isPrinting ? 'findings' : 'totals').after(inPage('about')); // on paper the findings are first
    for (const view of [this.report.graph, ...this.report.sandwich.graphs]) view.setPaper(isPrinting ? PAPER : null);
    this.report.table.setPaper(isPrinting ? PAPER_TABLE_ROWS : null);
  }
}
