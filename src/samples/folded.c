#include "samples/folded.h"

#include <stdlib.h>

/* A line without its end, and its number. */
typedef struct line {
  const char *start, *end; /* of the stack */
  double number;
} line;

/* Splits the line up to `end`. Returns false if it is not a stack, which may be empty, and a number. */
static bool split(const char *start, const char *end, line *found) {
  enum { LONGEST = 32 };
  char digits[LONGEST + 1], *rest;
  while (end > start && (end[-1] == '\r' || end[-1] == ' '))
    end--;
  const char *number = end;
  while (number > start && number[-1] != ' ')
    number--;
  size_t size = (size_t)(end - number);
  if (number == start || size == 0 || size > LONGEST || *number < '0' || *number > '9')
    return false;
  memcpy(digits, number, size);
  digits[size] = '\0';
  *found = (line){start, number - 1, strtod(digits, &rest)};
  return *rest == '\0';
}

static const char *end_of_line(const char *at, const char *end) {
  const char *found = memchr(at, '\n', (size_t)(end - at));
  return found ? found : end;
}

bool wi_folded_is(const uint8_t *bytes, size_t size) {
  const char *start = (const char *)bytes, *end = start + size;
  line first;
  while (start < end && *start == ' ' && split(start, end_of_line(start, end), &first) &&
         first.start == first.end)
    start = end_of_line(start, end) + 1;
  return start<end && * start> ' ' && split(start, end_of_line(start, end), &first);
}

static bool add_line(const line *of, wi_samples *samples) {
  uint32_t node = 0, frame;
  for (const char *at = of->start; at < of->end;) {
    const char *next = memchr(at, ';', (size_t)(of->end - at));
    next = next ? next : of->end;
    const wi_sample_frame place = {.name_size = (uint32_t)(next - at)};
    if (!wi_samples_add_other(samples, &place, at, "", &frame) ||
        !wi_samples_add_node(samples, node, frame, &node))
      return false;
    at = next + 1;
  }
  wi_samples_add_time(samples, node, of->number);
  return true;
}

bool wi_folded_read(const uint8_t *bytes, size_t size, wi_samples *samples, wi_error *error) {
  const char *start = (const char *)bytes, *end = start + size;
  for (const char *at = start, *next; at < end; at = next + 1) {
    line of;
    next = end_of_line(at, end);
    if (next == at || (next == at + 1 && *at == '\r'))
      continue;
    if (!split(at, next, &of))
      return wi_error_set(error, WI_ERROR_MALFORMED, (uint64_t)(at - start), WI_NO_FUNCTION,
                          "a line is not a stack and a number");
    if (!add_line(&of, samples))
      return wi_error_memory(error);
  }
  return true;
}
