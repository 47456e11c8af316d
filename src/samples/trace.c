#include "samples/trace.h"

#include <stdlib.h>
#include <string.h>

#include "samples/cpuprofile.h"
#include "support/array.h"

#define MOST_PROFILES 1000 /* each event looks for its own among all */

/* The profile of a thread, whose pieces are put together. */
typedef struct piecewise {
  const char *id; /* of the profile in the process */
  json_int_t process, thread;
  json_t *document; /* as a .cpuprofile, owned */
} piecewise;

typedef struct trace {
  WI_ARRAY(piecewise, profiles);
  wi_error *error;
} trace;

static const json_t *events_of(const json_t *document) {
  return json_is_array(document) ? document : json_object_get(document, "traceEvents");
}

bool wi_trace_is(const json_t *document) {
  return json_is_array(events_of(document));
}

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static json_int_t number_of(const json_t *object, const char *key) {
  return json_integer_value(json_object_get(object, key));
}

/* ---- Pieces ------------------------------------------------------------------------ */

static json_t *empty_document(void) {
  return json_pack("{s:[], s:[], s:[]}", "nodes", "samples", "timeDeltas");
}

/* The profile that an event is of; NULL: error filled in. */
static piecewise *find_profile(trace *t, const json_t *event) {
  const char *id = text_of(event, "id");
  json_int_t process = number_of(event, "pid");
  for (uint32_t i = 0; i < t->profiles_count; i++)
    if (t->profiles[i].process == process && strcmp(t->profiles[i].id, id) == 0)
      return &t->profiles[i];
  if (t->profiles_count == MOST_PROFILES) {
    wi_error_set(t->error, WI_ERROR_LIMIT, 0, WI_NO_FUNCTION, "the trace has too many threads");
    return NULL;
  }
  piecewise *added = WI_ARRAY_PUSH(t, profiles);
  if (added)
    *added = (piecewise){.id = id, .process = process, .document = empty_document()};
  if (added && added->document)
    return added;
  wi_error_memory(t->error);
  return NULL;
}

/* Appends a list that the event may have. */
static bool append(json_t *document, const char *key, const json_t *list) {
  return !json_is_array(list) ||
         json_array_extend(json_object_get(document, key), (json_t *)list) == 0;
}

/* A time that the event may have. */
static bool keep_time(json_t *document, const char *key, const json_t *data) {
  json_t *time = json_object_get(data, key);
  return !json_is_number(time) || json_object_set(document, key, time) == 0;
}

/* The first event of a profile names its thread; those that follow come from another. */
static bool add_event(trace *t, const json_t *event) {
  const char *name = text_of(event, "name");
  bool is_first = strcmp(name, "Profile") == 0;
  if (!is_first && strcmp(name, "ProfileChunk") != 0)
    return true;
  const json_t *data = json_object_get(json_object_get(event, "args"), "data");
  const json_t *piece = json_object_get(data, "cpuProfile");
  piecewise *profile = find_profile(t, event);
  if (!profile)
    return false;
  if (is_first)
    profile->thread = number_of(event, "tid");
  json_t *document = profile->document;
  return (append(document, "nodes", json_object_get(piece, "nodes")) &&
          append(document, "samples", json_object_get(piece, "samples")) &&
          append(document, "timeDeltas", json_object_get(data, "timeDeltas")) &&
          keep_time(document, "startTime", data) && keep_time(document, "endTime", data)) ||
         wi_error_memory(t->error);
}

/* What the trace calls the thread of a profile. */
static bool add_name(const trace *t, const json_t *event) {
  if (strcmp(text_of(event, "name"), "thread_name") != 0)
    return true;
  json_t *name = json_object_get(json_object_get(event, "args"), "name");
  for (uint32_t i = 0; i < t->profiles_count; i++) {
    const piecewise *profile = &t->profiles[i];
    if (profile->process == number_of(event, "pid") && profile->thread == number_of(event, "tid") &&
        json_is_string(name) && json_object_set(profile->document, "thread", name) != 0)
      return wi_error_memory(t->error);
  }
  return true;
}

static bool collect(trace *t, const json_t *events) {
  size_t i;
  const json_t *event;
  json_array_foreach(events, i, event) if (!add_event(t, event)) return false;
  json_array_foreach(events, i, event) if (!add_name(t, event)) return false;
  return true;
}

/* ---- Profiles ---------------------------------------------------------------------- */

static bool has_wasm(const json_t *document) {
  size_t i;
  const json_t *node;
  json_array_foreach(json_object_get(document, "nodes"), i, node) {
    if (strncmp(text_of(json_object_get(node, "callFrame"), "url"), "wasm:", 5) == 0)
      return true;
  }
  return false;
}

static bool read_profiles(const trace *t, wi_samples *samples) {
  bool done = true;
  for (uint32_t i = 0; done && i < t->profiles_count; i++)
    done = !has_wasm(t->profiles[i].document) ||
           wi_cpuprofile_read(t->profiles[i].document, samples, t->error);
  return done && (t->profiles_count > 0 ||
                  wi_error_set(t->error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION,
                               "the trace has no samples of JavaScript and WebAssembly"));
}

bool wi_trace_read(const json_t *document, wi_samples *samples, wi_error *error) {
  trace t = {.error = error};
  bool done = collect(&t, events_of(document)) && read_profiles(&t, samples);
  for (uint32_t i = 0; i < t.profiles_count; i++)
    json_decref(t.profiles[i].document);
  free(t.profiles);
  return done;
}
