/* wasmtime, which also runs components, and has a profiler. */
#include <inttypes.h>
#include <string.h>

#include "cli/perf/record/host.h"

/*
 * The runtime is a preloaded module that writes the profile to /wasm_perf. That folder comes last,
 * as programs may rely on the order of folders.
 */
static void add_linked_wasmtime_words(const cli_engine *engine, const cli_program *program,
                                      cli_list *words) {
  cli_list_add(words, cli_text("--preload=%s=%s/wasm_perf.wasm", program->marker->import_module,
                               engine->share_folder));
  cli_words_options(words, "--dir", program->dirs);
  cli_list_add(words, cli_text("--dir=%s::/wasm_perf", program->folder));
  cli_words_options(words, "--env", program->variables);
  if (program->clock_of_host != WASM_PERF_CLOCK_WALL)
    cli_list_add(
        words, cli_text("--env=WASM_PERF_CLOCK=%s", wasm_perf_clock_name(program->clock_of_host)));
  if (program->node_limit != 0)
    cli_list_add(words, cli_text("--env=WASM_PERF_NODE_LIMIT=%" PRIu32, program->node_limit));
  if (program->folds_recursion)
    cli_list_add(words, cli_text("--env=WASM_PERF_RECURSION=fold"));
}

/* Samples the unchanged module at the shortest interval that wasmtime's profiler keeps up with. */
static void add_sampled_wasmtime_words(const cli_program *program, cli_list *words) {
  cli_list_add(words, cli_text("--profile=guest,%s/" CLI_PROFILE_NAME ",1ms", program->folder));
  cli_words_world(words, program);
}

static void add_wasmtime_words(const cli_engine *engine, const cli_program *program,
                               cli_list *words) {
  cli_list_add(words, cli_text("run"));
  cli_list_add(words, cli_text("-Wall-proposals"));
  cli_words_stack(words, CLI_WASMTIME_STACK);
  cli_words_add(words, program->engine_options->items, program->engine_options->count);
  if (program->sample)
    add_sampled_wasmtime_words(program, words);
  else
    add_linked_wasmtime_words(engine, program, words);
  cli_words_program(words, program);
}

static void add_plain_wasmtime_words(const cli_engine *engine, const cli_program *program,
                                     cli_list *words) {
  (void)engine;
  cli_list_add(words, cli_text("run"));
  cli_list_add(words, cli_text("-Wall-proposals"));
  cli_words_stack(words, CLI_WASMTIME_STACK);
  cli_words_add(words, program->engine_options->items, program->engine_options->count);
  cli_words_world(words, program);
  cli_words_file(words, program);
  cli_words_program(words, program);
}

static void add_component_words(const cli_engine *engine, const cli_program *program,
                                cli_list *words) {
  (void)engine;
  cli_list_add(words, cli_text("run"));
  cli_words_stack(words, CLI_WASMTIME_STACK);
  cli_words_add(words, program->engine_options->items, program->engine_options->count);
  cli_words_world(words, program);
  cli_words_program(words, program);
}

/* The pooling allocator has one memory per module unless it is given more. */
static bool has_one_memory(const cli_engine *engine, const cli_list *engine_options) {
  (void)engine;
  bool pools = false, is_limited = false, has_more = false;
  for (size_t i = 0; i < engine_options->count; i++) {
    const char *option = engine_options->items[i];
    pools |= strstr(option, "pooling-allocator") && !strstr(option, "pooling-allocator=n");
    is_limited |= strstr(option, "multi-memory=n") != NULL;
    has_more |= strstr(option, "pooling-max-memories-per-module") != NULL;
  }
  return is_limited || (pools && !has_more);
}

const cli_host cli_wasmtime_host = {
    .name = "wasmtime",
    .capabilities = CLI_SAMPLES_TO_FILE | CLI_RUNS_COMPONENTS | CLI_NEEDS_FLUSH,
    .has_one_memory = has_one_memory,
    .add_words = add_wasmtime_words,
    .add_plain_words = add_plain_wasmtime_words,
    .add_component_words = add_component_words,
    .more_stack = "--engine-option=-Wmax-wasm-stack=3000000",
    .unwanted = {"\nProfile written to: ", "View this profile at "},
};
