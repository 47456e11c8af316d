/* What the command line of wasm-perf run, wasm-perf sample and wasm-perf record asks for. */
#ifndef WI_CLI_PERF_RECORD_REQUEST_H_
#define WI_CLI_PERF_RECORD_REQUEST_H_

#include "cli/common/parser.h"
#include "cli/perf/record/engine.h"
#include "wasm_perf/report.h"

#define CLI_BUDGET_MAX_RUNS 99

/* Strings are borrowed from argv; lists and selection are owned. */
typedef struct cli_request {
  const char *command; /* "wasm-perf run", "wasm-perf sample" or "wasm-perf record" */
  bool record;
  bool sample;
  const char *engine; /* NULL: the first one found */
  cli_list engine_options;
  cli_list dirs;          /* "HOST" or "HOST::GUEST" */
  cli_list variables;     /* "NAME=VALUE" */
  uint32_t node_limit;    /* 0: the default */
  const char *times_path; /* of another profiler; NULL: the times are of this run */
  const char *module_path;
  char *const *command_words; /* of a Node program, ended by NULL; NULL: a module is run */
  cli_list instrument_words;  /* options of wasm-instrument, for its modules */
  cli_list symbols;           /* other builds, that functions are named after */
  cli_list module_globs;      /* which of them; none: all */
  bool per_instance;
  cli_percentage budget; /* for hooks; a whole of 0: none */
  uint32_t budget_runs;  /* of each kind, at most CLI_BUDGET_MAX_RUNS */
  bool compare;          /* with a run without a profiler */
  bool no_inlining;      /* V8 is told to inline nothing */
  uint64_t duration;     /* nanoseconds, after which it is stopped; 0: it ends by itself */
  uint64_t every;        /* nanoseconds between two snapshots; 0: none */
  const char *listen;    /* the address of a server of profiles; NULL: none */
  bool plain;            /* nothing is instrumented, but the clock may be sampled */
  bool silent;           /* what the program prints goes nowhere */
  const char *invoke;    /* the function that is called; NULL: the program runs */
  char *const *args;     /* the program's, or the function's */
  size_t arg_count;
  bool open;                             /* the report, in a browser */
  const char *output;                    /* NULL: named after the module */
  const wasm_perf_report_format *format; /* how the output is written; NULL: .wperf */
  wi_options options;                    /* of record: how the module is instrumented */
  wi_selection *selection;               /* what options.selection borrows */
} cli_request;

/* The options, for the commands' tables. */
extern const cli_option_group cli_request_run_options;     /* of run and sample alone */
extern const cli_option_group cli_request_record_options;  /* of record alone */
extern const cli_option_group cli_request_program_options; /* the program and its engine */
extern const cli_option_group cli_request_watch_options;   /* while the program runs */
extern const cli_option_group cli_request_sample_options;  /* of sample and record */
extern const cli_option_group cli_request_tree_options;    /* the call tree */
extern const cli_option_group cli_request_session_options; /* JavaScript programs */

/*
 * Reads the command line of `command`, one of the three, into *request, zeroed before and to be
 * cleared after, in any case. Returns CLI_PROCEED, or the exit code where there is nothing to do:
 * help was asked for, or an error was printed on stderr.
 */
int cli_request_parse(cli_request *request, const cli_command *command, int argc, char **argv);
void cli_request_clear(cli_request *request);

#endif /* WI_CLI_PERF_RECORD_REQUEST_H_ */
