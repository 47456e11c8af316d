/* Functions outside of modules, as V8 describes them: each gets a number. */
#ifndef WI_SAMPLES_V8_OTHERS_H_
#define WI_SAMPLES_V8_OTHERS_H_

#include "support/array.h"
#include "support/buffer.h"
#include "wasm_perf/profile.h"

/* A function. Texts are borrowed and NUL-terminated; a function without a URL has no place. */
typedef struct wi_v8_other {
  wasm_perf_kind kind;
  uint32_t line, column; /* from 1 */
  const char *name, *url;
} wi_v8_other;

typedef struct wi_v8_known wi_v8_known;

/* Zero it before use, clear it afterwards. */
typedef struct wi_v8_others {
  WI_ARRAY(wi_v8_known *, items); /* by number */
  wi_v8_known *by_key;
} wi_v8_others;

void wi_v8_others_clear(wi_v8_others *others);

/* Returns the number of a function, from 0; UINT32_MAX: out of memory. */
uint32_t wi_v8_others_add(wi_v8_others *others, const wi_v8_other *other);

/* Returns the function with that number; its texts live as long as the others. */
wi_v8_other wi_v8_others_get(const wi_v8_others *others, uint32_t number);

#endif /* WI_SAMPLES_V8_OTHERS_H_ */
