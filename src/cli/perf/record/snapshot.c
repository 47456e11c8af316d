#define _POSIX_C_SOURCE 200809L

#include "cli/perf/record/snapshot.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/common/message.h"
#include "cli/common/session_names.h"
#include "cli/perf/common.h"
#include "cli/perf/record/session_files.h"

/* Nanoseconds. A process that blocks, for example on a child, cannot answer. */
#define PATIENCE UINT64_C(5000000000)

#define REST 10u /* times what a snapshot took: so all of them slow a program down by a tenth */

static char *note_path(const cli_snapshot *snapshot) {
  return cli_text("%s/" CLI_SESSION_SNAPSHOT "%u", snapshot->folder, snapshot->number);
}

/* js/node/watcher.mjs watches for the file, and makes all threads write their parts. */
void cli_snapshot_ask(cli_snapshot *snapshot, uint64_t now) {
  snapshot->number++;
  snapshot->asked_at = now;
  char *path = note_path(snapshot);
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0)
    close(file);
  free(path);
}

/* Whether no part is missing. A program that has just started has neither processes nor parts. */
static bool is_complete(const cli_snapshot *snapshot, pid_t silent) {
  return !silent &&
         (cli_session_running_process(snapshot->folder) || cli_session_has_parts(snapshot->folder));
}

cli_snapshot_state cli_snapshot_look(cli_snapshot *snapshot, uint64_t now) {
  if (snapshot->asked_at == 0)
    return CLI_SNAPSHOT_NONE;
  pid_t silent = cli_session_silent_process(snapshot->folder, snapshot->number);
  if (!is_complete(snapshot, silent) && now - snapshot->asked_at < PATIENCE)
    return CLI_SNAPSHOT_AWAITED;
  if (silent)
    cli_message("wasm-perf: process %ld does not respond: its latest work is missing",
                (long)silent);
  char *path = note_path(snapshot);
  unlink(path);
  free(path);
  cli_session_forget_answers(snapshot->folder, snapshot->number);
  snapshot->took = silent ? 0 : now - snapshot->asked_at;
  snapshot->rest_end = now + REST * snapshot->took;
  snapshot->asked_at = 0;
  return CLI_SNAPSHOT_TAKEN;
}

bool cli_snapshot_rests(const cli_snapshot *snapshot, uint64_t now) {
  return now < snapshot->rest_end;
}
