/*
 * The engines that run modules. Each is a struct in a file of its own, NAME.c, and a line in
 * hosts.def: what it can, and the words it is started with. What else there is to a run asks for a
 * capability, never for a name.
 */
#ifndef WI_CLI_PERF_RECORD_HOST_H_
#define WI_CLI_PERF_RECORD_HOST_H_

#include "cli/perf/common.h"

typedef enum cli_capability {
  CLI_HOLDS_SESSION =
      1 << 0, /* our JavaScript host is in it, instruments modules, reads profiles */
  CLI_SAMPLES_CALLS = 1 << 1,   /* while they are counted: --clock sampled */
  CLI_SAMPLES_TO_FILE = 1 << 2, /* by its own profiler, in that one's format */
  CLI_INVOKES = 1 << 3,         /* one exported function */
  CLI_ANSWERS = 1 << 4,         /* gives a profile while the program runs, or where it is stopped */
  CLI_RUNS_COMPONENTS = 1 << 5,
  CLI_NEEDS_FLUSH = 1 << 6, /* keeps the linked runtime's profile only if perf_flush is called */
  CLI_NEEDS_PLAIN_PATHS = 1 << 7 /* loads no files of ours from a path with a backslash */
} cli_capability;

/* A module and what it is to see of the world. Everything is borrowed. */
typedef struct cli_program {
  const char *module_path;
  const wi_marker *marker;          /* NULL: it is not instrumented */
  wasm_perf_clock clock;            /* of one that is */
  bool sample;                      /* which is why */
  bool no_inlining;                 /* V8 is told to inline nothing */
  const char *invoke;               /* the function that is called; NULL: the program runs */
  const cli_list *invoke_arguments; /* with their types, as invoke.h has them */
  char *const *args;                /* without the program's name */
  size_t arg_count;
  const cli_list *engine_options; /* handed to the engine as they are */
  const cli_list *dirs;           /* "HOST" or "HOST::GUEST" */
  const cli_list *variables;      /* "NAME=VALUE" */
  uint32_t node_limit;            /* 0: the default */
  bool folds_recursion;           /* of the linked form, which else keeps full stacks */
  const char *folder;             /* where the profile goes, under the name below */
  const char
      *file_name; /* there, of the file that the module writes itself; NULL: it writes none */
} cli_program;

#define CLI_PROFILE_NAME "profile.wperf"

typedef struct cli_host cli_host;

/* A host that is installed. */
typedef struct cli_engine {
  const cli_host *host;
  char *executable;   /* owned */
  char *share_folder; /* owned; holds wasm_perf.wasm and js/ */
} cli_engine;

/* Adds what the engine is called with, but for its own name. */
typedef void cli_host_words(const cli_engine *engine, const cli_program *program, cli_list *words);

struct cli_host {
  const char *name; /* also of the executable */
  const char *help;
  const char *too_old;   /* what is said where it does not know what embedding takes */
  unsigned capabilities; /* of cli_capability */
  bool (*embeds)(const cli_engine *engine); /* whether it knows modules of several memories */
  cli_host_words *add_words;           /* the linked runtime beside the module, or samples of it */
  cli_host_words *add_plain_words;     /* the module alone */
  cli_host_words *add_component_words; /* NULL where it runs none */
  const char *more_stack;  /* the option for programs that run out of it, where it is not told so */
  const char *unwanted[2]; /* beginnings of lines that its profiler prints, or NULL */
};

#define CLI_HOST(name, variable, help) extern const cli_host cli_##name##_host;
#include "cli/perf/record/hosts.def"
#undef CLI_HOST

/* ---- For the words ----------------------------------------------------------- */

/* --option=value for each value, which may begin with a dash. */
void cli_words_options(cli_list *words, const char *option, const cli_list *values);

void cli_words_add(cli_list *words, char *const *values, size_t count);

/*
 * Options that give stack for hooks: these double a small function's frame, and a program whose recursion fits
 * without them must still run. Node's own limit is just below 1 MB, wasmtime's 512 KB; its threads have 2 MB.
 */
#define CLI_WASMTIME_STACK "-Wmax-wasm-stack=1310720"

/* Adds such an option, if the process has the stack; a later one, the user's, wins. */
void cli_words_stack(cli_list *words, const char *option);

/* The folders and variables that the program sees. */
void cli_words_world(cli_list *words, const cli_program *program);

/* Where the module is to write its profile; after the folders that the program counts on. */
void cli_words_file(cli_list *words, const cli_program *program);

/* The module and its arguments. */
void cli_words_program(cli_list *words, const cli_program *program);

#endif /* WI_CLI_PERF_RECORD_HOST_H_ */
