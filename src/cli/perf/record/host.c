#include "cli/perf/record/host.h"

#include <sys/resource.h>

/* Engines do not check the stack size they are given, so the process must have it. */
void cli_words_stack(cli_list *words, const char *option) {
  enum { NEEDED = 4 * 1024 * 1024 };
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 &&
      (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= NEEDED))
    cli_list_add(words, cli_text("%s", option));
}

void cli_words_options(cli_list *words, const char *option, const cli_list *values) {
  for (size_t i = 0; i < values->count; i++)
    cli_list_add(words, cli_text("%s=%s", option, values->items[i]));
}

void cli_words_add(cli_list *words, char *const *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    cli_list_add(words, cli_text("%s", values[i]));
}

void cli_words_world(cli_list *words, const cli_program *program) {
  cli_words_options(words, "--dir", program->dirs);
  cli_words_options(words, "--env", program->variables);
}

void cli_words_file(cli_list *words, const cli_program *program) {
  if (!program->file_name)
    return;
  cli_list_add(words, cli_text("--dir=%s::/wasm_perf", program->folder));
  cli_list_add(words, cli_text("--env=WASM_PERF_FILE=/wasm_perf/%s", program->file_name));
}

void cli_words_program(cli_list *words, const cli_program *program) {
  cli_list_add(words, cli_text("%s", program->module_path));
  cli_words_add(words, program->args, program->arg_count);
}
