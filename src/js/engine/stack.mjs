/** Hooks need stack space. Notes whether a program ran out of stack, which it may not do without hooks. */

let hasOverflowed = false;

export const isStackOverflow = (error) => error instanceof RangeError && /call stack/.test(error.message);

/** Call it with each exception that leaves an instance with hooks. */
export function noteOverflow(error) {
  hasOverflowed ||= isStackOverflow(error);
}

export const sawOverflow = () => hasOverflowed;
