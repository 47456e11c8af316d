/*
 * The options that select functions for hooks and configure these; shared by the commands that
 * instrument.
 */
#ifndef WI_CLI_COMMON_SELECTION_OPTIONS_H_
#define WI_CLI_COMMON_SELECTION_OPTIONS_H_

#include "cli/common/parser.h"
#include "wasm_instrument/wasm_instrument.h"

extern const cli_option_group wi_selection_options;

/* The values of --recursion. The index of each is its wasm_perf_recursion. */
bool cli_recursion_choice(size_t index, cli_choice *choice);

/* Options of several commands, for their tables. */
#define CLI_RECURSION_OPTION(id)                                                                   \
  { id, "recursion", CLI_CHOICE(NULL, cli_recursion_choice), "where recursive calls are counted:" }
#define CLI_NODE_LIMIT_OPTION(id)                                                                  \
  {                                                                                                \
    id, "node-limit", CLI_NUMBER_UP_TO("N", 1, WASM_PERF_MAX_NODE_LIMIT),                          \
        "keep at most N distinct stacks; calls on others count in one of these, or in one extra "  \
        "stack per function. Default: 1048576, about 38 MB"                                        \
  }

/* The defaults of wi_options. */
#define CLI_DEFAULT_OPTIONS                                                                        \
  { .clock = WASM_PERF_CLOCK_AUTO, .recursion = WASM_PERF_RECURSION_AUTO }

/* Whether that option, of wi_selection_options, is --clock. */
bool wi_selection_option_is_clock(int option);

typedef enum wi_option_result {
  WI_OPTION_TAKEN,
  WI_OPTION_UNKNOWN, /* not one of these options */
  WI_OPTION_USAGE,   /* the value is invalid; *error says why */
  WI_OPTION_FAILED   /* a file could not be read; *error says why */
} wi_option_result;

/*
 * Applies `option`, just returned by `parser`, to *options and to the selection at *selection,
 * which it creates if NULL; the caller frees it. `path` is set to the file that an error concerns,
 * or to NULL.
 */
wi_option_result wi_selection_option(const cli_parser *parser, int option, wi_options *options,
                                     wi_selection **selection, const char **path, wi_error *error);

#endif /* WI_CLI_COMMON_SELECTION_OPTIONS_H_ */
