/**
 * Lets programs that use node:wasi wait as our own host does: a thread that waits for standard input or for a
 * clock can be interrupted, and its profile shows the wait.
 */

import { syncBuiltinESMExports } from 'node:module';
import { replaceConstructor } from '../engine/disguise.mjs';
import { builtin } from './builtin.mjs';
import { interruptible } from './interruptible.mjs';
import { replaceFunction } from './replace.mjs';
import { loadWasi, standardInput } from './standard_input.mjs';

const STDIN = 0;

const memories = new WeakMap(); // by WASI object

/** Notes an object's memory when `name` sets it. */
function follow(prototype, name, memoryOf) {
  if (!prototype[name]) return; // an older version of Node
  replaceFunction(prototype, name, (original) =>
    function (...args) {
      memories.set(this, memoryOf(...args));
      return original.apply(this, args);
    });
}

/** Returns standard input if that is what the object will read. */
function inputFor(options) {
  const isStandard = options?.version === 'preview1' && (options.stdin ?? STDIN) === STDIN;
  return isStandard ? standardInput() : null;
}

/**
 * Replaces the calls of the object, also those that need no change: Node 22 aborts if native functions are linked to a
 * module with several memories, see node_wasi.mjs.
 */
function prepare(wasi, input, version) {
  const calls = { ...wasi.wasiImport };
  const changed = version === 'preview1' ? interruptible(calls, () => memories.get(wasi), input) : calls;
  for (const [name, call] of Object.entries(calls)) {
    replaceFunction(wasi.wasiImport, name, () => (changed[name] === call ? (...args) => call(...args) : changed[name]));
  }
}

/** Patches node:wasi. Call it once, before the program runs. */
export function patchWasi() {
  const { WASI, warning } = loadWasi();
  let isWarned = warning === undefined;
  replaceConstructor(builtin('node:wasi'), 'WASI', (construct, [options, ...rest]) => {
    if (!isWarned) process.emitWarning(...warning);
    isWarned = true;
    const input = inputFor(options);
    const given = input ? { ...options, stdin: input.fd } : options;
    const wasi = construct(given, ...rest);
    prepare(wasi, input, options.version);
    return wasi;
  });
  const exported = (instance) => instance?.exports?.memory;
  follow(WASI.prototype, 'start', exported);
  follow(WASI.prototype, 'initialize', exported);
  follow(WASI.prototype, 'finalizeBindings', (instance, { memory = exported(instance) } = {}) => memory);
  syncBuiltinESMExports();
}
