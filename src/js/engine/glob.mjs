/** Matches globs that consist of literal characters, '*' and '?', like src/support/glob.h. */

/**
 * Whether the glob matches the whole name. A mismatch backtracks only to the last star, so the time does not
 * grow exponentially with the number of stars.
 */
export function globMatches(glob, name) {
  let [at, i, star, resume] = [0, 0, -1, 0];
  while (i < name.length) {
    if (glob[at] === '*') {
      star = ++at;
      resume = i;
    } else if (glob[at] === '?' || glob[at] === name[i]) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star;
      i = ++resume;
    } else {
      return false;
    }
  }
  while (glob[at] === '*') at++;
  return at === glob.length;
}
