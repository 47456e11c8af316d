#include "report/encode/json_parts.h"

#include <stdio.h>

#include "support/arithmetic.h"

unsigned wi_json_decimals(wi_unit unit) {
  return unit == WI_UNIT_NANOSECONDS ? 3 : 0;
}

const char *wi_json_scale(wi_unit unit) {
#define SCALE(id, name, number, one) "1 \xC2\xB5s stands for one " one,
  static const char *const scales[] = {WI_UNITS(SCALE)};
#undef SCALE
  if (unit == WI_UNIT_TICKS)
    return "1 \xC2\xB5s stands for one tick of the clock";
  return unit == WI_UNIT_NANOSECONDS ? NULL : scales[unit];
}

void wi_json_summary(wi_json *json, const char *key, const wi_summary *summary) {
  wi_json_open(json, key, '[');
  for (unsigned i = 0; i < summary->line_count; i++)
    wi_json_string(json, NULL, summary->lines[i]);
  wi_json_close(json, ']');
}

void wi_json_numbers(wi_json *json, const char *key, const wi_summary *summary) {
  wi_json_open(json, key, '{');
  for (unsigned i = 0; i < summary->number_count; i++) {
    const wi_summary_number *number = &summary->numbers[i];
    bool has_unit = number->unit != WI_UNIT_COUNT;
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", number->name, has_unit ? "_" : "",
             has_unit ? wi_unit_name(number->unit) : "");
    wi_json_integer(json, name, number->value);
  }
  wi_json_close(json, '}');
}

void wi_json_spans_init(wi_json_spans *spans, const wi_tree *tree, bool counts_calls) {
  spans->tree = tree;
  spans->counts_calls = counts_calls;
  spans->is_open = true;
  spans->node = 0;
  spans->position = 0;
}

/* The root opens before the first event and closes after the last one. */
static bool go_to(wi_json_spans *spans, uint32_t node, bool is_open) {
  spans->node = node;
  spans->is_open = is_open;
  return node != 0;
}

bool wi_json_spans_next(wi_json_spans *spans) {
  const wi_tree_node *nodes = spans->tree->nodes;
  const wi_tree_node *node = &nodes[spans->node];
  if (spans->is_open) {
    spans->position =
        wi_saturating_add(spans->position, spans->counts_calls ? node->call_count : node->self);
    if (node->child_count > 0)
      return go_to(spans, node->first_child, true);
    return go_to(spans, spans->node, false);
  }
  const wi_tree_node *parent = &nodes[node->parent];
  if (spans->node + 1 < parent->first_child + parent->child_count)
    return go_to(spans, spans->node + 1, true);
  return go_to(spans, node->parent, false);
}
