#include "report/model/sampling.h"

#include <stdlib.h>

#include "profile/kinds.h"
#include "profile/values.h"
#include "support/arithmetic.h"

uint64_t wi_whole_time(const wi_tree *tree) {
  uint64_t sum = tree->nodes[0].total;
  for (unsigned kind = 0; kind < WASM_PERF_KIND_COUNT; kind++)
    sum = wi_saturating_add(sum, wi_view_hidden(&tree->view, (wasm_perf_kind)kind));
  return sum;
}

uint64_t wi_sample_period(const wi_tree *tree) {
  const wasm_perf_header *header = &tree->view.profile->header;
  if (tree->view.clock != WASM_PERF_CLOCK_SAMPLED || header->clock_read_count == 0 ||
      !wi_view_has_time(&tree->view))
    return 0;
  uint64_t whole = wi_whole_time(tree), starved = tree->view.profile->facts.starved_time;
  return (whole - (starved < whole ? starved : 0)) / header->clock_read_count;
}

/* Of the share's distribution given the samples, which stays wide if few samples agree. */
uint64_t wi_sample_share_error(const wi_tree *tree, uint64_t part) {
  double period = (double)wi_sample_period(tree), whole = (double)tree->nodes[0].total;
  if (period <= 0)
    return 0;
  double share = ((double)part / period + 1) / (whole / period + 2);
  return wi_square_root(share * (1 - share) / (whole / period + 3) * whole * whole);
}

#define LEAST_CALL       1.0 /* nanoseconds of a call that is not inlined */
#define LEAST_SEEN       4.0 /* samples, fewer of which may be chance */
#define HOOKS            1.0 /* nanoseconds of the hooks of a call in the caller, and in the callee */
#define STARVED          4u /* 1/STARVED of the working time without a processor is worth a note */
#define MANY_CALLS       1000u /* whose mean is not that of a few slow or undisturbed ones */
#define MANY_PART        100u  /* 1/MANY_PART of all calls, likewise */
#define LEAST_TIMES      3.0   /* the most that hooks may have cost, so often, leaves no doubt */
#define MOST_TIMES       4.0   /* hooks cost at most so many times what is measured */
#define SHIFT            0.03  /* of the whole, by which a share may be off without a note */
#define SLOWEST_COMPILER 20.0  /* bytes of code in a microsecond. V8's takes 46 */

const char *wi_time_note_text(wi_time_note note) {
#define TEXT(id, words, advice) [WI_TIME_##id] = words,
  static const char *const texts[] = {WI_TIME_NOTES(TEXT)};
#undef TEXT
  return texts[note];
}

const char *wi_time_note_advice(wi_time_note note) {
#define ADVICE(id, words, advice) [WI_TIME_##id] = advice,
  static const char *const texts[] = {WI_TIME_NOTES(ADVICE)};
#undef ADVICE
  return texts[note];
}

bool wi_time_note_hides_mean(wi_time_note note) {
  return note == WI_TIME_IN_CALLER || note == WI_TIME_MOSTLY_HOOKS;
}

static bool is_inlined(const wi_label_sum *sum, uint64_t period) {
  double least = LEAST_CALL * (double)sum->call_count;
  return least >= LEAST_SEEN * (double)period && (double)sum->self < least;
}

/* Whether a thread may wait for others in such a function. */
static bool is_off_core(wasm_perf_kind kind) {
  return kind == WASM_PERF_KIND_IDLE || kind == WASM_PERF_KIND_WAIT ||
         kind == WASM_PERF_KIND_COMPILATION;
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* The time in which threads worked, of the nodes that are shown and of those that are not. */
static uint64_t working_time(const wi_tree *tree) {
  uint64_t time = wi_whole_time(tree);
  for (uint32_t i = 0; i < tree->labels.count; i++)
    if (is_off_core(wi_tree_kind(tree, i)))
      time -= least(time, tree->sums[i].self);
  for (unsigned kind = 0; kind < WASM_PERF_KIND_COUNT; kind++)
    if (is_off_core((wasm_perf_kind)kind))
      time -= least(time, wi_view_hidden(&tree->view, (wasm_perf_kind)kind));
  return time;
}

/* How much of a label's self time is the processor's, and how much of that hooks take. */
typedef struct hook_share {
  double time, hooks;
} hook_share;

/*
 * Nanoseconds of a call's hooks in the caller, and in the callee. To call hooks of another module may take as long as
 * they do.
 */
static double cost_of_sampled_hooks(const wi_tree *tree) {
  double linked = (double)tree->view.profile->facts.linked_time;
  double each = tree->call_count > 0 ? linked / (double)tree->call_count / 2 : 0;
  return each > HOOKS ? each : HOOKS;
}

/* The nanoseconds of each label's hooks, owned by the caller. NULL: out of memory. */
static double *hooks_of(const wi_time_notes *notes, const wi_tree *tree) {
  double cost = cost_of_sampled_hooks(tree);
  double *hooks = calloc(tree->labels.count + (size_t)1, sizeof *hooks);
  for (uint32_t i = 1; hooks && i < tree->node_count; i++) {
    const wi_tree_node *node = &tree->nodes[i];
    double each = cost * (double)node->call_count;
    if (wi_tree_kind(tree, node->label) != WASM_PERF_KIND_WASM)
      continue;
    uint32_t caller = node->parent != 0 ? tree->nodes[node->parent].label : node->label;
    hooks[caller] += each;
    hooks[notes->of[node->label] == WI_TIME_IN_CALLER ? caller : node->label] += each;
  }
  return hooks;
}

static hook_share share_of(const wi_time_notes *notes, const wi_tree *tree, const double *hooks,
                           uint32_t label) {
  const wi_label_sum *sum = &tree->sums[label];
  bool waits = is_off_core(wi_tree_kind(tree, label));
  double core = notes->core_part > 0 && notes->core_part < 1 && !waits ? notes->core_part : 1;
  double time = (double)sum->self * core;
  return (hook_share){time, hooks[label] < time ? hooks[label] : time};
}

/* Notes the labels whose shares would be others without the hooks. */
static void find_shifted(wi_time_notes *notes, const wi_tree *tree, const double *hooks) {
  hook_share all = {0};
  for (uint32_t i = 0; i < tree->labels.count; i++) {
    hook_share share = share_of(notes, tree, hooks, i);
    all = (hook_share){all.time + share.time, all.hooks + share.hooks};
  }
  notes->hook_part = all.time > 0 ? all.hooks / all.time : 0;
  for (uint32_t i = 0; all.time > all.hooks && i < tree->labels.count; i++) {
    hook_share share = share_of(notes, tree, hooks, i);
    double more = (share.time - share.hooks) / (all.time - all.hooks) - share.time / all.time;
    bool waits = is_off_core(wi_tree_kind(tree, i));
    if (waits || notes->of[i] != WI_TIME_NONE || (more <= SHIFT && more >= -SHIFT))
      continue;
    notes->of[i] = WI_TIME_SHIFTED;
    if (notes->shifted_count++ == 0 || tree->sums[i].self > tree->sums[notes->most_shifted].self)
      notes->most_shifted = i;
  }
}

/* ---- Compilation at the first call ----------------------------------------------- */

/* The first samples of a label without samples of others between them. */
typedef struct first_piece {
  uint64_t microseconds; /* 0: none yet */
  bool has_more;         /* samples after that */
  bool calls;            /* a function of WebAssembly */
} first_piece;

static void find_pieces(const wi_tree *tree, const wasm_perf_thread *thread, first_piece *pieces) {
  uint32_t last = UINT32_MAX;
  for (uint32_t i = 0; i < thread->stretch_count; i++) {
    const wasm_perf_stretch *stretch = &thread->stretches[i];
    uint32_t node = tree->nodes_of[stretch->node], label = tree->nodes[node].label;
    if (node == 0 || is_off_core(wi_tree_kind(tree, label)))
      continue;
    if (pieces[label].microseconds == 0 || (label == last && !pieces[label].has_more))
      pieces[label].microseconds += stretch->microseconds;
    else
      pieces[label].has_more = true;
    last = label;
  }
}

static void find_calling(const wi_tree *tree, first_piece *pieces) {
  for (uint32_t i = 1; i < tree->node_count; i++) {
    const wi_tree_node *node = &tree->nodes[i];
    if (node->parent != 0 && wi_tree_kind(tree, node->label) == WASM_PERF_KIND_WASM)
      pieces[tree->nodes[node->parent].label].calls = true;
  }
}

/* Notes the labels of which all samples may be compilation, if that is much of the time. */
static bool find_compiling(wi_time_notes *notes, const wi_tree *tree) {
  const wasm_perf_profile *profile = tree->view.profile;
  double longest = (double)profile->facts.code_size / SLOWEST_COMPILER;
  double least = SHIFT * (double)tree->nodes[0].total;
  if (longest == 0 || profile->thread_count == 0 || !tree->nodes_of)
    return true;
  first_piece *pieces = calloc(tree->labels.count + (size_t)1, sizeof *pieces);
  for (uint32_t i = 0; pieces && i < profile->thread_count; i++)
    find_pieces(tree, &profile->threads[i], pieces);
  if (pieces)
    find_calling(tree, pieces);
  for (uint32_t i = 0; pieces && i < tree->labels.count; i++) {
    const first_piece *piece = &pieces[i];
    bool may_be = piece->calls && !piece->has_more && (double)piece->microseconds <= longest;
    if (may_be && (double)tree->sums[i].self > least && notes->of[i] == WI_TIME_NONE &&
        wi_tree_kind(tree, i) == WASM_PERF_KIND_WASM)
      notes->of[i] = WI_TIME_COMPILING;
  }
  free(pieces);
  return pieces != NULL;
}

/* ---- Hooks that read a clock ----------------------------------------------------- */

/* In nanoseconds, of a call. */
static double cost_of_call(const wasm_perf_header *header, uint64_t cost) {
  return (double)wi_value(header, cost) / WASM_PERF_COST_CALL_COUNT;
}

/* The least time of a call, hooks included: its hooks cannot have taken more. At most `most`. */
static double least_call(const wi_tree *tree, double inner, bool is_subtracted, double most) {
  uint64_t many = tree->call_count / MANY_PART;
  for (uint32_t i = 1; i < tree->node_count; i++) {
    const wi_tree_node *node = &tree->nodes[i];
    if (node->child_count > 0 || node->call_count < MANY_CALLS || node->call_count < many)
      continue;
    double call = (double)node->self / (double)node->call_count + (is_subtracted ? inner : 0);
    most = call < most ? call : most;
  }
  return most;
}

/*
 * How many times more than measured hooks may have cost. What the host does to call them, and what
 * they keep an engine from doing, is not measured.
 */
static double most_times(const wi_tree *tree, bool is_subtracted) {
  const wasm_perf_header *header = &tree->view.profile->header;
  double inner = cost_of_call(header, header->inner_hook_cost);
  double both = inner + cost_of_call(header, header->outer_hook_cost);
  if (inner == 0)
    return 1;
  double least = 1 + cost_of_call(header, header->hook_cost_error) / both;
  double times = least_call(tree, inner, is_subtracted, MOST_TIMES * inner) / inner;
  return times > least ? times : least;
}

/* The measured nanoseconds of each label's hooks, owned by the caller. NULL: out of memory. */
static double *measured_hooks_of(const wi_tree *tree) {
  const wasm_perf_header *header = &tree->view.profile->header;
  double inner = cost_of_call(header, header->inner_hook_cost);
  double outer = cost_of_call(header, header->outer_hook_cost);
  double *hooks = calloc(tree->labels.count + (size_t)1, sizeof *hooks);
  for (uint32_t i = 1; hooks && i < tree->node_count; i++) {
    const wi_tree_node *node = &tree->nodes[i];
    hooks[node->label] += inner * (double)node->call_count;
    if (node->parent != 0)
      hooks[tree->nodes[node->parent].label] += outer * (double)node->call_count;
  }
  return hooks;
}

/* Notes the labels whose time may be mostly that of hooks, whether or not it is subtracted. */
static bool find_mostly_hooks(wi_time_notes *notes, const wi_tree *tree) {
  bool is_subtracted = wi_view_hook_time(&tree->view) > 0;
  double times = most_times(tree, is_subtracted);
  double *hooks = measured_hooks_of(tree);
  for (uint32_t i = 0; hooks && i < tree->labels.count; i++) {
    double self = (double)tree->sums[i].self, whole = self + (is_subtracted ? hooks[i] : 0);
    if (hooks[i] <= 0 || whole >= LEAST_TIMES * times * hooks[i])
      continue;
    notes->of[i] = WI_TIME_MOSTLY_HOOKS;
    notes->hook_time += self;
    if (notes->hook_count++ == 0 || self > (double)tree->sums[notes->most_hooks].self)
      notes->most_hooks = i;
  }
  free(hooks);
  return hooks != NULL;
}

/* ---- Entry points ---------------------------------------------------------------- */

bool wi_time_notes_init(wi_time_notes *notes, const wasm_perf_profile *profile,
                        const wi_tree *tree) {
  uint64_t period = wi_sample_period(tree), working;
  *notes = (wi_time_notes){.of = calloc(tree->labels.count + (size_t)1, sizeof *notes->of)};
  if (notes->of && tree->view.clock == WASM_PERF_CLOCK_WALL && wi_view_has_time(&tree->view))
    return find_mostly_hooks(notes, tree);
  if (!notes->of || period == 0)
    return notes->of != NULL;
  working = working_time(tree);
  notes->is_starved = profile->facts.starved_time > working / STARVED;
  if (working > 0)
    notes->core_part = (double)profile->facts.cpu_time / (double)working;
  for (uint32_t i = 0; i < tree->labels.count && !profile->facts.uninlined; i++)
    if (wi_tree_kind(tree, i) == WASM_PERF_KIND_WASM && is_inlined(&tree->sums[i], period))
      notes->of[i] = WI_TIME_IN_CALLER;
  if (!find_compiling(notes, tree))
    return false;
  double *hooks = profile->facts.hooks_sampled ? hooks_of(notes, tree) : NULL;
  if (hooks)
    find_shifted(notes, tree, hooks);
  free(hooks);
  return hooks || !profile->facts.hooks_sampled;
}

void wi_time_notes_clear(wi_time_notes *notes) {
  free(notes->of);
  *notes = (wi_time_notes){0};
}
