#include "samples/speedscope.h"

#include <math.h>
#include <stdlib.h>

#include "support/json_cursor.h"

typedef struct reader {
  wi_samples *samples;
  wi_error *error;
  uint32_t first_frame, frame_count;
  double factor;            /* of a value */
  bool is_calls;            /* the values are calls */
  WI_ARRAY(uint32_t, open); /* nodes of the functions that have not returned */
} reader;

static bool find_frames(wi_cursor document, wi_cursor *frames) {
  wi_cursor shared;
  return wi_json_find(document, "shared", &shared) &&
         wi_json_find_nested(shared, "frames", '[', frames);
}

bool wi_speedscope_is(wi_cursor document) {
  wi_cursor profiles, frames;
  return wi_json_find_nested(document, "profiles", '[', &profiles) &&
         find_frames(document, &frames);
}

/* ---- Frames ---------------------------------------------------------------------- */

static uint32_t number_of(wi_cursor object, const char *key) {
  double number = wi_json_find_number(object, key, 0);
  return number > 0 && number < UINT32_MAX ? (uint32_t)number : 0;
}

static bool add_frame(reader *r, wi_cursor frame, wi_buffer *text) {
  uint32_t added;
  wi_buffer_clear(text);
  wi_json_append_text(&frame, wi_json_find_text(frame, "name"), text);
  size_t file_offset = wi_json_append_text(&frame, wi_json_find_text(frame, "file"), text);
  if (text->failed)
    return false;
  const char *name = (const char *)text->data, *file = name + file_offset;
  const wi_sample_frame place = {.name_size = (uint32_t)strlen(name),
                                 .line = number_of(frame, "line"),
                                 .column = number_of(frame, "col"),
                                 .file_size = (uint32_t)strlen(file)};
  r->frame_count++;
  return wi_samples_add_other(r->samples, &place, name, file, &added);
}

static bool add_frames(reader *r, wi_cursor frames) {
  wi_buffer text = {0};
  bool done = true;
  r->first_frame = r->samples->frames_count;
  WI_JSON_EACH_ITEM(&frames) {
    done = done && add_frame(r, frames, &text);
    wi_json_skip_value(&frames);
  }
  wi_buffer_clear(&text);
  return done || wi_error_memory(r->error);
}

/* ---- Stacks ---------------------------------------------------------------------- */

/* Reads the index of a frame and enters it. */
static bool enter(const reader *r, wi_cursor *in, uint32_t *node) {
  double index = wi_json_is_number(in) ? wi_json_read_number(in) : -1;
  if (index < 0 || index >= r->frame_count)
    return wi_error_set(r->error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION,
                        "speedscope: a frame is missing");
  return wi_samples_add_node(r->samples, *node, r->first_frame + (uint32_t)index, node) ||
         wi_error_memory(r->error);
}

static void add_value(const reader *r, uint32_t node, double value) {
  if (r->is_calls)
    wi_samples_add_calls(r->samples, node, value);
  else
    wi_samples_add_time(r->samples, node, value * r->factor);
}

static bool add_sampled(const reader *r, wi_cursor profile) {
  wi_cursor stacks, weights;
  bool has_weight = wi_json_find(profile, "weights", &weights) && wi_json_first_item(&weights);
  if (!wi_json_find(profile, "samples", &stacks))
    return true;
  WI_JSON_EACH_ITEM(&stacks) {
    uint32_t node = 0;
    wi_cursor *stack = &stacks;
    for (bool another = wi_json_first_item(stack); another; another = wi_json_next_item(stack))
      if (!enter(r, stack, &node))
        return false;
    if (has_weight)
      add_value(r, node, wi_json_read_number(&weights));
    has_weight = has_weight && wi_json_next_item(&weights);
  }
  return true;
}

/* Opens or closes a function. */
static bool add_event(reader *r, wi_cursor event) {
  wi_cursor frame;
  if (!wi_json_is_text(&event, wi_json_find_text(event, "type"), "O")) {
    r->open_count -= r->open_count > 0;
    return true;
  }
  uint32_t node = r->open_count > 0 ? r->open[r->open_count - 1] : 0;
  if (!wi_json_find(event, "frame", &frame))
    frame = event; /* not a number */
  if (!enter(r, &frame, &node))
    return false;
  uint32_t *added = WI_ARRAY_PUSH(r, open);
  if (added)
    *added = node;
  return added || wi_error_memory(r->error);
}

static bool add_evented(reader *r, wi_cursor profile) {
  wi_cursor events;
  double last = wi_json_find_number(profile, "startValue", 0);
  r->open_count = 0;
  if (!wi_json_find(profile, "events", &events))
    return true;
  WI_JSON_EACH_ITEM(&events) {
    double at = wi_json_find_number(events, "at", 0);
    if (r->open_count > 0)
      add_value(r, r->open[r->open_count - 1], at - last);
    last = at;
    if (!add_event(r, events))
      return false;
    wi_json_skip_value(&events);
  }
  return true;
}

/* ---- Profiles -------------------------------------------------------------------- */

static bool add_profile(reader *r, wi_cursor profile) {
  bool is_sampled = wi_json_is_text(&profile, wi_json_find_text(profile, "type"), "sampled");
  return is_sampled ? add_sampled(r, profile) : add_evented(r, profile);
}

/* Whether we wrote the file: a profile may weight the stacks of another one by calls. */
static bool is_ours(wi_cursor document) {
  return wi_json_is_text(&document, wi_json_find_text(document, "exporter"), "wasm-perf");
}

/* Adds the profiles with the unit of the first one. */
static bool add_profiles(reader *r, wi_cursor profiles, bool is_own, wi_span *unit) {
  wi_span first = {0, 0};
  bool is_first = true;
  WI_JSON_EACH_ITEM(&profiles) {
    wi_span name = wi_json_find_text(profiles, "name");
    wi_span own = wi_json_find_text(profiles, "unit");
    if (is_first) {
      first = own;
      r->factor = fmax(1, wi_samples_time_unit(profiles.bytes + first.offset, first.size));
      *unit = wi_json_is_text(&profiles, own, "none") && name.size > 0 ? name : own;
    }
    is_first = false;
    r->is_calls = is_own && wi_json_is_text(&profiles, name, "calls");
    if ((r->is_calls || wi_json_is_same_text(&profiles, own, first)) && !add_profile(r, profiles))
      return false;
    wi_json_skip_value(&profiles);
  }
  return true;
}

bool wi_speedscope_read(wi_cursor document, wi_samples *samples, wi_span *unit, wi_error *error) {
  reader r = {.samples = samples, .error = error};
  wi_cursor profiles, frames;
  *unit = (wi_span){0, 0};
  bool done = wi_json_find_nested(document, "profiles", '[', &profiles) &&
              find_frames(document, &frames) && add_frames(&r, frames) &&
              add_profiles(&r, profiles, is_ours(document), unit);
  free(r.open);
  return done;
}
