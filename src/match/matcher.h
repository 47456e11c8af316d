/* Shared by the steps of matching. */
#ifndef WI_MATCH_MATCHER_H_
#define WI_MATCH_MATCHER_H_

#include "match/features.h"
#include "match/match.h"

enum { WI_IN, WI_FROM, WI_SIDES };

/* The pairs found so far, from both sides. */
typedef struct wi_matcher {
  const wi_features *side[WI_SIDES]; /* borrowed */
  uint32_t *pair[WI_SIDES];          /* per function; WI_NO_FUNCTION: none */
  uint8_t *kind;                     /* wi_match_kind per function of WI_IN */
  uint32_t *ids[WI_SIDES];           /* per token of a side: its index in `weights` */
  float *weights;                    /* rarity of the token in bits */
  uint32_t *frequency[WI_SIDES];     /* number of functions on the side with the token */
  uint32_t token_count;
} wi_matcher;

static inline const wi_feature *wi_matcher_function(const wi_matcher *matcher, int side,
                                                    uint32_t function) {
  return &matcher->side[side]->functions[function];
}

static inline bool wi_matcher_is_free(const wi_matcher *matcher, int side, uint32_t function) {
  return matcher->pair[side][function] == WI_NO_FUNCTION;
}

/* Whether both are unpaired and have a body. */
bool wi_matcher_may_pair(const wi_matcher *matcher, uint32_t in, uint32_t from);

void wi_matcher_pair(wi_matcher *matcher, uint32_t in, uint32_t from, wi_match_kind kind);
void wi_matcher_part(wi_matcher *matcher, uint32_t in);

/* Returns false if out of memory. The features are borrowed. */
bool wi_matcher_init(wi_matcher *matcher, const wi_features *in, const wi_features *from);
void wi_matcher_clear(wi_matcher *matcher);

/* Whether the sorted range of links contains the function. */
bool wi_matcher_has_link(const wi_features *features, wi_range range, uint32_t function);

/* Rarity of all tokens of a function of WI_IN, in bits: a getter has almost none. */
float wi_matcher_information(const wi_matcher *matcher, uint32_t in);

/* Whether the function has the token. */
bool wi_matcher_has_token(const wi_features *features, uint32_t function, uint64_t token);

/* Rarity of a token, given its index among the tokens of its side. */
static inline float wi_matcher_weight(const wi_matcher *matcher, int side, uint32_t token) {
  return matcher->weights[matcher->ids[side][token]];
}

#endif /* WI_MATCH_MATCHER_H_ */
