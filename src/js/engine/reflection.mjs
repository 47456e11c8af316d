/** Makes WebAssembly.Module describe the original of a rewritten module. */

import { replaceMethod } from './disguise.mjs';
import { keyOfCompiled, originalSection } from './module_key.mjs';
import { isForHost } from './host_exports.mjs';

const { apply } = Reflect;

const isNone = () => false;

/** Whether an export is the runtime's. */
export const isOfRuntime = (name) => name.startsWith('wasm_perf_');

const predicates = new WeakMap(); // module -> result of hiddenExports: there may be thousands of instances

/** Returns a predicate: whether the program sees no export of that name. */
export function hiddenExports(module) {
  let isHidden = predicates.get(module);
  if (!isHidden) {
    const key = keyOfCompiled(module);
    isHidden = !key ? isNone : key.isInside ? isForHost : isOfRuntime;
    predicates.set(module, isHidden);
  }
  return isHidden;
}

/** Removes elements of an array of the engine's, which belongs to the program's realm. */
function remove(list, isUnwanted) {
  let kept = 0;
  for (let i = 0; i < list.length; i++) {
    if (!isUnwanted(list[i])) list[kept++] = list[i];
  }
  list.length = kept;
  return list;
}

const exportsOf = (original) => ({
  exports(...args) {
    const list = apply(original, this, args);
    const isHidden = hiddenExports(args[0]);
    return remove(list, ({ name }) => isHidden(name));
  },
}.exports);

const isRewritten = (module) => {
  try {
    return keyOfCompiled(module) !== undefined;
  } catch {
    return false; // it is no module
  }
};

const sectionsOf = (original) => ({
  customSections(...args) {
    const [module, name] = args;
    if (name === undefined || typeof name === 'symbol' || !isRewritten(module)) return apply(original, this, args);
    return apply(original, this, [module, originalSection(`${name}`)]);
  },
}.customSections);

/** @param {object} target WebAssembly of the realm */
export function patchReflection({ Module }) {
  replaceMethod(Module, 'exports', exportsOf);
  replaceMethod(Module, 'customSections', sectionsOf);
}
