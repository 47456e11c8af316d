#include "samples/foreign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/threads.h"
#include "samples/cpuprofile.h"
#include "samples/firefox.h"
#include "samples/folded.h"
#include "samples/graft.h"
#include "samples/gunzip.h"
#include "samples/perf_script.h"
#include "samples/pprof.h"
#include "samples/read.h"
#include "samples/scripts.h"
#include "samples/speedscope.h"
#include "samples/trace.h"
#include "support/json_cursor.h"

/* ---- Values ---------------------------------------------------------------------- */

/* Samples, whose times may be another value: a clock or a quantity. */
typedef struct foreign {
  wi_samples samples;
  uint32_t clock;
} foreign;

/* The clock for a unit or a value that a file names; SAMPLES if it is neither. */
static uint32_t clock_of(const uint8_t *name, size_t size) {
  static const struct {
    const char *name;
    uint32_t clock;
  } known[] = {{"bytes", WASM_PERF_QUANTITY_BYTES},
               {"objects", WASM_PERF_QUANTITY_OBJECTS},
               {"pages", WASM_PERF_QUANTITY_PAGES},
               {"instructions", WASM_PERF_CLOCK_INSTRUCTIONS},
               {"calls", WASM_PERF_CLOCK_NONE}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i].name) == size && memcmp(known[i].name, name, size) == 0)
      return known[i].clock;
  return wi_samples_time_unit(name, size) > 0 ? WASM_PERF_CLOCK_SAMPLED
                                              : WASM_PERF_QUANTITY_SAMPLES;
}

/* ---- Formats --------------------------------------------------------------------- */

/* An object, or an array of trace events. Other text in brackets is a log's. */
static bool is_json(const uint8_t *bytes, size_t size) {
  size_t i = 1;
  if (size == 0 || *bytes != '[')
    return size > 0 && *bytes == '{';
  while (i < size && memchr(" \t\r\n", bytes[i], 4))
    i++;
  return i < size && (bytes[i] == '{' || bytes[i] == ']');
}

bool wi_foreign_is(const uint8_t *bytes, size_t size) {
  return wi_gzip_is(bytes, size) || is_json(bytes, size) || wi_pprof_is(bytes, size) ||
         wi_folded_is(bytes, size) || wi_perf_script_is((const char *)bytes, size);
}

static uint32_t clock_at(const uint8_t *bytes, wi_span name) {
  return clock_of(bytes + name.offset, name.size);
}

static bool read_speedscope(foreign *of, wi_cursor document, wi_error *error) {
  wi_span unit;
  if (!wi_speedscope_read(document, &of->samples, &unit, error))
    return false;
  of->clock = clock_at(document.bytes, unit);
  return true;
}

/* Our own files weight stacks by other values than times with one interval for each. */
static bool read_firefox(foreign *of, wi_cursor document, wi_error *error) {
  wi_firefox_value value;
  if (!wi_firefox_read(document, &of->samples, &value, error))
    return false;
  if (value.name.size == 0)
    return true;
  of->clock = clock_at(document.bytes, value.name);
  for (uint32_t i = 1; i < of->samples.nodes_count && value.interval > 0; i++)
    of->samples.nodes[i].time /= value.interval;
  return true;
}

static bool read_json(foreign *of, const uint8_t *bytes, size_t size, wi_error *error) {
  wi_cursor document = wi_cursor_at(bytes, (wi_span){0, (uint32_t)size}, error);
  of->clock = WASM_PERF_CLOCK_SAMPLED;
  if (!wi_json_is_valid(bytes, size, error))
    return false;
  if (wi_speedscope_is(document))
    return read_speedscope(of, document, error);
  if (wi_firefox_is(document))
    return read_firefox(of, document, error);
  if (wi_cpuprofile_is(document))
    return wi_cpuprofile_read(document, true, &of->samples, error);
  if (wi_trace_is(document))
    return wi_trace_read(document, false, &of->samples, error);
  return wi_error_set(error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION,
                      "this JSON is not a profile of V8, DevTools, speedscope or Firefox");
}

static bool read_pprof(foreign *of, const uint8_t *bytes, size_t size, wi_error *error) {
  wi_pprof_type type;
  if (!wi_pprof_read(bytes, size, &of->samples, &type, error))
    return false;
  of->clock = clock_at(bytes, type.unit);
  if (of->clock == WASM_PERF_QUANTITY_SAMPLES)
    of->clock = clock_at(bytes, type.name);
  return true;
}

static bool read_plain(foreign *of, const uint8_t *bytes, size_t size, wi_error *error) {
  if (!wi_samples_init(&of->samples))
    return wi_error_memory(error);
  if (is_json(bytes, size))
    return read_json(of, bytes, size, error);
  if (wi_pprof_is(bytes, size))
    return read_pprof(of, bytes, size, error);
  if (wi_perf_script_is((const char *)bytes, size)) {
    of->clock = WASM_PERF_CLOCK_SAMPLED;
    return wi_perf_script_read((const char *)bytes, size, true, &of->samples, error);
  }
  of->clock = WASM_PERF_QUANTITY_SAMPLES;
  return wi_folded_read(bytes, size, &of->samples, error);
}

static bool read_compressed(foreign *of, const uint8_t *bytes, size_t size, wi_error *error) {
  wi_buffer plain = {0};
  bool done =
      wi_gunzip(bytes, size, &plain, error) && read_plain(of, plain.data, plain.size, error);
  wi_buffer_clear(&plain);
  return done;
}

/* ---- The profile ------------------------------------------------------------------ */

/* The frame's function; 0: out of memory. */
static uint32_t function_of(wi_graft *graft, wi_samples *samples, uint32_t index) {
  char text[32];
  wi_sample_frame frame = samples->frames[index];
  if (frame.name_size == 0 && frame.function != WI_NO_FUNCTION) {
    snprintf(text, sizeof text, "func[%u]", frame.function);
    frame.name_offset = samples->names.size;
    frame.name_size = (uint32_t)strlen(text);
    wi_buffer_append(&samples->names, text, frame.name_size);
  }
  return samples->names.failed ? 0 : wi_graft_function(graft, samples, &frame);
}

/* Glue between modules and other code, which has no name. */
static bool is_shown(const wi_sample_frame *frame) {
  return frame->kind != WASM_PERF_KIND_IMPORT || frame->name_size > 0;
}

static bool graft_nodes(wi_graft *graft, wi_samples *samples, bool is_before, uint32_t *functions,
                        uint32_t *places) {
  for (uint32_t i = 1; i < samples->nodes_count; i++) {
    const wi_sample_node *node = &samples->nodes[i];
    uint32_t frame = node->frame;
    places[i] = places[node->parent];
    if (is_shown(&samples->frames[frame])) {
      if (functions[frame] == 0)
        functions[frame] = function_of(graft, samples, frame);
      places[i] = functions[frame] == 0
                      ? 0
                      : wi_graft_child(graft, places[node->parent], functions[frame], 0);
      if (places[i] == 0)
        return false;
    }
    wi_graft_add_time(graft, places[i], is_before ? node->less : node->time);
  }
  return true;
}

/* Gives what has no stack a frame, so that the total is the file's. */
static bool name_stackless(wi_samples *samples) {
  static const char name[] = "(no stack)";
  const wi_sample_frame place = {.kind = WASM_PERF_KIND_NATIVE, .name_size = sizeof name - 1};
  wi_sample_node host = samples->nodes[0];
  uint32_t frame, node;
  if (!(host.time > 0 || host.less > 0))
    return true;
  if (!wi_samples_add_other(samples, &place, name, "", &frame) ||
      !wi_samples_add_node(samples, 0, frame, &node))
    return false;
  samples->nodes[node].time = host.time;
  samples->nodes[node].less = host.less;
  samples->nodes[node].calls = host.calls;
  return true;
}

static bool set_order(wasm_perf_profile *profile, const wi_samples *samples,
                      const uint32_t *places) {
  for (uint32_t t = 0; t < samples->threads_count; t++) {
    wasm_perf_thread thread = samples->threads[t];
    const wasm_perf_stretch *stretches = thread.stretches;
    thread.stretches = malloc((thread.stretch_count + (size_t)1) * sizeof *stretches);
    for (uint32_t i = 0; thread.stretches && i < thread.stretch_count; i++)
      thread.stretches[i] =
          (wasm_perf_stretch){places[stretches[i].node], stretches[i].microseconds};
    if (!thread.stretches || !wi_threads_add(profile, &thread, thread.name, strlen(thread.name)))
      return false;
  }
  return true;
}

static void set_calls(wasm_perf_profile *profile, const wi_samples *samples,
                      const uint32_t *places) {
  for (uint32_t i = 1; i < samples->nodes_count; i++)
    profile->nodes[places[i]].call_count += (uint64_t)samples->nodes[i].calls;
  profile->uncounted_count = 0;
}

static void set_clock(wasm_perf_profile *profile, const foreign *of) {
  bool is_time = of->clock == WASM_PERF_CLOCK_SAMPLED;
  profile->header.clock = of->clock;
  profile->header.ticks_per_second = is_time ? 1000000000 : 0;
  profile->header.clock_read_count = is_time ? of->samples.whole_count : 0;
}

static bool fill(wasm_perf_profile *profile, foreign *of, bool is_before) {
  wi_samples *samples = &of->samples;
  uint32_t *places = calloc(samples->nodes_count, sizeof *places);
  uint32_t *functions = calloc(samples->frames_count + (size_t)1, sizeof *functions);
  wi_graft *graft = wi_graft_new(profile);
  bool done = places && functions && graft &&
              graft_nodes(graft, samples, is_before, functions, places) &&
              (is_before || set_order(profile, samples, places)) && wi_graft_finish(graft, NULL);
  if (done && samples->has_calls)
    set_calls(profile, samples, places); /* which have the graft's numbers: it moved no node */
  set_clock(profile, of);
  wi_graft_free(graft);
  free(functions);
  free(places);
  return done;
}

static wasm_perf_profile *profile_of(foreign *of, bool is_before, wi_error *error) {
  wasm_perf_profile *profile = calloc(1, sizeof *profile);
  if (profile)
    profile->nodes = calloc(1, sizeof *profile->nodes);
  if (profile && profile->nodes) {
    profile->header.node_count = 1;
    profile->header.host_function_count = 1; /* so that functions have numbers from 1 on */
    profile->nodes[0].function = WASM_PERF_FUNCTION_ROOT;
    if (fill(profile, of, is_before))
      return profile;
  }
  wi_error_memory(error);
  wasm_perf_profile_free(profile);
  return NULL;
}

static wasm_perf_profile *make_profiles(foreign *of, wi_file_reader *read,
                                        wasm_perf_profile **before, wi_error *error) {
  if (of->samples.nodes_count == 1)
    return wi_error_set(error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION, "it has no call stack"), NULL;
  if (of->samples.has_less && !before)
    return wi_error_set(error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION,
                        "it has negative values, as a difference has; wasm-perf open shows it"),
           NULL;
  if (!name_stackless(&of->samples) || !wi_scripts_place(&of->samples, read))
    return wi_error_memory(error), NULL;
  wasm_perf_profile *profile = profile_of(of, false, error);
  if (!profile || !of->samples.has_less)
    return profile;
  *before = profile_of(of, true, error);
  if (*before)
    return profile;
  wasm_perf_profile_free(profile);
  return NULL;
}

wasm_perf_profile *wi_foreign_read(const uint8_t *bytes, size_t size, wi_file_reader *read,
                                   wasm_perf_profile **before, wi_error *error) {
  foreign of = {0};
  if (before)
    *before = NULL;
  bool done = size > WI_SAMPLES_MAX_SIZE
                  ? wi_error_set(error, WI_ERROR_LIMIT, WI_SAMPLES_MAX_SIZE, WI_NO_FUNCTION,
                                 "the profile is larger than 512 MB")
              : wi_gzip_is(bytes, size) ? read_compressed(&of, bytes, size, error)
                                        : read_plain(&of, bytes, size, error);
  wasm_perf_profile *profile = done ? make_profiles(&of, read, before, error) : NULL;
  wi_samples_clear(&of.samples);
  return profile;
}
