/* Globs as whitelists and the reports' commands have them: of '*' and '?' only. */
#ifndef WI_SUPPORT_GLOB_H_
#define WI_SUPPORT_GLOB_H_

#include <stdbool.h>
#include <stddef.h>

/*
 * Not fnmatch, which would read the brackets and backslashes of names such as operator[] as its
 * own, and takes exponential time on many stars. Here a mismatch only ever goes back to the last
 * star.
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
