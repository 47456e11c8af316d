/*
 * Features of functions that do not depend on names, and that two builds of a program have in
 * common.
 */
#ifndef WI_MATCH_FEATURES_H_
#define WI_MATCH_FEATURES_H_

#include "match/data_image.h"

/* Items [first, first + count) of an array. */
typedef struct wi_range {
  uint32_t first;
  uint32_t count;
} wi_range;

typedef struct wi_feature {
  uint64_t exact;   /* hash of the instructions, with call targets, addresses and the like masked */
  uint64_t family;  /* like exact, with addresses, memory offsets and most constants masked */
  uint64_t context; /* exact, combined with the functions up to three calls away */
  uint64_t export_name; /* hash; 0 if not exported, or if the name may be minified */
  uint32_t type;        /* hash of the signature */
  uint32_t size;        /* instructions */
  wi_range calls;       /* direct calls in code order, in `links` */
  wi_range callees;     /* the called functions, sorted and unique */
  wi_range callers;     /* sorted and unique */
  wi_range tokens;      /* sorted, in `tokens` */
  uint32_t site_count;  /* number of direct calls to it */
  uint32_t exact_count; /* functions of the module with the same hash, including itself */
  uint32_t family_count;
  bool is_exported;
  bool is_in_table;
} wi_feature;

/*
 * A token is the hash of something in a function's code: a memory access with its offset, a large
 * constant, a referenced string, a called import, a pair of successive instructions. It includes
 * the number of occurrences, as a power of two.
 */
typedef struct wi_features {
  const wi_module *module; /* borrowed */
  wi_data_image data;
  bool with_addresses;
  bool of_library; /* only types of imports count: their names differ between programs */
  uint32_t count;  /* functions, including imported ones */
  wi_feature *functions;
  WI_ARRAY(uint32_t, links);
  WI_ARRAY(uint64_t, tokens);
  WI_ARRAY(uint32_t, table); /* function indices in order of the element segments */
  uint64_t instruction_count;
} wi_features;

/* Frees everything but the module. */
void wi_features_clear(wi_features *features);

#endif /* WI_MATCH_FEATURES_H_ */
