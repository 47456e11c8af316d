/* The benchmarks: what each runs, from wasm-perf.toml or the command line. */
#ifndef WI_CLI_PERF_BENCH_SUITE_H_
#define WI_CLI_PERF_BENCH_SUITE_H_

#include "cli/perf/common.h"
#include "support/array.h"

#define CLI_SUITE_FILE "wasm-perf.toml"

/* The keys of a benchmark's table: X(field, key, whether it is an array, help). */
#define CLI_BENCHMARK_KEYS(X)                                                                      \
  X(module, "module", false, "a WASI command, or with invoke any core module")                     \
  X(invoke, "invoke", false, "the exported function to call, with args as its arguments")          \
  X(command, "command", true, "in place of a module: a command that runs JavaScript in Node.js")   \
  X(args, "args", true, "arguments of the module")                                                 \
  X(dir, "dir", true, "folders that the module can use, HOST or HOST::GUEST")                      \
  X(env, "env", true, "variables that the module sees, NAME=VALUE")                                \
  X(input, "input", false, "the file that is its standard input; default: nothing to read")        \
  X(engine, "engine", false, "the engine that runs the module")                                    \
  X(limit, "fail-above", false, "growth that is allowed, like 1%; default: --fail-above")

/* A benchmark. A list of a key without an array has at most one value. All is owned. */
typedef struct cli_benchmark {
  char *name;
#define CLI_BENCHMARK_FIELD(field, key, is_array, help) cli_list field;
  CLI_BENCHMARK_KEYS(CLI_BENCHMARK_FIELD)
#undef CLI_BENCHMARK_FIELD
  cli_percentage growth; /* a whole of 0: none is given */
} cli_benchmark;

/* Zero it before; clear it after. */
typedef struct cli_suite {
  WI_ARRAY(cli_benchmark, benchmarks); /* owned */
  char *folder;                        /* that its paths are relative to; NULL: the current one */
} cli_suite;

/* Whether a name of a benchmark can be shown as it is: it is short, on one line, and safe. */
bool cli_text_is_clean(const char *text);

/* The first value of the key, or NULL. */
const char *cli_benchmark_text(const cli_list *values);

/* Reads the file. False on failure, which it has printed on stderr. */
bool cli_suite_read(cli_suite *suite, const char *path);

/* Adds a benchmark of a module with its arguments, or a command. */
bool cli_suite_add(cli_suite *suite, size_t count, char *const *words, bool is_command);
void cli_suite_clear(cli_suite *suite);

const cli_benchmark *cli_suite_find(const cli_suite *suite, const char *name);

#endif /* WI_CLI_PERF_BENCH_SUITE_H_ */
