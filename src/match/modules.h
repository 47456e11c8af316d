/*
 * Matches the functions of two builds, to name a stripped module from a build with names that was
 * made with other options, from a similar version, or before or after an optimiser.
 *
 * A wrong name costs more trust than a missing one. So a pair needs more evidence than similarity,
 * and the most reliable evidence is used first:
 *
 *  1. Equal code sections: each function matches itself.                  modules.c
 *  2. Exports with the same name, and functions whose code, together with their callees' code,
 *     occurs once in each module. BinDiff's "hash matching" with the callees as context
 *     (Flake, "Structural comparison of executable objects", DIMVA 2004).          exact.c
 *  3. Calls: two paired functions with the same instructions call the same functions in the same
 *     order ("Graph-based comparison of executable objects", Dullien and Rolles, SSTIC
 *     2005).                                                                      calls.c
 *  4. Order: linkers keep the order of functions and of the table. The unpaired functions between
 *     two neighbouring pairs are paired in order. Only if almost all existing pairs are in the same
 *     order.                                                                      order.c
 *  5. Similarity: a weighted Jaccard index over tokens (memory offsets, constants, texts, imports,
 *     pairs of instructions; rare ones weigh most, as in FunctionSimSearch) and over callers and
 *     callees that are already paired (as in Diaphora and SIGMADIFF). The best match must be far
 *     better than the second, seen from both sides.                               similar.c
 *
 * Steps 3 to 5 are repeated until nothing is added. Then pairs that contradict their neighbours are
 * dropped, including those due to inlining: a function that now contains its only callee is not
 * that callee.                                                                    check.c
 * Equal code is weak evidence about functions that differ from others only in constants, such as
 * accessors: they also need callers, callees or places that agree.                apart.c
 *
 *  6. All of this again after inlining tiny functions and functions that are called once on both
 *     sides, as wasm-opt and link-time optimisation do in one of them.             contract.c
 *     If a function contains several, the outermost one gives the name.            wrapper.c
 */
#ifndef WI_MATCH_MODULES_H_
#define WI_MATCH_MODULES_H_

#include "match/match.h"

/*
 * Pairs the functions of `in` and `from`; both are only read. O(n log n) time and up to
 * ten times the modules' memory. Returns false, with *matches cleared, if a body is unreadable (the
 * error of its module is filled in) or if out of memory (*in_error is filled in).
 */
bool wi_match_modules(wi_matches *matches, const wi_module *in, const wi_module *from,
                      wi_error *in_error, wi_error *from_error);

#endif /* WI_MATCH_MODULES_H_ */
