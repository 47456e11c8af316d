/* Node.js, which runs our JavaScript host (js/node). */
#define _POSIX_C_SOURCE 200809L /* popen */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/session_names.h"
#include "cli/perf/record/host.h"

static void add_invocation(cli_list *words, const cli_program *program) {
  if (!program->invoke)
    return;
  cli_list_add(words, cli_text("--invoke=%s", program->invoke));
  cli_words_options(words, "--argument", program->invoke_arguments);
}

static void add_node_words(const cli_engine *engine, const cli_program *program, cli_list *words) {
  cli_words_stack(words, CLI_SESSION_STACK);
  cli_words_add(words, program->engine_options->items, program->engine_options->count);
  cli_list_add(words, cli_text("%s/js/bundle/node_wasi.mjs", engine->share_folder));
  cli_list_add(words, cli_text("--runtime=%s/wasm_perf.wasm", engine->share_folder));
  cli_list_add(words, cli_text("--output=%s/" CLI_PROFILE_NAME, program->folder));
  if (program->node_limit != 0)
    cli_list_add(words, cli_text("--node-limit=%" PRIu32, program->node_limit));
  if (program->folds_recursion)
    cli_list_add(words, cli_text("--recursion=fold"));
  if (program->clock_of_host != program->clock)
    cli_list_add(words, cli_text("--clock=%s", wasm_perf_clock_name(program->clock_of_host)));
  cli_words_world(words, program);
  add_invocation(words, program);
  cli_list_add(words, cli_text("--"));
  cli_words_program(words, program);
}

static void add_plain_node_words(const cli_engine *engine, const cli_program *program,
                                 cli_list *words) {
  cli_words_stack(words, CLI_SESSION_STACK);
  cli_words_add(words, program->engine_options->items, program->engine_options->count);
  cli_list_add(words, cli_text("%s/js/bundle/node_wasi.mjs", engine->share_folder));
  cli_list_add(words, cli_text("--plain"));
  cli_words_world(words, program);
  cli_words_file(words, program);
  add_invocation(words, program);
  cli_list_add(words, cli_text("--"));
  cli_words_program(words, program);
}

/* False for version 22 and newer. */
static bool has_one_memory(const cli_engine *engine, const cli_list *engine_options) {
  (void)engine_options;
  if (strchr(engine->executable, '\''))
    return true;
  char *command = cli_text("'%s' --version", engine->executable);
  FILE *stream = popen(command, "r");
  free(command);
  if (!stream)
    return true;
  char answer[32] = "";
  bool read = fgets(answer, sizeof answer, stream) != NULL;
  pclose(stream);
  return !read || answer[0] != 'v' || strtoul(answer + 1, NULL, 10) < 22;
}

const cli_host cli_node_host = {
    .name = "node",
    .too_old = "this Node.js is older than 22",
    .capabilities =
        CLI_HOLDS_SESSION | CLI_SAMPLES_CALLS | CLI_INVOKES | CLI_ANSWERS | CLI_NEEDS_PLAIN_PATHS,
    .has_one_memory = has_one_memory,
    .add_words = add_node_words,
    .add_plain_words = add_plain_node_words,
};
