/* Simulates the inlining of optimisers. */
#ifndef WI_MATCH_CONTRACT_H_
#define WI_MATCH_CONTRACT_H_

#include "match/features.h"

/*
 * Link-time optimisation and wasm-opt inline tiny functions and functions that are called once. If
 * two builds differ in what was inlined, inlining it in both makes them equal:
 *
 *     one build                      the other               both, contracted
 *     step calls exec, once          step, with exec in it   step: its code and exec's
 *
 * Fills *whole with the features of functions after such callees were inlined. A function that was
 * inlined everywhere has no features there. `pair` has the functions that exist in both builds
 * (WI_NO_FUNCTION: unknown): they are never inlined, and if `into_paired` is false, only tiny
 * functions are inlined into them. `features` must outlive *whole, which shares its data image.
 * Returns false, with nothing kept, if out of memory.
 */
bool wi_features_contract(wi_features *whole, const wi_features *features, const uint32_t *pair,
                          bool into_paired);

void wi_features_contract_clear(wi_features *whole);

#endif /* WI_MATCH_CONTRACT_H_ */
