/* Names for a module's functions from other builds. */
#ifndef WI_SYMBOLS_NAMINGS_H_
#define WI_SYMBOLS_NAMINGS_H_

#include "match/match.h"
#include "support/buffer.h"

typedef enum wi_naming_kind {
  WI_NAMING_MATCHED, /* the function's name in another build */
  WI_NAMING_EXACT,   /* its name in this build, from a file beside the module */
  WI_NAMING_HINT     /* a description instead of a name, see symbols/hints.h */
} wi_naming_kind;

typedef struct wi_naming {
  uint32_t name;    /* offset in `text`, ended by NUL; or WI_NO_NAME */
  float confidence; /* 0 to 1 */
  wi_naming_kind kind;
} wi_naming;

#define WI_NO_NAME UINT32_MAX

/* Zero it except for what is borrowed; clear it afterwards. */
typedef struct wi_namings {
  const wi_module *module; /* borrowed, like its names */
  wi_names *own;
  wi_naming *items; /* owned; one per function, including imported ones; NULL if not begun */
  wi_buffer text;
  uint32_t named_count;
} wi_namings;

/* Allocates the items if that has not been done. Returns false if memory ran out. */
bool wi_namings_begin(wi_namings *namings);

/*
 * Names a function unless it has a name with the same or a higher confidence. Requires
 * wi_namings_begin.
 */
void wi_namings_set(wi_namings *namings, uint32_t function, const char *name, float confidence);

/*
 * Sets the name of a function in this build, unless the module itself or an earlier call names it.
 * Requires wi_namings_begin.
 */
void wi_namings_set_exact(wi_namings *namings, uint32_t function, const char *name);

/*
 * Whether the name has a number by which a compiler distinguishes anonymous or repeated functions.
 * Such numbers differ between builds: "printInt__anon_1234", "drop.llvm.5678", "42".
 */
bool wi_naming_is_numbered(const char *name);

/* Sets the hint of a function, which must have neither a name nor a hint. */
void wi_namings_hint(wi_namings *namings, uint32_t function, const char *hint);

/*
 * Adds the module's own names, from its name section or Go's function table. Returns false if
 * memory ran out.
 */
bool wi_namings_add_own(wi_namings *namings);

/*
 * Adds names from another build. The name with the highest confidence wins, the earlier one if they
 * are equal. Sets *matches to the pairs; the caller clears it. Returns false on errors, like
 * wi_match_modules.
 */
bool wi_namings_add(wi_namings *namings, const wi_module *from, wi_names *names,
                    wi_matches *matches, wi_error *in_error, wi_error *from_error);

void wi_namings_clear(wi_namings *namings);

/* The name or hint of a function, or NULL. Valid until another one is added. */
const char *wi_namings_get(const wi_namings *namings, uint32_t function);

#endif /* WI_SYMBOLS_NAMINGS_H_ */
