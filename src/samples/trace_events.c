#include "samples/trace_events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/json_cursor.h"

typedef struct event {
  double process, thread;
  double begin, end; /* microseconds; NAN: not ended */
  wi_span name;
  wi_span file;    /* of the function, as py-spy writes it; empty: unknown */
  uint32_t line;   /* in it */
  uint32_t number; /* position in the file */
  char phase;      /* X, B, E */
} event;

/* A function that has not returned. */
typedef struct open_function {
  uint32_t node;
  double begin, end; /* microseconds; NAN: unknown */
  double inner;      /* nanoseconds of its callees */
} open_function;

typedef struct reader {
  wi_cursor in;
  WI_ARRAY(event, events);
  WI_ARRAY(open_function, open);
  wi_samples *samples;
  wi_buffer text;
} reader;

/* ---- Events ---------------------------------------------------------------------- */

static bool add_event(reader *r, wi_cursor in) {
  wi_span phase = wi_json_find_text(in, "ph");
  char letter = phase.size == 1 ? (char)in.bytes[phase.offset] : 0;
  if (letter != 'X' && letter != 'B' && letter != 'E')
    return true;
  event *added = WI_ARRAY_PUSH(r, events);
  if (!added)
    return false;
  *added = (event){.process = wi_json_find_number(in, "pid", 0),
                   .thread = wi_json_find_number(in, "tid", 0),
                   .begin = wi_json_find_number(in, "ts", 0),
                   .end = NAN,
                   .name = wi_json_find_text(in, "name"),
                   .number = r->events_count,
                   .phase = letter};
  wi_cursor args;
  if (wi_json_find(in, "args", &args)) {
    double line = wi_json_find_number(args, "line", 0);
    added->file = wi_json_find_text(args, "filename");
    added->line = line > 0 && line < UINT32_MAX ? (uint32_t)line : 0;
  }
  if (letter == 'X')
    added->end = added->begin + wi_json_find_number(in, "dur", 0);
  return true;
}

static int order_of(double left, double right) {
  return (left > right) - (left < right);
}

/* By thread and time; of those that begin together, the longest encloses the others. */
static int compare_events(const void *left, const void *right) {
  const event *a = left, *b = right;
  int order = order_of(a->process, b->process);
  if (order == 0)
    order = order_of(a->thread, b->thread);
  if (order == 0)
    order = order_of(a->begin, b->begin);
  if (order == 0)
    order = order_of(isnan(b->end) ? b->begin : b->end, isnan(a->end) ? a->begin : a->end);
  return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

/* ---- Functions ------------------------------------------------------------------- */

/* Closes the innermost function. */
static void close_function(reader *r) {
  open_function last = r->open[--r->open_count];
  if (isnan(last.end))
    return;
  double whole = round((last.end - last.begin) * 1000);
  wi_samples_add_time(r->samples, last.node, whole - last.inner);
  if (r->open_count > 0)
    r->open[r->open_count - 1].inner += whole;
}

/* Adds the event's function. */
static bool add_frame(reader *r, const event *of, uint32_t *frame) {
  wi_buffer_clear(&r->text);
  wi_json_append_text(&r->in, of->name, &r->text);
  size_t file_offset = wi_json_append_text(&r->in, of->file, &r->text);
  if (r->text.failed)
    return false;
  const char *name = (const char *)r->text.data, *file = name + file_offset;
  const wi_sample_frame place = {
      .name_size = (uint32_t)strlen(name), .line = of->line, .file_size = (uint32_t)strlen(file)};
  return place.file_size > 0 ? wi_samples_add_other(r->samples, &place, name, file, frame)
                             : wi_samples_add_named(r->samples, name, place.name_size, frame);
}

static bool open_event(reader *r, const event *of) {
  uint32_t frame, node = r->open_count > 0 ? r->open[r->open_count - 1].node : 0;
  if (!add_frame(r, of, &frame) || !wi_samples_add_node(r->samples, node, frame, &node))
    return false;
  open_function *added = WI_ARRAY_PUSH(r, open);
  if (added)
    *added = (open_function){.node = node, .begin = of->begin, .end = of->end};
  return added != NULL;
}

static bool enter(reader *r, const event *of) {
  while (r->open_count > 0 && r->open[r->open_count - 1].end <= of->begin)
    close_function(r);
  if (of->phase != 'E')
    return open_event(r, of);
  if (r->open_count > 0) {
    r->open[r->open_count - 1].end = of->begin;
    close_function(r);
  }
  return true;
}

static void close_all(reader *r) {
  while (r->open_count > 0)
    close_function(r);
}

static bool add_functions(reader *r) {
  bool done = true;
  qsort(r->events, r->events_count, sizeof *r->events, compare_events);
  for (uint32_t i = 0; done && i < r->events_count; i++) {
    const event *of = &r->events[i];
    if (i > 0 && (of->process != of[-1].process || of->thread != of[-1].thread))
      close_all(r);
    done = enter(r, of);
  }
  close_all(r);
  return done;
}

bool wi_trace_events_read(wi_cursor events, wi_samples *samples, wi_error *error) {
  reader r = {.in = events, .samples = samples};
  bool done = true;
  WI_JSON_EACH_ITEM(&events) {
    done = done && add_event(&r, events);
    wi_json_skip_value(&events);
  }
  done = done && r.events_count > 0 ? add_functions(&r) : done;
  free(r.events);
  free(r.open);
  wi_buffer_clear(&r.text);
  return done || wi_error_memory(error);
}
