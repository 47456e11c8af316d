#include "samples/perf_script.h"

#include <stdlib.h>
#include <string.h>

/* A part of the text. */
typedef struct span {
  const char *start, *end;
} span;

typedef struct reader {
  wi_samples *samples;
  wi_error *error;
  WI_ARRAY(uint32_t, stack); /* frames of the current sample, innermost first */
  bool is_whole;             /* keeps native frames, too */
  span event;                /* of the first sample; samples of other events are left out */
  bool in_sample;
  double period;
  bool is_clock;           /* periods are in nanoseconds */
  double period_sum;       /* of all samples */
  double first_time, time; /* seconds */
  bool has_time;
} reader;

/* ---- Words ------------------------------------------------------------------------- */

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(span *rest) {
  while (rest->start < rest->end && is_blank(*rest->start))
    rest->start++;
}

static span next_word(span *rest) {
  skip_blanks(rest);
  span word = {rest->start, rest->start};
  while (word.end < rest->end && !is_blank(*word.end))
    word.end++;
  rest->start = word.end;
  return word;
}

static size_t size_of(span text) {
  return (size_t)(text.end - text.start);
}

static bool starts(span text, const char *start) {
  return size_of(text) >= strlen(start) && memcmp(text.start, start, strlen(start)) == 0;
}

static bool contains(span text, const char *wanted) {
  for (; size_of(text) >= strlen(wanted); text.start++)
    if (starts(text, wanted))
      return true;
  return false;
}

/* Parses "1.5" followed by `end`; false for other words. */
static bool read_number(span word, const char *end, double *number) {
  double unit = 1;
  bool has_point = false, has_digit = false;
  *number = 0;
  for (; word.start < word.end; word.start++) {
    char c = *word.start;
    if (c == '.' && !has_point) {
      has_point = true;
    } else if (c >= '0' && c <= '9') {
      has_digit = true;
      unit = has_point ? unit / 10 : unit;
      *number = has_point ? *number + (c - '0') * unit : *number * 10 + (c - '0');
    } else {
      break;
    }
  }
  return has_digit && size_of(word) == strlen(end) && starts(word, end);
}

/* ---- Frames ------------------------------------------------------------------------ */

/* Splits V8's "JS:name-12-turbofan" or "Function:name-12-liftoff" into name and index. */
static bool read_v8(span *name, uint32_t *function) {
  static const char *const tiers[] = {"-liftoff", "-turbofan", "-interpreter", "-none"};
  const char *colon = memchr(name->start, ':', size_of(*name));
  if (!colon || !(starts(*name, "JS:") || starts(*name, "Function:")))
    return false;
  span inner = {colon + 1, name->end};
  for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++) {
    size_t size = strlen(tiers[i]);
    if (size_of(inner) <= size || memcmp(inner.end - size, tiers[i], size) != 0)
      continue;
    const char *end = inner.end - size, *dash = end;
    while (dash > inner.start && dash[-1] != '-')
      dash--;
    if (dash == inner.start || wi_samples_number(dash, end, "", function) != end)
      return false;
    *name = (span){inner.start, dash - 1};
    return true;
  }
  return false;
}

/* Parses wasmtime's "wasm[0]::function[12]" or "wasm[0]::function[12]::name". */
static bool read_wasmtime(span *name, uint32_t *function) {
  uint32_t module;
  const char *rest = wi_samples_number(name->start, name->end, "wasm[", &module);
  rest = rest ? wi_samples_number(rest, name->end, "]::function[", function) : NULL;
  if (!rest || rest == name->end || *rest != ']')
    return false;
  name->start = rest + 1;
  if (starts(*name, "::"))
    name->start += 2;
  return true;
}

/* Whether it is other code in a perf map: V8's own, or a wrapper of either engine. */
static bool is_other_code(span name) {
  const char *colon = memchr(name.start, ':', size_of(name));
  bool has_tag = colon && colon > name.start && !(colon + 1 < name.end && colon[1] == ':');
  return has_tag || starts(name, "wasm[") || starts(name, "[unknown]");
}

/* Example: " 7f2a name+0x12 (/tmp/perf-12.map)"; sets *file to what the parentheses contain. */
static span frame_name(span line, span *file) {
  next_word(&line); /* the address */
  skip_blanks(&line);
  while (line.end > line.start && is_blank(line.end[-1]))
    line.end--;
  const char *open = line.end;
  while (open > line.start && open[-1] != '(')
    open--;
  *file = (span){open, open < line.end ? line.end - 1 : open};
  span name = {line.start, open > line.start ? open - 1 : open};
  while (name.end > name.start && is_blank(name.end[-1]))
    name.end--;
  for (const char *c = name.end; c > name.start; c--)
    if (starts((span){c - 1, name.end}, "+0x"))
      return (span){name.start, c - 1};
  return name;
}

static bool add_native(reader *r, span name, span file, uint32_t *frame) {
  const wi_sample_frame place = {.kind = WASM_PERF_KIND_NATIVE,
                                 .name_size = (uint32_t)size_of(name),
                                 .file_size = (uint32_t)size_of(file)};
  return wi_samples_add_other(r->samples, &place, name.start, file.start, frame);
}

/* Adds the function with that name in a perf map. Returns false if it is not WebAssembly or memory ran out. */
static bool add_wasm(reader *r, span name, bool *is_wasm, uint32_t *frame) {
  uint32_t function = WI_NO_FUNCTION;
  *is_wasm = read_v8(&name, &function) || read_wasmtime(&name, &function) || !is_other_code(name);
  bool is_numbered = starts(name, "wasm-function["); /* V8's name of a nameless function, in
                                                        addition to the index */
  return *is_wasm && wi_samples_add_frame(r->samples, function, name.start,
                                          is_numbered ? 0 : size_of(name), frame);
}

static bool add_frame(reader *r, span line) {
  uint32_t frame;
  bool is_wasm = false;
  span file, name = frame_name(line, &file);
  bool is_added =
      contains(file, "/perf-") && contains(file, ".map") && add_wasm(r, name, &is_wasm, &frame);
  if (!is_wasm && !r->is_whole)
    return true;
  if (!is_wasm)
    is_added = add_native(r, name, file, &frame);
  uint32_t *place = is_added ? WI_ARRAY_PUSH(r, stack) : NULL;
  if (place)
    *place = frame;
  return place != NULL;
}

/* ---- Samples ----------------------------------------------------------------------- */

static bool end_sample(reader *r) {
  uint32_t node = 0;
  for (uint32_t i = r->stack_count; i-- > 0;)
    if (!wi_samples_add_node(r->samples, node, r->stack[i], &node))
      return false;
  if (r->in_sample)
    wi_samples_add_time(r->samples, node, r->period);
  r->stack_count = 0;
  r->in_sample = false;
  return true;
}

/* The line that begins a sample. */
typedef struct head {
  double time, period; /* seconds; the event's unit */
  span event;          /* ends with a colon */
  span frame;          /* without stacks, it follows */
} head;

/* Example: "node 12 [001] 34.567890:  250000 cpu-clock:u:". Returns false for any other line. */
static bool parse_head(span line, head *found) {
  bool has_time = false;
  *found = (head){.period = 1};
  while (!has_time && line.start < line.end)
    has_time = read_number(next_word(&line), ":", &found->time);
  span before = line;
  if (!read_number(next_word(&line), "", &found->period)) {
    line = before;
    found->period = 1;
  }
  found->event = next_word(&line);
  skip_blanks(&line);
  found->frame = line;
  return has_time && size_of(found->event) > 0 && found->event.end[-1] == ':';
}

static bool begin_sample(reader *r, span line) {
  head found;
  if (!parse_head(line, &found))
    return true;
  if (!r->has_time) {
    r->event = found.event;
    r->first_time = found.time;
  }
  if (size_of(found.event) != size_of(r->event) ||
      memcmp(found.event.start, r->event.start, size_of(r->event)) != 0)
    return true;
  r->in_sample = true;
  r->is_clock = contains(found.event, "clock");
  r->period = found.period;
  r->period_sum += r->period;
  r->has_time = true;
  r->time = found.time;
  return size_of(found.frame) == 0 || add_frame(r, found.frame);
}

static bool is_left_out(span line) {
  return line.start == line.end || *line.start == '#';
}

static bool read_line(reader *r, span line) {
  if (is_left_out(line))
    return end_sample(r);
  if (!is_blank(*line.start))
    return end_sample(r) && begin_sample(r, line);
  return !r->in_sample || add_frame(r, line);
}

/*
 * Scales periods that are not times, so that they add up to the time from the first sample to the
 * last.
 */
static void scale(reader *r) {
  if (r->is_clock || !(r->period_sum > 0))
    return;
  double seconds = r->time - r->first_time;
  double factor = (seconds > 0 ? seconds : 1) * 1e9 / r->period_sum;
  for (uint32_t i = 1; i < r->samples->nodes_count; i++)
    r->samples->nodes[i].time *= factor;
}

/* Cuts the next line off the text. */
static span next_line(span *text) {
  const char *newline = memchr(text->start, '\n', size_of(*text));
  span line = {text->start, newline ? newline : text->end};
  text->start = newline ? newline + 1 : text->end;
  return line;
}

bool wi_perf_script_is(const char *text, size_t size) {
  span rest = {text, text + size}, line = {text, text};
  head found;
  while (rest.start < rest.end && is_left_out(line))
    line = next_line(&rest);
  return parse_head(line, &found) &&
         (size_of(found.frame) > 0 || (rest.start < rest.end && is_blank(*rest.start)));
}

bool wi_perf_script_read(const char *text, size_t size, bool is_whole, wi_samples *samples,
                         wi_error *error) {
  reader r = {.samples = samples, .is_whole = is_whole, .error = error};
  span rest = {text, text + size};
  bool done = true;
  while (done && rest.start < rest.end)
    done = read_line(&r, next_line(&rest));
  done = done && end_sample(&r);
  free(r.stack);
  if (!done)
    return wi_error_memory(error);
  scale(&r);
  return r.has_time || wi_error_set(error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION,
                                    "not a profile: neither a .wperf, .cpuprofile or Firefox "
                                    "profile nor the output of perf script");
}
