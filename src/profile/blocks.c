#include "profile/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "support/arithmetic.h"
#include "support/search.h"

/* ---- Blocks --------------------------------------------------------------- */

/* Position of the function's blocks, or where to insert them. */
static uint32_t block_position(const wasm_perf_profile *profile, uint32_t function) {
  return WI_LOWER_BOUND(wasm_perf_blocks, profile->blocks, profile->block_function_count, function,
                        function);
}

const wasm_perf_blocks *wasm_perf_profile_blocks(const wasm_perf_profile *profile,
                                                 uint32_t function) {
  uint32_t position = block_position(profile, function);
  bool is_there =
      position < profile->block_function_count && profile->blocks[position].function == function;
  return is_there ? &profile->blocks[position] : NULL;
}

/*
 * Makes room for one more item after `count`; the capacity is a power of two. NULL: out of memory.
 */
static void *with_room(void *items, size_t count, size_t item_size) {
  if ((count & (count - 1)) != 0)
    return items;
  return realloc(items, (count == 0 ? 1 : count * 2) * item_size);
}

/* Adds zeroed counts for a function without counts; NULL: out of memory. */
static wasm_perf_blocks *insert_blocks(wasm_perf_profile *profile, uint32_t function,
                                       uint32_t count) {
  wasm_perf_blocks *all = with_room(profile->blocks, profile->block_function_count, sizeof *all);
  if (!all)
    return NULL;
  profile->blocks = all;
  uint64_t *counts = calloc(count + (size_t)1, sizeof *counts);
  if (!counts)
    return NULL;
  wasm_perf_blocks *item = &all[block_position(profile, function)];
  memmove(item + 1, item, (size_t)(all + profile->block_function_count - item) * sizeof *item);
  *item = (wasm_perf_blocks){function, count, counts};
  profile->block_function_count++;
  return item;
}

bool wasm_perf_profile_add_blocks(wasm_perf_profile *profile, uint32_t function,
                                  const uint64_t *counts, uint32_t count) {
  wasm_perf_blocks *item = (wasm_perf_blocks *)wasm_perf_profile_blocks(profile, function);
  if (!item)
    item = insert_blocks(profile, function, count);
  if (!item || item->count != count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    item->counts[i] = wi_saturating_add(item->counts[i], counts[i]);
  return true;
}

uint64_t *wi_blocks_new(wasm_perf_profile *profile, uint32_t function, uint32_t count) {
  wasm_perf_blocks *item = insert_blocks(profile, function, count);
  return item ? item->counts : NULL;
}

bool wi_blocks_agree(const wasm_perf_profile *left, const wasm_perf_profile *right,
                     uint32_t *function) {
  for (uint32_t i = 0; i < left->block_function_count; i++) {
    const wasm_perf_blocks *other = wasm_perf_profile_blocks(right, left->blocks[i].function);
    *function = left->blocks[i].function;
    if (other && other->count != left->blocks[i].count)
      return false;
  }
  return true;
}

/* ---- Lines ---------------------------------------------------------------- */

typedef struct path_key {
  const char *path;
  char *const *files;
} path_key;

static int compare_path(const void *key, const void *sorted) {
  const path_key *wanted = key;
  return strcmp(wanted->path, wanted->files[*(const uint32_t *)sorted]);
}

/* Position of the path in sorted order, or where to insert it. */
static uint32_t file_position(const wasm_perf_lines *lines, const char *path) {
  path_key key = {path, lines->files};
  return wi_lower_bound(&key, lines->sorted, lines->file_count, sizeof *lines->sorted,
                        compare_path);
}

/* Returns the index of the file, adding it if it is new; UINT32_MAX: out of memory. */
static uint32_t find_file(wasm_perf_lines *lines, const char *path) {
  uint32_t position = file_position(lines, path), count = lines->file_count;
  if (position < count && strcmp(lines->files[lines->sorted[position]], path) == 0)
    return lines->sorted[position];
  char **files = with_room(lines->files, count, sizeof *files);
  lines->files = files ? files : lines->files;
  char **sources = with_room(lines->sources, count, sizeof *sources);
  lines->sources = sources ? sources : lines->sources;
  uint32_t *sorted = with_room(lines->sorted, count, sizeof *sorted);
  lines->sorted = sorted ? sorted : lines->sorted;
  char *copy = files && sources && sorted ? strdup(path) : NULL;
  if (!copy)
    return UINT32_MAX;
  files[count] = copy;
  sources[count] = NULL;
  memmove(sorted + position + 1, sorted + position, (count - position) * sizeof *sorted);
  sorted[position] = count;
  lines->file_count++;
  return count;
}

static bool find_optional_file(wasm_perf_lines *lines, const char *path, uint32_t *file) {
  *file = path ? find_file(lines, path) : WASM_PERF_NO_FILE;
  return !path || *file != UINT32_MAX;
}

bool wasm_perf_profile_set_source(wasm_perf_profile *profile, const char *path,
                                  const char *source) {
  wasm_perf_lines *lines = &profile->lines;
  uint32_t position = file_position(lines, path);
  if (position == lines->file_count || strcmp(lines->files[lines->sorted[position]], path) != 0)
    return true;
  char **place = &lines->sources[lines->sorted[position]];
  free(*place);
  *place = strdup(source);
  return *place != NULL;
}

bool wasm_perf_profile_add_line(wasm_perf_profile *profile, const char *path,
                                const wasm_perf_line *line) {
  wasm_perf_lines *lines = &profile->lines;
  uint32_t file;
  wasm_perf_line *items = with_room(lines->items, lines->count, sizeof *items);
  lines->items = items ? items : lines->items;
  if (!items || !find_optional_file(lines, path, &file))
    return false;
  items[lines->count] = *line;
  items[lines->count++].file = file;
  return true;
}

bool wasm_perf_profile_add_line_call(wasm_perf_profile *profile, const wasm_perf_line_call *call) {
  wasm_perf_lines *lines = &profile->lines;
  wasm_perf_line_call *calls = with_room(lines->calls, lines->call_count, sizeof *calls);
  if (!calls)
    return false;
  lines->calls = calls;
  calls[lines->call_count++] = *call;
  return true;
}

bool wasm_perf_profile_add_branch(wasm_perf_profile *profile, const char *path,
                                  const wasm_perf_branch *branch) {
  wasm_perf_lines *lines = &profile->lines;
  uint32_t file;
  wasm_perf_branch *branches = with_room(lines->branches, lines->branch_count, sizeof *branches);
  lines->branches = branches ? branches : lines->branches;
  if (!branches || !find_optional_file(lines, path, &file))
    return false;
  branches[lines->branch_count] = *branch;
  branches[lines->branch_count++].file = file;
  return true;
}

/* ---- Inlined functions ---------------------------------------------------- */

bool wasm_perf_profile_add_inlined(wasm_perf_profile *profile, const wasm_perf_inlined *inlined,
                                   const char *path, const char *call_path) {
  wasm_perf_lines *lines = &profile->lines;
  wasm_perf_inlined added = *inlined;
  wasm_perf_inlined *items = with_room(lines->inlined, lines->inlined_count, sizeof *items);
  lines->inlined = items ? items : lines->inlined;
  if (!items || !find_optional_file(lines, path, &added.file) ||
      !find_optional_file(lines, call_path, &added.call_file) ||
      !(added.name = strdup(inlined->name)))
    return false;
  items[lines->inlined_count++] = added;
  return true;
}

bool wasm_perf_profile_name_inlined(wasm_perf_profile *profile, uint32_t index, const char *name) {
  char *copy = strdup(name);
  if (!copy)
    return false;
  free(profile->lines.inlined[index].name);
  profile->lines.inlined[index].name = copy;
  return true;
}

/* ---- The end -------------------------------------------------------------- */

void wi_blocks_clear(wasm_perf_profile *profile) {
  for (uint32_t i = 0; i < profile->block_function_count; i++)
    free(profile->blocks[i].counts);
  for (uint32_t i = 0; i < profile->lines.file_count; i++) {
    free(profile->lines.files[i]);
    free(profile->lines.sources[i]);
  }
  free(profile->blocks);
  free(profile->lines.files);
  free(profile->lines.sources);
  free(profile->lines.sorted);
  free(profile->lines.items);
  free(profile->lines.calls);
  free(profile->lines.branches);
  for (uint32_t i = 0; i < profile->lines.inlined_count; i++)
    free(profile->lines.inlined[i].name);
  free(profile->lines.inlined);
}
