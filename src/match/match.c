#include "match/match.h"

#include <stdlib.h>

void wi_matches_clear(wi_matches *matches) {
  free(matches->items);
  *matches = (wi_matches){0};
}
