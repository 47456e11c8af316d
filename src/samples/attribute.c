#include "samples/attribute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/threads.h"
#include "samples/graft.h"
#include "samples/imports.h"
#include "samples/name_index.h"
#include "samples/owners.h"
#include "samples/tree_search.h"

#define ROOT 0u
#define NONE WI_NO_NODE_FOUND

/* A frame's function in the profile. */
typedef struct known_frame {
  wi_name_id id;     /* WI_NO_FUNCTION: unknown */
  uint32_t function; /* valid if the id is; for other code, its number once it was added, or 0 */
} known_frame;

/* Position of a stack. */
typedef struct position {
  uint32_t place; /* node of the result that receives its time */
  uint32_t base;  /* node that counted functions are added below: not an unhooked function */
  uint32_t node;  /* node of the profile that counts the calls made from here */
  uint32_t outer; /* position of the innermost function of another module; NONE */
  bool is_lost;   /* its callers are not on the stack */
} position;

typedef struct attribution {
  wasm_perf_profile *profile;
  const wi_samples *samples;
  known_frame *known; /* per frame */
  wi_tree_search *search;
  wi_graft *graft;
  wi_imports imports;
  const wi_name_index *index;
  uint32_t *called;       /* per node of the samples that leads to imports: the place of the first
                             one */
  position *positions;    /* per node of the samples */
  uint32_t *time_places;  /* per node of the samples: the place that receives its own time */
  uint32_t *tops;         /* per node of a profile that joins modules: its ancestor below the
                             root */
  uint32_t wait_function; /* 0: not needed yet */
  bool has_unhooked;      /* unhooked functions exist and get their own nodes */
  wi_samples_match *match;
} attribution;

/*
 * Looks up each frame. NULL: out of memory, possibly already for `index`. The caller frees the
 * result.
 */
static known_frame *find_functions(const wi_name_index *index, const wi_samples *samples) {
  known_frame *known = index ? calloc(samples->frames_count + (size_t)1, sizeof *known) : NULL;
  for (uint32_t i = 0; known && i < samples->frames_count; i++) {
    const wi_sample_frame *frame = &samples->frames[i];
    known[i].id = WI_NO_FUNCTION;
    if (samples->is_numbered && frame->function != WI_NO_FUNCTION)
      known[i] = (known_frame){frame->function, frame->function};
    else if (!samples->is_numbered && frame->kind == WASM_PERF_KIND_WASM)
      known[i].id = wi_name_index_of_frame(index, samples, frame, &known[i].function);
  }
  return known;
}

static const char *name_of(const attribution *work, const wi_sample_frame *frame) {
  return (const char *)work->samples->names.data + frame->name_offset;
}

static const wi_sample_frame *samples_frame(const attribution *work, uint32_t node) {
  return &work->samples->frames[work->samples->nodes[node].frame];
}

/* ---- Functions of the profile ------------------------------------------------------ */

/* Finds the node that counts a call of that function from `node`; NONE: none is near. */
static uint32_t find_below(const attribution *work, uint32_t node, wi_name_id id) {
  uint32_t found = wi_tree_search_child(work->search, node, id);
  if (found == NONE)
    found = wi_tree_search_ancestor(work->search, node, id);
  return found != NONE ? found : wi_tree_search_grandchild(work->search, node, id);
}

/* Finds the place of an ancestor's node on the stack. */
static uint32_t place_of_ancestor(const attribution *work, uint32_t at, uint32_t node) {
  for (; at != 0; at = work->samples->nodes[at].parent)
    if (work->positions[at].node == node)
      return work->positions[at].place;
  return node;
}

/*
 * Returns the place of `node`, which is at most two levels below the node of `from`, or above it;
 * the stack is at `above`.
 */
static uint32_t place_node(const attribution *work, uint32_t above, uint32_t from, uint32_t node) {
  const wasm_perf_node *nodes = work->profile->nodes;
  uint32_t start = work->positions[from].node, place = work->positions[above].base;
  uint32_t parent = nodes[node].parent;
  bool is_child = node != ROOT && parent == start, is_grandchild = nodes[parent].parent == start;
  if (!is_child && !(is_grandchild && parent != ROOT))
    return place_of_ancestor(work, from, node);
  if (place == start)
    return node;
  if (!is_child)
    place = wi_graft_child(work->graft, place, nodes[parent].function, parent);
  return is_child || place != 0 ? wi_graft_child(work->graft, place, nodes[node].function, node)
                                : 0;
}

static uint32_t top_of(const attribution *work, uint32_t node) {
  return work->tops ? work->tops[node] : ROOT;
}

/* Makes the position of a node below another one. */
static position make_position(const attribution *work, uint32_t above, uint32_t place,
                              uint32_t node) {
  const position *from = &work->positions[above];
  bool is_same = top_of(work, from->node) == top_of(work, node);
  return (position){place, place, node, is_same ? from->outer : above, from->is_lost};
}

/* Whether something else than the host calls a function that is the outermost of its stack. */
static bool lacks_callers(const attribution *work, uint32_t from, uint32_t node) {
  const wasm_perf_node *nodes = work->profile->nodes;
  uint32_t caller = nodes[node].parent;
  return work->positions[from].node == ROOT && caller != ROOT && nodes[caller].call_count > 0;
}

/* Enters a function of the profile. Returns false if the profile does not contain it. */
static bool enter_node(const attribution *work, uint32_t above, wi_name_id id, position *entered) {
  for (uint32_t from = above; from != NONE; from = work->positions[from].outer) {
    uint32_t node = find_below(work, work->positions[from].node, id);
    if (node == NONE)
      continue;
    *entered = make_position(work, above, place_node(work, above, from, node), node);
    entered->is_lost |= lacks_callers(work, from, node);
    return true;
  }
  uint32_t node = wi_tree_search_anywhere(work->search, id);
  if (node == NONE)
    return false;
  *entered = make_position(work, above, node, node);
  entered->is_lost = true;
  return true;
}

/* ---- Other functions --------------------------------------------------------------- */

/* Enters a function that has no node in the profile. In the result, place 0 means out of memory. */
static position enter_other(const attribution *work, uint32_t above, uint32_t function) {
  position entered = work->positions[above];
  entered.place = function == 0 ? 0 : wi_graft_child(work->graft, entered.place, function, 0);
  entered.base = entered.place;
  return entered;
}

/* Enters an unhooked function, which has sampled times and no calls. */
static position enter_unhooked(const attribution *work, uint32_t above, const known_frame *known,
                               const wi_sample_frame *frame) {
  uint32_t function = known->function;
  bool is_named =
      frame->name_size == 0 || wasm_perf_profile_name(work->profile, function) ||
      wasm_perf_profile_set_name_n(work->profile, function, name_of(work, frame), frame->name_size);
  bool done = is_named && wasm_perf_profile_set_uncounted(work->profile, function);
  position entered = work->positions[above];
  entered.place = done ? wi_graft_child(work->graft, entered.place, function, 0) : 0;
  return entered;
}

/*
 * Returns false if the function is unknown to the profile; its time is then charged to its caller.
 */
static bool enter_wasm(const attribution *work, uint32_t above, const wi_sample_frame *frame,
                       const known_frame *known, position *entered) {
  if (known->id != WI_NO_FUNCTION && enter_node(work, above, known->id, entered))
    return true;
  *entered = work->positions[above];
  if (known->id == WI_NO_FUNCTION || !work->has_unhooked)
    return false;
  *entered = enter_unhooked(work, above, known, frame);
  return true;
}

/* ---- Imports ----------------------------------------------------------------------- */

/* Enters an import, which gets its own frame, from a frame below WebAssembly. */
static position enter_import(const attribution *work, uint32_t above, uint32_t function) {
  position entered = work->positions[above];
  wi_name_id id =
      work->samples->is_numbered ? function : wi_name_index_of_function(work->index, function);
  uint32_t node = wi_tree_search_child(work->search, entered.node, id);
  if (node != NONE && entered.base == entered.node)
    entered.place = node;
  else
    entered.place = wi_graft_child(work->graft, entered.base, function, node == NONE ? ROOT : node);
  entered.base = entered.place;
  entered.node = node == NONE ? entered.node : node;
  return entered;
}

/* The import that a frame names or, if it names none, the only one called from `node`. */
static uint32_t import_of(const attribution *work, uint32_t node, const wi_sample_frame *frame) {
  return wi_imports_find(&work->imports, node, name_of(work, frame), frame->name_size);
}

/* The function of an import that is not in the profile; 0: out of memory. */
static uint32_t other_import(const attribution *work, const wi_sample_frame *import) {
  return import->name_size == 0 ? wi_graft_pseudo(work->graft, "imports", WASM_PERF_KIND_IMPORT)
                                : wi_graft_function(work->graft, work->samples, import);
}

/*
 * Sets the position of the import that leads from WebAssembly to `frame`; `above` is the import's
 * frame. If neither names the import, the position is the caller's. Called for each callee before
 * it is entered. Returns false if out of memory.
 */
static bool find_called(const attribution *work, uint32_t above, const wi_sample_frame *frame) {
  position *at = &work->positions[above];
  uint32_t caller = work->samples->nodes[above].parent;
  const wi_sample_frame *import = samples_frame(work, above);
  bool is_named = import->name_size > 0;
  uint32_t function = import_of(work, work->positions[caller].node, is_named ? import : frame);
  bool is_known = function != WI_NO_IMPORT;
  if (frame->kind == WASM_PERF_KIND_WASM || !(is_known || is_named)) {
    *at = work->positions[caller];
    return true;
  }
  *at = is_known ? enter_import(work, caller, function)
                 : enter_other(work, caller, other_import(work, import));
  if (work->called[above] == ROOT)
    work->called[above] = at->place;
  return at->place != ROOT;
}

/* ---- Attributing times ------------------------------------------------------------- */

/*
 * Adds the function of a frame that is not WebAssembly or belongs to a module that is not profiled.
 * Returns false if out of memory.
 */
static bool resolve_other(const attribution *work, uint32_t frame) {
  known_frame *known = &work->known[frame];
  if (known->function == 0)
    known->function = wi_graft_function(work->graft, work->samples, &work->samples->frames[frame]);
  return known->function != 0;
}

/* Whether the frame is shown although its function is not in the profile. */
static bool is_other(const attribution *work, const wi_sample_frame *frame,
                     const known_frame *known) {
  if (frame->kind == WASM_PERF_KIND_WASM)
    return work->samples->is_numbered && known->id == WI_NO_FUNCTION;
  return frame->kind != WASM_PERF_KIND_IMPORT;
}

/* Finds the position of a node of the samples. Returns false if out of memory. */
static bool enter(const attribution *work, uint32_t index) {
  const wi_sample_node *sample = &work->samples->nodes[index];
  const wi_sample_frame *frame = &work->samples->frames[sample->frame];
  const known_frame *known = &work->known[sample->frame];
  position *entered = &work->positions[index];
  bool is_known = true;
  bool is_import =
      sample->parent != 0 && samples_frame(work, sample->parent)->kind == WASM_PERF_KIND_IMPORT;
  if (is_import && !find_called(work, sample->parent, frame))
    return false;
  if (is_other(work, frame, known)) {
    if (!resolve_other(work, sample->frame))
      return false;
    *entered = enter_other(work, sample->parent, known->function);
    return entered->place != 0;
  }
  if (frame->kind == WASM_PERF_KIND_WASM) {
    is_known = enter_wasm(work, sample->parent, frame, known, entered);
    *(is_known ? &work->match->matched : &work->match->unmatched) += sample->time;
  } else {
    *entered = work->positions[sample->parent];
    uint32_t function = import_of(work, entered->node, frame);
    if (function != WI_NO_IMPORT)
      work->called[index] = enter_import(work, sample->parent, function).place;
  }
  return !is_known || entered->place != ROOT || frame->kind == WASM_PERF_KIND_IMPORT;
}

static bool is_waiting(const attribution *work, uint32_t frame) {
  const wi_samples *samples = work->samples;
  for (uint32_t i = 0; i < samples->waiting_count; i++)
    if (samples->waiting[i] == work->known[frame].function)
      return samples->frames[frame].kind == WASM_PERF_KIND_WASM;
  return false;
}

/*
 * Returns the place of a function's own time. If the function waits for other threads, that is a
 * frame below it.
 */
static uint32_t place_of_time(attribution *work, uint32_t index) {
  uint32_t place = work->positions[index].place;
  const wi_sample_frame *frame = samples_frame(work, index);
  if (work->called[index] != ROOT)
    return work->called[index];
  if (frame->kind == WASM_PERF_KIND_IMPORT && work->samples->nodes[index].time > 0) {
    uint32_t function = other_import(work, frame);
    return function == 0 ? ROOT : wi_graft_child(work->graft, place, function, 0);
  }
  if (place == ROOT || !is_waiting(work, work->samples->nodes[index].frame))
    return place;
  if (work->wait_function == 0)
    work->wait_function = wi_graft_pseudo(work->graft, "memory.atomic.wait", WASM_PERF_KIND_WAIT);
  return work->wait_function == 0 ? place
                                  : wi_graft_child(work->graft, place, work->wait_function, 0);
}

static bool attribute(attribution *work) {
  work->positions[0] = (position){ROOT, ROOT, ROOT, NONE, false};
  for (uint32_t i = 1; i < work->samples->nodes_count; i++) {
    if (!enter(work, i))
      return false;
  }
  for (uint32_t i = 1; i < work->samples->nodes_count; i++) {
    uint32_t place = place_of_time(work, i);
    if (place == ROOT && work->positions[i].place != ROOT)
      return false;
    work->time_places[i] = place;
    if (work->positions[i].is_lost)
      wi_graft_add_lost_time(work->graft, place, work->samples->nodes[i].time);
    else
      wi_graft_add_time(work->graft, place, work->samples->nodes[i].time);
  }
  return true;
}

static uint64_t whole(double nanoseconds) {
  return nanoseconds < 1e19 ? (uint64_t)nearbyint(nanoseconds) : UINT64_MAX;
}

static void set_sampled(wasm_perf_header *header, uint64_t sample_count) {
  header->clock = WASM_PERF_CLOCK_SAMPLED;
  header->ticks_per_second = 1000000000;
  header->clock_read_count = sample_count;
  header->inner_hook_cost = header->outer_hook_cost = header->hook_cost_error = 0;
}

/* Copies the time-ordered samples, with the grafted tree's nodes. Returns false if out of memory. */
static bool set_order(const attribution *work) {
  wasm_perf_profile *profile = work->profile;
  wi_threads_clear(profile);
  for (uint32_t t = 0; t < work->samples->threads_count; t++) {
    wasm_perf_thread thread = work->samples->threads[t];
    const wasm_perf_stretch *stretches = thread.stretches;
    thread.stretches = malloc((thread.stretch_count + (size_t)1) * sizeof *stretches);
    for (uint32_t i = 0; thread.stretches && i < thread.stretch_count; i++)
      thread.stretches[i] =
          (wasm_perf_stretch){work->time_places[stretches[i].node], stretches[i].microseconds};
    if (!thread.stretches || !wi_threads_add(profile, &thread, thread.name, strlen(thread.name)))
      return false;
  }
  return true;
}

static bool set_times(const attribution *work) {
  wasm_perf_profile *profile = work->profile;
  const wi_samples *samples = work->samples;
  profile->facts.unmatched_time = whole(wi_graft_root_time(work->graft));
  profile->facts.hooks_sampled = 0;
  set_sampled(&profile->header, samples->is_whole ? samples->whole_count : samples->sample_count);
  return set_order(work) && wi_owners_finish(work->graft, work->profile);
}

/* Returns, for each node, its ancestor directly below the root. NULL: out of memory. */
static uint32_t *find_tops(const wasm_perf_profile *profile) {
  const wasm_perf_node *nodes = profile->nodes;
  uint32_t *tops = malloc(profile->header.node_count * sizeof *tops);
  if (!tops)
    return NULL;
  tops[ROOT] = ROOT;
  for (uint32_t i = 1; i < profile->header.node_count; i++)
    tops[i] = nodes[i].parent == ROOT ? i : tops[nodes[i].parent];
  return tops;
}

static bool attribution_init(attribution *work, const wi_name_index *index) {
  const wasm_perf_header *header = &work->profile->header;
  work->has_unhooked = header->hooked_function_count < header->function_count;
  work->known = find_functions(index, work->samples);
  work->search = wi_tree_search_new(work->profile, work->samples->is_numbered ? NULL : index);
  work->graft = wi_graft_new(work->profile);
  work->index = index;
  work->positions = calloc(work->samples->nodes_count, sizeof *work->positions);
  work->called = calloc(work->samples->nodes_count, sizeof *work->called);
  work->time_places = calloc(work->samples->nodes_count, sizeof *work->time_places);
  if (work->samples->is_numbered)
    work->tops = find_tops(work->profile);
  return wi_imports_init(&work->imports, work->profile) && work->known && work->search &&
         work->graft && work->positions && work->called && work->time_places &&
         (work->tops || !work->samples->is_numbered);
}

static void attribution_clear(attribution *work) {
  wi_tree_search_free(work->search);
  wi_graft_free(work->graft);
  wi_imports_clear(&work->imports);
  free(work->positions);
  free(work->called);
  free(work->time_places);
  free(work->known);
  free(work->tops);
}

/* Whether any function of the samples is in the profile. */
static bool matches_any(const attribution *work) {
  for (uint32_t i = 0; i < work->samples->frames_count; i++)
    if (work->known[i].id != WI_NO_FUNCTION)
      return true;
  return work->samples->is_numbered;
}

bool wi_samples_attribute(const wi_samples *samples, wasm_perf_profile *profile, bool has_indices,
                          wi_samples_match *match) {
  attribution work = {.profile = profile, .samples = samples, .match = match};
  *match = (wi_samples_match){0};
  wi_name_index *index = wi_name_index_new(profile, has_indices);
  bool done = index && attribution_init(&work, index) && (!matches_any(&work) || attribute(&work));
  if (done && (match->matched > 0 || samples->is_numbered))
    done = set_times(&work);
  attribution_clear(&work);
  wi_name_index_free(index);
  return done;
}

/* ---- A profile only of samples ------------------------------------------------------- */

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
    bool is_wasm = samples->frames[sample->frame].kind == WASM_PERF_KIND_WASM;
    if (sample->has_wasm)
      *(is_matched || !is_wasm ? &match->matched : &match->unmatched) += sample->time;
    if (is_matched)
      profile->nodes[nodes[i]] = (wasm_perf_node){.function = function, .parent = parent};
    if (nodes[i] != ROOT)
      profile->nodes[nodes[i]].self += whole(sample->time);
  }
}

/* Merges nodes with the same stack. */
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
  known_frame *known = find_functions(index, samples);
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
