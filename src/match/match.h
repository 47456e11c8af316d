/* Results of matching two modules. */
#ifndef WI_MATCH_MATCH_H_
#define WI_MATCH_MATCH_H_

#include "module/module.h"

/* How a pair was found. */
typedef enum wi_match_kind {
  WI_MATCH_NONE,
  WI_MATCH_SAME,
  WI_MATCH_EXPORT,
  WI_MATCH_EXACT,
  WI_MATCH_CALLS,
  WI_MATCH_ORDER,
  WI_MATCH_SIMILAR
} wi_match_kind;

typedef struct wi_match {
  uint32_t from;    /* function index in the other module; WI_NO_FUNCTION: none */
  float confidence; /* 0 to 1; only pairs that are almost certain are kept */
  uint8_t kind;     /* wi_match_kind */
} wi_match;

typedef struct wi_matches {
  wi_match *items; /* owned; one per function of the module, including imports */
  uint32_t count;
  uint32_t matched_count;     /* functions with a body and a pair */
  uint64_t instruction_count; /* of the module */
  bool has_same_layout;       /* static data has the same addresses in both modules: same link */
  bool is_unrelated;          /* the other module is of another program: no pairs */
} wi_matches;

/* Frees the items and zeroes *matches. */
void wi_matches_clear(wi_matches *matches);

#endif /* WI_MATCH_MATCH_H_ */
