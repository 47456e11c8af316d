#define _GNU_SOURCE /* realpath */

#include "cli/perf/show/viewer.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/perf/show/open.h"
#include "report/formats/html/page.h"

static bool write_viewer(const char *path) {
  wi_file_output output;
  if (wi_file_output_open(&output, path) &&
      wi_file_output_close(&output, wi_html_viewer_write(output.stream)))
    return true;
  cli_message_unwritten("wasm-perf", wi_file_output_name(path));
  return false;
}

static void show(const char *path, bool starts_browser) {
  char *absolute = realpath(path, NULL);
  if (absolute) {
    puts(absolute);
    fflush(stdout);
    if (starts_browser)
      cli_browser_open(absolute);
  }
  free(absolute);
}

bool cli_viewer_show(const char *path, bool starts_browser) {
  if (!write_viewer(path))
    return false;
  show(path, starts_browser);
  return true;
}
