/* The parsed command line of wasm-perf record. */
#ifndef WI_CLI_PERF_RECORD_REQUEST_H_
#define WI_CLI_PERF_RECORD_REQUEST_H_

#include "cli/common/parser.h"
#include "cli/common/process.h"
#include "cli/perf/record/engine.h"
#include "cli/perf/show/coverage.h"
#include "wasm_perf/report.h"

/* Receives the profile of a run in place of a report; it may change it. False on failure. */
typedef bool cli_profile_taker(void *user, wasm_perf_profile *profile);

/*
 * Receives what a measure of the User Timing API, performance.measure, covers: either the profile,
 * which it may change, or the problem why there is none; the other is NULL. Names are unique and in
 * no particular order. False on failure.
 */
typedef bool cli_measure_taker(void *user, const char *name, const char *problem,
                               wasm_perf_profile *profile);

/* Strings are borrowed from argv; lists and selection are owned. */
typedef struct cli_request {
  cli_failure *failure;    /* where a run says why it failed (cli_fail); NULL prints that */
  bool sample;             /* without hooks, with --no-hooks */
  const char *hook_option; /* the name of an option that is about hooks, or NULL */
  bool gives_only_clock;   /* that option is --clock, and there is no other */
  const char *engine;      /* NULL for the first one found */
  cli_list engine_options;
  cli_list dirs;          /* "HOST" or "HOST::GUEST" */
  cli_list variables;     /* "NAME=VALUE" */
  uint32_t node_limit;    /* 0 for the default */
  const char *times_path; /* file with the times of another run; NULL without --times */
  const char *module_path;
  char *const *command_words; /* a JavaScript program's, ended by NULL; NULL to run a module */
  cli_list instrument_words;  /* options of wasm-instrument, for its modules */
  cli_list symbols;           /* paths of other builds with names */
  cli_list module_globs;      /* of modules to profile; empty for all */
  bool per_instance;
  bool keep_arguments;
  cli_percentage budget; /* for hooks; the whole is 0 without --budget */
  bool compare;          /* with a run without the profiler */
  bool no_inlining;      /* turns off V8's inlining */
  uint64_t duration;     /* nanoseconds until the program is stopped; 0 without --duration */
  uint64_t every;        /* nanoseconds between two snapshots; 0 for none */
  const char *listen;    /* address at which profiles are served, or NULL */
  bool plain;            /* runs modules without hooks; they may still be sampled */
  bool silent;           /* discards the program's output */
  const char *invoke;    /* the export to call; NULL to run the program */
  char *const *args;     /* of the program or the function */
  size_t arg_count;
  cli_profile_taker *take; /* called in place of writing a report; NULL: a report is written */
  cli_measure_taker *take_measure;       /* of a command; NULL if measures are not counted */
  void *take_user;                       /* of both */
  const wi_process_streams *streams;     /* of the program; NULL: ours */
  bool open;                             /* opens the report in a browser */
  const char *output;                    /* NULL for a name made from the module's */
  const wasm_perf_report_format *format; /* of the report; NULL for .wperf */
  cli_coverage coverage;
  wi_options options;
  wi_selection *selection; /* borrowed by options.selection */
} cli_request;

/* The groups of options in the commands' tables. */
extern const cli_option_group cli_request_main_options;
extern const cli_option_group cli_request_name_options;
extern const cli_option_group cli_request_program_options; /* the program and its engine */
extern const cli_option_group cli_request_watch_options;   /* while the program runs */
extern const cli_option_group cli_request_sample_options;
extern const cli_option_group cli_request_tree_options;    /* the call tree */
extern const cli_option_group cli_request_session_options; /* JavaScript programs */

/*
 * Parses the command line into *request, which must be zeroed before and cleared afterwards in any
 * case. Returns CLI_PROCEED, or the exit code: help or wrong usage was printed, or `failure` is set.
 */
int cli_request_parse(cli_request *request, int argc, char **argv);
void cli_request_clear(cli_request *request);

#endif /* WI_CLI_PERF_RECORD_REQUEST_H_ */
