#include "samples/v8_scripts.h"

#include <stdio.h>
#include <stdlib.h>

#include "samples/v8_frame.h"

#define NONE UINT32_MAX

/* A node and its script. */
typedef struct scripted {
  int64_t script;
  uint32_t node;
} scripted;

static int compare(const void *left, const void *right) {
  const scripted *a = left, *b = right;
  if (a->script != b->script)
    return a->script < b->script ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

/* Returns the function whose code begins at that offset; NONE if there is none. */
static uint32_t function_at(const wi_v8_module *module, int64_t offset) {
  int64_t wanted = offset - module->moved;
  uint32_t low = 0, high = module->body_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (module->bodies[middle].offset < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  bool is_found = low < module->body_count && module->bodies[low].offset == wanted;
  return is_found ? module->import_count + low : NONE;
}

/* V8 calls a function without a name by its index, which has to be right. */
static bool has_other_index(const char *name, uint32_t function) {
  char own[32];
  static const char start[] = "wasm-function[";
  const char *digits = name + sizeof start - 1;
  if (strncmp(name, start, sizeof start - 1) != 0)
    return false;
  size_t count = strspn(digits, "0123456789");
  snprintf(own, sizeof own, "%s%u]", start, function);
  return count > 0 && strcmp(digits + count, "]") == 0 && strcmp(name, own) != 0;
}

static uint32_t function_of(const wi_v8_profile *profile, const wi_v8_node *node,
                            const wi_v8_module *module) {
  uint32_t function = node->line == 0 ? function_at(module, node->column) : NONE;
  bool is_other = function != NONE && has_other_index(wi_v8_name(profile, node), function);
  return is_other ? NONE : function;
}

/* Whether the node is the glue between a module and JavaScript, which V8 gives the module's script. */
static bool is_wrapper(const wi_v8_profile *profile, const wi_v8_node *node) {
  const char *name = wi_v8_name(profile, node);
  return wi_v8_is_entry(name) || wi_v8_is_exit(name);
}

/* Sets the owners of a script's nodes if the module contains all its functions. */
static bool try_module(const wi_v8_profile *profile, const scripted *nodes, uint32_t count,
                       const wi_v8_module *module, uint32_t number, wi_v8_owner *owners) {
  for (uint32_t i = 0; i < count; i++) {
    const wi_v8_node *node = &profile->nodes[nodes[i].node];
    if (is_wrapper(profile, node))
      continue;
    uint32_t function = function_of(profile, node, module);
    if (function == NONE)
      return false;
    owners[nodes[i].node] = (wi_v8_owner){number, function};
  }
  return true;
}

static void find_module(const wi_v8_profile *profile, const scripted *nodes, uint32_t count,
                        const wi_v8_module *modules, uint32_t module_count, wi_v8_owner *owners) {
  for (uint32_t m = 0; m < module_count; m++)
    if (try_module(profile, nodes, count, &modules[m], m, owners))
      return;
  for (uint32_t i = 0; i < count; i++)
    owners[nodes[i].node].module = NONE;
}

bool wi_v8_find_owners(const wi_v8_profile *profile, const wi_v8_module *modules,
                       uint32_t module_count, wi_v8_owner *owners) {
  uint32_t count = profile->nodes_count;
  scripted *nodes = malloc((count + (size_t)1) * sizeof *nodes);
  if (!nodes)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    nodes[i] = (scripted){profile->nodes[i].script, i};
    owners[i].module = NONE;
  }
  qsort(nodes, count, sizeof *nodes, compare);
  for (uint32_t first = 0, next = 0; first < count; first = next) {
    while (next < count && nodes[next].script == nodes[first].script)
      next++;
    find_module(profile, nodes + first, next - first, modules, module_count, owners);
  }
  free(nodes);
  return true;
}
