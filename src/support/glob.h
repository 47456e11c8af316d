/* Globs for allow lists and report commands, with '*' and '?' only. */
#ifndef WI_SUPPORT_GLOB_H_
#define WI_SUPPORT_GLOB_H_

#include <stdbool.h>
#include <stddef.h>

/*
 * fnmatch is unsuitable: it interprets brackets and backslashes, as in operator[], and takes
 * exponential time for many stars. Here a mismatch only backtracks to the last star.
 */
static inline bool wi_glob_matches(const char *glob, const char *name) {
  const char *star = NULL, *resume = NULL;
  while (*name) {
    if (*glob == '*') {
      star = ++glob;
      resume = name;
    } else if (*glob == '?' || *glob == *name) {
      glob++;
      name++;
    } else if (star) {
      glob = star;
      name = ++resume;
    } else {
      return false;
    }
  }
  while (*glob == '*')
    glob++;
  return *glob == '\0';
}

#endif /* WI_SUPPORT_GLOB_H_ */
