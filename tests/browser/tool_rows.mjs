// What is compared of a file of another tool: its functions in the tool and in wasm-perf.

/** What tools say beside a name, each in its own way: a file, arguments of an event. */
export const plain = (name) => name.replace(/^\(anonymous\b.*/, '(anonymous)').replace(/(.) [({].*$/s, '$1');

/** One text for each function with a value. */
export const rowsOf = (functions) =>
  functions.filter(([self, total]) => self > 0 || total > 0)
    .map(([self, total, name]) => `${Math.round(self)} ${total === undefined ? '' : Math.round(total)} ${plain(name)}`).sort();

export const isNamed = ([, , name]) => name !== '';
export const sumOf = (functions) => Math.round(functions.filter(isNamed).reduce((sum, [self]) => sum + self, 0));

/** Functions of wasm-perf's JSON in the form that tools are asked in; `theirs` are those of the tool. */
export function oursOf(functions, theirs) {
  const hasTotal = theirs[0][1] !== undefined;
  return functions.map((one) => [one.self, hasTotal ? one.total : undefined, one.name === '(no stack)' ? '' : one.name]);
}

/** The functions that both have: {ours, theirs}, each as rowsOf has them. */
export function compareRows(ours, theirs, compared) {
  const wanted = theirs.filter(([, , name]) => compared(name));
  const known = new Set(wanted.map(([, , name]) => plain(name)));
  return { ours: rowsOf(ours.filter(([, , name]) => known.has(plain(name)))), theirs: rowsOf(wanted) };
}
