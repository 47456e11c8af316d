#define _GNU_SOURCE /* st_mtim */

#include "cli/perf/watch.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/cleanup.h"
#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/common/process.h"
#include "cli/perf/session.h"

/* Nanoseconds. Parts of threads and processes come one after the other; some programs write none.
 */
#define SECOND   UINT64_C(1000000000)
#define CALM     (SECOND / 5)
#define PATIENCE (5 * SECOND)

typedef struct watch {
  const cli_request *request;
  const char *folder;
  const char *output;
  bool (*write)(void *user, wasm_perf_profile *profile, const char *output);
  void *user;
  uint64_t start;
  uint64_t next;     /* when the next snapshot is due; 0: never */
  uint64_t asked_at; /* when the one that is awaited was asked for; 0: none is */
  unsigned number;   /* of the last that was asked for */
  bool has_stopped;
} watch;

static watch current;
static volatile sig_atomic_t is_wanted; /* a snapshot, by signal */

static void want_snapshot(int signal_number) {
  (void)signal_number;
  is_wanted = 1;
}

/* By the clock that files are dated with. */
static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME_COARSE, &time);
  return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* ---- Snapshots -------------------------------------------------------------------- */

/* js/watcher.mjs looks for the file, and has all threads write what they have. */
static void ask(watch *w, uint64_t time) {
  char *path = cli_text("%s/snapshot-%u", w->folder, ++w->number);
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0)
    close(file);
  free(path);
  w->asked_at = time;
}

/* app.svg -> app-3.svg */
static char *numbered(const char *path, unsigned number) {
  const char *name = cli_basename(path);
  const char *dot = strrchr(name, '.');
  int size = dot && dot != name ? (int)(dot - path) : (int)strlen(path);
  return cli_text("%.*s-%u%s", size, path, number, path + size);
}

static void write_snapshot(watch *w) {
  wasm_perf_profile *profile = cli_session_profile(w->folder, w->request->per_instance);
  char *path = numbered(w->output, w->number);
  if (profile && w->write(w->user, profile, path))
    cli_message("wasm-perf: %s: after %" PRIu64 " s", path, (w->asked_at - w->start) / SECOND);
  wasm_perf_profile_free(profile);
  free(path);
  w->asked_at = 0;
}

static void await(watch *w, uint64_t time) {
  uint64_t newest = cli_session_newest(w->folder);
  if (newest >= w->asked_at && time >= newest + CALM) {
    write_snapshot(w);
  } else if (time - w->asked_at > PATIENCE) {
    cli_message("wasm-perf: snapshot %u: the program has no WebAssembly to tell of", w->number);
    w->asked_at = 0;
  }
}

/* ---- The watch -------------------------------------------------------------------- */

void cli_watch_listen(void) {
  signal(SIGUSR1, want_snapshot);
}

static void tick(void *user) {
  watch *w = user;
  uint64_t time = now();
  if (w->request->duration > 0 && !w->has_stopped && time - w->start >= w->request->duration) {
    w->has_stopped = true;
    wi_cleanup_stop();
  }
  if (w->has_stopped)
    return;
  if (w->asked_at > 0) {
    await(w, time);
  } else if (is_wanted || (w->next > 0 && time >= w->next)) {
    w->next += is_wanted ? 0 : w->request->every;
    is_wanted = 0;
    ask(w, time);
  }
}

void cli_watch_begin(const cli_request *request, const char *folder, const char *output,
                     bool (*write)(void *user, wasm_perf_profile *profile, const char *output),
                     void *user) {
  current = (watch){.request = request, .folder = folder, .output = output, .write = write};
  current.user = user;
  current.start = now();
  current.next = request->every > 0 ? current.start + request->every : 0;
  wi_process_on_tick(tick, &current);
}

void cli_watch_end(void) {
  wi_process_on_tick(NULL, NULL);
}
