/* Functions together with what optimisers put into them. */
#ifndef WI_SYMBOLS_CONTRACT_H_
#define WI_SYMBOLS_CONTRACT_H_

#include "symbols/features.h"

/*
 * Link-time optimisation and wasm-opt inline functions that are called once, and tiny ones. Two
 * builds that disagree about that agree again once both are inlined in both:
 *
 *     one build                      the other               both, contracted
 *     step calls exec, once          step, with exec in it   step: its code and exec's
 *
 * Fills *whole with the features of functions that such callees have been inlined into; a function
 * that is only inlined has no features left there. `pair` tells which functions stand alone in both
 * builds, WI_NO_FUNCTION: not known; these are not inlined, and with
 * `into_paired` false nothing but tiny functions is inlined into them. `features` outlive *whole, whose data
 * is theirs. False, with nothing kept, when memory ran out.
 */
bool wi_features_contract(wi_features *whole, const wi_features *features, const uint32_t *pair,
                          bool into_paired);

void wi_features_contract_clear(wi_features *whole);

#endif /* WI_SYMBOLS_CONTRACT_H_ */
