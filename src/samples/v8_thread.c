#include "samples/v8_thread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/modules.h"
#include "profile/threads.h"
#include "samples/v8_times.h"
#include "samples/v8_walk.h"
#include "support/error.h"

#define ROOT          0u
#define NONE          UINT32_MAX
#define MICROSECOND   1000.0 /* nanoseconds */
#define MOST_CPU      1e15   /* microseconds, more than any thread has had */
#define LONGEST_ORDER 600e6  /* microseconds of samples that are kept in order, the last ones */

struct wi_v8_thread {
  wi_v8_thread_facts facts;
  const wi_v8_module *modules;
  uint32_t module_count;
  uint32_t *bases; /* per module: number of its first function */
  wi_v8_tree tree;
  WI_ARRAY(wasm_perf_stretch, stretches);
  double start, end; /* of the stretches, microseconds on V8's clock */
  double last_end;   /* of the last profile */
  double usual_span; /* of a sample, in microseconds, see wi_v8_usual_span; 0: not known */
  double cpu;        /* microseconds of a processor */
  bool lacks_cpu;    /* not known of all profiles */
  double starved;    /* microseconds with work but no processor */
  double linked;     /* nanoseconds in the linked form's runtime */
  uint64_t sample_count;
};

/* V8's next profile, and what was found out about it. */
typedef struct piece {
  wi_v8_profile profile;
  wi_v8_sample *samples;
  double *edges, *lost; /* of the samples' intervals, and per sample: without a processor */
  wi_v8_owner *owners;  /* per node */
  uint32_t *places;     /* per node: its node in the tree; NONE: none */
  const wi_v8_piece *as;
  uint32_t next_compiling; /* that has not ended before the present sample */
} piece;

wi_v8_thread *wi_v8_thread_new(const wi_v8_thread_facts *facts, const wi_v8_module *modules,
                               uint32_t module_count) {
  wi_v8_thread *thread = calloc(1, sizeof *thread);
  if (!thread)
    return NULL;
  *thread = (wi_v8_thread){.facts = *facts, .modules = modules, .module_count = module_count};
  thread->bases = calloc(module_count + (size_t)1, sizeof *thread->bases);
  for (uint32_t i = 0; thread->bases && i < module_count; i++)
    thread->bases[i + 1] = thread->bases[i] + modules[i].function_count;
  thread->tree = (wi_v8_tree){.facts = &thread->facts, .modules = modules, .bases = thread->bases};
  if (thread->bases && wi_v8_tree_init(&thread->tree))
    return thread;
  wi_v8_thread_free(thread);
  return NULL;
}

void wi_v8_thread_free(wi_v8_thread *thread) {
  if (!thread)
    return;
  wi_v8_tree_clear(&thread->tree);
  free(thread->bases);
  free(thread->stretches);
  free(thread);
}

static void piece_clear(piece *of) {
  wi_v8_profile_clear(&of->profile);
  free(of->samples);
  free(of->edges);
  free(of->lost);
  free(of->owners);
  free(of->places);
}

/* ---- Samples in order ------------------------------------------------------------ */

/* Appends a stretch, or makes the last one longer. */
static bool push_stretch(wi_v8_thread *thread, uint32_t node, double span) {
  wasm_perf_stretch *last =
      thread->stretches_count > 0 ? &thread->stretches[thread->stretches_count - 1] : NULL;
  thread->end += span;
  if (last && last->node == node && last->microseconds + span <= UINT32_MAX) {
    last->microseconds += (uint32_t)span;
    return true;
  }
  for (; span > 0; span -= UINT32_MAX) {
    wasm_perf_stretch *added = WI_ARRAY_PUSH(thread, stretches);
    if (!added)
      return false;
    *added = (wasm_perf_stretch){node, (uint32_t)fmin(span, UINT32_MAX)};
  }
  return true;
}

/* Adds the time from `begin` to `end` to the node. Times must not decrease between calls. */
static bool add_stretch(wi_v8_thread *thread, uint32_t node, double begin, double end) {
  if (thread->stretches_count == 0)
    thread->start = thread->end = begin;
  return (begin <= thread->end || push_stretch(thread, ROOT, begin - thread->end)) &&
         (end <= thread->end || push_stretch(thread, node, end - fmax(begin, thread->end)));
}

/* ---- Times ----------------------------------------------------------------------- */

static bool shows_host(const wi_v8_thread *thread) {
  return thread->facts.scope == WI_V8_PROGRAM;
}

static bool shows_collections(const wi_v8_thread *thread) {
  return shows_host(thread) || thread->facts.scope == WI_V8_HOSTED;
}

/* Adds the time in which V8 completed a profile and took no samples. */
static bool add_profiling(wi_v8_thread *thread, double begin, double end) {
  if (end <= begin || !shows_host(thread))
    return true;
  uint32_t node = wi_v8_tree_profiler(&thread->tree, ROOT);
  thread->tree.places[node].time += (end - begin) * MICROSECOND;
  return add_stretch(thread, node, begin, end);
}

/* Whether other threads compiled at that time. Times must not decrease between calls. */
static bool is_compiling(piece *of, double time) {
  const wi_v8_piece *as = of->as;
  double after_end = time - of->profile.end;
  while (of->next_compiling < as->compiling_count &&
         as->compiling[of->next_compiling].end < after_end)
    of->next_compiling++;
  return of->next_compiling < as->compiling_count &&
         as->compiling[of->next_compiling].begin <= after_end;
}

/* The node of the tree for a sample; NONE: none. */
static uint32_t place_of(wi_v8_thread *thread, piece *of, uint32_t i) {
  uint32_t node = of->samples[i].node;
  if (node == NONE || !shows_host(thread) ||
      !wi_v8_is_idle(&of->profile, &of->profile.nodes[node]) ||
      !is_compiling(of, (of->edges[i] + of->edges[i + 1]) / 2))
    return node == NONE ? NONE : of->places[node];
  return wi_v8_tree_compiler(&thread->tree, ROOT);
}

/* Adds the time in which the thread had no processor, at the beginning of a sample's interval. */
static bool add_lost(wi_v8_thread *thread, double begin, double lost) {
  thread->starved += lost;
  if (lost < 1 || !shows_collections(thread))
    return true;
  uint32_t node = wi_v8_tree_waiter(&thread->tree, ROOT);
  thread->tree.places[node].time += lost * MICROSECOND;
  return add_stretch(thread, node, begin, begin + lost);
}

static bool is_in_runtime(const wi_v8_thread *thread, const piece *of, uint32_t node) {
  uint32_t module = node == NONE ? NONE : of->owners[node].module;
  return module != NONE && thread->modules[module].is_runtime;
}

static bool add_sample(wi_v8_thread *thread, piece *of, uint32_t i) {
  wi_v8_sample sample = of->samples[i];
  uint32_t place = place_of(thread, of, i);
  bool is_shown = place != NONE && (place != ROOT || shows_host(thread));
  double lost = nearbyint(of->lost[i]), begin = of->edges[i] + lost, end = of->edges[i + 1];
  uint32_t node = is_shown ? place : ROOT;
  if (sample.collects && is_shown && shows_collections(thread))
    node = wi_v8_tree_collector(&thread->tree, place);
  thread->sample_count += is_shown;
  if (is_in_runtime(thread, of, sample.node))
    thread->linked += (end - begin) * MICROSECOND;
  if (is_shown)
    thread->tree.places[node].time += (end - begin) * MICROSECOND;
  bool is_root = sample.collects && place == ROOT; /* its collector is shown, but not in order */
  return (!is_shown || add_lost(thread, of->edges[i], lost)) &&
         add_stretch(thread, is_root ? ROOT : node, begin, end);
}

/* ---- Profiles -------------------------------------------------------------------- */

/* Finds out when the thread worked without a processor. */
static bool find_lost(wi_v8_thread *thread, piece *of) {
  uint32_t count = of->profile.samples_count;
  double *spans = calloc(count + (size_t)1, sizeof *spans);
  of->lost = calloc(count + (size_t)1, sizeof *of->lost);
  for (uint32_t i = 0; spans && i < count; i++) {
    uint32_t node = of->samples[i].node;
    bool works = node != NONE && !wi_v8_is_idle(&of->profile, &of->profile.nodes[node]) &&
                 !(of->places[node] != NONE && wi_v8_tree_waits(&thread->tree, of->places[node]));
    spans[i] = works ? of->edges[i + 1] - of->edges[i] : 0;
  }
  if (spans && of->lost && of->as->cpu > 0) {
    double last = of->as->is_idle ? 0 : thread->usual_span;
    double usual = wi_v8_usual_span(spans, count, last, of->lost);
    wi_v8_find_lost(spans, count, of->as->cpu, usual, of->lost);
    if (!of->as->is_idle)
      thread->usual_span = usual;
  }
  free(spans);
  return spans && of->lost;
}

/* Finds the code and the time of each sample. */
static bool understand(wi_v8_thread *thread, piece *of, wi_error *error) {
  uint32_t count = of->profile.nodes_count;
  of->samples = wi_v8_samples_of(&of->profile);
  of->edges = wi_v8_edges_of(&of->profile, thread->last_end);
  of->owners = calloc(count, sizeof *of->owners);
  of->places = calloc(count, sizeof *of->places);
  return (of->samples && of->edges && of->owners && of->places &&
          wi_v8_find_owners(&of->profile, thread->modules, thread->module_count, of->owners) &&
          wi_v8_tree_add(&thread->tree, &of->profile, of->owners, of->places) &&
          find_lost(thread, of)) ||
         wi_error_memory(error);
}

static bool add_times(wi_v8_thread *thread, piece *of, wi_error *error) {
  const wi_v8_profile *profile = &of->profile;
  bool done =
      add_profiling(thread, of->as->is_next ? thread->last_end : of->edges[0], of->edges[0]);
  for (uint32_t i = 0; done && i < profile->samples_count; i++)
    done = add_sample(thread, of, i);
  thread->last_end = of->edges[profile->samples_count];
  return (done && !thread->tree.failed) || wi_error_memory(error);
}

static bool read(piece *of, const uint8_t *json, uint32_t size, const wi_v8_piece *as,
                 wi_error *error) {
  wi_cursor in = wi_cursor_at(json, (wi_span){0, size}, error);
  wi_v8_profile *profile = &of->profile;
  if (!wi_v8_profile_read(profile, &in, as->is_raw))
    return false;
  if (!wi_v8_profile_sort(profile))
    return wi_error_memory(error);
  if (!wi_v8_profile_is_tree(profile))
    return wi_error_set(error, WI_ERROR_MALFORMED, 0, WI_NO_FUNCTION,
                        "V8's samples do not form a tree");
  if (as->is_idle && profile->samples_count > 1) /* of the code that began this, not of the time
                                                    up to the next */
    profile->samples[0] = profile->samples[1];
  return true;
}

bool wi_v8_thread_add(wi_v8_thread *thread, const uint8_t *json, uint32_t size,
                      const wi_v8_piece *as, wi_error *error) {
  piece of = {.as = as};
  bool done = read(&of, json, size, as, error) && understand(thread, &of, error) &&
              add_times(thread, &of, error);
  thread->cpu += as->cpu;
  thread->lacks_cpu |= !(as->cpu > 0);
  piece_clear(&of);
  return done;
}

/* ---- The profile ------------------------------------------------------------------ */

/* Bytes of all function bodies, each of which V8 compiles when it is first called. */
static uint64_t code_size(const wi_v8_thread *thread) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < thread->module_count; i++)
    for (uint32_t j = 0; j < thread->modules[i].body_count; j++)
      size += thread->modules[i].bodies[j].size;
  return size;
}

/* The samples in order, without those that are too old. */
static bool set_order(const wi_v8_thread *thread, wasm_perf_profile *profile) {
  if (!shows_collections(thread))
    return true; /* much of the time is in code that is not shown */
  double start = thread->start;
  uint32_t first = 0;
  for (; thread->end - start > LONGEST_ORDER; first++)
    start += thread->stretches[first].microseconds;
  wasm_perf_thread order = {.start = start > 0 ? (uint64_t)start : 0,
                            .dropped = (uint64_t)(start - thread->start),
                            .process = thread->facts.process,
                            .number = thread->facts.number,
                            .stretch_count = thread->stretches_count - first};
  order.stretches = malloc((order.stretch_count + (size_t)1) * sizeof *order.stretches);
  if (!order.stretches)
    return false;
  if (order.stretch_count > 0)
    memcpy(order.stretches, thread->stretches + first,
           order.stretch_count * sizeof *order.stretches);
  return wi_threads_add(profile, &order, thread->facts.name, strlen(thread->facts.name));
}

static bool set_functions(const wi_v8_thread *thread, wasm_perf_profile *profile) {
  bool done = true;
  for (uint32_t i = 0; done && i < thread->module_count; i++) {
    const wi_v8_module *module = &thread->modules[i];
    done = wi_modules_add(profile, thread->bases[i], module->function_count, module->file,
                          strlen(module->file));
  }
  for (uint32_t i = 0; done && i < thread->tree.others.items_count; i++) {
    wi_v8_other other = wi_v8_others_get(&thread->tree.others, i);
    uint32_t function = WI_V8_FIRST_OTHER + i;
    done = wasm_perf_profile_set_name(profile, function, other.name) &&
           (*other.url == '\0' || wasm_perf_profile_set_place(profile, function, other.line,
                                                              other.url, strlen(other.url))) &&
           (other.kind == WASM_PERF_KIND_WASM ||
            wasm_perf_profile_set_kind(profile, function, other.kind));
    if (done && *other.url != '\0')
      profile->places[profile->place_count - 1].column = other.column;
  }
  return done;
}

static bool set_nodes(const wi_v8_thread *thread, wasm_perf_profile *profile) {
  uint32_t count = thread->tree.places_count;
  profile->nodes = calloc(count, sizeof *profile->nodes);
  for (uint32_t i = 0; profile->nodes && i < count; i++) {
    const wi_v8_place *place = &thread->tree.places[i];
    profile->nodes[i] = (wasm_perf_node){.function = place->function,
                                         .parent = place->parent,
                                         .self = (uint64_t)nearbyint(place->time)};
  }
  profile->header.node_count = count;
  return profile->nodes != NULL;
}

wasm_perf_profile *wi_v8_thread_profile(const wi_v8_thread *thread) {
  wasm_perf_profile *profile = calloc(1, sizeof *profile);
  if (profile && set_nodes(thread, profile) && set_functions(thread, profile) &&
      set_order(thread, profile)) {
    profile->header.clock = WASM_PERF_CLOCK_SAMPLED;
    profile->header.ticks_per_second = 1000000000;
    profile->header.clock_read_count = thread->sample_count;
    profile->facts.first_guest = WI_V8_FIRST_OTHER;
    profile->facts.cpu_time =
        thread->lacks_cpu ? 0 : (uint64_t)(fmin(thread->cpu, MOST_CPU) * MICROSECOND);
    profile->facts.starved_time = (uint64_t)(thread->starved * MICROSECOND);
    profile->facts.code_size = code_size(thread);
    profile->facts.linked_time = (uint64_t)thread->linked;
    return profile;
  }
  wasm_perf_profile_free(profile);
  return NULL;
}
