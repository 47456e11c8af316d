/*
 * Which lines of JavaScript hold memory at the end. Many lines lead to an export, often through
 * helpers that others call, too, and free what they get. So going outward from the export, the frame
 * that holds its blocks is the one from which on the fewest are freed. Of equal frames it is the
 * innermost, outside of packages if there is one.
 */
#ifndef WI_REPORT_MODEL_HOLDINGS_H_
#define WI_REPORT_MODEL_HOLDINGS_H_

#include "report/model/report.h"
#include "support/array.h"

/* What a line holds. */
typedef struct wi_holding {
  char *place; /* owned: "src/main.mjs:19", the same in each profile of a program */
  char *text;  /* owned: "main.mjs:19 → parse", with the function that it calls and that holds
                  most */
  char *name;  /* owned: of the frame's function */
  uint32_t label;
  uint64_t byte_count, block_count; /* live */
  uint32_t growth_count;     /* snapshots before this one since which it has grown each time */
  uint64_t first_byte_count; /* in the first of these */
} wi_holding;

typedef struct wi_holdings {
  WI_ARRAY(wi_holding, items); /* most bytes first */
} wi_holdings;

/* "main.mjs:19 → parse holds 12.0 MB at the end (300 blocks): called in ", before its name. */
typedef struct wi_holding_text {
  char text[256];
} wi_holding_text;
wi_holding_text wi_holding_describe(const wi_holding *holding);

/* Finds all that hold anything. Returns false, with nothing to clear, if memory ran out. */
bool wi_holdings_init(wi_holdings *holdings, const wi_report *report);
void wi_holdings_clear(wi_holdings *holdings);

/*
 * Compares with an earlier state of the same program or of another run. Returns what grew by most bytes,
 * *growth, or NULL.
 */
const wi_holding *wi_holdings_compare(const wi_holdings *before, const wi_holdings *after,
                                      uint64_t *growth);

/*
 * Continues the trends of an earlier snapshot of the run in `now`. Returns what has grown by most
 * bytes in `least` snapshots one after the other, or NULL.
 */
const wi_holding *wi_holdings_follow(const wi_holdings *before, wi_holdings *now, uint32_t least);

#endif /* WI_REPORT_MODEL_HOLDINGS_H_ */
