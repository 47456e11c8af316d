#include "samples/graft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "profile/calls.h"
#include "profile/functions.h"
#include "profile/guests.h"
#include "profile/kinds.h"
#include "profile/node_facts.h"
#include "support/child_table.h"
#include "support/large.h"

#define ROOT 0u
#define NONE UINT32_MAX

typedef struct added_node {
  uint32_t parent;
  uint32_t function;
  uint32_t old;        /* the old node that it represents; NONE */
  uint32_t next_alike; /* next node that represents the same old node; NONE */
} added_node;

/* An added function by its kind, name and place. */
typedef struct added_function {
  uint32_t function;
  UT_hash_handle hh;
  size_t size;
  uint8_t key[];
} added_function;

struct wi_graft {
  wasm_perf_profile *profile;
  uint32_t old_count;          /* number of the profile's nodes */
  wi_child_table *children;    /* the added ones */
  WI_ARRAY(added_node, added); /* by number minus old_count */
  WI_ARRAY(double, times);     /* by number */
  double *lost;                /* per old node: time of stacks without their callers */
  bool moves;                  /* some added nodes represent old ones */
  uint32_t *standing;          /* per old node: the first added node that represents it; NONE */
  added_function *functions;
  uint32_t next_function;
};

static uint32_t node_count(const wi_graft *w) {
  return w->old_count + w->added_count;
}

static uint32_t parent_of(const wi_graft *w, uint32_t node) {
  return node < w->old_count ? w->profile->nodes[node].parent
                             : w->added[node - w->old_count].parent;
}

/* ---- Adding ------------------------------------------------------------------ */

static bool init(wi_graft *w) {
  w->standing = wi_large_alloc(w->old_count * sizeof *w->standing);
  w->lost = calloc(w->old_count, sizeof *w->lost);
  w->children = wi_child_table_new(0);
  if (!w->standing || !w->lost || !w->children || !WI_ARRAY_RESERVE(w, times, w->old_count))
    return false;
  memset(w->standing, 0xFF, w->old_count * sizeof *w->standing);
  memset(w->times, 0, w->old_count * sizeof *w->times);
  w->times_count = w->old_count;
  w->next_function = wi_functions_first_free(w->profile);
  return w->next_function > 0;
}

wi_graft *wi_graft_new(wasm_perf_profile *profile) {
  wi_graft *w = calloc(1, sizeof *w);
  if (!w)
    return NULL;
  w->profile = profile;
  w->old_count = profile->header.node_count;
  if (init(w))
    return w;
  wi_graft_free(w);
  return NULL;
}

void wi_graft_free(wi_graft *w) {
  added_function *function, *next;
  if (!w)
    return;
  HASH_ITER(hh, w->functions, function, next) {
    HASH_DEL(w->functions, function);
    free(function);
  }
  wi_child_table_free(w->children);
  free(w->added);
  free(w->times);
  free(w->lost);
  free(w->standing);
  free(w);
}

uint32_t wi_graft_child(wi_graft *w, uint32_t parent, uint32_t function, uint32_t stands_for) {
  uint32_t *node = wi_child_table_at(w->children, parent, function);
  if (!node || *node != 0)
    return node ? *node : 0;
  if (!WI_ARRAY_RESERVE(w, times, 1) || !WI_ARRAY_RESERVE(w, added, 1))
    return 0;
  *node = node_count(w);
  added_node *added = &w->added[w->added_count++];
  *added = (added_node){parent, function, NONE, NONE};
  if (stands_for != 0) {
    added->old = stands_for;
    added->next_alike = w->standing[stands_for];
    w->standing[stands_for] = *node;
    w->moves = true;
  }
  w->times[w->times_count++] = 0;
  return *node;
}

void wi_graft_add_time(wi_graft *w, uint32_t node, double nanoseconds) {
  w->times[node] += nanoseconds;
}

void wi_graft_add_lost_time(wi_graft *w, uint32_t node, double nanoseconds) {
  *(node < w->old_count ? &w->lost[node] : &w->times[node]) += nanoseconds;
}

double wi_graft_root_time(const wi_graft *w) {
  return w->times[ROOT];
}

/* ---- Functions ----------------------------------------------------------------- */

static bool describe(const wi_graft *w, const wi_samples *samples, const wi_sample_frame *frame,
                     uint32_t function) {
  const char *texts = (const char *)samples->names.data;
  wasm_perf_profile *profile = w->profile;
  return wasm_perf_profile_set_name_n(profile, function, texts + frame->name_offset,
                                      frame->name_size) &&
         (frame->file_size == 0 ||
          wasm_perf_profile_set_place(profile, function, frame->line, texts + frame->file_offset,
                                      frame->file_size)) &&
         (frame->kind == WASM_PERF_KIND_WASM ||
          wasm_perf_profile_set_kind(profile, function, frame->kind)) &&
         wasm_perf_profile_set_uncounted(profile, function);
}

/* Makes an item whose key identifies the function. The caller frees it. */
static added_function *key_of(const wi_samples *samples, const wi_sample_frame *frame) {
  const uint32_t numbers[] = {frame->kind, frame->line, frame->column, frame->name_size};
  size_t size = sizeof numbers + (size_t)frame->name_size + frame->file_size;
  added_function *made = calloc(1, sizeof *made + size);
  if (!made)
    return NULL;
  made->size = size;
  memcpy(made->key, numbers, sizeof numbers);
  if (frame->name_size > 0)
    memcpy(made->key + sizeof numbers, samples->names.data + frame->name_offset, frame->name_size);
  if (frame->file_size > 0)
    memcpy(made->key + sizeof numbers + frame->name_size, samples->names.data + frame->file_offset,
           frame->file_size);
  return made;
}

uint32_t wi_graft_function(wi_graft *w, const wi_samples *samples, const wi_sample_frame *frame) {
  added_function *made = key_of(samples, frame), *known;
  if (!made)
    return 0;
  HASH_FIND(hh, w->functions, made->key, made->size, known);
  if (!known && w->next_function < WASM_PERF_FUNCTION_TRUNCATED - 1 &&
      describe(w, samples, frame, w->next_function)) {
    if (w->profile->facts.first_guest == 0)
      w->profile->facts.first_guest = w->next_function;
    made->function = w->next_function++;
    HASH_ADD_KEYPTR(hh, w->functions, made->key, made->size, made);
    return made->function;
  }
  free(made);
  return known ? known->function : 0;
}

uint32_t wi_graft_pseudo(wi_graft *w, const char *name, wasm_perf_kind kind) {
  wi_samples samples = {0};
  const wi_sample_frame place = {.kind = kind, .name_size = (uint32_t)strlen(name)};
  uint32_t frame;
  bool done = wi_samples_add_other(&samples, &place, name, "", &frame);
  uint32_t function = done ? wi_graft_function(w, &samples, &samples.frames[frame]) : 0;
  wi_samples_clear(&samples);
  return function;
}

/* ---- The tree -------------------------------------------------------------------- */

/* Sums times of each node and its descendants. NULL: out of memory. */
static double *sum_totals(const wi_graft *w) {
  uint32_t count = node_count(w);
  double *totals = wi_large_alloc(count * sizeof *totals);
  if (!totals)
    return NULL;
  memcpy(totals, w->times, count * sizeof *totals);
  for (uint32_t i = count - 1; i > 0; i--)
    totals[parent_of(w, i)] += totals[i];
  return totals;
}

/*
 * V8 sometimes loses callers: about one stack in 4,000 lacks its oldest frames or the caller of its
 * leaf. So a node that represents an old one does not share its calls if it has less than this part
 * of the time of the one with most.
 */
#define RARE 50

typedef struct finish {
  wi_graft *w;
  double *totals;
  uint32_t *homes;   /* per old node: the node that has its calls */
  bool *is_shared;   /* per old node: its calls are known only as a sum */
  bool *is_rare;     /* per node: it represents an old node, and does not share its calls */
  uint32_t *parents; /* per node: its new parent */
  uint32_t *places;  /* per node: its new number; NONE: dropped */
  uint32_t *owners;  /* as in wi_graft_finish */
  WI_ARRAY(wasm_perf_shared, shared);
} finish;

static uint32_t next_alike(const wi_graft *w, uint32_t node, uint32_t old) {
  return node == old ? w->standing[old] : w->added[node - w->old_count].next_alike;
}

bool wi_graft_is_module(const wasm_perf_profile *profile, uint32_t node) {
  const wasm_perf_node *nodes = profile->nodes;
  return node != ROOT && nodes[node].parent == ROOT && nodes[node].call_count == 0;
}

/* Whether a node that represents an old one is below a rare node for the old one's caller. */
static bool is_below_rare(const finish *f, uint32_t node, uint32_t old) {
  const wi_graft *w = f->w;
  uint32_t caller = w->profile->nodes[old].parent, above = node;
  if (caller == ROOT || wi_graft_is_module(w->profile, caller))
    return false;
  do
    above = parent_of(w, above);
  while (above >= w->old_count && w->added[above - w->old_count].old == NONE);
  return f->is_rare[above];
}

/* Returns the node with most time among an old node and those that represent it. */
static uint32_t find_home(const finish *f, uint32_t old) {
  uint32_t home = NONE;
  for (uint32_t i = old; i != NONE; i = next_alike(f->w, i, old))
    if ((i != old || f->totals[i] > 0) && !is_below_rare(f, i, old) &&
        (home == NONE || f->totals[i] > f->totals[home]))
      home = i;
  return home == NONE ? old : home;
}

/* Marks rare nodes and returns the number of the others. */
static uint32_t mark_rare(const finish *f, uint32_t old) {
  uint32_t home = f->homes[old], count = 0;
  for (uint32_t i = old; i != NONE; i = next_alike(f->w, i, old)) {
    bool has_time = i != old || f->totals[i] > 0;
    f->is_rare[i] = i != home && (!has_time || f->totals[i] * RARE < f->totals[home] ||
                                  is_below_rare(f, i, old));
    count += !f->is_rare[i];
  }
  return count;
}

/* Records that the nodes that represent the old one share its calls. */
static bool share(finish *f, uint32_t old) {
  bool done = true;
  for (uint32_t i = old; done && i != NONE; i = next_alike(f->w, i, old)) {
    wasm_perf_shared *added = f->is_rare[i] ? NULL : WI_ARRAY_PUSH(f, shared);
    if (added)
      *added = (wasm_perf_shared){i, f->homes[old]};
    done = added || f->is_rare[i];
  }
  return done;
}

/* Whether the calls made by a node are shared because its own calls are. */
static bool shares_with_callees(const finish *f, uint32_t node) {
  return f->is_shared[node] && !wi_graft_is_module(f->w->profile, node);
}

static bool find_homes(finish *f) {
  const wi_graft *w = f->w;
  bool done = true;
  for (uint32_t i = 0; done && i < w->old_count; i++) {
    f->homes[i] = find_home(f, i);
    const wasm_perf_node *node = &w->profile->nodes[i];
    bool is_split = mark_rare(f, i) > 1;
    f->is_shared[i] =
        node->call_count > 0 && (is_split || (i > 0 && shares_with_callees(f, node->parent)));
    done = !f->is_shared[i] || share(f, i);
  }
  return done;
}

/* Adds times of stacks without their callers: at the node if it is kept, otherwise at its home. */
static void place_lost(const finish *f) {
  const wi_graft *w = f->w;
  for (uint32_t i = 0; i < w->old_count; i++)
    w->times[f->totals[i] > 0 ? i : f->homes[i]] += w->lost[i];
}

/* Whether the node is dropped because others represent it completely. */
static bool is_left_out(const finish *f, uint32_t node) {
  return node < f->w->old_count && f->homes[node] != node && f->totals[node] <= 0;
}

/* ---- The new order: callers first -------------------------------------------------- */

typedef struct order {
  uint32_t *first_child, *next_sibling, *open; /* per node */
  uint32_t count;                              /* number of nodes with new numbers */
} order;

/* Returns the parent that an old node keeps, or that of the calls of its caller. */
static uint32_t new_parent(const finish *f, uint32_t node) {
  uint32_t above = parent_of(f->w, node);
  if (node >= f->w->old_count || f->homes[node] != node)
    return above;
  return f->totals[node] <= 0 || f->is_rare[above] ? f->homes[above] : above;
}

static void link_nodes(const finish *f, order *o) {
  uint32_t count = node_count(f->w);
  for (uint32_t i = 0; i < count; i++)
    o->first_child[i] = o->next_sibling[i] = f->places[i] = NONE;
  for (uint32_t i = count; i-- > 1;) {
    if (is_left_out(f, i))
      continue;
    uint32_t parent = f->parents[i] = new_parent(f, i);
    o->next_sibling[i] = o->first_child[parent];
    o->first_child[parent] = i;
  }
}

/* Numbers a node and its descendants. */
static void visit(const finish *f, order *o, uint32_t top) {
  uint32_t open_count = 0;
  o->open[open_count++] = top;
  while (open_count > 0) {
    uint32_t node = o->open[--open_count];
    if (f->places[node] != NONE)
      continue;
    f->places[node] = o->count++;
    if (node != top && o->next_sibling[node] != NONE)
      o->open[open_count++] = o->next_sibling[node];
    if (o->first_child[node] != NONE)
      o->open[open_count++] = o->first_child[node];
  }
}

/* Numbers all nodes below the root, then those that would be their own descendants. */
static void visit_all(const finish *f, order *o) {
  f->parents[ROOT] = ROOT;
  if (f->w->moves)
    visit(f, o, ROOT);
  for (; !f->w->moves && o->count < node_count(f->w); o->count++)
    f->places[o->count] = o->count; /* callers already come first */
  for (uint32_t i = 1; i < node_count(f->w); i++)
    if (f->places[i] == NONE && !is_left_out(f, i)) {
      f->parents[i] = ROOT;
      visit(f, o, i);
    }
}

static uint64_t whole(double nanoseconds) {
  return nanoseconds < 1e19 ? (uint64_t)nearbyint(nanoseconds) : UINT64_MAX;
}

static wasm_perf_node make_node(const finish *f, uint32_t node) {
  const wi_graft *w = f->w;
  bool is_old = node < w->old_count;
  wasm_perf_node made = {.self = whole(w->times[node])};
  made.function =
      is_old ? w->profile->nodes[node].function : w->added[node - w->old_count].function;
  return made;
}

/* Makes the new nodes with the calls of the old ones. NULL: out of memory. */
static wasm_perf_node *make_nodes(const finish *f, uint32_t count) {
  const wi_graft *w = f->w;
  wasm_perf_node *nodes = wi_large_alloc(count * sizeof *nodes);
  if (!nodes)
    return NULL;
  for (uint32_t i = 0; i < node_count(w); i++)
    if (f->places[i] != NONE) {
      nodes[f->places[i]] = make_node(f, i);
      nodes[f->places[i]].parent = f->places[f->parents[i]];
    }
  for (uint32_t i = 1; i < w->old_count; i++)
    nodes[f->places[f->homes[i]]].call_count += w->profile->nodes[i].call_count;
  nodes[ROOT].self = w->profile->nodes[ROOT].self;
  nodes[ROOT].call_count = w->profile->nodes[ROOT].call_count;
  return nodes;
}

/* Moves what was measured at a node to its owner. */
static void own(uint32_t *node, void *owners) {
  uint32_t owner = ((const uint32_t *)owners)[*node];
  *node = owner != NONE ? owner : *node;
}

/* Moves data that refers to nodes. */
static bool move_facts(const finish *f) {
  wasm_perf_profile *profile = f->w->profile;
  for (uint32_t i = 0; i < f->w->old_count; i++)
    if (f->places[i] == NONE)
      f->places[i] = f->places[f->homes[i]];
  for (uint32_t i = 0; i < f->shared_count; i++)
    if (!wi_shared_add(profile, f->shared[i].node, f->shared[i].first))
      return false;
  for (uint32_t i = 0; f->owners && i < profile->row_count; i++)
    own(&profile->rows[i].node, f->owners);
  if (f->owners)
    wi_calls_visit(profile, own, f->owners);
  return wi_node_facts_move(profile, f->places);
}

static bool build(const finish *f, order *o) {
  wasm_perf_profile *profile = f->w->profile;
  place_lost(f);
  link_nodes(f, o);
  visit_all(f, o);
  wasm_perf_node *nodes = make_nodes(f, o->count);
  if (!nodes)
    return false;
  free(profile->nodes);
  profile->nodes = nodes;
  profile->header.node_count = o->count;
  return move_facts(f);
}

bool *wi_graft_several(const wi_graft *w) {
  double *totals = sum_totals(w);
  bool *is_several = totals ? calloc(w->old_count, sizeof *is_several) : NULL;
  for (uint32_t i = 1; is_several && i < w->old_count; i++) {
    uint32_t callers = 0;
    for (uint32_t at = i; at != NONE; at = next_alike(w, at, i))
      callers += totals[at] > 0;
    is_several[i] = callers > 1;
  }
  free(totals);
  return is_several;
}

bool wi_graft_finish(wi_graft *w, uint32_t *owners) {
  size_t count = node_count(w);
  finish f = {.w = w, .owners = owners, .totals = sum_totals(w)};
  order o = {0};
  f.homes = wi_large_alloc(w->old_count * sizeof *f.homes);
  f.is_shared = calloc(w->old_count, sizeof *f.is_shared);
  f.is_rare = calloc(count, sizeof *f.is_rare);
  f.parents = wi_large_alloc(count * sizeof *f.parents);
  f.places = wi_large_alloc(count * sizeof *f.places);
  o.first_child = wi_large_alloc(count * sizeof *o.first_child);
  o.next_sibling = wi_large_alloc(count * sizeof *o.next_sibling);
  o.open = wi_large_alloc(count * sizeof *o.open);
  bool done = f.totals && f.homes && f.is_shared && f.is_rare && f.parents && f.places &&
              o.first_child && o.next_sibling && o.open && find_homes(&f) && build(&f, &o);
  free(f.totals);
  free(f.homes);
  free(f.is_shared);
  free(f.is_rare);
  free(f.parents);
  free(f.places);
  free(f.shared);
  free(o.first_child);
  free(o.next_sibling);
  free(o.open);
  return done;
}
