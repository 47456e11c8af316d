/* The options that say which functions get hooks, and how; shared by the commands that instrument.
 */
#ifndef WI_CLI_SELECTION_OPTIONS_H_
#define WI_CLI_SELECTION_OPTIONS_H_

#include <getopt.h>

#include "wasm_instrument/wasm_instrument.h"

/* Values getopt_long gives for them; a command's own start at WI_OPTION_OWN. */
enum {
  WI_OPTION_ONLY = 0x100,
  WI_OPTION_EXCLUDE,
  WI_OPTION_MIN_INSTRUCTIONS,
  WI_OPTION_SKIP_LEAVES,
  WI_OPTION_HOST_CALLS,
  WI_OPTION_CLOCK,
  WI_OPTION_INLINE,
  WI_OPTION_OWN = 0x200
};

#define WI_SELECTION_SHORT_OPTIONS "w:"

/* clang-format off */
#define WI_SELECTION_LONG_OPTIONS                                                                  \
  {"whitelist", required_argument, NULL, 'w'},                                                     \
  {"only", required_argument, NULL, WI_OPTION_ONLY},                                               \
  {"exclude", required_argument, NULL, WI_OPTION_EXCLUDE},                                         \
  {"min-instructions", required_argument, NULL, WI_OPTION_MIN_INSTRUCTIONS},                       \
  {"skip-leaves", required_argument, NULL, WI_OPTION_SKIP_LEAVES},                                 \
  {"host-calls", no_argument, NULL, WI_OPTION_HOST_CALLS},                                         \
  {"clock", required_argument, NULL, WI_OPTION_CLOCK},                                            \
  {"inline", no_argument, NULL, WI_OPTION_INLINE}
/* clang-format on */

#define WI_SELECTION_HELP                                                                          \
  "Selection (the last pattern that matches a function decides):\n"                                \
  "  -w, --whitelist FILE        only functions that match a pattern of FILE, one a line:\n"       \
  "                              name, glob with * and ?, /regex/, @12, @12-40; ! takes away\n"    \
  "      --only PATTERN          only functions that match PATTERN\n"                              \
  "      --exclude PATTERN       no functions that match PATTERN\n"                                \
  "      --min-instructions N    no functions of fewer than N instructions\n"                      \
  "      --skip-leaves N         no functions of fewer than N instructions that call nothing;\n"   \
  "                              what they cost counts for their callers\n"                        \
  "      --host-calls            a frame of its own for each direct call of an import\n"           \
  "      --clock CLOCK           what is measured: wall, time read at each event (default);\n"     \
  "                              instructions, counted by the module, the same in every engine;\n" \
  "                              hybrid, time by these counts, the clock is read rarely;\n"        \
  "                              none, calls only\n"                                               \
  "      --inline                count calls in the module itself: several times cheaper, for\n"   \
  "                              engines with several memories; --clock is hybrid then, or\n"      \
  "                              instructions or none\n"

typedef enum wi_option_result {
  WI_OPTION_TAKEN,
  WI_OPTION_UNKNOWN, /* not one of these options */
  WI_OPTION_USAGE,   /* the value is no good; *error says why */
  WI_OPTION_FAILED   /* a file could not be read; *error says why */
} wi_option_result;

/*
 * Carries out `option` with `value`, as getopt_long gave them, on *options and the selection
 * at *selection, which it makes where it is NULL; the caller frees it. `path` is set to the
 * file an error is about, or NULL.
 */
wi_option_result wi_selection_option(int option, const char *value, wi_options *options,
                                     wi_selection **selection, const char **path, wi_error *error);

#endif /* WI_CLI_SELECTION_OPTIONS_H_ */
