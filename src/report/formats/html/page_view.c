#include "report/formats/html/page_view.h"

#include <stdlib.h>

#include "report/formats/html/findings.h"
#include "report/model/sampling.h"

enum { HEAD = 4, PER_NODE = 4, PER_FUNCTION = 3 };

/* A view's arrays; owned. */
typedef struct page_view {
  uint32_t *parents, *labels;
  uint64_t *selves, *calls, *short_lived, *allocated;
  uint8_t *notes;
} page_view;

static uint64_t integer(double number) {
  return number >= 0 && number < 0x1p64 ? (uint64_t)number : 0;
}

static bool allocate(page_view *view, size_t nodes, size_t functions) {
  *view = (page_view){.parents = calloc(nodes, sizeof *view->parents),
                      .labels = calloc(nodes, sizeof *view->labels),
                      .selves = calloc(nodes, sizeof *view->selves),
                      .calls = calloc(nodes, sizeof *view->calls),
                      .short_lived = calloc(functions, sizeof *view->short_lived),
                      .allocated = calloc(functions, sizeof *view->allocated),
                      .notes = calloc(functions, sizeof *view->notes)};
  return view->parents && view->labels && view->selves && view->calls && view->short_lived &&
         view->allocated && view->notes;
}

static void clear(page_view *view) {
  free(view->parents);
  free(view->labels);
  free(view->selves);
  free(view->calls);
  free(view->short_lived);
  free(view->allocated);
  free(view->notes);
}

/* Returns false if a node has no parent before it, or no function. */
static bool read_nodes(page_view *view, const double *numbers, uint32_t node_count,
                       uint32_t function_count) {
  for (uint32_t i = 1; i < node_count; i++, numbers += PER_NODE) {
    uint64_t parent = integer(numbers[0]), function = integer(numbers[1]);
    if (parent >= i || function >= function_count)
      return false;
    view->parents[i] = (uint32_t)parent;
    view->labels[i] = (uint32_t)function;
    view->selves[i] = integer(numbers[2]);
    view->calls[i] = numbers[3] >= 0 ? integer(numbers[3]) : WI_SHOWN_UNCOUNTED;
  }
  return true;
}

static bool read_functions(page_view *view, const double *numbers, uint32_t count) {
  for (uint32_t i = 0; i < count; i++, numbers += PER_FUNCTION) {
    uint64_t note = integer(numbers[0]);
    if (note >= WI_TIME_NOTE_COUNT)
      return false;
    view->notes[i] = (uint8_t)note;
    view->short_lived[i] = integer(numbers[1]);
    view->allocated[i] = integer(numbers[2]);
  }
  return true;
}

static bool write(wi_json *json, wi_shown *shown) {
  wi_findings findings;
  if (!wi_shown_sum(shown))
    return false;
  bool done = wi_findings_find(&findings, shown);
  wi_shown_clear(shown);
  wi_json_open(json, NULL, '{');
  if (done)
    wi_html_finding_list_write(json, &findings, NULL);
  wi_json_close(json, '}');
  return done;
}

bool wi_html_view_write(wi_json *json, const wi_part_function *functions, uint32_t function_count,
                        const double *numbers, size_t number_count, wi_unit unit) {
  uint64_t nodes = number_count >= HEAD ? integer(numbers[0]) : 0;
  size_t node_numbers = (size_t)(nodes - 1) * PER_NODE;
  page_view view;
  if (nodes == 0 || nodes > number_count ||
      number_count != HEAD + node_numbers + (size_t)function_count * PER_FUNCTION)
    return false;
  bool done = allocate(&view, (size_t)nodes, function_count + (size_t)1) &&
              read_nodes(&view, numbers + HEAD, (uint32_t)nodes, function_count) &&
              read_functions(&view, numbers + HEAD + node_numbers, function_count);
  bool is_memory = done && numbers[1] > 0;
  wi_shown shown = {.node_count = (uint32_t)nodes,
                    .label_count = function_count,
                    .parents = view.parents,
                    .labels = view.labels,
                    .selves = view.selves,
                    .calls = view.calls,
                    .functions = functions,
                    .notes = view.notes,
                    .short_lived = is_memory ? view.short_lived : NULL,
                    .allocated = view.allocated,
                    .unit = unit,
                    .sample_period = done ? integer(numbers[3]) : 0,
                    .is_memory = is_memory,
                    .has_all_calls = done && numbers[2] > 0};
  done = done && write(json, &shown);
  clear(&view);
  return done;
}
