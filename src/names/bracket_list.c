#include "names/bracket_list.h"

#include <stddef.h>

/*
 * Of more unclosed brackets, each would be followed to the end of the name, in quadratic time. No
 * name that people read nests so deeply.
 */
enum { MAX_NESTING = 256 };

static char closing_of(char opening) {
  switch (opening) {
  case '(': return ')';
  case '<': return '>';
  case '[': return ']';
  default: return 0;
  }
}

const char *wi_bracket_list_end(const char *at) {
  char open[MAX_NESTING];
  size_t nesting = 0;
  for (const char *begin = at; *at != 0; at++) {
    char closing = closing_of(*at);
    if (closing != 0 && nesting == MAX_NESTING)
      return NULL;
    if (closing != 0)
      open[nesting++] = closing;
    else if (nesting > 0 && *at == open[nesting - 1] &&
             !(*at == '>' && at > begin && at[-1] == '-'))
      nesting--;
    if (nesting == 0)
      return at + 1;
  }
  return NULL;
}
