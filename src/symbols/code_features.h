/* Features of one function's code. */
#ifndef WI_SYMBOLS_CODE_FEATURES_H_
#define WI_SYMBOLS_CODE_FEATURES_H_

#include "code/scan.h"
#include "symbols/features.h"

/* Working memory for any number of functions. Zero it. */
typedef struct wi_code_reader {
  wi_scan scan;
  wi_cursor in;
  wi_features *features;
  wi_feature *function;      /* at hand */
  uint64_t exact, shape;     /* its hashes so far */
  uint64_t before;           /* the instruction before, locals and structure left out */
  WI_ARRAY(uint64_t, found); /* tokens, each as often as it occurs */
} wi_code_reader;

void wi_code_reader_clear(wi_code_reader *reader);

/*
 * Fills in the features that the body of a function alone gives: exact, size, calls, tokens. False,
 * with *error filled in, where it cannot be read or memory ran out.
 */
bool wi_code_read(wi_code_reader *reader, wi_features *features, uint32_t function,
                  wi_error *error);

/* One more item for a hash. */
static inline uint64_t wi_hash_mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

uint64_t wi_hash_bytes(const void *bytes, size_t size);

/* The hash of the signature of type `index`; 0 where that is no function type. */
uint32_t wi_hash_type(const wi_module *module, uint32_t index);

/* The hash of an imported function: of its names, or of its type where these may differ. */
uint64_t wi_hash_import(const wi_features *features, uint32_t function);

#endif /* WI_SYMBOLS_CODE_FEATURES_H_ */
