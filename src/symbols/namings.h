/* Names for the functions of a module, from other builds of it. */
#ifndef WI_SYMBOLS_NAMINGS_H_
#define WI_SYMBOLS_NAMINGS_H_

#include "support/buffer.h"
#include "symbols/match.h"

typedef struct wi_naming {
  uint32_t name;    /* where it begins in the names' text, ended by NUL; WI_NO_NAME: it has none */
  float confidence; /* 0 to 1 */
  bool is_hint;     /* no name, but what may tell what it is, see symbols/hints.h */
} wi_naming;

#define WI_NO_NAME UINT32_MAX

/* Zero it but for `module`, which is borrowed; clear it after. */
typedef struct wi_namings {
  const wi_module *module;
  wi_naming *items; /* owned: one for each function, imported ones included; NULL: none so far */
  wi_buffer text;
  uint32_t named_count;
} wi_namings;

/* Makes room for names; the functions below do so themselves. False when memory ran out. */
bool wi_namings_begin(wi_namings *namings);

/* Names a function, unless it has a name that is as sure. *namings has been begun. */
void wi_namings_set(wi_namings *namings, uint32_t function, const char *name, float confidence);

/*
 * Compilers number what has no name of its own, and what they make several of. The number is of one
 * build: "printInt__anon_1234", "drop.llvm.5678", or nothing but a number.
 */
bool wi_naming_is_numbered(const char *name);

/* Sets the hint of a function that has neither a name nor a hint. */
void wi_namings_hint(wi_namings *namings, uint32_t function, const char *hint);

/*
 * Adds the names that the module has itself: functions that a name section names, or Go's table of
 * functions. False when memory ran out.
 */
bool wi_namings_add_own(wi_namings *namings, wi_names *own);

/*
 * Adds names from another build. Of two names for a function the surer counts, the earlier where
 * they are as sure. *matches, for the caller to clear, is what was paired. False on an error, as of
 * wi_match_modules.
 */
bool wi_namings_add(wi_namings *namings, const wi_module *from, wi_names *names,
                    wi_matches *matches, wi_error *in_error, wi_error *from_error);

void wi_namings_clear(wi_namings *namings);

/* The name of a function, or NULL; valid until more are added. */
const char *wi_namings_get(const wi_namings *namings, uint32_t function);

#endif /* WI_SYMBOLS_NAMINGS_H_ */
