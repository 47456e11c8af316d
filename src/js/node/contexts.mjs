/**
 * Contexts of node:vm, in which jest runs its tests: each has a WebAssembly of its own, which is patched before any
 * program can use it.
 */

import { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';

const { createContext, isContext, runInContext, Script } = vm;

const isKnown = (object) => typeof object === 'object' && object !== null && isContext(object);

/** What createContext takes of the options of runInNewContext. */
const contextOptions = ({ contextName: name, contextOrigin: origin, contextCodeGeneration, microtaskMode } = {}) => ({
  ...(name === undefined ? {} : { name }),
  ...(origin === undefined ? {} : { origin }),
  ...(contextCodeGeneration === undefined ? {} : { codeGeneration: contextCodeGeneration }),
  ...(microtaskMode === undefined ? {} : { microtaskMode }),
});

/** Replaces a method by one of its name and length; in Bun those of node:vm are read-only. */
function replace(target, name, replacement) {
  if (!Object.getOwnPropertyDescriptor(target, name)?.writable) return;
  Object.defineProperty(replacement, 'length', { value: target[name].length, configurable: true });
  Object.defineProperty(replacement, 'name', { value: name, configurable: true });
  target[name] = replacement;
}

/** @param {(WebAssembly: object) => void} patch what is done to the WebAssembly of each new context */
export function patchContexts(patch) {
  const { runInContext: runScript } = Script.prototype;

  function prepared(object, options) {
    const context = createContext(object, options);
    const { WebAssembly } = runInContext('globalThis', context);
    if (WebAssembly) patch(WebAssembly);
    return context;
  }

  /** The context of runInNewContext, which need not be new. */
  function contextOf(object, options) {
    return isKnown(object) ? object : prepared(object ?? {}, contextOptions(typeof options === 'object' ? options : {}));
  }

  replace(vm, 'createContext', function (object = {}, options) {
    return isKnown(object) ? createContext(object, options) : prepared(object, options);
  });
  replace(vm, 'runInNewContext', function (code, object, options) {
    return runInContext(code, contextOf(object, options), options);
  });
  replace(Script.prototype, 'runInNewContext', function (object, options) {
    return runScript.call(this, contextOf(object, options), options);
  });
  syncBuiltinESMExports();
}
