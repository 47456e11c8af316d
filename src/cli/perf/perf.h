/* What the parts of the wasm-perf command share. */
#ifndef WI_CLI_PERF_PERF_H_
#define WI_CLI_PERF_PERF_H_

#include "cli/common/options.h"
#include "wasm_instrument/wasm_instrument.h"
#include "wasm_perf/diff.h"

/* The program, whose table lists its commands (wasm_perf_commands.c), and these, each with its
 * file. */
extern const cli_command cli_perf_program;
extern const cli_command cli_help_command;
extern const cli_command cli_run_command;
extern const cli_command cli_sample_command;
extern const cli_command cli_record_command;
extern const cli_command cli_report_command;
extern const cli_command cli_diff_command;
extern const cli_command cli_merge_command;
extern const cli_command cli_top_command;
extern const cli_command cli_tree_command;
extern const cli_command cli_callers_command;
extern const cli_command cli_callees_command;

#define CLI_EXIT_GREW 3 /* of diff --fail-above */

/* ---- Parts of their tables (wasm_perf_commands.c) ---------------------------------- */

extern const cli_option_group cli_help_options; /* --help alone */
extern const cli_entry cli_report_exit_codes[]; /* of commands that read profiles */

/* What tables can be in order of; the index is a wasm_perf_sort. */
bool cli_sort_choice(size_t index, cli_choice *choice);

/* ---- Messages and files (wasm_perf_common.c) --------------------------------------- */

/* Prints "wasm-perf: PATH: message"; `path` may be NULL. Returns CLI_EXIT_FAILURE. */
int cli_error(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for an error of the rewriter, with its place. */
int cli_module_error(const char *path, const wi_error *error);

/*
 * Reads all of the file at `path`; the caller frees *bytes. False on failure, which it has told
 * on stderr.
 */
bool cli_file_read(const char *path, uint8_t **bytes, size_t *size);

/* ---- Strings (wasm_perf_common.c) ---------------------------------------- */

/* Like asprintf, but ends the program where memory is short. The caller frees it. */
char *cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A list of strings, ended by NULL once it has any. Zero it before; clear it after. */
typedef struct cli_list {
  char **items; /* owned, as are the strings */
  size_t count;
} cli_list;

/* Appends `text`, which the list then owns. Ends the program where memory is short. */
void cli_list_add(cli_list *list, char *text);
void cli_list_clear(cli_list *list);

/* Reads a decimal number that is all of `text`; false where it is none or too large. */
bool cli_parse_number(const char *text, uint32_t *number);

/* A number of percent, exactly as it was written: part ÷ whole. */
typedef struct cli_percentage {
  uint64_t part;
  uint64_t whole; /* 100, times ten for each decimal */
} cli_percentage;

/* Reads "5", "5%" or "0.25%"; false for other texts and more than 9 digits or decimals. */
bool cli_parse_percentage(const char *text, cli_percentage *percentage);

/* A variable of the environment; NULL where it is not set or empty, which mean the same. */
const char *cli_variable(const char *name);

/* The part of `path` after the last slash. */
const char *cli_basename(const char *path);

/* Whether `text` ends in `end`. */
bool cli_ends_with(const char *text, const char *end);

/* Whether `path` ends in a dot and `extension`. */
bool cli_has_extension(const char *path, const char *extension);

/* ---- Profiles (wasm_perf_report.c) --------------------------------------- */

/*
 * The format for files named like `path`, by the longest extension that fits; NULL where it names
 * none.
 */
const wasm_perf_report_format *cli_format_for_path(const char *path);

/* Reads a .wperf file, "-" being stdin. NULL on failure, which it has told on stderr. */
wasm_perf_profile *cli_profile_read(const char *path);

/*
 * Writes `profile` to the file at `path`, or to stdout where `path` is "-"; with no
 * `format` as .wperf. False on failure, which it has told on stderr.
 */
bool cli_profile_write(const wasm_perf_profile *profile, const wasm_perf_report_format *format,
                       const wasm_perf_report_options *options, const char *path);

/* What the commands that show profiles let their users choose (wasm_perf_view.c). */
typedef struct cli_view {
  bool raw_names;
  bool hides_host;
  bool keeps_hook_time;
} cli_view;

extern const cli_option_group cli_view_options;

/* Carries out `option`, which `parser` has just given; one that is not of this group does nothing.
 */
void cli_view_option(cli_view *view, const cli_parser *parser, int option);

/*
 * Reads a .wperf file as above and changes it as `view` asks: takes the hooks' time out, demangles,
 * hides the host. NULL on failure, which it has told on stderr.
 */
wasm_perf_profile *cli_profile_load(const char *path, const cli_view *view);

/* Makes mangled names readable. False where memory is short, which it has told on stderr. */
bool cli_profile_demangle(wasm_perf_profile *profile);

/* ---- Engines (wasm_perf_engine.c) ---------------------------------------- */

typedef struct cli_engine cli_engine;

/* A module and what it is to see of the world. Everything is borrowed. */
typedef struct cli_program {
  const char *module_path;
  const wi_marker *marker; /* NULL: it is not instrumented, but to be sampled */
  const char *times_path;  /* a profile of such a run, which has the times; NULL: none */
  char *const *args;       /* without the program's name */
  size_t arg_count;
  const cli_list *engine_options; /* handed to the engine as they are */
  const cli_list *dirs;           /* "HOST" or "HOST::GUEST" */
  const cli_list *variables;      /* "NAME=VALUE" */
  uint32_t node_limit;            /* 0: the default */
  bool folds_recursion;
  const char *folder; /* where the profile goes, under the name below */
} cli_program;

#define CLI_PROFILE_NAME "profile.wperf"

/* All engines; and the variables of the environment that say where they are. */
bool cli_engine_choice(size_t index, cli_choice *choice);
extern const cli_entry cli_engine_environment[];

/*
 * Finds the engine of that name, or the first one there is where `name` is NULL. NULL where it
 * is not installed, which it has told on stderr. The caller frees it.
 */
cli_engine *cli_engine_find(const char *name);
void cli_engine_free(cli_engine *engine); /* NULL is allowed */

/* Whether the engine keeps a profile only if the module calls perf_flush. */
bool cli_engine_needs_flush(const cli_engine *engine);

/* Whether it takes the samples that a module with the sampled clock needs. */
bool cli_engine_samples(const cli_engine *engine);

/*
 * Runs the program and waits for its end. Returns its exit code, 128+n if signal n killed it; -1
 * where it could not be run, which it has told on stderr.
 */
int cli_engine_run(const cli_engine *engine, const cli_program *program);

#endif /* WI_CLI_PERF_PERF_H_ */
