#define _GNU_SOURCE /* open_memstream */

#include "cli/perf/record/session_settings.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/perf/record/host.h"
#include "support/json_writer.h"

static void put_list(wi_json *json, const char *name, const cli_list *list) {
  wi_json_open(json, name, '[');
  for (size_t i = 0; i < list->count; i++)
    wi_json_string(json, NULL, list->items[i]);
  wi_json_close(json, ']');
}

/* Writes the program as given, without the engine's command line, and its arguments if they are to be kept. */
static void put_program(wi_json *json, const cli_request *request) {
  char *words = cli_text("%s", request->module_path);
  for (size_t i = 0; request->keep_arguments && i < request->arg_count; i++) {
    char *longer = cli_text("%s %s", words, request->args[i]);
    free(words);
    words = longer;
  }
  wi_json_string(json, "command", words);
  free(words);
}

/* Writes the options of wasm-instrument for each module. */
static void put_args(wi_json *json, const cli_request *request, wasm_perf_clock clock) {
  cli_list args = {0};
  bool has_samples = clock == WASM_PERF_CLOCK_SAMPLED || request->times_path;
  if (has_samples && request->budget.whole == 0)
    cli_list_add(&args, cli_text("--host-calls")); /* samples have frames for imports */
  cli_list_add(&args, cli_text("--embed"));
  cli_list_add(&args, cli_text("--no-file"));
  cli_list_add(&args, cli_text("--hints"));
  cli_list_add(&args, cli_text("--clock=%s", wasm_perf_clock_name(clock)));
  for (size_t i = 0; i < request->instrument_words.count; i++)
    cli_list_add(&args, cli_text("%s", request->instrument_words.items[i]));
  put_list(json, "args", &args);
  cli_list_clear(&args);
}

static void put_flag(wi_json *json, const char *name, bool flag) {
  wi_json_literal(json, name, flag ? "true" : "false");
}

char *cli_session_settings(const cli_request *request, wasm_perf_clock clock, const char *folder) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (!stream)
    return NULL;
  wi_json json;
  wi_json_init(&json, stream);
  wi_json_open(&json, NULL, '{');
  wi_json_string(&json, "folder", folder);
  wi_json_string(&json, "clock", wasm_perf_clock_name(clock));
  put_flag(&json, "keepsArguments", request->keep_arguments);
  put_flag(&json, "isPerInstance", request->per_instance);
  put_flag(&json, "plain", request->plain);
  put_flag(&json, "noInlining", request->no_inlining);
  put_flag(&json, "deterministic", request->options.deterministic);
  put_flag(&json, "measures", request->take_measure != NULL);
  put_flag(&json, "isTrial", request->budget.whole > 0);
  put_flag(&json, "isAsked", request->every > 0 || request->listen); /* snapshots while it runs */
  if (!request->command_words)
    put_program(&json, request);
  put_list(&json, "modules", &request->module_globs);
  put_args(&json, request, clock);
  wi_json_close(&json, '}');
  if (fclose(stream) == 0)
    return text;
  free(text);
  return NULL;
}
