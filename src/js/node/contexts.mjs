/**
 * Patches contexts of node:vm, in which jest runs its tests. Each has its own globals, such as
 * WebAssembly, which are patched before a program can use them.
 */

import { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';
import { replaceMethod } from '../engine/disguise.mjs';

const { createContext, isContext, runInContext, Script } = vm;

const isKnown = (object) => typeof object === 'object' && object !== null && isContext(object);

/** Converts options of runInNewContext to options of createContext. */
const contextOptions = ({ contextName: name, contextOrigin: origin, contextCodeGeneration, microtaskMode } = {}) => ({
  ...(name === undefined ? {} : { name }),
  ...(origin === undefined ? {} : { origin }),
  ...(contextCodeGeneration === undefined ? {} : { codeGeneration: contextCodeGeneration }),
  ...(microtaskMode === undefined ? {} : { microtaskMode }),
});

/** In Bun, methods of node:vm are read-only. */
function replace(target, name, replacement) {
  if (Object.getOwnPropertyDescriptor(target, name)?.writable) replaceMethod(target, name, () => replacement);
}

/** @param {(globals: object) => void} patch called with the global object of each new context */
export function patchContexts(patch) {
  const { runInContext: runScript } = Script.prototype;

  function prepared(object, options) {
    const context = createContext(object, options);
    patch(runInContext('globalThis', context));
    return context;
  }

  /** Returns the context for runInNewContext, which may exist already. */
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
