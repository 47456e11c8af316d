#include "names/return_type.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define UNNAMED "(anonymous namespace)"

static bool begins(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

/*
 * Whether the words before the space describe a part of the function, as in "virtual thunk to
 * f(int)".
 */
static bool is_of_function(const char *name, const char *space) {
  size_t size = (size_t)(space - name);
  return (size >= 3 && memcmp(space - 3, " to", 3) == 0) ||
         (size >= 4 && memcmp(space - 4, " for", 4) == 0);
}

const char *wi_skip_return_type(const char *name) {
  const char *own = name;
  unsigned depth = 0;
  for (const char *at = name; *at; at++) {
    bool is_start = at == name || at[-1] == ' ' || at[-1] == ':';
    if (depth == 0 && is_start && begins(at, "operator"))
      return own;
    if (depth == 0 && begins(at, UNNAMED))
      at += strlen(UNNAMED) - 1;
    else if (depth == 0 && *at == '(')
      return own;
    else if (depth == 0 && *at == ' ' && is_of_function(name, at))
      return name;
    else if (depth == 0 && *at == ' ')
      own = at + 1;
    else if (strchr("<([{", *at))
      depth++;
    else if (strchr(">)]}", *at) && depth > 0)
      depth--;
  }
  return name; /* no parameters: not a C++ function */
}
