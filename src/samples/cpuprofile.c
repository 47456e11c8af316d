#include "samples/cpuprofile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "samples/v8_frame.h"

/* A node of the document: its place in the document's tree and its node in ours. */
typedef struct tree_node {
  json_int_t id;
  uint32_t number; /* index in the document */
  uint32_t parent; /* index in `nodes`, NONE: unknown */
  uint32_t first_child, next_sibling;
  uint32_t node;       /* our node */
  uint32_t collection; /* our node for garbage collected there; 0: none yet */
  bool is_collection;  /* it is V8's garbage collector */
} tree_node;

typedef struct reader {
  const json_t *list;
  tree_node *nodes; /* sorted by id */
  uint32_t count;
  uint32_t *open; /* stack of nodes to visit */
  uint32_t collection_frame;
  wi_samples *samples;
  wi_error *error;
} reader;

#define NONE UINT32_MAX

bool wi_cpuprofile_is(const json_t *document) {
  return json_is_array(json_object_get(document, "nodes"));
}

static bool fail(reader *r, const char *what) {
  return wi_error_set(r->error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION, "CPU profile: %s", what);
}

/* ---- The tree -------------------------------------------------------------------- */

static int compare_ids(const void *left, const void *right) {
  json_int_t a = ((const tree_node *)left)->id, b = ((const tree_node *)right)->id;
  return (a > b) - (a < b);
}

static tree_node *find(const reader *r, const json_t *id) {
  tree_node key = {.id = json_integer_value(id)};
  return json_is_integer(id) ? bsearch(&key, r->nodes, r->count, sizeof key, compare_ids) : NULL;
}

static const char *text_of(const json_t *object, const char *key, size_t *size) {
  const json_t *text = json_object_get(object, key);
  *size = json_string_length(text);
  return json_is_string(text) ? json_string_value(text) : "";
}

static bool list_nodes(reader *r) {
  for (uint32_t i = 0; i < r->count; i++) {
    const json_t *id = json_object_get(json_array_get(r->list, i), "id");
    if (!json_is_integer(id))
      return fail(r, "a node has no id");
    r->nodes[i] = (tree_node){.id = json_integer_value(id), .number = i, .parent = NONE};
    r->nodes[i].first_child = r->nodes[i].next_sibling = NONE;
  }
  qsort(r->nodes, r->count, sizeof *r->nodes, compare_ids);
  return true;
}

static void set_parent(reader *r, tree_node *child, const tree_node *parent) {
  if (child && parent && child != parent && child->parent == NONE)
    child->parent = (uint32_t)(parent - r->nodes);
}

/* A node lists its children or, in Chrome's traces, its parent. */
static void link_nodes(reader *r) {
  for (uint32_t i = 0; i < r->count; i++) {
    const json_t *item = json_array_get(r->list, r->nodes[i].number);
    const json_t *children = json_object_get(item, "children"), *child;
    size_t at;
    json_array_foreach(children, at, child) set_parent(r, find(r, child), &r->nodes[i]);
    set_parent(r, &r->nodes[i], find(r, json_object_get(item, "parent")));
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
static bool add_other(reader *r, const json_t *frame, const char *name, const char *url,
                      uint32_t *added) {
  json_int_t line = json_integer_value(json_object_get(frame, "lineNumber")) + 1;
  json_int_t column = json_integer_value(json_object_get(frame, "columnNumber")) + 1;
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
static bool enter(reader *r, tree_node *node, uint32_t caller) {
  const json_t *frame = json_object_get(json_array_get(r->list, node->number), "callFrame");
  size_t name_size, url_size;
  const char *name = text_of(frame, "functionName", &name_size);
  const char *url = text_of(frame, "url", &url_size);
  bool is_wasm = wi_v8_kind(name, url) == WASM_PERF_KIND_WASM;
  uint32_t added;
  node->node = caller;
  node->is_collection = strcmp(name, "(garbage collector)") == 0;
  if (wi_v8_is_entry(name) || node->is_collection || strcmp(name, "(root)") == 0)
    return true;
  return ((is_wasm ? wi_samples_add_named(r->samples, name, name_size, &added)
                   : add_other(r, frame, name, url, &added)) &&
          wi_samples_add_node(r->samples, caller, added, &node->node)) ||
         wi_error_memory(r->error);
}

/* Starts with nodes without callers; nodes in a cycle are never reached. */
static bool enter_all(reader *r) {
  uint32_t open_count = 0;
  for (uint32_t i = 0; i < r->count; i++)
    if (r->nodes[i].parent == NONE)
      r->open[open_count++] = i;
  while (open_count > 0) {
    tree_node *node = &r->nodes[r->open[--open_count]];
    if (!enter(r, node, node->parent == NONE ? 0 : r->nodes[node->parent].node))
      return false;
    for (uint32_t child = node->first_child; child != NONE; child = r->nodes[child].next_sibling)
      r->open[open_count++] = child;
  }
  return true;
}

/* ---- Times ----------------------------------------------------------------------- */

/* Nanoseconds between samples, without the time before the first one, in which sampling starts. */
static double interval_of(const json_t *document, size_t count) {
  double start = json_number_value(json_object_get(document, "startTime"));
  double end = json_number_value(json_object_get(document, "endTime"));
  double first = json_number_value(json_array_get(json_object_get(document, "timeDeltas"), 0));
  double interval = (end - start - first) * 1000 / (double)count;
  return interval > 0 ? interval : 1000;
}

/* Positions of samples in time, in microseconds. */
typedef struct clock {
  const json_t *deltas;
  size_t count; /* number of samples */
  double interval, start, end;
  double at;    /* time of the next sample */
  double begin; /* start of the time that it represents */
} clock;

static double delta_of(const clock *c, size_t i) {
  const json_t *delta = json_array_get(c->deltas, i);
  double span = delta ? json_number_value(delta) : c->interval;
  return span > 0 ? span : 0;
}

static clock clock_of(const json_t *document, size_t count) {
  clock c = {.deltas = json_object_get(document, "timeDeltas"), .count = count};
  c.interval = interval_of(document, count) / 1000;
  c.start = json_number_value(json_object_get(document, "startTime"));
  c.end = json_number_value(json_object_get(document, "endTime"));
  c.at = c.start + delta_of(&c, 0);
  c.begin = count > 1 ? c.at - delta_of(&c, 1) / 2 : c.at;
  c.begin = c.begin < c.start ? c.start : c.begin;
  return c;
}

/*
 * Returns the time that a sample represents, in microseconds, and moves to the next one. Every
 * moment belongs to the nearest sample. js/engine/sampler.mjs explains why and times samples in the
 * same way.
 */
static double next_span(clock *c, size_t i) {
  bool is_last = i + 1 == c->count;
  double end = c->at + delta_of(c, is_last ? i : i + 1) / 2, begin = c->begin;
  if (is_last && c->end > c->at && (end > c->end || i == 0))
    end = c->end;
  c->at += is_last ? 0 : delta_of(c, i + 1);
  c->begin = end;
  return end - begin;
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
static bool node_of_sample(reader *r, const json_t *id, tree_node **last, uint32_t *found) {
  tree_node *node = find(r, id);
  bool is_collection = node && node->is_collection;
  if (node && !is_collection)
    *last = node;
  if (is_collection && !find_collection(r, *last))
    return false;
  *found = is_collection ? (*last)->collection : (*last)->node;
  return true;
}

/* Adds up times and fills in `stretches`, one per sample. */
static bool add_samples(reader *r, const json_t *list, clock *c, wasm_perf_stretch *stretches) {
  tree_node root = {0}, *last = &root;
  double rest = 0; /* microseconds not yet in a stretch, due to rounding */
  size_t i;
  const json_t *id;
  json_array_foreach(list, i, id) {
    uint32_t node;
    if (!node_of_sample(r, id, &last, &node))
      return false;
    double span = next_span(c, i), whole = floor(span + rest);
    wi_samples_add_time(r->samples, node, span * 1000);
    rest += span - whole;
    stretches[i] = (wasm_perf_stretch){node, whole < UINT32_MAX ? (uint32_t)whole : UINT32_MAX};
  }
  return true;
}

static bool add_order(reader *r, const json_t *document, const json_t *list) {
  size_t count = json_array_size(list);
  clock c = clock_of(document, count);
  const char *name = json_string_value(json_object_get(document, "thread")); /* see trace.c */
  wasm_perf_thread thread = {.name = (char *)(name ? name : "main"),
                             .stretch_count = (uint32_t)count};
  thread.start = c.begin > 0 && c.begin < 1e18 ? (uint64_t)c.begin : 0;
  thread.stretches = calloc(count, sizeof *thread.stretches);
  bool done = thread.stretches && add_samples(r, list, &c, thread.stretches) &&
              wi_samples_add_order(r->samples, &thread, 0);
  free(thread.stretches);
  return done || wi_error_memory(r->error);
}

/* For profiles that contain only the number of samples per node. */
static void add_hits(reader *r, const json_t *document) {
  json_int_t sum = 0;
  for (uint32_t pass = 0; pass < 2; pass++) {
    double interval = interval_of(document, sum > 0 ? (size_t)sum : 1);
    for (uint32_t i = 0; i < r->count; i++) {
      const json_t *item = json_array_get(r->list, r->nodes[i].number);
      json_int_t hits = json_integer_value(json_object_get(item, "hitCount"));
      if (hits <= 0 || hits > INT32_MAX)
        continue;
      if (pass == 0)
        sum += hits;
      else
        wi_samples_add_time(r->samples, r->nodes[i].node, (double)hits * interval);
    }
  }
}

static bool read_tree(reader *r, const json_t *document) {
  if (!list_nodes(r))
    return false;
  link_nodes(r);
  if (!enter_all(r))
    return false;
  const json_t *list = json_object_get(document, "samples");
  if (json_array_size(list) > 0 && json_array_size(list) < UINT32_MAX)
    return add_order(r, document, list);
  add_hits(r, document);
  return true;
}

bool wi_cpuprofile_read(const json_t *document, wi_samples *samples, wi_error *error) {
  reader r = {.samples = samples, .error = error};
  r.list = json_object_get(document, "nodes");
  if (json_array_size(r.list) >= NONE)
    return fail(&r, "it has too many nodes");
  r.count = (uint32_t)json_array_size(r.list);
  r.nodes = calloc(r.count + (size_t)1, sizeof *r.nodes);
  r.open = calloc(r.count + (size_t)1, sizeof *r.open);
  bool done = r.nodes && r.open ? read_tree(&r, document) : wi_error_memory(error);
  free(r.nodes);
  free(r.open);
  return done;
}
