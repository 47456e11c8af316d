/* The list of benchmarks and their commands, from wasm-perf.toml or the command line. */
#ifndef WI_CLI_PERF_BENCH_SUITE_H_
#define WI_CLI_PERF_BENCH_SUITE_H_

#include "cli/perf/common.h"
#include "support/array.h"

#define CLI_SUITE_FILE "wasm-perf.toml"

/* The keys of a benchmark's table: X(field, key, whether it is an array, help). */
#define CLI_BENCHMARK_KEYS(X)                                                                      \
  X(module, "module", false, "a WASI command, or with invoke any core module")                     \
  X(invoke, "invoke", false, "the exported functions to call, each alone, with args: bench_*")     \
  X(command, "command", true, "instead of a module: a command that runs JavaScript in Node.js")    \
  X(modules, "modules", true,                                                                      \
    "for a command: count only modules whose file name or module name matches")                    \
  X(measures, "measures", true,                                                                    \
    "for a command: only the measures of performance.measure whose name matches; default: all")    \
  X(symbols, "symbols", true,                                                                      \
    "other builds that have names, for functions without names: files or folders")                 \
  X(args, "args", true, "arguments of the module")                                                 \
  X(dir, "dir", true, "folders that the module can use, HOST or HOST::GUEST")                      \
  X(env, "env", true, "variables that the module sees, NAME=VALUE")                                \
  X(input, "input", false, "the file that it reads as standard input; default: empty")             \
  X(engine, "engine", false, "the engine that runs the module")                                    \
  X(limit, "fail-above", false, "allowed growth, like 1%; default: --fail-above")

/* A benchmark; everything is owned. A key that is not an array has at most one value. */
typedef struct cli_benchmark {
  char *name;
#define CLI_BENCHMARK_FIELD(field, key, is_array, help) cli_list field;
  CLI_BENCHMARK_KEYS(CLI_BENCHMARK_FIELD)
#undef CLI_BENCHMARK_FIELD
  cli_percentage growth; /* allowed growth; the whole is 0 if not given */
} cli_benchmark;

/* In a list or a baseline: each is looked for among all. */
#define CLI_MOST_BENCHMARKS 10000u

/* Zero it before use; clear it afterwards. */
typedef struct cli_suite {
  WI_ARRAY(cli_benchmark, benchmarks); /* owned */
  char *folder; /* base of relative paths; NULL for the current folder; owned */
} cli_suite;

/* Whether the name can be shown unchanged: it is short, a single line and safe. */
bool cli_text_is_clean(const char *text);

/* The first value of the key, or NULL. */
const char *cli_benchmark_text(const cli_list *values);

/* Reads the file. False on failure, after an error on stderr. */
bool cli_suite_read(cli_suite *suite, const char *path);

/* Whether the word on the command line is a module: by its extension, or by how the file begins. */
bool cli_suite_is_module(const char *word);

/*
 * Adds a benchmark that runs a module with arguments, or a command. Its name is that of the module's
 * file, without cargo's hash, or the command's last word.
 */
bool cli_suite_add(cli_suite *suite, size_t count, char *const *words, bool is_command);
void cli_suite_clear(cli_suite *suite);

/* Removes the benchmark at `index`. */
void cli_suite_remove(cli_suite *suite, uint32_t index);

/* A copy with another name. The growth is the same. */
cli_benchmark cli_benchmark_copy(const cli_benchmark *benchmark, const char *name);

/* Whether the word is the name of a benchmark or measure, or what "/" and more follow in it. */
bool cli_name_is(const char *name, const char *word);

const cli_benchmark *cli_suite_find(const cli_suite *suite, const char *name);

#endif /* WI_CLI_PERF_BENCH_SUITE_H_ */
