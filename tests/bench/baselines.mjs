// What the hooks are compared with: designs that came before, and none.
import { parse } from '../support/wat.mjs';

/** The same tree, kept by JavaScript functions: nodes with a Map of children. */
export function hooksInJavaScript() {
  const node = (parent) => ({ parent, children: new Map(), calls: 0 });
  let current = node(null);
  return {
    perf_start(index) {
      let child = current.children.get(index);
      if (!child) current.children.set(index, (child = node(current)));
      child.calls++;
      current = child;
    },
    perf_end() {
      current = current.parent;
    },
    perf_depth: () => 0,
    perf_unwind() {},
  };
}

/** The first design of the published practice: a hash table whose key is the whole stack. */
export function hashedStacks() {
  const stack = [];
  const calls = new Map();
  return {
    perf_start(index) {
      stack.push(index);
      const key = stack.join(';');
      calls.set(key, (calls.get(key) ?? 0) + 1);
    },
    perf_end() {
      stack.pop();
    },
    perf_depth: () => stack.length,
    perf_unwind(depth) {
      stack.length = depth;
    },
  };
}

/** Hooks that do nothing: what calling them costs alone. */
export async function emptyHooks() {
  const bytes = await parse(`(module
    (func (export "perf_start") (param i32))
    (func (export "perf_end"))
    (func (export "perf_depth") (result i32) (i32.const 0))
    (func (export "perf_unwind") (param i32)))`);
  return (await WebAssembly.instantiate(bytes)).instance.exports;
}
