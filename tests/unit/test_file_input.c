/* Files that are read without a copy: one that is truncated meanwhile ends the process with its
 * name. */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/common/file_input.h"
#include "unit.h"

enum { SIZE = 1 << 16 };

/* A new file of that many zeros. */
static void make(char path[]) {
  int file = mkstemp(path);
  assert_true(file >= 0 && ftruncate(file, SIZE) == 0);
  close(file);
}

/* The first byte of the last page. */
static int touch(const wi_file_input *input) {
  return ((const volatile uint8_t *)input->bytes)[SIZE - 4096];
}

/*
 * In a child, which reads two files and closes the first or not; the one of `truncated` is cut
 * before its end is read. Returns the child's status, and what it wrote to stderr.
 */
static int read_two(char paths[2][32], int truncated, bool closes_other, char said[256]) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    wi_file_input inputs[2];
    dup2(ends[1], STDERR_FILENO);
    if (!wi_file_input_open(&inputs[0], paths[0]) || !wi_file_input_open(&inputs[1], paths[1]))
      _exit(9);
    if (closes_other)
      wi_file_input_close(&inputs[1 - truncated]);
    if (truncate(paths[truncated], 0) != 0)
      _exit(9);
    _exit(touch(&inputs[truncated]));
  }
  close(ends[1]);
  ssize_t size = read(ends[0], said, 255);
  said[size > 0 ? size : 0] = 0;
  close(ends[0]);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

static void tells_which_file_was_truncated(void **state) {
  for (int truncated = 0; truncated < 2; truncated++)
    for (int closes_other = 0; closes_other < 2; closes_other++) {
      char paths[2][32] = {"/tmp/wi-one-XXXXXX", "/tmp/wi-\x1btwo-XXXXXX"};
      char said[256];
      make(paths[0]);
      make(paths[1]);
      int status = read_two(paths, truncated, closes_other != 0, said);
      assert_true(WIFEXITED(status));
      assert_int_equal(WEXITSTATUS(status), EXIT_FAILURE);
      assert_non_null(strstr(said, "it changed while it was read\n"));
      assert_non_null(strstr(said, truncated ? "\\u{1b}two-" : "wi-one-"));
      unlink(paths[0]);
      unlink(paths[1]);
    }
}

static void knows_whether_it_was_written_to(void **state) {
  char path[] = "/tmp/wi-one-XXXXXX";
  wi_file_input input;
  make(path);
  assert_true(wi_file_input_open(&input, path));
  assert_true(wi_file_input_is_unchanged(&input));
  assert_int_equal(truncate(path, 2 * SIZE), 0);
  assert_false(wi_file_input_is_unchanged(&input));
  wi_file_input_close(&input);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tells_which_file_was_truncated),
      cmocka_unit_test(knows_whether_it_was_written_to),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
