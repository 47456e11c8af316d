/**
 * Wraps Atomics.wait in a JavaScript function. V8 has no frame for the original, whose time would be charged to
 * its caller. src/samples/v8_walk.c recognises the wrapper by its name.
 */

/** Patches Atomics. Call it once, before the program runs. */
export function patchWait(target = globalThis.Atomics) {
  const { wait: original } = target;
  const { wait } = {
    wait(array, index, value, timeout) {
      return original.call(this, array, index, value, timeout);
    },
  };
  Object.defineProperty(target, 'wait', { value: wait, writable: true, configurable: true });
}
