/*
 * A whole that comes in pieces, each of which is divided in proportion among parts: in whole
 * numbers, so that every piece is given away, and every part has exactly its own after the last
 * one.
 */
#ifndef WI_PROFILE_DIVISION_H_
#define WI_PROFILE_DIVISION_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct wi_share {
  uint64_t part;  /* of the whole */
  uint64_t given; /* of that, by the pieces so far */
  uint64_t last;  /* of that, by the last piece */
} wi_share;

typedef struct wi_division {
  uint64_t whole;
  uint64_t reached; /* the pieces so far */
  wi_share rest;    /* what is of no other part */
} wi_division;

/* Divides a piece among `count` parts and the rest. All of them make up the whole, and so do all
 * pieces. */
void wi_division_next(wi_division *division, wi_share *shares, uint32_t count, uint64_t piece);

#endif /* WI_PROFILE_DIVISION_H_ */
