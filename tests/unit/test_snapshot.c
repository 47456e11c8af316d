/* Snapshots: how long a program runs between two of them. */
#define _GNU_SOURCE /* mkdtemp */

#include <unistd.h>

#include "cli/perf/record/snapshot.h"
#include "unit.h"

static const uint64_t START = 1000, TOOK = 7000000;

/* A session's folder; `is_answered`: its process has answered request 1. */
static void make_session(char *folder, bool is_answered) {
  char path[256];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/%ld.running", folder, (long)getpid());
  fclose(fopen(path, "w"));
  snprintf(path, sizeof path, "%s/%ld.taken-1", folder, (long)getpid());
  if (is_answered)
    fclose(fopen(path, "w"));
}

static void remove_session(const char *folder) {
  char command[300];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  assert_int_equal(system(command), 0);
}

static void the_program_runs_ten_times_as_long(void **state) {
  char folder[] = "/tmp/wasm-perf-snapshot-XXXXXX";
  make_session(folder, true);
  cli_snapshot snapshot = {.folder = folder};
  assert_false(cli_snapshot_rests(&snapshot, START));
  cli_snapshot_ask(&snapshot, START);
  assert_int_equal(cli_snapshot_look(&snapshot, START + TOOK), CLI_SNAPSHOT_TAKEN);
  assert_true(cli_snapshot_rests(&snapshot, START + TOOK));
  assert_true(cli_snapshot_rests(&snapshot, START + 11 * TOOK - 1));
  assert_false(cli_snapshot_rests(&snapshot, START + 11 * TOOK));
  remove_session(folder);
}

static void a_process_that_is_silent_is_not_waited_for(void **state) {
  const uint64_t patience = 5000000000;
  char folder[] = "/tmp/wasm-perf-snapshot-XXXXXX";
  make_session(folder, false);
  cli_snapshot snapshot = {.folder = folder};
  cli_snapshot_ask(&snapshot, START);
  assert_int_equal(cli_snapshot_look(&snapshot, START + TOOK), CLI_SNAPSHOT_AWAITED);
  assert_int_equal(cli_snapshot_look(&snapshot, START + patience), CLI_SNAPSHOT_TAKEN);
  assert_false(cli_snapshot_rests(&snapshot, START + patience));
  remove_session(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_program_runs_ten_times_as_long),
      cmocka_unit_test(a_process_that_is_silent_is_not_waited_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
