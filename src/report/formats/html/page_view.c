#include "report/formats/html/page_view.h"

#include <string.h>

#include "report/model/sampling.h"

enum { HEAD = 5, PER_NODE = 4, PER_FUNCTION = 3 };

static uint64_t integer(double number) {
  return number >= 0 && number < 0x1p64 ? (uint64_t)number : 0;
}

/* Returns false if a node has no parent before it, or no function. */
static bool read_nodes(wi_shown *view, const double *numbers) {
  for (uint32_t i = 1; i < view->node_count; i++, numbers += PER_NODE) {
    uint64_t parent = integer(numbers[0]), function = integer(numbers[1]);
    if (parent >= i || function >= view->label_count)
      return false;
    view->parents[i] = (uint32_t)parent;
    view->labels[i] = (uint32_t)function;
    view->selves[i] = integer(numbers[2]);
    view->calls[i] = numbers[3] >= 0 ? integer(numbers[3]) : WI_SHOWN_UNCOUNTED;
  }
  return true;
}

static bool read_functions(wi_shown *view, const double *numbers) {
  for (uint32_t i = 0; i < view->label_count; i++, numbers += PER_FUNCTION) {
    uint64_t note = integer(numbers[0]);
    if (note >= WI_TIME_NOTE_COUNT)
      return false;
    view->notes[i] = (uint8_t)note;
    view->short_lived[i] = integer(numbers[1]);
    view->allocated[i] = integer(numbers[2]);
  }
  return true;
}

bool wi_html_view_init(wi_shown *view, const wi_part_function *functions, uint32_t function_count,
                       const double *numbers, size_t number_count, wi_unit unit) {
  uint64_t nodes = number_count >= HEAD ? integer(numbers[0]) : 0;
  size_t node_numbers = (size_t)(nodes - 1) * PER_NODE;
  if (nodes == 0 || nodes > number_count ||
      number_count != HEAD + node_numbers + (size_t)function_count * PER_FUNCTION ||
      !wi_shown_init(view, (uint32_t)nodes, function_count))
    return false;
  memcpy(view->functions, functions, function_count * sizeof *functions);
  view->unit = unit;
  view->is_memory = numbers[1] > 0;
  view->has_all_calls = numbers[2] > 0;
  view->sample_period = integer(numbers[3]);
  view->is_rough = numbers[4] > 0;
  if (read_nodes(view, numbers + HEAD) && read_functions(view, numbers + HEAD + node_numbers) &&
      wi_shown_sum(view))
    return true;
  wi_shown_clear(view);
  return false;
}
