/*
 * Recognises functions of one profile in another, for example of the next build.
 *
 * A name is not enough: each C file may have a static function `helper`, and a generic function of
 * Rust has a copy for each type. Such functions are distinguished by their modules, then by their
 * files if all of them have one, then by their order if all profiles have equally many:
 *
 *     helper (a.c)
 *     helper (b.c, 1 of 2)
 *     helper (b.c, 2 of 2)
 *
 * Otherwise nobody knows which is which, and they are compared as one: "helper (2 to 3 functions)".
 */
#ifndef WI_REPORT_MODEL_IDENTITIES_H_
#define WI_REPORT_MODEL_IDENTITIES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wasm_perf/profile.h"

typedef struct wi_identity {
  uint32_t module;  /* as wi_module_of, by the numbers of the last profile; unique if it has no
                       such module */
  const char *file; /* the name of its file if its name is not enough, else NULL; borrowed from the
                       profile */
  uint32_t rank;    /* its place among those with the same file, from 1 on; 0: they are one */
  uint32_t count;   /* how many have the same file, in the profile with most of them */
  uint32_t least;   /* likewise in the one with fewest, if it has any */
} wi_identity;

/*
 * Returns an array for each profile, with an item for each of its wi_functions. NULL if memory ran
 * out. The profiles must outlive the result; wi_identities_free frees it.
 */
wi_identity **wi_identities_new(const wasm_perf_profile *const *profiles, size_t count);
void wi_identities_free(wi_identity **identities, size_t count); /* NULL is allowed */

/* A function with a name, in one of several profiles. */
typedef struct wi_namesake {
  const char *name;
  const char *file; /* without folders, which differ between machines; NULL: unknown */
  uint32_t line;
  uint32_t number; /* of the function; if is_own, in the original module */
  uint32_t profile;
  bool is_own; /* a function of a module: its number is the same in all runs of a build */
  wi_identity *identity;
} wi_namesake;

typedef struct wi_namesakes {
  wi_namesake *items; /* of all profiles */
  size_t count;
  size_t profile_count;
  bool is_one_build; /* a function has the same number in all profiles */
} wi_namesakes;

/* Completes the items' identities, which have the module already. Sorts the items. */
void wi_namesakes_identify(const wi_namesakes *all);

#define WI_IDENTITY_MARK_SIZE 512u

/* Writes what follows the function's name, such as " (a.c, 2 of 3)". Returns its size, or 0. */
size_t wi_identity_mark(char mark[WI_IDENTITY_MARK_SIZE], const wi_identity *identity);

#endif /* WI_REPORT_MODEL_IDENTITIES_H_ */
