/*
 * Which function of one build is which of another: names for a stripped module from a build that
 * has them, made with other options, of a neighbouring version, before or after an optimiser.
 *
 * A wrong name costs more trust than a missing one, so a pair needs evidence beyond being alike,
 * and evidence is taken in the order of how seldom it errs:
 *
 *  1. The same code section: each function is itself.                     match_modules.c
 *  2. Exports of one name, and functions whose code, together with that of the functions they call,
 *     occurs once in each module. BinDiff's "hash matching" with the callees as context
 *     (Flake, "Structural comparison of executable objects", DIMVA 2004).          match_exact.c
 *  3. Calls: two functions that are paired and have the same instructions call the same functions
 *     in the same order ("Graph-based comparison of executable objects", Dullien and Rolles, SSTIC
 *     2005).                                                                      match_calls.c
 *  4. Order: linkers keep the order of functions and of the table. Between two pairs that are
 *     neighbours, what is left on both sides is paired in order. Only where nearly all pairs so far
 *     are in the same order.                                                      match_order.c
 *  5. Likeness: a weighted Jaccard index over tokens (memory offsets, constants, strings, imports,
 *     pairs of instructions; rare ones weigh most, as in FunctionSimSearch) and over the callers
 *     and callees that are paired already (as Diaphora's and SIGMADIFF's). The best has to be far
 *     better than the second, seen from both sides.                               match_similar.c
 *
 * 3 to 5 are repeated until nothing is added. Then what the pairs around a pair contradict is
 * dropped, and inlining with it: a function that contains its only callee now is not that callee.
 *                                                                                 match_check.c
 *
 *  6. The same again with functions that are called once, and tiny ones, put into their callers on
 *     both sides: what wasm-opt and link-time optimisation do in one of them.       contract.c
 *     Of two functions that one holds now, the outermost gives the name.            wrapper.c
 */
#ifndef WI_SYMBOLS_MATCH_MODULES_H_
#define WI_SYMBOLS_MATCH_MODULES_H_

#include "symbols/match.h"

/*
 * Pairs the functions of `in` with those of `from`; both are only read. Takes O(n log n) time and
 * up to ten times the modules' memory. False where a body cannot be read, with the error of the
 * module it is in filled in, or where memory ran out, in *in_error; *matches is clear then.
 */
bool wi_match_modules(wi_matches *matches, const wi_module *in, const wi_module *from,
                      wi_error *in_error, wi_error *from_error);

#endif /* WI_SYMBOLS_MATCH_MODULES_H_ */
