// What is shown, as the fragment of the page's address has it: links and the browser's Back work with it.

/** All there is to choose; what is as here is not in the fragment. */
export function initialState(head) {
  const isDifference = head.mode === 'diff';
  return {
    value: head.values[0].key,
    run: isDifference ? 1 : head.runs.length > 1 ? null : 0,
    compare: isDifference ? 0 : null,
    order: 'heavy', // or 'call'
    up: false,
    fold: false,
    hide: [], // names of functions
    focus: null, // the name of one
    zoom: 0, // a node
    range: null, // 'FROM-TO', microseconds of the time line
    chart: false, // in order of time
    thread: 0, // of which that is
    select: null, // the name of a function
    group: null, // the name of a part of the program
    query: '',
  };
}

const isEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export function fragmentOf(state, initial) {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) {
    if (isEqual(value, initial[key])) continue;
    if (Array.isArray(value)) for (const item of value) parameters.append(key, item);
    else parameters.set(key, value === true ? 1 : value === false ? 0 : value ?? 'all');
  }
  return parameters.toString();
}

/** What cannot be read, or is of another profile, is as in the beginning. */
export function stateOf(fragment, initial, head) {
  const parameters = new URLSearchParams(fragment);
  const state = { ...initial };
  const names = new Set(head.names);
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
  text('focus', (name) => names.has(name));
  text('select', (name) => names.has(name));
  text('query', () => true);
  text('group', () => true);
  index('run');
  index('compare');
  text('range', (range) => /^\d{1,15}-\d{1,15}$/.test(range));
  for (const key of ['up', 'fold', 'chart']) if (parameters.has(key)) state[key] = parameters.get(key) === '1';
  state.hide = parameters.getAll('hide').filter((name) => names.has(name));
  for (const key of ['zoom', 'thread'])
    if (/^\d{1,9}$/.test(parameters.get(key) ?? '')) state[key] = Number(parameters.get(key));
  return state;
}

export class History {
  /** `show(state)` is called whenever what is shown changes, until the signal ends it. */
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

  /** Whether there is something of this page to come back to. */
  get canGoBack() {
    return this.step > 0;
  }

  /** Changes something; `isStep`: Back comes back to what was. */
  change(changes, isStep = true) {
    const state = { ...this.state, ...changes };
    if (isEqual(state, this.state)) return;
    this.state = state;
    this.fragment = fragmentOf(state, this.initial);
    if (isStep) history.pushState({ step: ++this.step }, '', `#${this.fragment}`);
    else history.replaceState(history.state, '', `#${this.fragment}`);
    this.fragment = location.hash.slice(1); // as the browser writes it
    this.show(state);
  }
}
