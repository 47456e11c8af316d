/** Hooks take stack, too: whether a program ran out of it that lives without them. */

let hasOverflowed = false;

export const isStackOverflow = (error) => error instanceof RangeError && /call stack/.test(error.message);

/** To be called with what leaves an instance that has hooks. */
export function noteOverflow(error) {
  hasOverflowed ||= isStackOverflow(error);
}

export const sawOverflow = () => hasOverflowed;
