#include "report/model/holdings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/shorten.h"
#include "report/model/findings.h"
#include "report/model/heap.h"
#include "report/model/units.h"
#include "support/arithmetic.h"
#include "support/child_table.h"
#include "support/path.h"

/* What a stack of JavaScript, or a frame on any such stack, made and still holds. */
typedef struct held {
  uint64_t byte_count, block_count; /* live */
  uint64_t made_count;              /* blocks */
} held;

/* What one stack gives to a frame. */
typedef struct share {
  uint32_t label;  /* the frame's */
  uint32_t callee; /* the function that the outermost JavaScript calls, or WI_FINDING_NO_LABEL */
  held of;
} share;

typedef struct finder {
  const wi_tree *tree;
  uint32_t *entries; /* per node: the function that the outermost JavaScript calls, on the way to
                        it, or the innermost frame of that JavaScript; 0: none */
  held *by_entry;    /* per node that is one */
  wi_child_table *paths; /* from an entry's label outward: number of the path */
  WI_ARRAY(held, by_path);
  WI_ARRAY(share, shares);
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

/* The path with one more frame, further outside; 0: out of memory. Path 0 is empty. */
static uint32_t extend(finder *f, uint32_t path, uint32_t label) {
  uint32_t *known = wi_child_table_at(f->paths, path, label);
  if (!known)
    return 0;
  if (*known == 0) {
    held *added = WI_ARRAY_PUSH(f, by_path);
    if (!added)
      return 0;
    *added = (held){0};
    *known = f->by_path_count - 1;
  }
  return *known;
}

/* Sums each path from an entry outward, over all that calls it. */
static bool sum_paths(finder *f) {
  held *none = WI_ARRAY_PUSH(f, by_path);
  if (!none)
    return false;
  *none = (held){0};
  for (uint32_t i = 1; i < f->tree->node_count; i++) {
    if (f->by_entry[i].made_count == 0)
      continue;
    uint32_t path = extend(f, 0, f->tree->nodes[i].label), at = first_frame(f, i);
    for (; path != 0 && is_frame(f->tree, at); at = f->tree->nodes[at].parent) {
      path = extend(f, path, f->tree->nodes[at].label);
      add(&f->by_path[path], &f->by_entry[i]);
    }
    if (path == 0)
      return false;
  }
  return true;
}

static bool is_of_package(const wi_tree *tree, uint32_t label) {
  static const char folder[] = "node_modules/";
  uint32_t line;
  const char *file = wi_tree_file(tree, label, &line), *at = strstr(file, folder);
  return at && (at == file || at[-1] == '/');
}

/* Whether fewer of the blocks were freed. */
static bool is_freed_less(const held *a, const held *b) {
  return (double)a->block_count * (double)b->made_count >
         (double)b->block_count * (double)a->made_count;
}

/* The label of the frame that holds an entry's blocks. */
static uint32_t holder_of(const finder *f, uint32_t entry) {
  const wi_tree_node *nodes = f->tree->nodes;
  uint32_t best = WI_FINDING_NO_LABEL, at = first_frame(f, entry);
  uint32_t path = wi_child_table_find(f->paths, 0, nodes[entry].label), best_path = 0;
  for (; is_frame(f->tree, at); at = nodes[at].parent) {
    path = wi_child_table_find(f->paths, path, nodes[at].label);
    bool is_first = best == WI_FINDING_NO_LABEL;
    bool enters =
        !is_first && is_of_package(f->tree, best) && !is_of_package(f->tree, nodes[at].label);
    bool leaves =
        !is_first && !is_of_package(f->tree, best) && is_of_package(f->tree, nodes[at].label);
    if (is_first || enters ||
        (!leaves && is_freed_less(&f->by_path[path], &f->by_path[best_path]))) {
      best = nodes[at].label;
      best_path = path;
    }
  }
  return best;
}

static bool list_shares(finder *f) {
  for (uint32_t i = 1; i < f->tree->node_count; i++) {
    if (f->by_entry[i].byte_count == 0)
      continue;
    share *added = WI_ARRAY_PUSH(f, shares);
    if (!added)
      return false;
    bool is_direct = is_frame(f->tree, i); /* it calls the allocator */
    *added = (share){holder_of(f, i), is_direct ? WI_FINDING_NO_LABEL : f->tree->nodes[i].label,
                     f->by_entry[i]};
  }
  return true;
}

static int compare_shares(const void *left, const void *right) {
  const share *a = left, *b = right;
  if (a->label != b->label)
    return a->label < b->label ? -1 : 1;
  return (a->callee > b->callee) - (a->callee < b->callee);
}

/* ---- Texts ---------------------------------------------------------------------- */

static char *place_text(const wi_tree *tree, uint32_t label) {
  uint32_t line;
  const char *file = wi_tree_file(tree, label, &line);
  size_t size = strlen(file) + sizeof ":4294967295";
  char *text = malloc(size);
  if (text)
    snprintf(text, size, "%s:%" PRIu32, file, line);
  return text;
}

static char *copy_short(const char *label, uint32_t width) {
  char *text = malloc(WI_SHORTENED_SIZE);
  if (text)
    wi_shorten(text, label, width);
  return text;
}

static char *call_text(const wi_tree *tree, uint32_t label, uint32_t callee) {
  enum { SIZE = 256 };
  char file[WI_SHORTENED_SIZE], name[WI_SHORTENED_SIZE] = "", clean[WI_LABEL_MAX_SIZE + 1];
  uint32_t line;
  char *text = malloc(SIZE);
  if (!text)
    return NULL;
  wi_label_clean(clean, wi_path_name(wi_tree_file(tree, label, &line)), 0);
  wi_shorten(file, clean, WI_FINDING_NAME_WIDTH);
  if (callee != WI_FINDING_NO_LABEL)
    wi_shorten(name, wi_tree_text(tree, callee), WI_FINDING_NAME_WIDTH);
  snprintf(text, SIZE, "%.100s:%" PRIu32 "%s%.100s", file, line, *name ? " \xE2\x86\x92 " : "",
           name);
  return text;
}

/* ---- Holdings -------------------------------------------------------------------- */

/* Adds a frame's shares, `count` of them, which are sorted by callee. */
static bool add_holding(wi_holdings *holdings, const wi_tree *tree, const share *shares,
                        uint32_t count) {
  held all = {0}, most = {0}, part = {0};
  uint32_t callee = shares->callee;
  for (uint32_t i = 0; i < count; i++) {
    if (i == 0 || shares[i].callee != shares[i - 1].callee)
      part = (held){0};
    add(&part, &shares[i].of);
    add(&all, &shares[i].of);
    if (part.byte_count > most.byte_count) {
      most = part;
      callee = shares[i].callee;
    }
  }
  wi_holding *added = WI_ARRAY_PUSH(holdings, items);
  if (!added)
    return false;
  *added = (wi_holding){.place = place_text(tree, shares->label),
                        .text = call_text(tree, shares->label, callee),
                        .name = copy_short(wi_tree_text(tree, shares->label), WI_SENTENCE_WIDTH),
                        .label = shares->label,
                        .byte_count = all.byte_count,
                        .block_count = all.block_count};
  return added->place && added->text && added->name;
}

static void clear_item(wi_holding *of) {
  free(of->place);
  free(of->text);
  free(of->name);
}

static int compare_places(const void *left, const void *right) {
  const wi_holding *a = left, *b = right;
  int order = strcmp(a->place, b->place);
  return order != 0 ? order : (a->byte_count < b->byte_count) - (a->byte_count > b->byte_count);
}

/* Several frames may call on one line: the one with most bytes stands for them. */
static void merge_lines(wi_holdings *holdings) {
  wi_holding *items = holdings->items;
  uint32_t kept = 0;
  qsort(items, holdings->items_count, sizeof *items, compare_places);
  for (uint32_t i = 0; i < holdings->items_count; i++) {
    if (kept == 0 || strcmp(items[kept - 1].place, items[i].place) != 0) {
      items[kept++] = items[i];
      continue;
    }
    items[kept - 1].byte_count = wi_saturating_add(items[kept - 1].byte_count, items[i].byte_count);
    items[kept - 1].block_count =
        wi_saturating_add(items[kept - 1].block_count, items[i].block_count);
    clear_item(&items[i]);
  }
  holdings->items_count = kept;
}

static int compare_holdings(const void *left, const void *right) {
  const wi_holding *a = left, *b = right;
  if (a->byte_count != b->byte_count)
    return a->byte_count > b->byte_count ? -1 : 1;
  return strcmp(a->place, b->place);
}

static bool add_holdings(wi_holdings *holdings, finder *f) {
  if (f->shares_count == 0)
    return true;
  qsort(f->shares, f->shares_count, sizeof *f->shares, compare_shares);
  for (uint32_t from = 0, to; from < f->shares_count; from = to) {
    for (to = from; to < f->shares_count && f->shares[to].label == f->shares[from].label;)
      to++;
    if (!add_holding(holdings, f->tree, &f->shares[from], to - from))
      return false;
  }
  merge_lines(holdings);
  qsort(holdings->items, holdings->items_count, sizeof *holdings->items, compare_holdings);
  return true;
}

bool wi_holdings_init(wi_holdings *holdings, const wi_report *report) {
  finder f = {.tree = report->tree};
  wi_heap heap;
  *holdings = (wi_holdings){0};
  if (!report->profile->follows_memory || !f.tree->nodes_of)
    return true;
  if (!wi_heap_init(&heap, report->profile, f.tree))
    return false;
  f.entries = calloc(f.tree->node_count, sizeof *f.entries);
  f.by_entry = calloc(f.tree->node_count, sizeof *f.by_entry);
  f.paths = wi_child_table_new(0);
  bool done = f.entries && f.by_entry && f.paths;
  if (done) {
    sum_entries(&f, &heap);
    done = sum_paths(&f) && list_shares(&f) && add_holdings(holdings, &f);
  }
  free(f.entries);
  free(f.by_entry);
  wi_child_table_free(f.paths);
  free(f.by_path);
  free(f.shares);
  wi_heap_clear(&heap);
  if (!done)
    wi_holdings_clear(holdings);
  return done;
}

void wi_holdings_clear(wi_holdings *holdings) {
  for (uint32_t i = 0; i < holdings->items_count; i++)
    clear_item(&holdings->items[i]);
  free(holdings->items);
  *holdings = (wi_holdings){0};
}

wi_holding_text wi_holding_describe(const wi_holding *holding) {
  wi_holding_text result;
  snprintf(result.text, sizeof result.text, "%s holds %s at the end (%s): called in ",
           holding->text, wi_format_value(WI_UNIT_BYTES, holding->byte_count).text,
           wi_format_quantity(holding->block_count, "block").text);
  return result;
}

/* ---- Growth ------------------------------------------------------------------------ */

static const wi_holding *find(const wi_holdings *holdings, const wi_holding *like) {
  for (uint32_t i = 0; i < holdings->items_count; i++)
    if (strcmp(holdings->items[i].place, like->place) == 0)
      return &holdings->items[i];
  return NULL;
}

const wi_holding *wi_holdings_compare(const wi_holdings *before, const wi_holdings *after,
                                      uint64_t *growth) {
  const wi_holding *most = NULL;
  *growth = 0;
  for (uint32_t i = 0; i < after->items_count; i++) {
    const wi_holding *now = &after->items[i], *old = find(before, now);
    uint64_t least = wi_saturating_add(old ? old->byte_count : 0, *growth);
    if (now->byte_count <= least)
      continue;
    *growth = now->byte_count - (old ? old->byte_count : 0);
    most = now;
  }
  return most;
}

static uint64_t growth_of(const wi_holding *of) {
  return of->byte_count - of->first_byte_count;
}

const wi_holding *wi_holdings_follow(const wi_holdings *before, wi_holdings *now, uint32_t least) {
  const wi_holding *most = NULL;
  for (uint32_t i = 0; i < now->items_count; i++) {
    wi_holding *of = &now->items[i];
    const wi_holding *old = find(before, of);
    bool grows = old && of->byte_count > old->byte_count;
    of->growth_count = grows ? old->growth_count + 1 : 0;
    of->first_byte_count =
        grows ? (old->growth_count > 0 ? old->first_byte_count : old->byte_count) : of->byte_count;
    if (of->growth_count + 1 >= least && grows && (!most || growth_of(of) > growth_of(most)))
      most = of;
  }
  return most;
}
