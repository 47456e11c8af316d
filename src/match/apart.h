/*
 * Tells functions of one family apart. The code of a family differs at most in constants and memory
 * offsets, as that of accessors of a struct's fields, and of specialised copies. If a field is
 * added in front, each accessor gets the code that its neighbour had:
 *
 *     before                  after
 *     age:  load offset=0     id:   load offset=0
 *     size: load offset=4     age:  load offset=4
 *                             size: load offset=8
 *
 * So equal code is weak evidence about a function of a family, and about one with little code. Such
 * a pair also needs callers, callees or neighbours that agree.
 */
#ifndef WI_MATCH_APART_H_
#define WI_MATCH_APART_H_

#include "match/matcher.h"

/* The place of a function of WI_IN in WI_FROM, judging by the pairs around it. */
typedef struct wi_apart_place {
  uint32_t function;  /* of WI_FROM; WI_NO_FUNCTION: unknown */
  bool has_same_code; /* all functions between the nearest sure pairs have equal code */
} wi_apart_place;

typedef struct wi_apart {
  const wi_matcher *matcher;
  bool keep_order; /* most pairs are in the same order on both sides */
  wi_apart_place *places;
  uint64_t *codes[WI_SIDES]; /* hashes of all functions, sorted */
} wi_apart;

/* Returns false if out of memory. */
bool wi_apart_init(wi_apart *apart, const wi_matcher *matcher);
void wi_apart_clear(wi_apart *apart);

/* Finds the places anew. Call it after pairs have changed. */
void wi_apart_update(wi_apart *apart);

/* Whether a pair is of functions whose code alone does not tell which ones they are. */
bool wi_apart_is_needed(const wi_matcher *matcher, uint32_t in, uint32_t from);

/* Whether there is enough evidence for such a pair. */
bool wi_apart_is_told(const wi_apart *apart, uint32_t in, uint32_t from);

/* Whether paired callers call one of them, and not the other, at the same position. */
bool wi_apart_is_contradicted(const wi_matcher *matcher, uint32_t in, uint32_t from);

#endif /* WI_MATCH_APART_H_ */
