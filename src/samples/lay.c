#include "samples/lay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "samples/name_index.h"
#include "support/search.h"

#define ROOT              0u
#define NONE              UINT32_MAX
#define FARTHEST_ANCESTOR 1024 /* so that no stacks make it take for ever */

/* A node under what it is looked for by. */
typedef struct place {
  uint32_t above; /* the node's parent or grandparent; ROOT where it is looked for anywhere */
  wi_name_id id;
  uint64_t call_count;
  uint32_t node;
} place;

typedef struct places {
  place *items; /* the most called first of those that are alike */
  uint32_t count;
} places;

/* A function without hooks that samples have below a node. */
typedef struct uncounted {
  struct uncounted_key {
    uint32_t parent;
    uint32_t function;
  } key;
  uint32_t node;
  const wi_sample_frame *frame;
  UT_hash_handle hh;
} uncounted;

/* Where a stack is: functions without hooks stand below the nearest that has some. */
typedef struct position {
  uint32_t place;  /* the node that has its time */
  uint32_t caller; /* the one in which a call is counted that it makes */
} position;

typedef struct laying {
  wasm_perf_profile *profile;
  wi_name_id *ids; /* by node */
  places children, grandchildren, anywhere;
  uint32_t truncated; /* the node of stacks past the limit, or NONE */
  bool has_unhooked;  /* functions, which are to have nodes of their own */
  uncounted *added;   /* these nodes, at most one for each of the samples */
  uint32_t added_count;
  bool failed; /* memory ran out */
} laying;

/* What the profile knows of a frame. */
typedef struct known_frame {
  wi_name_id id;
  uint32_t function; /* unless the id is WI_NO_FUNCTION */
} known_frame;

/* Of each frame; NULL: memory ran out, maybe for `index`. The caller frees it. */
static known_frame *know_frames(const wi_name_index *index, const wi_samples *samples) {
  known_frame *known = index ? calloc(samples->frames_count + (size_t)1, sizeof *known) : NULL;
  for (uint32_t i = 0; known && i < samples->frames_count; i++)
    known[i].id = wi_name_index_of_frame(index, samples, &samples->frames[i], &known[i].function);
  return known;
}

/* ---- Nodes by their stacks --------------------------------------------------------- */

static int compare_keys(const void *left, const void *right) {
  const place *a = left, *b = right;
  if (a->above != b->above)
    return a->above < b->above ? -1 : 1;
  return (a->id > b->id) - (a->id < b->id);
}

static int compare_places(const void *left, const void *right) {
  const place *a = left, *b = right;
  int order = compare_keys(a, b);
  if (order != 0)
    return order;
  if (a->call_count != b->call_count)
    return a->call_count > b->call_count ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

static uint32_t find(const places *list, uint32_t above, wi_name_id id) {
  const place key = {.above = above, .id = id};
  uint32_t found = wi_lower_bound(&key, list->items, list->count, sizeof key, compare_keys);
  bool is_there = found < list->count && compare_keys(&key, &list->items[found]) == 0;
  return is_there ? list->items[found].node : NONE;
}

static bool places_init(const laying *work, places *list, unsigned levels) {
  const wasm_perf_node *nodes = work->profile->nodes;
  list->count = 0;
  list->items = malloc((size_t)work->profile->header.node_count * sizeof *list->items);
  if (!list->items)
    return false;
  for (uint32_t i = 1; i < work->profile->header.node_count; i++) {
    uint32_t parent = nodes[i].parent;
    if (levels == 2 && parent == ROOT)
      continue;
    uint32_t above = levels == 0 ? ROOT : levels == 1 ? parent : nodes[parent].parent;
    list->items[list->count++] = (place){above, work->ids[i], nodes[i].call_count, i};
  }
  qsort(list->items, list->count, sizeof *list->items, compare_places);
  return true;
}

static void laying_clear(laying *work) {
  uncounted *item, *next;
  HASH_ITER(hh, work->added, item, next) {
    HASH_DEL(work->added, item);
    free(item);
  }
  free(work->ids);
  free(work->children.items);
  free(work->grandchildren.items);
  free(work->anywhere.items);
}

static bool laying_init(laying *work, wasm_perf_profile *profile, const wi_name_index *index) {
  uint32_t count = profile->header.node_count;
  *work = (laying){.profile = profile,
                   .truncated = NONE,
                   .has_unhooked =
                       profile->header.hooked_function_count < profile->header.function_count};
  work->ids = malloc(count * sizeof *work->ids);
  if (!work->ids)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    work->ids[i] = wi_name_index_of_function(index, profile->nodes[i].function);
    if (i > 0 && profile->nodes[i].parent == ROOT &&
        profile->nodes[i].function == WASM_PERF_FUNCTION_TRUNCATED)
      work->truncated = i;
  }
  return places_init(work, &work->children, 1) && places_init(work, &work->grandchildren, 2) &&
         places_init(work, &work->anywhere, 0);
}

/* Recursion may be folded into the frame that the function has already. */
static uint32_t find_ancestor(const laying *work, uint32_t node, wi_name_id id) {
  for (unsigned steps = 0; node != ROOT && steps < FARTHEST_ANCESTOR; steps++) {
    if (work->ids[node] == id)
      return node;
    node = work->profile->nodes[node].parent;
  }
  return NONE;
}

/* The node in which a call of that function by the one of `parent` is counted; NONE: there is
 * none. */
static uint32_t find_node(const laying *work, uint32_t parent, wi_name_id id) {
  uint32_t node = find(&work->children, parent, id);
  if (node == NONE)
    node = find_ancestor(work, parent, id);
  if (node == NONE)
    node = find(&work->grandchildren, parent, id);
  if (node != NONE)
    return node;
  node = find(&work->anywhere, ROOT, id);
  return node != NONE && work->truncated != NONE ? work->truncated : node;
}

/* ---- Functions without hooks --------------------------------------------------------- */

/* The node of a function without hooks below another, maybe a new one; NONE: memory ran out. */
static uint32_t find_uncounted(laying *work, uint32_t parent, uint32_t function,
                               const wi_sample_frame *frame) {
  const struct uncounted_key key = {.parent = parent, .function = function};
  uncounted *item;
  HASH_FIND(hh, work->added, &key, sizeof key, item);
  if (item)
    return item->node;
  item = calloc(1, sizeof *item);
  work->failed |= !item;
  if (!item)
    return NONE;
  *item = (uncounted){
      .key = key, .node = work->profile->header.node_count + work->added_count++, .frame = frame};
  HASH_ADD(hh, work->added, key, sizeof key, item);
  return item->node;
}

/* Appends these nodes, in the order in which they were made, with the functions' names. */
static bool add_uncounted(const laying *work, const wi_samples *samples) {
  wasm_perf_profile *profile = work->profile;
  size_t count = (size_t)profile->header.node_count + work->added_count;
  wasm_perf_node *nodes = realloc(profile->nodes, count * sizeof *nodes);
  if (!nodes)
    return false;
  profile->nodes = nodes;
  for (const uncounted *item = work->added; item; item = item->hh.next) {
    uint32_t function = item->key.function;
    const wi_sample_frame *frame = item->frame;
    if (!wasm_perf_profile_set_uncounted(profile, function))
      return false;
    if (frame->name_size > 0 && !wasm_perf_profile_name(profile, function) &&
        !wasm_perf_profile_set_name_n(profile, function,
                                      (const char *)samples->names.data + frame->name_offset,
                                      frame->name_size))
      return false;
    nodes[profile->header.node_count++] =
        (wasm_perf_node){.function = function, .parent = item->key.parent};
  }
  return true;
}

/* ---- Times ------------------------------------------------------------------------- */

static uint64_t whole(double nanoseconds) {
  return nanoseconds < 1e19 ? (uint64_t)nearbyint(nanoseconds) : UINT64_MAX;
}

/* Where the stack of that frame is below that of its caller; NONE: nowhere. */
static position enter(laying *work, const known_frame *known, const wi_sample_frame *frame,
                      position above) {
  uint32_t node = known->id == WI_NO_FUNCTION ? NONE : find_node(work, above.caller, known->id);
  if (node != NONE || known->id == WI_NO_FUNCTION || !work->has_unhooked)
    return (position){node, node};
  return (position){find_uncounted(work, above.place, known->function, frame), above.caller};
}

/*
 * Adds up in `times`, by node, and says in `positions` where each sample's stack is. False: memory
 * ran out.
 */
static bool lay(laying *work, const known_frame *known, const wi_samples *samples,
                position *positions, double *times, wi_samples_match *match) {
  for (uint32_t i = 1; i < samples->nodes_count; i++) {
    const wi_sample_node *sample = &samples->nodes[i];
    position above = positions[sample->parent];
    position to = enter(work, &known[sample->frame], &samples->frames[sample->frame], above);
    *(to.place == NONE ? &match->unmatched : &match->matched) += sample->time;
    positions[i] = to.place == NONE ? above : to;
    times[positions[i].place] += sample->time;
  }
  return !work->failed;
}

static void set_sampled(wasm_perf_header *header, uint64_t sample_count) {
  header->clock = WASM_PERF_CLOCK_SAMPLED;
  header->ticks_per_second = 1000000000;
  header->clock_read_count = sample_count;
  header->inner_hook_cost = header->outer_hook_cost = header->hook_cost_error = 0;
}

static void set_times(wasm_perf_profile *profile, const double *times, uint64_t sample_count) {
  for (uint32_t i = 1; i < profile->header.node_count; i++)
    profile->nodes[i].self = whole(times[i]);
  profile->facts.unmatched_time = whole(times[ROOT]);
  profile->facts.hooks_sampled = 0;
  set_sampled(&profile->header, sample_count);
}

bool wi_samples_lay(const wi_samples *samples, wasm_perf_profile *profile, bool has_indices,
                    wi_samples_match *match) {
  laying work = {0};
  *match = (wi_samples_match){0};
  wi_name_index *index = wi_name_index_new(profile, has_indices);
  known_frame *known = know_frames(index, samples);
  position *positions = calloc(samples->nodes_count, sizeof *positions);
  double *times = calloc((size_t)profile->header.node_count + samples->nodes_count, sizeof *times);
  bool done = known && positions && times && laying_init(&work, profile, index) &&
              lay(&work, known, samples, positions, times, match);
  if (done && match->matched > 0) {
    done = add_uncounted(&work, samples);
    set_times(profile, times, samples->sample_count);
  }
  laying_clear(&work);
  free(times);
  free(positions);
  free(known);
  wi_name_index_free(index);
  return done;
}

/* ---- A profile of samples alone ------------------------------------------------------ */

static bool copy_names(const wasm_perf_profile *from, wasm_perf_profile *to) {
  for (uint32_t i = 0; i < from->header.name_count; i++)
    if (!wasm_perf_profile_set_name(to, from->names[i].function, from->names[i].text))
      return false;
  return true;
}

static void add_nodes(const wi_samples *samples, const known_frame *known, uint32_t *nodes,
                      wasm_perf_profile *profile, wi_samples_match *match) {
  for (uint32_t i = 1; i < samples->nodes_count; i++) {
    const wi_sample_node *sample = &samples->nodes[i];
    uint32_t parent = nodes[sample->parent], function = known[sample->frame].function;
    bool is_matched = known[sample->frame].id != WI_NO_FUNCTION;
    nodes[i] = is_matched ? profile->header.node_count++ : parent;
    *(is_matched ? &match->matched : &match->unmatched) += sample->time;
    if (is_matched)
      profile->nodes[nodes[i]] = (wasm_perf_node){.function = function, .parent = parent};
    if (nodes[i] != ROOT)
      profile->nodes[nodes[i]].self += whole(sample->time);
  }
}

/* Stacks that several nodes stand for become one. */
static wasm_perf_profile *fold(wasm_perf_profile *profile) {
  wasm_perf_mismatch mismatch;
  const wasm_perf_profile *only = profile;
  wasm_perf_profile *folded = wasm_perf_profile_merge(&only, 1, &mismatch);
  wasm_perf_profile_free(profile);
  return folded;
}

wasm_perf_profile *wi_samples_profile(const wi_samples *samples, const wasm_perf_profile *names,
                                      wi_samples_match *match) {
  *match = (wi_samples_match){0};
  wasm_perf_profile *profile = calloc(1, sizeof *profile);
  wi_name_index *index = wi_name_index_new(names, true);
  known_frame *known = know_frames(index, samples);
  uint32_t *nodes = calloc(samples->nodes_count, sizeof *nodes);
  if (profile)
    profile->nodes = calloc(samples->nodes_count, sizeof *profile->nodes);
  bool done = profile && profile->nodes && known && nodes && copy_names(names, profile);
  if (done) {
    uint32_t name_count = profile->header.name_count;
    profile->header = names->header;
    profile->header.name_count = name_count;
    profile->header.node_count = 1;
    profile->nodes[ROOT] = (wasm_perf_node){.function = WASM_PERF_FUNCTION_ROOT};
    set_sampled(&profile->header, samples->sample_count);
    add_nodes(samples, known, nodes, profile, match);
  }
  free(nodes);
  free(known);
  wi_name_index_free(index);
  if (done)
    return fold(profile);
  wasm_perf_profile_free(profile);
  return NULL;
}
