#include "samples/trace.h"

#include <stdlib.h>
#include <string.h>

#include "samples/cpuprofile.h"
#include "samples/trace_events.h"
#include "support/json_cursor.h"

#define MOST_PROFILES 1000 /* each event looks for its own among all */

/* The profile of a thread, whose pieces are put together. */
typedef struct piecewise {
  wi_span id; /* of the profile in the process */
  double process, thread;
  size_t name_offset; /* of the thread, in `names` */
  wi_v8_profile profile;
} piecewise;

typedef struct trace {
  WI_ARRAY(piecewise, profiles);
  wi_buffer names; /* C strings */
  wi_cursor events;
  wi_error *error;
} trace;

static bool find_events(wi_cursor document, wi_cursor *events) {
  *events = document;
  return wi_json_skip_blanks(events) == '[' ||
         wi_json_find_nested(document, "traceEvents", '[', events);
}

bool wi_trace_is(wi_cursor document) {
  wi_cursor events;
  return find_events(document, &events);
}

/* ---- Pieces ------------------------------------------------------------------------ */

/* The profile that an event is of; NULL: error filled in. */
static piecewise *find_profile(trace *t, wi_cursor event) {
  wi_span id = wi_json_find_text(event, "id");
  double process = wi_json_find_number(event, "pid", 0);
  for (uint32_t i = 0; i < t->profiles_count; i++)
    if (t->profiles[i].process == process && wi_json_is_same_text(&event, t->profiles[i].id, id))
      return &t->profiles[i];
  if (t->profiles_count == MOST_PROFILES) {
    wi_error_set(t->error, WI_ERROR_LIMIT, 0, WI_NO_FUNCTION, "the trace has too many threads");
    return NULL;
  }
  piecewise *added = WI_ARRAY_PUSH(t, profiles);
  if (added)
    *added = (piecewise){.id = id, .process = process};
  else
    wi_error_memory(t->error);
  return added;
}

/* The first event of a profile names its thread; those that follow come from another. */
static bool add_event(trace *t, wi_cursor event) {
  wi_span name = wi_json_find_text(event, "name");
  bool is_first = wi_json_is_text(&event, name, "Profile");
  wi_cursor args, data, piece;
  if (!is_first && !wi_json_is_text(&event, name, "ProfileChunk"))
    return true;
  piecewise *profile = find_profile(t, event);
  if (profile && is_first)
    profile->thread = wi_json_find_number(event, "tid", 0);
  if (!profile || !wi_json_find(event, "args", &args) ||
      !wi_json_find_nested(args, "data", '{', &data))
    return profile != NULL;
  return (!wi_json_find_nested(data, "cpuProfile", '{', &piece) ||
          wi_v8_profile_read(&profile->profile, &piece, false)) &&
         wi_v8_profile_read(&profile->profile, &data, false); /* times */
}

/* What the trace calls the thread of a profile. */
static void add_name(trace *t, wi_cursor event) {
  wi_cursor args;
  if (!wi_json_is_text(&event, wi_json_find_text(event, "name"), "thread_name") ||
      !wi_json_find(event, "args", &args))
    return;
  double process = wi_json_find_number(event, "pid", 0);
  double thread = wi_json_find_number(event, "tid", 0);
  wi_span name = wi_json_find_text(args, "name");
  for (uint32_t i = 0; i < t->profiles_count; i++) {
    piecewise *profile = &t->profiles[i];
    if (profile->process == process && profile->thread == thread && name.size > 0)
      profile->name_offset = wi_json_append_text(&event, name, &t->names);
  }
}

static bool collect(trace *t) {
  wi_cursor in = t->events;
  wi_buffer_append(&t->names, "main", sizeof "main");
  WI_JSON_EACH_ITEM(&in) {
    if (!add_event(t, in))
      return false;
    wi_json_skip_value(&in);
  }
  in = t->events;
  WI_JSON_EACH_ITEM(&in) {
    add_name(t, in);
    wi_json_skip_value(&in);
  }
  return !t->names.failed || wi_error_memory(t->error);
}

/* ---- Profiles ---------------------------------------------------------------------- */

static bool has_wasm(const wi_v8_profile *profile) {
  for (uint32_t i = 0; i < profile->nodes_count; i++)
    if (strncmp(wi_v8_url(profile, &profile->nodes[i]), "wasm:", 5) == 0)
      return true;
  return false;
}

static bool add_profiles(const trace *t, bool is_wasm, wi_samples *samples) {
  bool done = true;
  for (uint32_t i = 0; done && i < t->profiles_count; i++) {
    const wi_cpuprofile from = {.profile = &t->profiles[i].profile,
                                .is_span = !is_wasm,
                                .thread = (const char *)t->names.data + t->profiles[i].name_offset};
    done = (is_wasm && !has_wasm(from.profile)) || wi_cpuprofile_add(&from, samples, t->error);
  }
  return done;
}

static bool read_all(trace *t, bool is_wasm, wi_samples *samples) {
  if (!collect(t))
    return false;
  if (t->profiles_count > 0)
    return add_profiles(t, is_wasm, samples);
  if (!is_wasm)
    return wi_trace_events_read(t->events, samples, t->error);
  return wi_error_set(t->error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION,
                      "the trace has no samples of JavaScript and WebAssembly");
}

bool wi_trace_read(wi_cursor document, bool is_wasm, wi_samples *samples, wi_error *error) {
  trace t = {.error = error};
  bool done = find_events(document, &t.events) && read_all(&t, is_wasm, samples);
  for (uint32_t i = 0; i < t.profiles_count; i++)
    wi_v8_profile_clear(&t.profiles[i].profile);
  free(t.profiles);
  wi_buffer_clear(&t.names);
  return done;
}
