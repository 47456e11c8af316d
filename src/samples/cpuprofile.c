#include "samples/cpuprofile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "samples/v8_frame.h"
#include "samples/v8_times.h"
#include "support/json_cursor.h"

/* What is found out about a node of V8. */
typedef struct tree_node {
  uint32_t parent; /* index, NONE: unknown */
  uint32_t first_child, next_sibling;
  uint32_t node;       /* our node */
  uint32_t collection; /* our node for garbage collected there; 0: none yet */
  bool is_collection;  /* it is V8's garbage collector */
} tree_node;

typedef struct reader {
  const wi_v8_profile *profile;
  bool is_span;     /* a sample lasts until the next one */
  tree_node *nodes; /* by index in the profile */
  uint32_t count;
  uint32_t *open; /* stack of nodes to visit */
  uint32_t collection_frame;
  wi_samples *samples;
  wi_error *error;
} reader;

#define NONE UINT32_MAX

bool wi_cpuprofile_is(wi_cursor document) {
  wi_cursor nodes;
  return wi_json_find_nested(document, "nodes", '[', &nodes);
}

/* ---- The tree -------------------------------------------------------------------- */

static bool list_nodes(reader *r) {
  for (uint32_t i = 0; i < r->count; i++) {
    if (r->profile->nodes[i].id < 0)
      return wi_error_set(r->error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION,
                          "CPU profile: a node has no id");
    r->nodes[i] = (tree_node){.parent = NONE, .first_child = NONE, .next_sibling = NONE};
  }
  return true;
}

static void set_parent(const reader *r, uint32_t child, uint32_t parent) {
  if (child != NONE && parent != NONE && child != parent && r->nodes[child].parent == NONE)
    r->nodes[child].parent = parent;
}

/* A node lists its children or, in Chrome's traces, its parent. */
static void link_nodes(const reader *r) {
  const wi_v8_profile *profile = r->profile;
  for (uint32_t i = 0; i < r->count; i++) {
    const wi_v8_node *node = &profile->nodes[i];
    for (uint32_t c = 0; c < node->children_count; c++)
      set_parent(r, wi_v8_profile_find(profile, profile->children[node->children_first + c]), i);
    if (node->parent != 0)
      set_parent(r, i, wi_v8_profile_find(profile, node->parent));
  }
  for (uint32_t i = r->count; i-- > 0;) {
    uint32_t parent = r->nodes[i].parent;
    if (parent == NONE)
      continue;
    r->nodes[i].next_sibling = r->nodes[parent].first_child;
    r->nodes[parent].first_child = i;
  }
}

/* ---- Frames ---------------------------------------------------------------------- */

/* Adds a frame that is not a WebAssembly function. V8's lines and columns start at 0. */
static bool add_other(const reader *r, const wi_v8_node *node, uint32_t *added) {
  const char *name = wi_v8_name(r->profile, node), *url = wi_v8_url(r->profile, node);
  int64_t line = node->line + 1, column = node->column + 1;
  wi_sample_frame place = {.kind = wi_v8_kind(name, url)};
  if (place.kind != WASM_PERF_KIND_IMPORT) /* which V8 does not name */
    place.name_size = (uint32_t)strlen(name);
  if (*url != '\0' && line < UINT32_MAX && column < UINT32_MAX) {
    place.line = line > 0 ? (uint32_t)line : 1; /* a whole script has no line */
    place.column = column > 0 ? (uint32_t)column : 1;
    place.file_size = (uint32_t)strlen(url);
  }
  return wi_samples_add_other(r->samples, &place, name, url, added);
}

/* Adds the node to our tree, below `caller`. */
static bool enter(const reader *r, uint32_t index, uint32_t caller) {
  const wi_v8_node *node = &r->profile->nodes[index];
  const char *name = wi_v8_name(r->profile, node);
  bool is_wasm = wi_v8_kind(name, wi_v8_url(r->profile, node)) == WASM_PERF_KIND_WASM;
  tree_node *own = &r->nodes[index];
  uint32_t added;
  own->node = caller;
  own->is_collection = wi_v8_is_collector(r->profile, node);
  if (wi_v8_is_entry(name) || own->is_collection || strcmp(name, "(root)") == 0)
    return true;
  return ((is_wasm ? wi_samples_add_named(r->samples, name, strlen(name), &added)
                   : add_other(r, node, &added)) &&
          wi_samples_add_node(r->samples, caller, added, &own->node)) ||
         wi_error_memory(r->error);
}

/* Starts with nodes without callers; nodes in a cycle are never reached. */
static bool enter_all(reader *r) {
  uint32_t open_count = 0;
  for (uint32_t i = 0; i < r->count; i++)
    if (r->nodes[i].parent == NONE)
      r->open[open_count++] = i;
  while (open_count > 0) {
    uint32_t index = r->open[--open_count];
    const tree_node *node = &r->nodes[index];
    if (!enter(r, index, node->parent == NONE ? 0 : r->nodes[node->parent].node))
      return false;
    for (uint32_t child = node->first_child; child != NONE; child = r->nodes[child].next_sibling)
      r->open[open_count++] = child;
  }
  return true;
}

/* ---- Times ----------------------------------------------------------------------- */

/* Nanoseconds between samples, without the time before the first one, in which sampling starts. */
static double interval_of(const wi_v8_profile *profile, size_t count) {
  double first = profile->deltas_count > 0 ? profile->deltas[0] : 0;
  double interval = (profile->end - profile->start - first) * 1000 / (double)count;
  return interval > 0 ? interval : 1000;
}

/*
 * Our own files have one sample per stack, as long as its time, and end with a sample of the root;
 * they begin at 0, where no clock of V8 does.
 */
static bool is_ours(const wi_v8_profile *profile) {
  uint32_t count = profile->samples_count;
  if (count == 0 || profile->deltas_count != count || profile->start != 0 ||
      profile->deltas[0] != 0)
    return false;
  uint32_t last = wi_v8_profile_find(profile, profile->samples[count - 1]);
  return last != NONE && strcmp(wi_v8_name(profile, &profile->nodes[last]), "(root)") == 0;
}

/* Positions of samples in time, in microseconds. */
typedef struct clock {
  const wi_v8_profile *profile;
  double interval;
  double at;    /* time of the next sample */
  double begin; /* start of the time that it represents */
} clock;

static double delta_of(const clock *c, uint32_t i) {
  double span = i < c->profile->deltas_count ? c->profile->deltas[i] : c->interval;
  return span > 0 ? span : 0;
}

static clock clock_of(const wi_v8_profile *profile) {
  clock c = {.profile = profile};
  c.interval = interval_of(profile, profile->samples_count) / 1000;
  c.at = profile->start + delta_of(&c, 0);
  c.begin = profile->samples_count > 1 ? c.at - delta_of(&c, 1) / 2 : c.at;
  c.begin = c.begin < profile->start ? profile->start : c.begin;
  return c;
}

/*
 * Returns the time that a sample represents, in microseconds, and moves to the next one. Every
 * moment belongs to the nearest sample. js/engine/sampler.mjs explains why and times samples in the
 * same way.
 */
static double next_span(clock *c, uint32_t i) {
  bool is_last = i + 1 == c->profile->samples_count;
  double end = c->at + delta_of(c, is_last ? i : i + 1) / 2, begin = c->begin;
  if (is_last && c->profile->end > c->at && (end > c->profile->end || i == 0))
    end = c->profile->end;
  c->at += is_last ? 0 : delta_of(c, i + 1);
  c->begin = end;
  return end - begin;
}

/* From the last sample to the end of the profile; our own files have none, as their last sample is the root's. */
static double last_span(const clock *c) {
  double at = c->profile->start;
  for (uint32_t i = 0; i < c->profile->samples_count; i++)
    at += delta_of(c, i);
  return c->profile->end > at ? c->profile->end - at : 0;
}

/*
 * Finds or adds our node for garbage collected in a function, because collections have no stack.
 * Returns false if out of memory.
 */
static bool find_collection(reader *r, tree_node *last) {
  static const char name[] = "(garbage collector)";
  const wi_sample_frame place = {.kind = WASM_PERF_KIND_COLLECTION, .name_size = sizeof name - 1};
  if (last->collection != 0)
    return true;
  return ((r->collection_frame != 0 ||
           wi_samples_add_other(r->samples, &place, name, "", &r->collection_frame)) &&
          wi_samples_add_node(r->samples, last->node, r->collection_frame, &last->collection)) ||
         wi_error_memory(r->error);
}

/* Finds our node for a sample. Returns false if out of memory. */
static bool node_of_sample(reader *r, int64_t id, tree_node **last, uint32_t *found) {
  uint32_t index = wi_v8_profile_find(r->profile, id);
  tree_node *node = index == NONE ? NULL : &r->nodes[index];
  bool is_collection = node && node->is_collection;
  if (node && !is_collection)
    *last = node;
  if (is_collection && !find_collection(r, *last))
    return false;
  *found = is_collection ? (*last)->collection : (*last)->node;
  return true;
}

/* Adds up times and fills in `stretches`, one per sample. */
static bool add_samples(reader *r, clock *c, wasm_perf_stretch *stretches) {
  tree_node root = {0}, *last = &root;
  double rest = 0; /* microseconds not yet in a stretch, due to rounding */
  for (uint32_t i = 0; i < r->profile->samples_count; i++) {
    uint32_t node;
    if (!node_of_sample(r, r->profile->samples[i], &last, &node))
      return false;
    bool is_last = i + 1 == r->profile->samples_count;
    double span = !r->is_span ? next_span(c, i) : is_last ? last_span(c) : delta_of(c, i + 1);
    double whole = floor(span + rest);
    wi_samples_add_time(r->samples, node, span * 1000);
    rest += span - whole;
    stretches[i] = (wasm_perf_stretch){node, whole < UINT32_MAX ? (uint32_t)whole : UINT32_MAX};
  }
  return true;
}

static bool add_order(reader *r, const char *name) {
  uint32_t count = r->profile->samples_count;
  clock c = clock_of(r->profile);
  wasm_perf_thread thread = {.name = (char *)name, .stretch_count = count};
  double begin = r->is_span ? c.at : c.begin;
  thread.start = begin > 0 && begin < 1e18 ? (uint64_t)begin : 0;
  thread.stretches = calloc(count, sizeof *thread.stretches);
  bool done = thread.stretches && add_samples(r, &c, thread.stretches) &&
              wi_samples_add_order(r->samples, &thread, 0);
  free(thread.stretches);
  return done || wi_error_memory(r->error);
}

/* For profiles that contain only the number of samples per node. */
static void add_hits(const reader *r) {
  int64_t sum = 0;
  for (uint32_t pass = 0; pass < 2; pass++) {
    double interval = interval_of(r->profile, sum > 0 ? (size_t)sum : 1);
    for (uint32_t i = 0; i < r->count; i++) {
      int64_t hits = r->profile->nodes[i].hit_count;
      if (hits <= 0 || hits > INT32_MAX)
        continue;
      if (pass == 0)
        sum += hits;
      else
        wi_samples_add_time(r->samples, r->nodes[i].node, (double)hits * interval);
    }
  }
}

static bool add_tree(reader *r, const char *thread) {
  if (!list_nodes(r))
    return false;
  link_nodes(r);
  if (!enter_all(r))
    return false;
  if (r->profile->samples_count > 0)
    return add_order(r, thread);
  add_hits(r);
  return true;
}

bool wi_cpuprofile_add(const wi_cpuprofile *from, wi_samples *samples, wi_error *error) {
  reader r = {.profile = from->profile,
              .count = from->profile->nodes_count,
              .samples = samples,
              .error = error};
  r.nodes = calloc(r.count + (size_t)1, sizeof *r.nodes);
  r.open = calloc(r.count + (size_t)1, sizeof *r.open);
  bool done = r.nodes && r.open && wi_v8_profile_sort(from->profile);
  r.is_span = done && (from->is_span || is_ours(from->profile));
  done = done ? add_tree(&r, from->thread) : wi_error_memory(error);
  free(r.nodes);
  free(r.open);
  return done;
}

bool wi_cpuprofile_read(wi_cursor document, bool is_span, wi_samples *samples, wi_error *error) {
  wi_v8_profile profile = {0};
  const wi_cpuprofile from = {&profile, "main", is_span};
  bool done =
      wi_v8_profile_read(&profile, &document, false) && wi_cpuprofile_add(&from, samples, error);
  wi_v8_profile_clear(&profile);
  return done;
}
