/* Gives inlined functions their own nodes, below the functions that contain their code. */
#include <stdlib.h>
#include <string.h>

#include "profile/division.h"
#include "profile/inlined.h"
#include "support/arithmetic.h"
#include "support/array.h"
#include "support/search.h"

enum { MOST_NODES = 4000000 };

/* The cost of an inlined function in one function of the module, over all lines. */
typedef struct piece {
  uint32_t function;
  uint32_t inlined; /* index */
  uint64_t instruction_count;
} piece;

/* A function of the module and its pieces. */
typedef struct owner {
  uint32_t function;
  uint32_t first, count; /* range of its pieces */
  wi_division division;  /* divides the cost of its nodes */
} owner;

typedef struct expander {
  wasm_perf_profile *profile;
  wi_inlined_functions functions;
  uint32_t first_function; /* number of the first inlined function; the others follow */
  wi_share *shares;        /* per piece */
  uint32_t *nodes;         /* per inlined function: its node below the node that was split last */
  uint32_t *split_nodes;   /* per inlined function: the node below which that one is */
  WI_ARRAY(piece, pieces);
  WI_ARRAY(owner, owners);
  WI_ARRAY(wasm_perf_node, added);
  WI_ARRAY(uint32_t, chain); /* inlined functions that still need nodes, innermost first */
} expander;

/* ---- Pieces --------------------------------------------------------------- */

static int compare_pieces(const void *left, const void *right) {
  const piece *a = left, *b = right;
  if (a->function != b->function)
    return a->function < b->function ? -1 : 1;
  return (a->inlined > b->inlined) - (a->inlined < b->inlined);
}

static bool find_pieces(expander *e) {
  const wasm_perf_lines *lines = &e->profile->lines;
  for (uint32_t i = 0; i < lines->count; i++) {
    const wasm_perf_line *line = &lines->items[i];
    piece *added =
        line->inlined > 0 && line->instruction_count > 0 ? WI_ARRAY_PUSH(e, pieces) : NULL;
    if (added)
      *added = (piece){line->function, line->inlined - 1, line->instruction_count};
    else if (line->inlined > 0 && line->instruction_count > 0)
      return false;
  }
  if (e->pieces_count > 0)
    qsort(e->pieces, e->pieces_count, sizeof *e->pieces, compare_pieces);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < e->pieces_count; i++) {
    piece *last = kept > 0 ? &e->pieces[kept - 1] : NULL;
    if (last && compare_pieces(last, &e->pieces[i]) == 0)
      last->instruction_count =
          wi_saturating_add(last->instruction_count, e->pieces[i].instruction_count);
    else
      e->pieces[kept++] = e->pieces[i];
  }
  e->pieces_count = kept;
  return true;
}

static bool find_owners(expander *e) {
  for (uint32_t i = 0; i < e->pieces_count; i++) {
    owner *last = e->owners_count > 0 ? &e->owners[e->owners_count - 1] : NULL;
    if (!last || last->function != e->pieces[i].function) {
      last = WI_ARRAY_PUSH(e, owners);
      if (!last)
        return false;
      *last = (owner){.function = e->pieces[i].function, .first = i};
    }
    last->count++;
    last->division.rest.part =
        wi_saturating_add(last->division.rest.part, e->pieces[i].instruction_count);
    e->shares[i].part = e->pieces[i].instruction_count;
  }
  return true;
}

static owner *owner_of(expander *e, uint32_t function) {
  uint32_t i = WI_LOWER_BOUND(owner, e->owners, e->owners_count, function, function);
  return i < e->owners_count && e->owners[i].function == function ? &e->owners[i] : NULL;
}

/*
 * Computes the wholes. Nothing is split if the pieces exceed the nodes' sum, as in a partial
 * profile.
 */
static void find_wholes(expander *e) {
  for (uint32_t i = 1; i < e->profile->header.node_count; i++) {
    const wasm_perf_node *node = &e->profile->nodes[i];
    owner *of = owner_of(e, node->function);
    if (of)
      of->division.whole = wi_saturating_add(of->division.whole, node->self);
  }
  for (uint32_t i = 0; i < e->owners_count; i++) {
    wi_division *division = &e->owners[i].division;
    if (division->rest.part > division->whole)
      division->whole = 0;
    else
      division->rest.part = division->whole - division->rest.part;
  }
}

/* ---- Nodes ---------------------------------------------------------------- */

/*
 * Returns the node of an inlined function below `node`, adding it and the nodes of enclosing
 * inlined functions as needed; 0: out of memory.
 */
static uint32_t inlined_node(expander *e, uint32_t node, uint32_t inlined) {
  const wasm_perf_inlined *all = e->profile->lines.inlined;
  uint32_t parent = node, at = inlined + 1;
  for (e->chain_count = 0; at != 0 && e->split_nodes[at - 1] != node; at = all[at - 1].outer) {
    uint32_t *item = WI_ARRAY_PUSH(e, chain);
    if (!item)
      return 0;
    *item = at - 1;
  }
  if (at != 0)
    parent = e->nodes[at - 1];
  while (e->chain_count > 0) {
    uint32_t next = e->chain[--e->chain_count];
    uint32_t index = e->profile->header.node_count + e->added_count;
    wasm_perf_node *added = e->added_count < MOST_NODES ? WI_ARRAY_PUSH(e, added) : NULL;
    if (!added)
      return 0;
    *added =
        (wasm_perf_node){.function = e->first_function + e->functions.of[next], .parent = parent};
    e->split_nodes[next] = node;
    e->nodes[next] = parent = index;
  }
  return parent;
}

static bool split_node(expander *e, uint32_t index) {
  wasm_perf_node *node = &e->profile->nodes[index];
  owner *of = node->self > 0 ? owner_of(e, node->function) : NULL;
  if (!of || of->division.whole == 0)
    return true;
  wi_division_next(&of->division, &e->shares[of->first], of->count, node->self);
  for (uint32_t i = of->first; i < of->first + of->count; i++) {
    if (e->shares[i].last == 0)
      continue;
    uint32_t at = inlined_node(e, index, e->pieces[i].inlined);
    if (at == 0)
      return false;
    e->added[at - e->profile->header.node_count].self = e->shares[i].last;
  }
  node->self = of->division.rest.last;
  return true;
}

static bool add_nodes(expander *e) {
  wasm_perf_profile *profile = e->profile;
  size_t count = profile->header.node_count + (size_t)e->added_count;
  wasm_perf_node *nodes =
      count < UINT32_MAX ? realloc(profile->nodes, count * sizeof *nodes) : NULL;
  if (!nodes)
    return false;
  if (e->added_count > 0)
    memcpy(nodes + profile->header.node_count, e->added, e->added_count * sizeof *nodes);
  profile->nodes = nodes;
  profile->header.node_count = (uint32_t)count;
  return true;
}

/* ---- Functions ------------------------------------------------------------ */

/* Returns the first number past all functions of the profile. */
static uint32_t find_first_function(const wasm_perf_profile *profile) {
  uint32_t first = profile->header.function_count;
  for (uint32_t i = 0; i < profile->header.node_count; i++) {
    uint32_t function = profile->nodes[i].function;
    if (function < WASM_PERF_FUNCTION_UNHOOKED && function >= first)
      first = function + 1;
  }
  for (uint32_t i = 0; i < profile->header.name_count; i++)
    if (profile->names[i].function >= first &&
        profile->names[i].function < WASM_PERF_FUNCTION_UNHOOKED)
      first = profile->names[i].function + 1;
  return first;
}

static bool name_functions(expander *e) {
  wasm_perf_profile *profile = e->profile;
  for (uint32_t i = 0; i < e->functions.count; i++) {
    const wasm_perf_inlined *from = &profile->lines.inlined[e->functions.firsts[i]];
    const char *path = from->file == WASM_PERF_NO_FILE ? NULL : profile->lines.files[from->file];
    uint32_t function = e->first_function + i;
    if (!wasm_perf_profile_set_name(profile, function, from->name) ||
        (path && !wasm_perf_profile_set_place(profile, function, from->line, path, strlen(path))))
      return false;
  }
  return true;
}

/* Assigns lines to the source functions. */
static void move_lines(expander *e) {
  wasm_perf_lines *lines = &e->profile->lines;
  for (uint32_t i = 0; i < lines->count; i++) {
    wasm_perf_line *line = &lines->items[i];
    if (line->inlined > 0)
      line->function = e->first_function + e->functions.of[line->inlined - 1];
    line->inlined = 0;
  }
}

/* ---- The whole ------------------------------------------------------------ */

static bool expand(expander *e) {
  uint32_t inlined_count = e->profile->lines.inlined_count;
  if (!find_pieces(e))
    return false;
  e->shares = calloc(e->pieces_count + (size_t)1, sizeof *e->shares);
  e->nodes = calloc(inlined_count + (size_t)1, sizeof *e->nodes);
  e->split_nodes = calloc(inlined_count + (size_t)1, sizeof *e->split_nodes);
  if (!e->shares || !e->nodes || !e->split_nodes || !find_owners(e))
    return false;
  find_wholes(e);
  for (uint32_t i = 1; i < e->profile->header.node_count; i++)
    if (!split_node(e, i))
      return false;
  if (!add_nodes(e) || !name_functions(e))
    return false;
  move_lines(e);
  return true;
}

bool wasm_perf_profile_show_inlined(wasm_perf_profile *profile) {
  expander e = {.profile = profile, .first_function = find_first_function(profile)};
  bool done = wi_inlined_functions_init(&e.functions, profile) &&
              e.first_function + (uint64_t)e.functions.count < WASM_PERF_FUNCTION_UNHOOKED &&
              expand(&e);
  wi_inlined_functions_clear(&e.functions);
  free(e.shares);
  free(e.nodes);
  free(e.split_nodes);
  free(e.pieces);
  free(e.owners);
  free(e.added);
  free(e.chain);
  return done;
}
