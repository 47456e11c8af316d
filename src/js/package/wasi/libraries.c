/* The signatures of libraries without any: they would be a quarter of the npm package. */
#include <stddef.h>
#include <stdint.h>

#include "symbols/signatures.h"

extern const uint8_t wi_known_signatures[];
extern const size_t wi_known_signatures_size;

const uint8_t wi_known_signatures[] = WI_SIGNATURES_START;
const size_t wi_known_signatures_size = sizeof wi_known_signatures - 1;
