/* Finds what patterns that match no function were perhaps meant to be. */
#ifndef WI_HOOKS_SUGGEST_H_
#define WI_HOOKS_SUGGEST_H_

#include "hooks/selection.h"

/* The text nearest to a pattern so far. */
typedef struct wi_suggestion {
  const wi_pattern *pattern;
  uint32_t distance; /* WI_FAR: none is near */
  char text[160];    /* as a pattern that matches */
} wi_suggestion;

/* Begins the search. A pattern with '*' or '?' and a regular expression get no suggestion. */
void wi_suggestion_init(wi_suggestion *suggestion, const wi_pattern *pattern);

/* Takes the text if it is nearer than the last: a name, the path of a file, or a part. */
void wi_suggestion_offer(wi_suggestion *suggestion, wi_pattern_subject subject, const char *text);

#endif /* WI_HOOKS_SUGGEST_H_ */
