/* Sums calls that are partly known for several nodes together. */
#include "report/model/call_sum.h"

#include <stdlib.h>

#include "support/arithmetic.h"

bool wi_call_summer_init(wi_call_summer *summer, const wi_tree *tree) {
  size_t capacity = tree->group_count + (size_t)1;
  *summer = (wi_call_summer){.tree = tree,
                             .seen = calloc(capacity, sizeof *summer->seen),
                             .groups = calloc(capacity, sizeof *summer->groups)};
  return summer->seen && summer->groups;
}

void wi_call_summer_clear(wi_call_summer *summer) {
  free(summer->seen);
  free(summer->groups);
  *summer = (wi_call_summer){0};
}

void wi_call_summer_add(wi_call_summer *summer, uint32_t node) {
  const wi_tree *tree = summer->tree;
  uint32_t count;
  const wi_shared_calls *shared = wi_tree_shared(tree, node, &count);
  summer->call_count = wi_saturating_add(summer->call_count, tree->nodes[node].call_count);
  for (uint32_t i = 0; i < count; i++) {
    wi_call_group *seen = &summer->seen[shared[i].group];
    if (seen->node_count++ == 0)
      summer->groups[summer->group_count++] = shared[i].group;
    seen->call_count += shared[i].call_count;
  }
}

wi_call_sum wi_call_summer_end(wi_call_summer *summer) {
  wi_call_sum sum = {.call_count = summer->call_count};
  for (uint32_t i = 0; i < summer->group_count; i++) {
    const wi_call_group *group = &summer->tree->groups[summer->groups[i]];
    wi_call_group *seen = &summer->seen[summer->groups[i]];
    sum.call_count = wi_saturating_add(sum.call_count, group->call_count - seen->call_count);
    sum.is_at_most |= seen->node_count < group->node_count;
    sum.is_open |= group->is_open;
    *seen = (wi_call_group){0};
  }
  summer->group_count = 0;
  summer->call_count = 0;
  return sum;
}
