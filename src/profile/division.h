/*
 * Divides a whole that arrives in pieces among parts, in proportion and in integers: every piece is
 * completely distributed, and after the last piece every part has exactly its share.
 */
#ifndef WI_PROFILE_DIVISION_H_
#define WI_PROFILE_DIVISION_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct wi_share {
  uint64_t part;  /* of the whole */
  uint64_t given; /* received of it so far */
  uint64_t last;  /* received from the last piece */
} wi_share;

typedef struct wi_division {
  uint64_t whole;
  uint64_t reached; /* sum of the pieces so far */
  wi_share rest;    /* share of everything else */
} wi_division;

/*
 * Divides a piece among `count` parts and the rest. Parts and rest must add up to the whole, as
 * must all pieces.
 */
void wi_division_next(wi_division *division, wi_share *shares, uint32_t count, uint64_t piece);

#endif /* WI_PROFILE_DIVISION_H_ */
