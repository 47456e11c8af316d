/* Whether a pair is certain, as far as the pairs around it tell. */
#ifndef WI_SYMBOLS_MATCH_CHECK_H_
#define WI_SYMBOLS_MATCH_CHECK_H_

#include "symbols/matcher.h"

/*
 * Whether the functions may be the same although their code differs: the signature and whether they
 * are in the table are the same, and nobody who is known to call one is known not to call the
 * other.
 */
bool wi_match_is_likely(const wi_matcher *matcher, uint32_t in, uint32_t from);

/* How sure the pair of a function of WI_IN is, from 0 to 1. */
float wi_match_confidence(const wi_matcher *matcher, uint32_t in);

/* Drops the pairs that are not certain. */
void wi_match_check(wi_matcher *matcher);

#endif /* WI_SYMBOLS_MATCH_CHECK_H_ */
