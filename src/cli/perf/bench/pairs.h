/*
 * Pairs the functions of two builds, of which only the counts, names and hashes of code are left:
 * the baseline does not have the module. A name is the best evidence, but functions without one are
 * numbered, and functions are renamed. In this order pairs are
 *
 *  1. functions with the same name, unless it is a number;
 *  2. functions whose names differ only in the module or in what follows it, if each side has one;
 *  3. functions with the same code, if as many have it on both sides;
 *  4. functions that count the same, likewise: at worst, both changed places;
 *  5. functions that are called by the same functions, as often;
 *  6. numbered functions between two neighbouring pairs, in order, as linkers keep it.
 */
#ifndef WI_CLI_PERF_BENCH_PAIRS_H_
#define WI_CLI_PERF_BENCH_PAIRS_H_

#include "cli/perf/bench/counts.h"

enum { CLI_BEFORE, CLI_AFTER, CLI_SIDES };

typedef struct cli_pairs {
  const cli_counts *counts[CLI_SIDES]; /* borrowed */
  uint32_t
      *partners[CLI_SIDES]; /* per function: its index on the other side, or UINT32_MAX; owned */
} cli_pairs;

/* False, with nothing to clear, if memory ran out. The counts must outlive the pairs. */
bool cli_pairs_init(cli_pairs *pairs, const cli_counts *before, const cli_counts *after);
void cli_pairs_clear(cli_pairs *pairs);

/* The other function of the pair, or NULL. */
const cli_function *cli_pairs_partner(const cli_pairs *pairs, int side, uint32_t function);

/* The name after, of the function with that name on one side. Names without function stay. */
const char *cli_pairs_later_name(const cli_pairs *pairs, int side, const char *name);

#endif /* WI_CLI_PERF_BENCH_PAIRS_H_ */
