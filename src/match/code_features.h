/* Extracts the features of a function's code. */
#ifndef WI_MATCH_CODE_FEATURES_H_
#define WI_MATCH_CODE_FEATURES_H_

#include "code/scan.h"
#include "match/features.h"

/* Scratch memory, reused between functions. Zero it before use. */
typedef struct wi_code_reader {
  wi_scan scan;
  wi_cursor in;
  wi_features *features;
  wi_feature *function;   /* the current one */
  uint64_t exact, family; /* its hashes so far */
  uint64_t random;        /* hash of constants that look random */
  uint64_t before;        /* hash of the previous instruction other than locals and control flow */
  WI_ARRAY(uint64_t, found); /* tokens, with repetitions */
} wi_code_reader;

void wi_code_reader_clear(wi_code_reader *reader);

/*
 * Sets the features that depend on the function's body alone: exact, family, size, calls, tokens.
 * Returns false with *error filled in if the body is unreadable or memory ran out.
 */
bool wi_code_read(wi_code_reader *reader, wi_features *features, uint32_t function,
                  wi_error *error);

/* Mixes another value into a hash. */
static inline uint64_t wi_hash_mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

uint64_t wi_hash_bytes(const void *bytes, size_t size);

/* The hash of the signature of type `index`; 0 if that is not a function type. */
uint32_t wi_hash_type(const wi_module *module, uint32_t index);

/* The hash of an imported function's names, or of its type if the names may differ. */
uint64_t wi_hash_import(const wi_features *features, uint32_t function);

#endif /* WI_MATCH_CODE_FEATURES_H_ */
