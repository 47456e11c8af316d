#define _GNU_SOURCE /* sched_setaffinity */

#include "cli/perf/bench/processors.h"

#include <stddef.h>

#ifdef __linux__
#include <sched.h>
#include <stdlib.h>

struct cli_processors {
  cpu_set_t set;
};

cli_processors *cli_processors_restrict(void) {
  cli_processors *before = malloc(sizeof *before);
  if (!before || sched_getaffinity(0, sizeof before->set, &before->set) != 0 ||
      CPU_COUNT(&before->set) < 2) {
    free(before);
    return NULL;
  }
  cpu_set_t one;
  int current = sched_getcpu(); /* other benches on this machine choose others */
  CPU_ZERO(&one);
  CPU_SET(current < 0 ? 0 : (size_t)current, &one);
  if (sched_setaffinity(0, sizeof one, &one) == 0)
    return before;
  free(before);
  return NULL;
}

void cli_processors_restore(cli_processors *before) {
  if (before)
    sched_setaffinity(0, sizeof before->set, &before->set);
  free(before);
}

#else

cli_processors *cli_processors_restrict(void) {
  return NULL;
}

void cli_processors_restore(cli_processors *before) {
  (void)before;
}

#endif
