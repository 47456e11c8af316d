#define _DEFAULT_SOURCE /* winsize */

#include "cli/perf/record/progress_line.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/common/message.h"
#include "cli/perf/common.h"
#include "cli/perf/progress.h"
#include "cli/perf/record/session_files.h"
#include "report/model/units.h"

/* ---- The terminal ---------------------------------------------------------- */

/* Terminal control sequences. */
#define NOTHING     "\033[m"
#define SAVE        "\0337"
#define RESTORE     "\0338"
#define UP          "\033[A"
#define ERASE_LINE  "\033[K"
#define ERASE_BELOW "\033[J"

static void put(int file, const char *text) {
  ssize_t written = write(file, text, strlen(text));
  (void)written;
}

static void stop(cli_progress_line *line) {
  close(line->terminal);
  close(line->changes);
  line->terminal = line->changes = -1;
}

/* Whether anybody wrote to the terminal or read from it since the last call. */
static bool has_changed(const cli_progress_line *line) {
  char events[4096];
  bool has_any = false;
  while (read(line->changes, events, sizeof events) > 0)
    has_any = true;
  return has_any;
}

/* Whether the system reports such changes at all: tries it on standard error. */
static bool tells_of_changes(const cli_progress_line *line) {
  put(STDERR_FILENO, NOTHING);
  return has_changed(line);
}

/* Whether the terminal controls this process and runs it in the foreground. */
static bool is_in_foreground(void) {
  return tcgetpgrp(STDERR_FILENO) == getpgrp();
}

static int width_of(int terminal) {
  struct winsize size;
  return ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* ---- The line ------------------------------------------------------------- */

#define OLD_AGE 3u /* seconds: programs are asked once a second, and some answer a little later */

/* When the counts were taken, unless that was just now. The caller frees it. */
static char *text_of_age(unsigned age) {
  return age < OLD_AGE ? cli_text("%s", "") : cli_text(" %u s ago", age);
}

/* "12 s: 1,234 calls, 35 nodes", from the latest counts. The caller frees it. */
static char *text_of(const cli_progress_line *line, uint64_t now) {
  unsigned long long seconds = (now - line->start) / CLI_SECOND;
  cli_session_counts counts;
  if (line->phase)
    return cli_text("wasm-perf: %llu s: %s", seconds, line->phase);
  if (!cli_session_counted(line->folder, &counts))
    return cli_text("wasm-perf: %llu s%s%s", seconds, line->warning ? "; " : "",
                    line->warning ? line->warning : "");
  char *age = text_of_age(counts.age);
  char *text = cli_text("wasm-perf: %llu s: %s, %s%s%s", seconds,
                        wi_format_quantity(counts.call_count, "call").text,
                        wi_format_quantity(counts.node_count, "node").text,
                        counts.has_threads ? " in main threads" : "", age);
  free(age);
  return text;
}

/* Replaces the line's text. The cursor stays on the line below. */
static void show(cli_progress_line *line, const char *text) {
  int width = width_of(line->terminal);
  /* A full width of blanks ends on this line if it was empty, and otherwise on the next one. */
  char *output = line->is_shown
                     ? cli_text(SAVE UP "\r%.*s" ERASE_LINE RESTORE, width - 1, text)
                     : cli_text("%*s\r%.*s" ERASE_LINE "\r\n", width, "", width - 1, text);
  put(line->terminal, output);
  free(output);
  line->is_shown = true;
}

void cli_progress_line_begin(cli_progress_line *line, const char *folder, const char *warning,
                             uint64_t now) {
  *line = (cli_progress_line){
      .folder = folder, .warning = warning, .start = now, .terminal = -1, .changes = -1};
  const char *type = cli_variable("TERM");
  if (!cli_messages_on_terminal() || !type || strcmp(type, "dumb") == 0)
    return;
  line->next = now + CLI_PROGRESS_PATIENCE;
  line->next_count = line->next - CLI_SECOND / 2;
  /* inotify watches another name of the terminal, so it reports only what others write. */
  line->terminal = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC);
  line->changes = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (line->terminal < 0 ||
      inotify_add_watch(line->changes, "/proc/self/fd/2", IN_MODIFY | IN_ACCESS) < 0)
    stop(line);
}

void cli_progress_line_step(cli_progress_line *line, uint64_t now) {
  if (line->terminal >= 0 && has_changed(line))
    stop(line);
  if (line->terminal >= 0 && now >= line->next_count) {
    line->next_count = now + CLI_SECOND;
    cli_session_ask_counts(line->folder);
  }
  if (line->terminal < 0 || now < line->next || !is_in_foreground())
    return;
  line->next = now + CLI_SECOND;
  if (!line->is_shown && !tells_of_changes(line)) {
    stop(line);
    return;
  }
  char *text = text_of(line, now);
  show(line, text);
  free(text);
}

void cli_progress_line_end(cli_progress_line *line) {
  if (line->terminal < 0)
    return;
  if (line->is_shown && !has_changed(line) && is_in_foreground())
    put(line->terminal, UP "\r" ERASE_BELOW);
  stop(line);
}
