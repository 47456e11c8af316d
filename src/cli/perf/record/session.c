#define _GNU_SOURCE /* realpath */

#include "cli/perf/record/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/cleanup.h"
#include "cli/common/process.h"
#include "cli/common/session_names.h"
#include "cli/perf/record/host.h"
#include "cli/perf/record/session_files.h"
#include "cli/perf/record/session_settings.h"
#include "support/path.h"

/* ---- What is handed on --------------------------------------------------- */

/*
 * The URL of js/node/register.mjs in that folder. Everything but plain letters is percent-encoded:
 * Node.js also splits NODE_OPTIONS at spaces, and gives quotes and backslashes a meaning. The
 * caller frees it.
 */
static char *register_url(const char *folder) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  size_t size = 0, longest = strlen(folder) * 3 + 1;
  char *encoded = malloc(longest);
  for (const char *at = folder; encoded && *at; at++)
    if (strchr(plain, *at))
      encoded[size++] = *at;
    else
      size += (size_t)snprintf(encoded + size, longest - size, "%%%02X", (unsigned char)*at);
  if (!encoded)
    return NULL;
  encoded[size] = '\0';
  char *url = cli_text("file://%s/js/bundle/register.mjs", encoded);
  free(encoded);
  return url;
}

static bool set_environment(const cli_request *request, wasm_perf_clock clock, const char *folder,
                            const char *share_folder) {
  char *session = cli_session_settings(request, clock, folder);
  char *share = realpath(share_folder, NULL);
  const char *node_options = cli_variable("NODE_OPTIONS");
  char *url = register_url(share ? share : share_folder);
  char *options = cli_text("%s%s--import=%s", node_options ? node_options : "",
                           node_options ? " " : "", url ? url : "");
  bool done = session && url && setenv("WASM_PERF_SESSION", session, 1) == 0 &&
              setenv("NODE_OPTIONS", options, 1) == 0;
  if (!done)
    cli_error(NULL, "memory ran out");
  free(options);
  free(url);
  free(share);
  free(session);
  return done;
}

/* ---- Node's permissions --------------------------------------------------- */

/* Whether Node takes the option's value from the word behind it. */
static bool takes_word(const char *option) {
  static const char *const names[] = {"-r",       "--require",    "--import",
                                      "-C",       "--conditions", "--experimental-loader",
                                      "--loader", "--env-file",   NULL};
  size_t i = 0;
  while (names[i] && strcmp(option, names[i]) != 0)
    i++;
  return names[i] != NULL;
}

static bool is_permission(const char *option) {
  return strcmp(option, "--permission") == 0 || strcmp(option, "--experimental-permission") == 0;
}

/* Whether the words start Node and have it permit only what its options list. */
static bool asks_for_permissions(char *const *words) {
  if (strcmp(wi_path_name(words[0]), "node") != 0)
    return false;
  const char *node_options = cli_variable("NODE_OPTIONS");
  if (node_options && strstr(node_options, "--permission"))
    return true;
  for (char *const *word = words + 1; *word && **word == '-'; word++)
    if (is_permission(*word))
      return true;
    else if (takes_word(*word) && word[1])
      word++;
  return false;
}

/*
 * The words of the command. Node with permissions may also read the profiler and use its folder:
 * without them the program would not start.
 */
static void add_words(cli_list *list, char *const *words, const char *folder,
                      const char *share_folder) {
  cli_list_add(list, cli_text("%s", words[0]));
  if (asks_for_permissions(words)) {
    /* js/node/rewriter.mjs looks for wasm-instrument in the last two. */
    static const char *const readable[] = {"js/*", "wasm-instrument", "../../bin/wasm-instrument"};
    char *share = realpath(share_folder, NULL);
    for (size_t i = 0; i < sizeof readable / sizeof *readable; i++)
      cli_list_add(list,
                   cli_text("--allow-fs-read=%s/%s", share ? share : share_folder, readable[i]));
    cli_list_add(list, cli_text("--allow-fs-read=%s/*", folder));
    cli_list_add(list, cli_text("--allow-fs-write=%s/*", folder));
    free(share);
  }
  for (char *const *word = words + 1; *word; word++)
    cli_list_add(list, cli_text("%s", *word));
}

/* ---- Children that outlive the program ------------------------------------ */

enum { PATIENCE_MS = 3000, GLANCE_MS = 10 };

/* A program may end before its children do, whose profiles count, too. */
static void wait_for_children(const char *folder) {
  const struct timespec glance = {.tv_nsec = GLANCE_MS * 1000000L};
  pid_t pid = cli_session_running_process(folder);
  for (int waited = 0; pid && waited < PATIENCE_MS; waited += GLANCE_MS) {
    nanosleep(&glance, NULL);
    pid = cli_session_running_process(folder);
  }
  if (pid)
    cli_error(NULL, "process %ld still runs: what it does is not in the profile", (long)pid);
}

bool cli_session_tell_signal(const char *name) {
  int number = wi_process_ending_signal();
  if (number > 0)
    cli_error(name, "signal %d ended the program: %s", number, strsignal(number));
  return number > 0;
}

/* Whether it was said why there is no profile: our own host could not run the module, or a
 * crash. */
static bool is_explained(const cli_request *request, const char *folder, int exit_code) {
  bool can_say = !request->command_words || wi_process_ending_signal() > 0;
  return can_say && exit_code != 0 && !cli_session_has_parts(folder);
}

int cli_session_run(const cli_request *request, wasm_perf_clock clock, char *const *words,
                    const char *folder, const char *share_folder, wasm_perf_profile **profile) {
  *profile = NULL;
  char *executable = cli_executable_find(words[0]);
  if (!executable && strchr(words[0], '/') && access(words[0], F_OK) == 0)
    cli_error(words[0], "it is not executable; to run a script: %s -- node %s", request->command,
              words[0]);
  else if (!executable)
    cli_error(words[0], "there is no such command");
  if (!executable || !set_environment(request, clock, folder, share_folder)) {
    free(executable);
    return -1;
  }
  char *note = cli_text("%s/" CLI_SESSION_STOP, folder);
  cli_list all = {0};
  add_words(&all, words, folder, share_folder);
  wi_cleanup_note_signals(note);
  int exit_code = request->silent ? wi_process_run_silently(executable, all.items)
                                  : wi_process_run(executable, all.items);
  wait_for_children(folder);
  wi_cleanup_note_signals(NULL);
  cli_list_clear(&all);
  free(note);
  if (exit_code < 0)
    cli_error(executable, "%s", strerror(errno));
  else
    cli_session_tell_signal(request->module_path);
  if (exit_code >= 0 && (!request->plain || clock == WASM_PERF_CLOCK_SAMPLED) &&
      !is_explained(request, folder, exit_code))
    *profile = cli_session_profile(folder, request->per_instance);
  free(executable);
  return exit_code;
}
