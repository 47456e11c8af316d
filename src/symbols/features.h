/*
 * What can be said of a function whatever it is called: the features that two builds of one program
 * have in common.
 */
#ifndef WI_SYMBOLS_FEATURES_H_
#define WI_SYMBOLS_FEATURES_H_

#include "symbols/data_image.h"

/* Items [first, first + count) of an array. */
typedef struct wi_range {
  uint32_t first;
  uint32_t count;
} wi_range;

typedef struct wi_feature {
  uint64_t exact;       /* hash of the instructions; targets, addresses and the like are masked */
  uint64_t shape;       /* the same, constants masked: they may be functions' places in a table */
  uint64_t context;     /* exact, with the hashes of the functions within three calls */
  uint64_t export_name; /* hash; 0: not exported, or by a name that a minifier may have made up */
  uint32_t type;        /* hash of the signature */
  uint32_t size;        /* instructions */
  wi_range calls;       /* direct calls in order of the code, in `links` */
  wi_range callees;     /* the same functions sorted, each once */
  wi_range callers;     /* sorted, each once */
  wi_range tokens;      /* sorted, each once, in `tokens` */
  uint32_t site_count;  /* direct calls of it in the module */
  uint64_t
      twins; /* hash of what its twins have in common, functions that code does not tell apart */
  uint32_t twin_count; /* how many these are, itself included */
  bool is_exported;
  bool is_in_table;
} wi_feature;

/*
 * A token is a hash of something that a function has: an access to memory with its offset, a large
 * constant, a string it refers to, an imported function it calls, a pair of instructions in a row.
 * How often it has it, as a power of two, is part of the token.
 */
typedef struct wi_features {
  const wi_module *module; /* borrowed */
  wi_data_image data;
  bool with_addresses;
  bool of_library; /* imports count by their types alone: each program has other names for them */
  uint32_t count;  /* functions, imported ones included */
  wi_feature *functions;
  WI_ARRAY(uint32_t, links);
  WI_ARRAY(uint64_t, tokens);
  WI_ARRAY(uint32_t, table); /* functions in order of the element segments */
  uint64_t instruction_count;
} wi_features;

/* Frees what they hold; the module stays. */
void wi_features_clear(wi_features *features);

#endif /* WI_SYMBOLS_FEATURES_H_ */
