#include "report/model/summary_threads.h"

#include <stdio.h>
#include <string.h>

#include "names/label.h"
#include "report/model/units.h"
#include "support/arithmetic.h"

#define MOST_THREADS 4u  /* threads listed by name */
#define MOST_NAME    32u /* in bytes; a thread with a longer name is shown by number */

static bool is_busy(const wasm_perf_profile *profile, uint32_t node) {
  wasm_perf_kind kind = wasm_perf_profile_kind(profile, profile->nodes[node].function);
  return node != 0 && kind != WASM_PERF_KIND_IDLE && kind != WASM_PERF_KIND_WAIT &&
         kind != WASM_PERF_KIND_PROFILER;
}

static wi_short_text format_microseconds(uint64_t microseconds) {
  uint64_t most = UINT64_MAX / 1000;
  return wi_format_value(WI_UNIT_NANOSECONDS, 1000 * (microseconds < most ? microseconds : most));
}

/* Counts the threads of that name up to this one: each process has a thread "main". */
static unsigned number_of(const wasm_perf_profile *profile, const wasm_perf_thread *thread) {
  unsigned number = 1;
  for (const wasm_perf_thread *other = profile->threads; other < thread; other++)
    number += strcmp(other->name, thread->name) == 0;
  return number;
}

/* Returns the number of bytes needed, like snprintf. */
static size_t describe(const wasm_perf_profile *profile, const wasm_perf_thread *thread, char *text,
                       size_t size) {
  char name[WI_LABEL_MAX_SIZE + 1], number[16] = "";
  uint64_t busy = 0, whole = 0;
  for (uint32_t i = 0; i < thread->stretch_count; i++) {
    const wasm_perf_stretch *stretch = &thread->stretches[i];
    whole = wi_saturating_add(whole, stretch->microseconds);
    if (is_busy(profile, stretch->node))
      busy = wi_saturating_add(busy, stretch->microseconds);
  }
  wi_label_clean(name, thread->name, 0);
  if (strlen(name) > MOST_NAME)
    snprintf(name, sizeof name, "thread %u", thread->number);
  unsigned nth = number_of(profile, thread);
  if (nth > 1)
    snprintf(number, sizeof number, " (%u)", nth);
  return (size_t)snprintf(text, size, "%s%s %s of %s", name, number, format_microseconds(busy).text,
                          format_microseconds(whole).text);
}

bool wi_summary_threads(const wasm_perf_profile *profile, char text[WI_THREADS_TEXT_SIZE]) {
  uint32_t count = profile->thread_count;
  if (count < 2 || profile->hidden_self[WASM_PERF_KIND_JAVASCRIPT] > 0 ||
      profile->hidden_self[WASM_PERF_KIND_NATIVE] > 0)
    return false;
  size_t size = (size_t)snprintf(text, WI_THREADS_TEXT_SIZE, "Busy: ");
  for (uint32_t i = 0; i < count && i < MOST_THREADS && size < WI_THREADS_TEXT_SIZE; i++) {
    if (i > 0)
      size += (size_t)snprintf(text + size, WI_THREADS_TEXT_SIZE - size, ", ");
    if (size < WI_THREADS_TEXT_SIZE)
      size += describe(profile, &profile->threads[i], text + size, WI_THREADS_TEXT_SIZE - size);
  }
  if (count > MOST_THREADS && size < WI_THREADS_TEXT_SIZE)
    snprintf(text + size, WI_THREADS_TEXT_SIZE - size, ", and %s",
             wi_format_quantity(count - MOST_THREADS, "other thread").text);
  return true;
}
