#include "report/model/holder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "names/shorten.h"
#include "report/model/heap.h"
#include "support/arithmetic.h"
#include "support/path.h"

/* What a stack of JavaScript, or a frame on any such stack, made and still holds. */
typedef struct held {
  uint64_t byte_count, block_count; /* live */
  uint64_t made_count;              /* blocks */
} held;

typedef struct finder {
  const wi_tree *tree;
  uint32_t
      *entries;   /* per node: the function that the outermost JavaScript calls, on the way to it,
                        or the innermost frame of that JavaScript; 0: none */
  held *by_entry; /* per node that is one */
  held *by_frame; /* per label */
  uint32_t *holders; /* per node that is an entry: label of the frame that holds its blocks */
} finder;

static bool is_frame(const wi_tree *tree, uint32_t node) {
  uint32_t line, label = tree->nodes[node].label;
  return node != 0 && wi_tree_kind(tree, label) == WASM_PERF_KIND_JAVASCRIPT &&
         wi_tree_file(tree, label, &line) != NULL;
}

static void add(held *sum, const held *more) {
  sum->byte_count = wi_saturating_add(sum->byte_count, more->byte_count);
  sum->block_count = wi_saturating_add(sum->block_count, more->block_count);
  sum->made_count = wi_saturating_add(sum->made_count, more->made_count);
}

/* Parents precede their children. */
static void sum_entries(finder *f, const wi_heap *heap) {
  for (uint32_t i = 1; i < f->tree->node_count; i++) {
    uint32_t parent = f->tree->nodes[i].parent, outer = f->entries[parent];
    bool is_outside = outer == parent && is_frame(f->tree, parent);
    bool begins = is_outside || (outer == 0 && is_frame(f->tree, i));
    const uint64_t *values = wi_heap_values(heap, i);
    f->entries[i] = begins ? i : outer;
    if (!values || f->entries[i] == 0)
      continue;
    held more = {values[WASM_PERF_MEASURE_LIVE_BYTES], values[WASM_PERF_MEASURE_LIVE_OBJECTS],
                 values[WASM_PERF_MEASURE_ALLOCATED_OBJECTS] +
                     values[WASM_PERF_MEASURE_RESIZED_OBJECTS]};
    add(&f->by_entry[f->entries[i]], &more);
  }
}

/* The innermost frame of JavaScript above an entry, or the entry itself. */
static uint32_t first_frame(const finder *f, uint32_t entry) {
  return is_frame(f->tree, entry) ? entry : f->tree->nodes[entry].parent;
}

/* Whether the frame is called by another of its function. */
static bool is_repeated(const finder *f, uint32_t frame) {
  for (uint32_t i = f->tree->nodes[frame].parent; is_frame(f->tree, i);
       i = f->tree->nodes[i].parent)
    if (f->tree->nodes[i].label == f->tree->nodes[frame].label)
      return true;
  return false;
}

static void sum_frames(finder *f) {
  for (uint32_t i = 1; i < f->tree->node_count; i++)
    for (uint32_t at = f->by_entry[i].made_count > 0 ? first_frame(f, i) : 0; is_frame(f->tree, at);
         at = f->tree->nodes[at].parent)
      if (!is_repeated(f, at))
        add(&f->by_frame[f->tree->nodes[at].label], &f->by_entry[i]);
}

static bool is_of_package(const wi_tree *tree, uint32_t label) {
  static const char folder[] = "node_modules/";
  uint32_t line;
  const char *file = wi_tree_file(tree, label, &line), *at = strstr(file, folder);
  return at && (at == file || at[-1] == '/');
}

/* Whether the frame `a` is a better holder than `b`, which is further inside. */
static bool is_better(const finder *f, uint32_t a, uint32_t b) {
  bool is_foreign = is_of_package(f->tree, a);
  const held *left = &f->by_frame[a], *right = &f->by_frame[b];
  if (is_foreign != is_of_package(f->tree, b))
    return !is_foreign;
  return (double)left->block_count * (double)right->made_count >
         (double)right->block_count * (double)left->made_count;
}

static uint32_t holder_of(const finder *f, uint32_t entry) {
  uint32_t at = first_frame(f, entry), best = f->tree->nodes[at].label;
  for (at = f->tree->nodes[at].parent; is_frame(f->tree, at); at = f->tree->nodes[at].parent)
    if (is_better(f, f->tree->nodes[at].label, best))
      best = f->tree->nodes[at].label;
  return best;
}

/* The label with most bytes; WI_FINDING_NO_LABEL: none has any. */
static uint32_t largest(const held *sums, uint32_t count) {
  uint32_t best = WI_FINDING_NO_LABEL;
  for (uint32_t i = 0; i < count; i++)
    if (sums[i].byte_count > (best == WI_FINDING_NO_LABEL ? 0 : sums[best].byte_count))
      best = i;
  return best;
}

static void choose(finder *f, wi_holder *holder) {
  uint32_t labels = f->tree->labels.count;
  for (uint32_t i = 1; i < f->tree->node_count; i++)
    if (f->by_entry[i].byte_count > 0)
      f->holders[i] = holder_of(f, i);
  memset(f->by_frame, 0, labels * sizeof *f->by_frame);
  for (uint32_t i = 1; i < f->tree->node_count; i++)
    if (f->by_entry[i].byte_count > 0)
      add(&f->by_frame[f->holders[i]], &f->by_entry[i]);
  holder->label = largest(f->by_frame, labels);
  if (holder->label == WI_FINDING_NO_LABEL)
    return;
  holder->byte_count = f->by_frame[holder->label].byte_count;
  holder->block_count = f->by_frame[holder->label].block_count;
  memset(f->by_frame, 0, labels * sizeof *f->by_frame);
  for (uint32_t i = 1; i < f->tree->node_count; i++)
    if (f->by_entry[i].byte_count > 0 && f->holders[i] == holder->label && !is_frame(f->tree, i))
      add(&f->by_frame[f->tree->nodes[i].label], &f->by_entry[i]);
  holder->callee = largest(f->by_frame, labels);
}

bool wi_holder_find(wi_holder *holder, const wi_report *report) {
  finder f = {.tree = report->tree};
  wi_heap heap;
  *holder = (wi_holder){.label = WI_FINDING_NO_LABEL, .callee = WI_FINDING_NO_LABEL};
  if (!report->profile->follows_memory || !f.tree->nodes_of)
    return true;
  size_t nodes = f.tree->node_count, labels = f.tree->labels.count + (size_t)1;
  if (!wi_heap_init(&heap, report->profile, f.tree))
    return false;
  f.entries = calloc(nodes, sizeof *f.entries);
  f.by_entry = calloc(nodes, sizeof *f.by_entry);
  f.holders = calloc(nodes, sizeof *f.holders);
  f.by_frame = calloc(labels, sizeof *f.by_frame);
  bool done = f.entries && f.by_entry && f.holders && f.by_frame;
  if (done) {
    sum_entries(&f, &heap);
    sum_frames(&f);
    choose(&f, holder);
  }
  free(f.entries);
  free(f.by_entry);
  free(f.holders);
  free(f.by_frame);
  wi_heap_clear(&heap);
  return done;
}

void wi_holder_describe(const wi_holder *holder, const wi_report *report, char *text, size_t size) {
  char file[WI_SHORTENED_SIZE], callee[WI_SHORTENED_SIZE], clean[WI_LABEL_MAX_SIZE + 1];
  uint32_t line;
  wi_label_clean(clean, wi_path_name(wi_tree_file(report->tree, holder->label, &line)), 0);
  wi_shorten(file, clean, WI_FINDING_NAME_WIDTH);
  if (holder->callee != WI_FINDING_NO_LABEL)
    wi_shorten(callee, wi_tree_text(report->tree, holder->callee), WI_FINDING_NAME_WIDTH);
  snprintf(text, size, "%s:%" PRIu32 "%s%s holds %s at the end (%s): called in ", file, line,
           holder->callee != WI_FINDING_NO_LABEL ? " \xE2\x86\x92 " : "",
           holder->callee != WI_FINDING_NO_LABEL ? callee : "",
           wi_format_value(WI_UNIT_BYTES, holder->byte_count).text,
           wi_format_quantity(holder->block_count, "block").text);
}
