// The controls that do nothing but choose a part of the state: menus, switches, and the filters with their undo.
const control = (id) => document.getElementById(id);

/** The choices in menus, of runs and values. */
function fillMenus({ values, runs, mode }) {
  const fill = (id, options) => {
    control(id).replaceChildren(...options.map(([value, text]) => new Option(text, value)));
    control(`${id}-label`).hidden = options.length < 2;
  };
  const names = runs.map(({ name }, i) => [i, name]);
  fill('value', values.map(({ key, name }) => [key, name]));
  fill('run', mode === 'diff' || runs.length < 2 ? names : [['all', 'all together'], ...names]);
  fill('compare', runs.length < 2 ? [] : [['all', 'nothing'], ...names]);
}

const isAllShown = ({ zoom, view, focus, group, hide, range }) =>
  zoom === 0 && view === null && focus === null && group === null && hide.length === 0 && range === null;

export class Controls {
  /** `history`: of the state, see state.mjs. */
  constructor(head, history) {
    this.history = history;
    fillMenus(head);
    const run = (value) => (value === 'all' ? null : Number(value));
    this.on('value', 'change', ({ value }) => ({ value }));
    this.on('run', 'change', ({ value }) => ({ run: run(value) }));
    this.on('compare', 'change', ({ value }) => ({ compare: run(value) }));
    this.on('order', 'change', ({ value }) => ({ order: value }));
    this.on('up', 'click', () => ({ up: !history.state.up }));
    this.on('chart', 'click', () => ({ chart: !history.state.chart, zoom: 0 }));
    this.on('fold', 'click', () => ({ fold: !history.state.fold, zoom: 0 }));
    control('search').addEventListener('input', ({ target }) => history.change({ query: target.value }, false));
    control('back').addEventListener('click', () => window.history.back());
    control('reset').addEventListener('click', () => this.reset());
    control('help').addEventListener('click', () => control('keys').showModal());
  }

  on(id, type, changesFor) {
    control(id).addEventListener(type, ({ target }) => this.history.change(changesFor(target)));
  }

  /** Shows everything again. */
  reset() {
    this.history.change({ zoom: 0, focus: null, hide: [], select: null, group: null, range: null });
  }

  /** `hasChart`: the graph shows frames in order of time. */
  show(state, hasChart) {
    control('search').value === state.query || (control('search').value = state.query);
    control('value').value = state.value;
    control('run').value = state.run ?? 'all';
    control('compare').value = state.compare ?? 'all';
    control('order').value = state.order;
    control('up').setAttribute('aria-pressed', state.up);
    control('fold').setAttribute('aria-pressed', state.fold);
    control('chart').setAttribute('aria-pressed', hasChart);
    control('back').disabled = !this.history.canGoBack;
    control('reset').disabled = isAllShown(state);
    this.showFilters(state);
  }

  showFilters({ focus, hide, group }) {
    const chips = [];
    const add = (text, name, changes) => {
      const chip = document.createElement('button');
      chip.type = 'button';
      chip.textContent = `${text} ${name} \u00d7`;
      chip.title = `Undo: ${text.toLowerCase()} ${name}`;
      chip.addEventListener('click', () => this.history.change({ ...changes, zoom: 0 }));
      chips.push(chip);
    };
    if (focus !== null) add('Only stacks with', focus, { focus: null });
    if (group !== null) add('Only', group, { group: null });
    for (const name of hide) add('Hidden:', name, { hide: hide.filter((other) => other !== name) });
    control('filters').replaceChildren(...chips);
  }
}
