// The state of the page, stored in the fragment of its address, so that links and the browser's Back work.

/** All choices and their defaults, which the fragment omits. */
function initialState(head) {
  const isDifference = head.mode === 'diff';
  return {
    value: head.values[0].key,
    run: isDifference ? 1 : head.runs.length > 1 ? null : 0,
    compare: isDifference ? 0 : null,
    order: 'heavy', // or 'call'
    up: false,
    fold: false,
    hide: [], // function names, or patterns of them after a slash
    focus: null, // likewise, one of them
    zoom: 0, // node number
    view: null, // 'LEFT-WIDTH', parts of the whole that were moved to without a frame
    range: null, // 'FROM-TO' on the time line, in microseconds
    chart: false, // show frames in order of time
    thread: 0, // thread of the chart
    select: null, // function name
    group: null, // name of a part of the program
    query: '',
  };
}

const isEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function fragmentOf(state, initial) {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) {
    if (isEqual(value, initial[key])) continue;
    if (Array.isArray(value)) for (const item of value) parameters.append(key, item);
    else parameters.set(key, value === true ? 1 : value === false ? 0 : value ?? 'all');
  }
  return parameters.toString();
}

/** Parses a fragment. Values that are invalid, or belong to another profile, get their defaults. */
function stateOf(fragment, initial, head) {
  const parameters = new URLSearchParams(fragment);
  const state = { ...initial };
  const isName = (name) => head.names.includes(name); // a Set of a million names would cost more
  const text = (key, isAllowed) => {
    const value = parameters.get(key);
    if (value !== null && isAllowed(value)) state[key] = value;
  };
  const index = (key) => {
    const value = parameters.get(key);
    if (value === 'all') state[key] = null;
    else if (/^\d+$/.test(value ?? '') && Number(value) < head.runs.length) state[key] = Number(value);
  };
  text('value', (key) => head.values.some((value) => value.key === key));
  text('order', (order) => order === 'heavy' || order === 'call');
  const isChoice = (name) => isName(name) || /^\/./.test(name);
  text('focus', isChoice);
  text('select', isName);
  text('query', () => true);
  text('group', () => true);
  text('view', (view) => /^[01]\.\d{1,9}-[01]\.\d{1,9}$/.test(view));
  index('run');
  index('compare');
  text('range', (range) => /^\d{1,15}-\d{1,15}$/.test(range));
  for (const key of ['up', 'fold', 'chart']) if (parameters.has(key)) state[key] = parameters.get(key) === '1';
  state.hide = parameters.getAll('hide').filter(isChoice);
  for (const key of ['zoom', 'thread'])
    if (/^\d{1,9}$/.test(parameters.get(key) ?? '')) state[key] = Number(parameters.get(key));
  return state;
}

export class History {
  /** `show(state)` is called after each change, until `signal` is aborted. */
  constructor(head, show, signal) {
    this.head = head;
    this.show = show;
    this.initial = initialState(head);
    this.state = stateOf(location.hash.slice(1), this.initial, head);
    this.step = history.state?.step ?? 0;
    window.addEventListener('popstate', () => this.restore(), { signal });
  }

  restore() {
    const fragment = location.hash.slice(1);
    this.step = history.state?.step ?? 0;
    if (fragment === this.fragment) return;
    this.fragment = fragment;
    this.state = stateOf(fragment, this.initial, this.head);
    this.show(this.state);
  }

  /** Whether Back leads to a state of this page. */
  get canGoBack() {
    return this.step > 0;
  }

  /** Changes the state; `isStep`: Back restores the previous one. A zoom to a frame ends a view without one. */
  change(changes, isStep = true) {
    const state = { ...this.state, ...('zoom' in changes ? { view: null } : {}), ...changes };
    if (isEqual(state, this.state)) return;
    this.state = state;
    this.fragment = fragmentOf(state, this.initial);
    if (isStep) history.pushState({ step: ++this.step }, '', `#${this.fragment}`);
    else history.replaceState(history.state, '', `#${this.fragment}`);
    this.fragment = location.hash.slice(1); // in the browser's encoding
    this.show(state);
  }
}
