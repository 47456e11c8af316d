#include "profile/division.h"

#include "support/arithmetic.h"

/*
 * Gives a part its share of the total so far, rounded down, minus what it already has; at most
 * *left.
 */
static void give_due(const wi_division *division, wi_share *share, uint64_t *left) {
  uint64_t due = wi_scale(share->part, division->whole, division->reached);
  uint64_t more = due > share->given ? due - share->given : 0;
  share->last = more < *left ? more : *left;
  share->given += share->last;
  *left -= share->last;
}

/* Whether a part has less than its exact share, even by less than one. */
static bool is_short(const wi_division *division, const wi_share *share) {
  return (wi_u128)share->part * division->reached > (wi_u128)share->given * division->whole;
}

void wi_division_next(wi_division *division, wi_share *shares, uint32_t count, uint64_t piece) {
  uint64_t left = piece;
  division->reached = wi_saturating_add(division->reached, piece);
  give_due(division, &division->rest, &left);
  for (uint32_t i = 0; i < count; i++)
    give_due(division, &shares[i], &left);
  for (uint32_t i = 0; i < count && left > 0; i++)
    if (is_short(division, &shares[i])) {
      shares[i].last++;
      shares[i].given++;
      left--;
    }
  division->rest.last += left;
  division->rest.given += left;
}
