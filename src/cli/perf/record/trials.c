#define _POSIX_C_SOURCE 200809L

#include "cli/perf/record/trials.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/perf/record/session.h"
#include "cli/perf/record/session_files.h"

#define INPUT_NAME "input"

/* ---- Standard input ------------------------------------------------------------ */

/* Copies standard input to `file` up to its end. */
static bool copy_input(int file) {
  static char buffer[65536];
  ssize_t size;
  while ((size = read(STDIN_FILENO, buffer, sizeof buffer)) != 0) {
    if (size < 0 && errno == EINTR)
      continue;
    for (ssize_t done = 0, written; done < size; done += written)
      if ((written = write(file, buffer + done, (size_t)(size - done))) < 0)
        return false;
    if (size < 0)
      return false;
  }
  return true;
}

/* Replaces standard input by a file with the same contents. */
static bool keep_input(cli_trials *trials, cli_failure *failure) {
  trials->input_path = cli_text("%s/" INPUT_NAME, trials->folder);
  int file = open(trials->input_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool done = file >= 0 && copy_input(file) && dup2(file, STDIN_FILENO) >= 0;
  if (!done)
    cli_fail(failure, "standard input", "%s", strerror(errno));
  if (file >= 0)
    close(file);
  trials->input_start = 0;
  return done;
}

bool cli_trials_init(cli_trials *trials, char *const *words, const char *folder,
                     const char *share_folder, cli_failure *failure) {
  *trials = (cli_trials){.words = words, .folder = folder, .share_folder = share_folder};
  trials->input_start = (long)lseek(STDIN_FILENO, 0, SEEK_CUR);
  bool is_pipe = trials->input_start < 0 && errno == ESPIPE && !isatty(STDIN_FILENO);
  return !is_pipe || keep_input(trials, failure);
}

void cli_trials_clear(cli_trials *trials) {
  free(trials->input_path);
  *trials = (cli_trials){0};
}

/* ---- Runs ------------------------------------------------------------------------ */

/* Removes the profiles and modules of the last run. */
static void clear_folder(const char *folder) {
  DIR *entries = opendir(folder);
  if (!entries)
    return;
  for (const struct dirent *entry; (entry = readdir(entries)) != NULL;)
    if (entry->d_name[0] != '.' && strcmp(entry->d_name, INPUT_NAME) != 0)
      unlinkat(dirfd(entries), entry->d_name, 0);
  closedir(entries);
}

bool cli_trials_are_over(int exit_code) {
  return exit_code < 0 || exit_code == CLI_EXIT_SIGNAL_BASE + SIGINT ||
         exit_code == CLI_EXIT_SIGNAL_BASE + SIGTERM || exit_code == CLI_EXIT_SIGNAL_BASE + SIGHUP;
}

int cli_trials_run(const cli_trials *trials, const cli_request *request, wasm_perf_clock clock,
                   uint64_t *time, wasm_perf_profile **profile) {
  clear_folder(trials->folder);
  if (trials->input_start >= 0)
    lseek(STDIN_FILENO, trials->input_start, SEEK_SET);
  int exit_code =
      cli_session_run(request, clock, trials->words, trials->folder, trials->share_folder, profile);
  *time = cli_session_time(trials->folder);
  return exit_code;
}
