#define _GNU_SOURCE /* CLOCK_REALTIME_COARSE */

#include "cli/perf/record/watch.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/cleanup.h"
#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/common/process.h"
#include "cli/perf/progress.h"
#include "cli/perf/record/growth.h"
#include "cli/perf/record/live.h"
#include "cli/perf/record/progress_line.h"
#include "cli/perf/record/session_files.h"
#include "cli/perf/record/snapshot.h"
#include "report/model/units.h"

typedef struct watch {
  const cli_request *request;
  const char *output;
  bool (*write)(void *user, wasm_perf_profile *profile, const char *output);
  void *user;
  cli_snapshot snapshot;
  cli_live *live; /* NULL without --listen */
  cli_progress_line line;
  cli_growth growth;
  uint64_t start;
  uint64_t next;    /* time of the next file; 0 for never */
  unsigned number;  /* of the last file */
  bool is_for_file; /* the pending snapshot goes to a file */
  bool has_stopped;
  bool has_warned_of_rest;
} watch;

static watch current;
static volatile sig_atomic_t is_wanted; /* SIGUSR1 asked for a file */

static void want_snapshot(int signal_number) {
  (void)signal_number;
  is_wanted = 1;
}

/* ---- Files ---------------------------------------------------------------- */

/* app.svg -> app-3.svg */
static char *numbered(const char *path, unsigned number) {
  const char *name = wi_path_name(path);
  const char *dot = strrchr(name, '.');
  int size = dot && dot != name ? (int)(dot - path) : (int)strlen(path);
  return cli_text("%.*s-%u%s", size, path, number, path + size);
}

static void write_file(watch *w, uint64_t time) {
  const char *folder = w->snapshot.folder;
  unsigned number = w->number + 1;
  if (!cli_session_has_parts(folder)) {
    cli_message("wasm-perf: snapshot %u: the program has run no instrumented WebAssembly yet",
                number);
    return;
  }
  w->number = number;
  wasm_perf_profile *profile = cli_session_profile(folder, w->request->per_instance, NULL);
  char *path = numbered(w->output, number);
  if (profile)
    cli_growth_look(&w->growth, profile);
  if (profile && w->write(w->user, profile, path))
    cli_message("wasm-perf: %s: after %s", path,
                wi_format_value(WI_UNIT_NANOSECONDS, time - w->start).text);
  wasm_perf_profile_free(profile);
  free(path);
}

/* Whether a file is due or was asked for. Clears the request and sets the next time. */
static bool wants_file(watch *w, uint64_t time) {
  bool is_due = w->next > 0 && time >= w->next;
  bool wants = is_due || is_wanted;
  while (is_due && w->next <= time)
    w->next += w->request->every;
  is_wanted = 0;
  return wants;
}

/* ---- The watch ------------------------------------------------------------ */

static void stop_in_time(watch *w, uint64_t time) {
  if (w->request->duration == 0 || w->has_stopped || time - w->start < w->request->duration)
    return;
  w->has_stopped = true;
  wi_cleanup_stop();
}

/* Says once that snapshots come less often than was asked for. */
static void warn_of_rest(watch *w) {
  if (w->has_warned_of_rest)
    return;
  w->has_warned_of_rest = true;
  cli_message("wasm-perf: a snapshot takes %s: so that the program gets on, the next ones wait ten "
              "times as long",
              wi_format_value(WI_UNIT_NANOSECONDS, w->snapshot.took).text);
}

static void ask(watch *w, uint64_t time) {
  bool is_for_live = w->live && cli_live_wants_snapshot(w->live, time);
  bool is_due = is_for_live || is_wanted || (w->next > 0 && time >= w->next);
  if (is_due && cli_snapshot_rests(&w->snapshot, time)) {
    warn_of_rest(w);
    return;
  }
  w->is_for_file = wants_file(w, time);
  if (w->is_for_file || is_for_live)
    cli_snapshot_ask(&w->snapshot, time);
}

static void take(watch *w, uint64_t time) {
  if (w->is_for_file)
    write_file(w, time);
  if (w->live)
    cli_live_take_snapshot(w->live, time);
}

static void tick(void *user) {
  watch *w = user;
  uint64_t time = cli_progress_now();
  if (w->live)
    cli_live_step(w->live);
  cli_progress_line_step(&w->line, time);
  stop_in_time(w, time);
  if (w->has_stopped)
    return;
  switch (cli_snapshot_look(&w->snapshot, time)) {
  case CLI_SNAPSHOT_NONE: ask(w, time); break;
  case CLI_SNAPSHOT_TAKEN: take(w, time); break;
  case CLI_SNAPSHOT_AWAITED: break;
  }
}

void cli_watch_listen(void) {
  signal(SIGUSR1, want_snapshot);
}

bool cli_watch_begin(const cli_request *request, const char *folder, const char *warning,
                     const char *output,
                     bool (*write)(void *user, wasm_perf_profile *profile, const char *output),
                     void *user) {
  current = (watch){.request = request, .output = output, .write = write, .user = user};
  current.snapshot.folder = folder;
  current.start = cli_progress_now();
  current.next = request->every > 0 ? current.start + request->every : 0;
  if (request->listen && !(current.live = cli_live_begin(request, folder)))
    return false;
  cli_progress_line_begin(&current.line, folder, warning, current.start);
  wi_process_on_tick(tick, &current);
  return true;
}

void cli_watch_say(const char *phase) {
  current.line.phase = phase;
}

void cli_watch_clear_line(void) {
  cli_progress_line_end(&current.line);
}

void cli_watch_end(void) {
  wi_process_on_tick(NULL, NULL);
  cli_progress_line_end(&current.line);
  cli_live_end(current.live);
  current.live = NULL;
  cli_growth_clear(&current.growth);
}
