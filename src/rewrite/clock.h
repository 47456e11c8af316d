/* Clocks in profiles. Their names are declared in the public header. */
#ifndef WI_REWRITE_CLOCK_H_
#define WI_REWRITE_CLOCK_H_

#include "wasm_instrument/wasm_instrument.h"

/* The number that a .wperf file has for a clock; WI_CLOCK_AUTO has none. */
uint32_t wi_clock_number(wi_clock clock);

#endif /* WI_REWRITE_CLOCK_H_ */
