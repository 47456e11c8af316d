/* Signatures of libraries, learnt from modules that have names. */
#ifndef WI_SYMBOLS_LEARN_H_
#define WI_SYMBOLS_LEARN_H_

#include "symbols/build.h"

/* A function of a module. */
typedef struct wi_lesson {
  uint64_t key;
  uint32_t name;   /* where it begins in the text, ended by NUL */
  uint32_t module; /* which one, from 0 */
} wi_lesson;

/* Zero it before, clear it after. */
typedef struct wi_learner {
  WI_ARRAY(wi_lesson, lessons);
  wi_buffer text;
  uint32_t module_count;
} wi_learner;

/* False, with *error filled in, where a body cannot be read or memory ran out. */
bool wi_learner_add(wi_learner *learner, const wi_build *build, wi_error *error);

/*
 * Writes the file of signatures.h. What two of the modules have is a library's: the rest, where
 * there are several, is left out, and so is code that has two names. Returns how many signatures
 * there are; out->failed where memory ran out.
 */
uint32_t wi_learner_write(wi_learner *learner, wi_buffer *out);

void wi_learner_clear(wi_learner *learner);

#endif /* WI_SYMBOLS_LEARN_H_ */
