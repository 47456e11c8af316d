/**
 * Atomics.wait as a function of ours: V8 has no frame for its own, and its time would be that of whoever waits.
 * engine/thread_stacks.mjs knows it by its name.
 */

/** To be called once, before the program runs. */
export function patchWait(target = globalThis.Atomics) {
  const { wait: original } = target;
  const { wait } = {
    wait(array, index, value, timeout) {
      return original.call(this, array, index, value, timeout);
    },
  };
  Object.defineProperty(target, 'wait', { value: wait, writable: true, configurable: true });
}
