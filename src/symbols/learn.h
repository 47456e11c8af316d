/* Learns signatures of library functions from modules with names. */
#ifndef WI_SYMBOLS_LEARN_H_
#define WI_SYMBOLS_LEARN_H_

#include "symbols/build.h"

/* A named function of a module. */
typedef struct wi_lesson {
  uint64_t key;
  uint32_t name;   /* offset in `text`, ended by NUL */
  uint32_t module; /* number of the module, from 0 */
} wi_lesson;

/* Zero it before use; clear it afterwards. */
typedef struct wi_learner {
  WI_ARRAY(wi_lesson, lessons);
  wi_buffer text;
  uint32_t module_count;
} wi_learner;

/* Adds a module. Returns false with *error filled in if a body is unreadable or memory ran out. */
bool wi_learner_add(wi_learner *learner, const wi_build *build, wi_error *error);

/*
 * Appends a file of signatures (signatures.h) to `out`. Of several modules, it keeps only functions
 * that at least two of them have, since these come from a library. Code with two different names is
 * left out. Returns the number of signatures. Sets out->failed if memory ran out.
 */
uint32_t wi_learner_write(wi_learner *learner, wi_buffer *out);

void wi_learner_clear(wi_learner *learner);

#endif /* WI_SYMBOLS_LEARN_H_ */
