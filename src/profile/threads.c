#include "profile/threads.h"

#include <stdlib.h>
#include <string.h>

#include "support/arithmetic.h"

bool wi_threads_add(wasm_perf_profile *profile, const wasm_perf_thread *thread, const char *name,
                    size_t name_size) {
  wasm_perf_thread *threads =
      realloc(profile->threads, (profile->thread_count + (size_t)1) * sizeof *threads);
  if (threads)
    profile->threads = threads;
  char *copy = threads ? malloc(name_size + 1) : NULL;
  if (!copy) {
    free(thread->stretches);
    return false;
  }
  memcpy(copy, name, name_size);
  copy[name_size] = '\0';
  wasm_perf_thread *added = &threads[profile->thread_count++];
  *added = *thread;
  added->name = copy;
  return true;
}

void wi_threads_clear(wasm_perf_profile *profile) {
  for (uint32_t i = 0; i < profile->thread_count; i++) {
    free(profile->threads[i].name);
    free(profile->threads[i].stretches);
  }
  free(profile->threads);
  profile->threads = NULL;
  profile->thread_count = 0;
}

void wi_threads_move(wasm_perf_profile *profile, const uint32_t *places) {
  for (uint32_t t = 0; t < profile->thread_count; t++) {
    wasm_perf_thread *thread = &profile->threads[t];
    for (uint32_t i = 0; i < thread->stretch_count; i++)
      thread->stretches[i].node = places[thread->stretches[i].node];
  }
}

static bool copy_thread(wasm_perf_profile *result, const wasm_perf_thread *thread, uint32_t start) {
  wasm_perf_thread copy = *thread;
  copy.stretches = malloc((thread->stretch_count + (size_t)1) * sizeof *copy.stretches);
  if (!copy.stretches)
    return false;
  for (uint32_t i = 0; i < thread->stretch_count; i++) {
    copy.stretches[i] = thread->stretches[i];
    if (copy.stretches[i].node != 0)
      copy.stretches[i].node += start;
  }
  return wi_threads_add(result, &copy, thread->name, strlen(thread->name));
}

bool wi_threads_merge(wasm_perf_profile *result, const wasm_perf_profile *const *profiles,
                      const uint32_t *starts, size_t count) {
  size_t only = count;
  for (size_t i = 0; i < count; i++) {
    if (profiles[i]->thread_count == 0)
      continue;
    if (only < count)
      return true;
    only = i;
  }
  bool done = true;
  for (uint32_t t = 0; done && only < count && t < profiles[only]->thread_count; t++)
    done = copy_thread(result, &profiles[only]->threads[t], starts[only]);
  return done;
}

static uint64_t end_of(const wasm_perf_thread *thread) {
  uint64_t end = thread->start;
  for (uint32_t i = 0; i < thread->stretch_count; i++)
    end = wi_saturating_add(end, thread->stretches[i].microseconds);
  return end;
}

/* Keeps what came after `from`. */
static void cut_thread(wasm_perf_thread *thread, uint64_t from) {
  uint32_t left_out = 0;
  while (left_out < thread->stretch_count && thread->start < from) {
    wasm_perf_stretch *first = &thread->stretches[left_out];
    uint64_t rest = from - thread->start;
    if (first->microseconds > rest) {
      first->microseconds -= (uint32_t)rest;
      thread->start = from;
      break;
    }
    thread->start = wi_saturating_add(thread->start, first->microseconds);
    left_out++;
  }
  thread->dropped = 0;
  thread->stretch_count -= left_out;
  memmove(thread->stretches, thread->stretches + left_out,
          thread->stretch_count * sizeof *thread->stretches);
}

void wi_threads_subtract(wasm_perf_profile *profile, const wasm_perf_profile *before) {
  for (uint32_t t = 0; t < profile->thread_count; t++) {
    wasm_perf_thread *thread = &profile->threads[t];
    for (uint32_t i = 0; i < before->thread_count; i++)
      if (before->threads[i].process == thread->process &&
          before->threads[i].number == thread->number)
        cut_thread(thread, end_of(&before->threads[i]));
  }
}

uint64_t wi_threads_start(const wasm_perf_profile *profile) {
  uint64_t start = profile->thread_count > 0 ? profile->threads[0].start : 0;
  for (uint32_t i = 1; i < profile->thread_count; i++)
    if (profile->threads[i].start < start)
      start = profile->threads[i].start;
  return start;
}
