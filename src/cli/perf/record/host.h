/*
 * The engines that run modules. Each has a file, NAME.c, with a cli_host: its capabilities and the
 * words of its command line. hosts.def lists them. Other code asks for capabilities, not for names.
 */
#ifndef WI_CLI_PERF_RECORD_HOST_H_
#define WI_CLI_PERF_RECORD_HOST_H_

#include "cli/common/process.h"
#include "cli/perf/common.h"

typedef enum cli_capability {
  CLI_HOLDS_SESSION =
      1 << 0, /* runs our JavaScript host, which instruments modules and reads profiles */
  CLI_SAMPLES_CALLS = 1 << 1,   /* samples while calls are counted: --clock sampled */
  CLI_SAMPLES_TO_FILE = 1 << 2, /* has a profiler that writes a file in its format */
  CLI_INVOKES = 1 << 3,         /* calls a single exported function */
  CLI_ANSWERS = 1 << 4,         /* yields a profile while the program runs, or if it is stopped */
  CLI_RUNS_COMPONENTS = 1 << 5,
  CLI_NEEDS_FLUSH = 1 << 6, /* keeps the linked runtime's profile only if perf_flush is called */
  CLI_NEEDS_PLAIN_PATHS = 1 << 7 /* cannot load our files from a path with a backslash */
} cli_capability;

/* A module and the environment it runs in. Everything is borrowed. */
typedef struct cli_program {
  const char *module_path;
  const wi_marker *marker;          /* NULL if it is not instrumented */
  wasm_perf_clock clock;            /* of an instrumented module */
  bool sample;                      /* by the engine's profiler; the module has no hooks */
  wasm_perf_clock clock_of_host;    /* of linked hooks, whatever the module was made for */
  const char *invoke;               /* the export to call; NULL to run the program */
  const cli_list *invoke_arguments; /* with types, see invoke.h */
  char *const *args;                /* without the program name */
  size_t arg_count;
  const cli_list *engine_options;    /* passed to the engine unchanged */
  const cli_list *dirs;              /* "HOST" or "HOST::GUEST" */
  const cli_list *variables;         /* "NAME=VALUE" */
  uint32_t node_limit;               /* 0 for the default */
  bool folds_recursion;              /* in the linked form, which otherwise keeps full stacks */
  const wi_process_streams *streams; /* NULL: ours */
  const char *folder;                /* the profile's folder */
  const char
      *file_name; /* in `folder`, for a module that writes its profile itself; NULL: our files
                            for the engine do it */
} cli_program;

#define CLI_PROFILE_NAME "profile.wperf"

typedef struct cli_host cli_host;

/* An installed host. */
typedef struct cli_engine {
  const cli_host *host;
  char *executable;   /* owned */
  char *share_folder; /* owned; holds wasm_perf.wasm and js/ */
} cli_engine;

/* Appends the engine's arguments, without its own name. */
typedef void cli_host_words(const cli_engine *engine, const cli_program *program, cli_list *words);

struct cli_host {
  const char *name;      /* also the executable's */
  const char *too_old;   /* why there are no sessions, for messages; or NULL */
  unsigned capabilities; /* of cli_capability */
  bool (*has_one_memory)(const cli_engine *engine,
                         const cli_list *engine_options); /* per module: without multi-memory */
  cli_host_words *add_words;           /* the module with our files for the engine, or sampled */
  cli_host_words *add_plain_words;     /* the module alone */
  cli_host_words *add_component_words; /* NULL if it cannot run components */
  const char *more_stack;  /* the option for deeper stacks if errors do not name it; or NULL */
  const char *unwanted[2]; /* prefixes of lines that its profiler prints, or NULL */
};

#define CLI_HOST(name, variable, variable_help, help) extern const cli_host cli_##name##_host;
#include "cli/perf/record/hosts.def"
#undef CLI_HOST

/* ---- Building command lines ----------------------------------------------------------- */

/* Appends OPTION=VALUE for each value, which may begin with a dash. */
void cli_words_options(cli_list *words, const char *option, const cli_list *values);

void cli_words_add(cli_list *words, char *const *values, size_t count);

/*
 * Enlarges the stack for hooks: they double a small function's frame, and a recursion that fits
 * without hooks must fit with them. Node's default is just below 1 MB; wasmtime's is 512 KB, and
 * its threads have 2 MB.
 */
#define CLI_WASMTIME_STACK "-Wmax-wasm-stack=1310720"

/* Appends such an option if the process has enough stack. The user's option, added later, wins. */
void cli_words_stack(cli_list *words, const char *option);

/* Appends the program's folders and environment variables. */
void cli_words_world(cli_list *words, const cli_program *program);

/*
 * Appends the folder and the name of the profile that the module writes. Call it after
 * cli_words_world, as programs may rely on the order of folders.
 */
void cli_words_file(cli_list *words, const cli_program *program);

/* Appends the module and its arguments. */
void cli_words_program(cli_list *words, const cli_program *program);

#endif /* WI_CLI_PERF_RECORD_HOST_H_ */
