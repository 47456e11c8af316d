#define _GNU_SOURCE /* environ */

#include "cli/perf/record/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/cleanup.h"
#include "cli/common/process.h"
#include "cli/common/session_messages.h"
#include "cli/common/session_names.h"
#include "cli/perf/commands.h"
#include "cli/perf/progress.h"
#include "cli/perf/record/runtimes.h"
#include "cli/perf/record/session_files.h"
#include "cli/perf/record/session_settings.h"
#include "support/path.h"

/* ---- The environment --------------------------------------------------- */

/* Environment variables that a fixed host passes on: those that locate programs, and ours. */
static bool is_kept_variable(const char *variable) {
  static const char *const kept[] = {
      "PATH=", "HOME=", "TMPDIR=", "LD_LIBRARY_PATH=", "NODE_", "WASM_PERF_", "XDG_CACHE_HOME="};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (strncmp(variable, kept[i], strlen(kept[i])) == 0)
      return true;
  return false;
}

static bool fix_environment(void) {
  for (char **variable = environ; *variable;) {
    char *name = cli_text("%.*s", (int)strcspn(*variable, "="), *variable);
    bool is_kept = is_kept_variable(*variable);
    bool is_gone = !is_kept && unsetenv(name) == 0;
    free(name);
    if (is_kept)
      variable++;
    else if (!is_gone)
      return false;
  }
  return setenv("TZ", "UTC", 1) == 0 && setenv("LC_ALL", "C.UTF-8", 1) == 0;
}

/*
 * Has cargo, if it is the command, run programs for WASI in Node.js, where they are recorded, unless
 * the user has set a runner. They can use the current folder, as tests do.
 */
static bool set_runner(const char *command, const char *share_folder) {
  if (strcmp(wi_path_name(command), "cargo") != 0)
    return true;
  const char *node = cli_variable("WASM_PERF_NODE");
  char *runner = cli_text("%s %s/js/bundle/node_wasi.mjs --plain --dir=. --", node ? node : "node",
                          share_folder);
  bool done = setenv("CARGO_TARGET_WASM32_WASIP1_RUNNER", runner, 0) == 0;
  free(runner);
  return done;
}

static bool set_environment(const cli_request *request, wasm_perf_clock clock, const char *command,
                            const char *folder, const char *share_folder) {
  char *session = cli_session_settings(request, clock, folder);
  bool done = session && (!request->options.deterministic || fix_environment()) &&
              setenv("WASM_PERF_SESSION", session, 1) == 0 && set_runner(command, share_folder) &&
              cli_runtimes_set_environment(share_folder);
  free(session);
  return done || cli_fail_memory(request->failure);
}

/* ---- Children that outlive the program ------------------------------------ */

enum { PATIENCE_S = 3, GLANCE_MS = 10 };

/*
 * Waits until `find` finds no process any more, at most until `end`. The clock decides, not the number of glances: on
 * a busy machine each may take long. Returns the process that it found last.
 */
static pid_t wait_for(pid_t (*find)(const char *folder), const char *folder, uint64_t end) {
  const struct timespec glance = {.tv_nsec = GLANCE_MS * 1000000L};
  pid_t pid = find(folder);
  while (pid && cli_progress_now() < end) {
    nanosleep(&glance, NULL);
    pid = find(folder);
  }
  return pid;
}

/*
 * Waits for children that outlive the program: their profiles count as well, and who runs the command again wants
 * their ports.
 */
static void wait_for_children(const char *folder) {
  uint64_t end = cli_progress_now() + PATIENCE_S * UINT64_C(1000000000);
  pid_t pid = wait_for(cli_session_running_process, folder, end);
  wait_for(cli_session_ending_process, folder, end);
  char text[32];
  snprintf(text, sizeof text, "%ld", (long)pid);
  if (pid)
    cli_error(NULL, CLI_SESSION_SAY_RUNNING, text);
}

bool cli_session_tell_signal(const char *name) {
  int number = wi_process_ending_signal();
  if (number > 0)
    cli_error(name, "signal %d ended the program: %s", number, strsignal(number));
  return number > 0;
}

/* Whether the reason for a missing profile was printed: by our host, or for a signal. */
static bool is_explained(const cli_request *request, const char *folder, int exit_code) {
  bool can_say = !request->command_words || wi_process_ending_signal() > 0;
  return can_say && exit_code != 0 && !cli_session_has_parts(folder);
}

int cli_session_run(const cli_request *request, wasm_perf_clock clock, char *const *words,
                    const char *folder, const char *share_folder, wasm_perf_profile **profile) {
  *profile = NULL;
  char *executable = cli_executable_find(words[0]);
  if (!executable && strchr(words[0], '/') && access(words[0], F_OK) == 0)
    cli_fail(request->failure, words[0], "it is not executable; to run a script: %s -- node %s",
             cli_record_command.name, words[0]);
  else if (!executable)
    cli_fail(request->failure, words[0], "command not found");
  if (!executable || !cli_runtimes_permit(words, request->failure) ||
      !set_environment(request, clock, words[0], folder, share_folder)) {
    free(executable);
    return -1;
  }
  char *note = cli_text("%s/" CLI_SESSION_STOP, folder);
  cli_list all = {0};
  cli_runtimes_add_words(&all, words, folder, share_folder);
  wi_cleanup_note_signals(note);
  int exit_code = request->silent ? wi_process_run_silently(executable, all.items)
                                  : wi_process_run(executable, all.items, request->streams);
  wait_for_children(folder);
  wi_cleanup_note_signals(NULL);
  cli_list_clear(&all);
  free(note);
  if (exit_code < 0)
    cli_fail(request->failure, executable, "%s", strerror(errno));
  else
    cli_session_tell_signal(request->module_path);
  if (exit_code >= 0 && (!request->plain || clock == WASM_PERF_CLOCK_SAMPLED) &&
      !is_explained(request, folder, exit_code))
    *profile = cli_session_profile(folder, request->per_instance, request->failure);
  bool tells = *profile && !request->plain && !request->silent;
  if (tells && request->options.guest == WI_GUEST_OFF) /* else only a guest's calls may count */
    cli_session_warn_uncalled(folder, *profile);
  free(executable);
  return exit_code;
}
