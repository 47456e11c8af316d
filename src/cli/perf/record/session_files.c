#define _GNU_SOURCE /* scandir */

#include "cli/perf/record/session_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/message.h"
#include "cli/common/session_messages.h"
#include "cli/common/session_names.h"
#include "cli/perf/common.h"
#include "cli/perf/input/part_files.h"
#include "cli/perf/input/parts.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/record/session_modules.h"
#include "support/arithmetic.h"

void cli_session_find_files(const char *folder, const char *end, cli_list *paths) {
  struct dirent **entries;
  int count = scandir(folder, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    if (cli_ends_with(entries[i]->d_name, end))
      cli_list_add(paths, cli_text("%s/%s", folder, entries[i]->d_name));
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
}

static void remove_files(const char *folder, const char *end) {
  cli_list paths = {0};
  cli_session_find_files(folder, end, &paths);
  for (size_t i = 0; i < paths.count; i++)
    unlink(paths.items[i]);
  cli_list_clear(&paths);
}

/* ---- Parts of the profile ------------------------------------------------ */

static bool has_files(const char *folder, const char *end) {
  cli_list paths = {0};
  cli_session_find_files(folder, end, &paths);
  bool has_any = paths.count > 0;
  cli_list_clear(&paths);
  return has_any;
}

bool cli_session_has_parts(const char *folder) {
  return has_files(folder, CLI_SESSION_PART);
}

/* The path of a part's saved copy. The caller frees it. */
static char *marked_path(const char *path, unsigned mark) {
  return cli_text("%s.mark-%u", path, mark);
}

/* Appends the paths of what a profile is joined from. */
static void find_parts(const char *folder, cli_list *paths) {
  cli_session_find_files(folder, CLI_SESSION_PART, paths);
  cli_session_find_files(folder, CLI_SESSION_THREAD, paths);
}

/* Processes replace parts by renaming new files, so a hard link keeps the current contents. */
void cli_session_mark(const char *folder, unsigned mark) {
  cli_list paths = {0};
  find_parts(folder, &paths);
  for (size_t i = 0; i < paths.count; i++) {
    char *kept = marked_path(paths.items[i], mark);
    if (link(paths.items[i], kept) != 0)
      cli_error(paths.items[i],
                "it cannot be saved for comparison: differences will include all of it");
    free(kept);
  }
  cli_list_clear(&paths);
}

void cli_session_unmark(const char *folder, unsigned mark) {
  char *end = marked_path("", mark);
  remove_files(folder, end);
  free(end);
}

/* Whether a sample is of the program, not of our own work. */
static bool has_times(const wasm_perf_profile *profile) {
  for (uint32_t i = 1; i < profile->header.node_count; i++)
    if (profile->nodes[i].self > 0 &&
        wasm_perf_profile_kind(profile, profile->nodes[i].function) != WASM_PERF_KIND_PROFILER)
      return true;
  return false;
}

/* A run too short for any sample has calls, if they were counted, but no times. */
static void drop_missing_times(wasm_perf_profile *profile) {
  wasm_perf_header *header = &profile->header;
  bool is_counted = header->hooked_function_count > 0;
  if (header->clock != WASM_PERF_CLOCK_SAMPLED || !is_counted || has_times(profile))
    return;
  header->clock = WASM_PERF_CLOCK_NONE;
  header->ticks_per_second = header->clock_read_count = 0;
  for (uint32_t i = 1; i < header->node_count; i++)
    profile->nodes[i].self = 0;
}

/* Reads the names of modules in the first file whose name ends with `end`. False if none. */
static bool read_names(const char *folder, const char *end, char *names, size_t size) {
  cli_list paths = {0};
  cli_session_find_files(folder, end, &paths);
  FILE *stream = paths.count > 0 ? fopen(paths.items[0], "r") : NULL;
  bool done = stream && fgets(names, (int)size, stream);
  if (stream)
    fclose(stream);
  cli_list_clear(&paths);
  return done;
}

/* Explains why there is no profile, unless the JavaScript host did. */
static void explain_nothing(const char *folder, cli_failure *failure) {
  char names[512];
  if (has_files(folder, CLI_SESSION_REFUSED))
    return;
  bool is_killed = has_files(folder, CLI_SESSION_RUNNING) && !cli_session_running_process(folder);
  if (read_names(folder, CLI_SESSION_SKIPPED, names, sizeof names))
    cli_fail(failure, NULL, CLI_SESSION_SAY_SKIPPED, names);
  else if (has_files(folder, CLI_SESSION_STOP) && !has_files(folder, CLI_SESSION_RAN))
    cli_fail(failure, NULL, CLI_SESSION_SAY_STOPPED);
  else if (read_names(folder, CLI_SESSION_SEEN, names, sizeof names))
    cli_fail(failure, NULL, is_killed ? CLI_SESSION_SAY_KILLED : CLI_SESSION_SAY_SEEN, names);
  else if (!has_files(folder, CLI_SESSION_RAN) && !has_files(folder, CLI_SESSION_RUNNING))
    cli_fail(failure, NULL, CLI_SESSION_SAY_NO_NODE);
  else
    cli_fail(failure, NULL, CLI_SESSION_SAY_NOTHING);
}

wasm_perf_profile *cli_session_join(const cli_list *paths, const cli_list *before, bool apart,
                                    cli_failure *failure) {
  cli_part_files parts = {0};
  bool complete = paths->count > 0;
  for (size_t i = 0; complete && i < paths->count; i++)
    complete = cli_part_files_add(&parts, paths->items[i], before ? before->items[i] : NULL, apart,
                                  failure);
  wasm_perf_profile *result =
      complete ? cli_parts_join(parts.profiles, parts.paths.items, parts.paths.count, apart,
                                cli_session_complete, failure)
               : NULL;
  cli_part_files_clear(&parts);
  return result;
}

wasm_perf_profile *cli_session_difference(const char *folder, unsigned mark, bool apart,
                                          cli_failure *failure) {
  cli_list paths = {0}, before = {0};
  find_parts(folder, &paths);
  for (size_t i = 0; mark > 0 && i < paths.count; i++)
    cli_list_add(&before, marked_path(paths.items[i], mark));
  wasm_perf_profile *result = cli_session_join(&paths, mark > 0 ? &before : NULL, apart, failure);
  if (paths.count == 0)
    explain_nothing(folder, failure);
  cli_list_clear(&before);
  cli_list_clear(&paths);
  if (result && mark == 0)
    drop_missing_times(result);
  return result;
}

wasm_perf_profile *cli_session_profile(const char *folder, bool apart, cli_failure *failure) {
  return cli_session_difference(folder, 0, apart, failure);
}

static bool has_calls(const wasm_perf_profile *profile) {
  for (uint32_t i = 1; i < profile->header.node_count; i++)
    if (profile->nodes[i].call_count > 0)
      return true;
  return false;
}

/* Appends the module of a part with hooks to `names` if it fits. */
static void add_module(const wasm_perf_profile *part, char *names, size_t size) {
  const char *name = part->facts.module;
  size_t used = strlen(names);
  if (name && part->header.hooked_function_count > 0 && !strstr(names, name) &&
      used + strlen(name) + sizeof ", " <= size)
    snprintf(names + used, size - used, "%s%s", used > 0 ? ", " : "", name);
}

/* Appends the modules of the parts that have calls, or none, unless they are in `known`. */
static void list_modules(const cli_list *paths, bool with_calls, const char *known, char *names,
                         size_t size) {
  for (size_t i = 0; i < paths->count; i++) {
    wasm_perf_profile *part = cli_profile_read(paths->items[i], NULL);
    bool is_listed = part && has_calls(part) == with_calls &&
                     !(part->facts.module && strstr(known, part->facts.module));
    if (is_listed)
      add_module(part, names, size);
    wasm_perf_profile_free(part);
  }
}

void cli_session_warn_uncalled(const char *folder, const wasm_perf_profile *profile) {
  char called[512] = "", others[512] = "";
  cli_list paths = {0};
  cli_session_find_files(folder, CLI_SESSION_PART, &paths);
  list_modules(&paths, true, "", called, sizeof called);
  list_modules(&paths, false, called, others, sizeof others);
  cli_list_clear(&paths);
  if (*others && !has_calls(profile))
    cli_message("wasm-perf: the program called no function of its modules: %s", others);
  else if (*others)
    cli_message("wasm-perf: the program called no function of %s", others);
  else if (!has_calls(profile) && read_names(folder, CLI_SESSION_SEEN, others, sizeof others))
    cli_error(NULL, CLI_SESSION_SAY_SEEN, others);
}

uint64_t cli_session_time(const char *folder) {
  uint64_t longest = 0;
  cli_list paths = {0};
  cli_session_find_files(folder, CLI_SESSION_TIME, &paths);
  for (size_t i = 0; i < paths.count; i++) {
    FILE *stream = fopen(paths.items[i], "r");
    unsigned long long time;
    if (stream && fscanf(stream, "%18llu", &time) == 1 && time > longest)
      longest = time;
    if (stream)
      fclose(stream);
  }
  cli_list_clear(&paths);
  return longest;
}

/* ---- While it runs --------------------------------------------------------- */

void cli_session_ask_counts(const char *folder) {
  char *path = cli_text("%s/" CLI_SESSION_COUNT, folder);
  unlink(path); /* a new file, so that every process notices it */
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0)
    close(file);
  free(path);
}

/* Seconds since the file was written. */
static unsigned age_of(FILE *stream) {
  struct stat status;
  struct timespec now;
  if (fstat(fileno(stream), &status) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0 ||
      now.tv_sec < status.st_mtim.tv_sec)
    return 0;
  return (unsigned)(now.tv_sec - status.st_mtim.tv_sec);
}

bool cli_session_counted(const char *folder, cli_session_counts *counts) {
  cli_list paths = {0};
  unsigned process_count = 0;
  *counts = (cli_session_counts){0};
  cli_session_find_files(folder, CLI_SESSION_COUNTS, &paths);
  for (size_t i = 0; i < paths.count; i++) {
    FILE *stream = fopen(paths.items[i], "r");
    unsigned long long calls, nodes;
    int has_threads;
    if (stream && fscanf(stream, "%18llu %18llu %1d", &calls, &nodes, &has_threads) == 3) {
      process_count++;
      counts->call_count = wi_saturating_add(counts->call_count, calls);
      counts->node_count = wi_saturating_add(counts->node_count, nodes);
      counts->has_threads |= has_threads != 0;
      unsigned age = age_of(stream);
      if (age > counts->age)
        counts->age = age;
    }
    if (stream)
      fclose(stream);
  }
  cli_list_clear(&paths);
  return process_count > 0;
}

/* ---- Processes ----------------------------------------------------------- */

/* The process of a file PID.ANYTHING. */
static pid_t process_of(const char *path) {
  return (pid_t)strtol(strrchr(path, '/') + 1, NULL, 10);
}

/* Whether the process has ended and nobody has asked how, as it is below a first process that never asks. */
static bool is_zombie(pid_t pid) {
  char text[512] = "", *path = cli_text("/proc/%ld/stat", (long)pid);
  FILE *stream = fopen(path, "r");
  if (stream) {
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
  }
  free(path);
  const char *state = strrchr(text, ')'); /* behind the name, which may contain one, too */
  return state && strncmp(state, ") Z", 3) == 0;
}

static bool is_alive(pid_t pid) {
  return pid > 0 && kill(pid, 0) == 0 && !is_zombie(pid);
}

/* A process that is alive, has a file PID`with` and, unless that is NULL, no file PID`end`. 0 if none. */
static pid_t find_alive(const char *folder, const char *with, const char *end) {
  cli_list paths = {0};
  pid_t found = 0;
  cli_session_find_files(folder, with, &paths);
  for (size_t i = 0; i < paths.count && !found; i++) {
    pid_t pid = process_of(paths.items[i]);
    char *other = cli_text("%s/%ld%s", folder, (long)pid, end ? end : "");
    if (is_alive(pid) && (!end || access(other, F_OK) != 0))
      found = pid;
    free(other);
  }
  cli_list_clear(&paths);
  return found;
}

pid_t cli_session_running_process(const char *folder) {
  return find_alive(folder, CLI_SESSION_RUNNING, NULL);
}

pid_t cli_session_ending_process(const char *folder) {
  return find_alive(folder, CLI_SESSION_RAN, NULL);
}

static char *answer_end(unsigned number) {
  return cli_text(CLI_SESSION_TAKEN "%u", number);
}

pid_t cli_session_silent_process(const char *folder, unsigned number) {
  char *end = answer_end(number);
  pid_t silent = find_alive(folder, CLI_SESSION_RUNNING, end);
  free(end);
  return silent;
}

void cli_session_forget_answers(const char *folder, unsigned number) {
  char *end = answer_end(number);
  remove_files(folder, end);
  free(end);
}
