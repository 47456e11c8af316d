#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "cli/perf/progress.h"

#include <time.h>
#include <unistd.h>

#include "cli/common/message.h"
#include "report/model/units.h"
#include "support/arithmetic.h"

uint64_t cli_progress_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * CLI_SECOND + (uint64_t)now.tv_nsec;
}

void cli_progress_print(const char *done, uint64_t start, uint64_t time,
                        const wasm_perf_profile *profile) {
  uint64_t passed = cli_progress_now() - start, call_count = 0;
  if (passed <= CLI_PROGRESS_PATIENCE || !cli_messages_on_terminal())
    return;
  for (uint32_t i = 1; i < profile->header.node_count; i++)
    call_count = wi_saturating_add(call_count, profile->nodes[i].call_count);
  cli_message("%s %s: %s, %s", done,
              wi_format_value(WI_UNIT_NANOSECONDS, time > 0 ? time : passed).text,
              wi_format_quantity(call_count, "call").text,
              wi_format_quantity(profile->header.node_count - 1, "node").text);
}
