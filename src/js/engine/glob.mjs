/** Globs of '*' and '?' only, as src/support/glob.h matches them in the commands. */

/** Whether the whole name matches. A mismatch only ever goes back to the last star, so that many take no longer. */
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
