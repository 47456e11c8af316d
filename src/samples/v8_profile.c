#include "samples/v8_profile.h"

#include <stdlib.h>

#include "support/json_cursor.h"

typedef struct reader {
  wi_v8_profile *profile;
  wi_cursor *in;
  bool is_raw;
} reader;

void wi_v8_profile_clear(wi_v8_profile *profile) {
  free(profile->nodes);
  free(profile->children);
  free(profile->samples);
  free(profile->deltas);
  free(profile->by_id);
  wi_buffer_clear(&profile->texts);
  *profile = (wi_v8_profile){0};
}

/* ---- Texts ----------------------------------------------------------------------- */

static bool continues_with(const wi_cursor *in, uint32_t offset, const char *text) {
  size_t size = strlen(text);
  return size <= in->end - offset && memcmp(in->bytes + offset, text, size) == 0;
}

/* Whether V8 would write this after the text of a name, or of a URL. */
static bool ends_raw_text(const wi_cursor *in, uint32_t offset, bool is_name) {
  static const char *const name_ends[] = {",\"lineNumber\":", ",\"scriptId\":", ",\"url\":"};
  static const char *const url_ends[] = {"}", ",\"lineNumber\":", ",\"columnNumber\":"};
  const char *const *ends = is_name ? name_ends : url_ends;
  for (unsigned i = 0; i < 3; i++)
    if (continues_with(in, offset, ends[i]))
      return true;
  return false;
}

/* Reads a text in which quotes may occur: it ends where its frame can continue. */
static wi_span read_raw_text(wi_cursor *in, bool is_name) {
  wi_json_expect(in, '"');
  uint32_t start = in->offset;
  for (; in->offset < in->end && !in->failed; in->offset++)
    if (in->bytes[in->offset] == '"' && ends_raw_text(in, in->offset + 1, is_name))
      return (wi_span){start, in->offset++ - start};
  wi_cursor_truncated(in, "text");
  return (wi_span){start, 0};
}

/* Reads a name or a URL and returns its offset in the profile's texts. */
static size_t read_text(const reader *r, bool is_name) {
  wi_buffer *texts = &r->profile->texts;
  size_t offset = texts->size;
  if (wi_json_skip_blanks(r->in) != '"') {
    wi_json_skip_value(r->in);
  } else if (r->is_raw) {
    wi_span text = read_raw_text(r->in, is_name);
    wi_buffer_append(texts, r->in->bytes + text.offset, text.size);
  } else {
    wi_json_unescape(r->in, wi_json_read_text(r->in), texts);
  }
  wi_json_end_text(texts, offset);
  if (texts->failed && !r->in->failed)
    wi_cursor_fail_memory(r->in);
  return offset;
}

/* ---- Numbers --------------------------------------------------------------------- */

/* A script's id is a number or its digits. */
static int64_t read_script(const reader *r) {
  if (wi_json_skip_blanks(r->in) != '"')
    return (int64_t)wi_json_read_number(r->in);
  wi_span digits = wi_json_read_text(r->in);
  int64_t number = 0;
  for (uint32_t i = 0; i < digits.size && i < 15; i++)
    number = number * 10 + (r->in->bytes[digits.offset + i] - '0');
  return number;
}

static void read_ids(const reader *r, int64_t **items, uint32_t *count, uint32_t *capacity) {
  WI_JSON_EACH_ITEM(r->in) {
    if (*count == *capacity &&
        !wi_array_reserve((void **)items, capacity, *count, 1, sizeof **items)) {
      wi_cursor_fail_memory(r->in);
      return;
    }
    (*items)[(*count)++] = (int64_t)wi_json_read_number(r->in);
  }
}

static void read_deltas(const reader *r) {
  WI_JSON_EACH_ITEM(r->in) {
    double *added = WI_ARRAY_PUSH(r->profile, deltas);
    if (!added) {
      wi_cursor_fail_memory(r->in);
      return;
    }
    *added = wi_json_read_number(r->in);
  }
}

/* ---- Nodes ----------------------------------------------------------------------- */

static void read_frame(const reader *r, wi_v8_node *node) {
  bool first = true;
  wi_span key;
  wi_json_expect(r->in, '{');
  while (!r->in->failed && wi_json_next_member(r->in, &first, &key)) {
    if (wi_json_is_text(r->in, key, "functionName"))
      node->name_offset = read_text(r, true);
    else if (wi_json_is_text(r->in, key, "url"))
      node->url_offset = read_text(r, false);
    else if (wi_json_is_text(r->in, key, "scriptId"))
      node->script = read_script(r);
    else if (wi_json_is_text(r->in, key, "lineNumber"))
      node->line = (int64_t)wi_json_read_number(r->in);
    else if (wi_json_is_text(r->in, key, "columnNumber"))
      node->column = (int64_t)wi_json_read_number(r->in);
    else
      wi_json_skip_value(r->in);
  }
}

static void read_children(const reader *r, wi_v8_node *node) {
  wi_v8_profile *profile = r->profile;
  node->children_first = profile->children_count;
  read_ids(r, &profile->children, &profile->children_count, &profile->children_capacity);
  node->children_count = profile->children_count - node->children_first;
}

static wi_v8_node read_node(const reader *r) {
  wi_v8_node node = {.line = -1, .column = -1, .id = -1};
  bool first = true;
  wi_span key;
  wi_json_expect(r->in, '{');
  while (!r->in->failed && wi_json_next_member(r->in, &first, &key)) {
    if (wi_json_is_text(r->in, key, "id"))
      node.id = (int64_t)wi_json_read_number(r->in);
    else if (wi_json_is_text(r->in, key, "parent"))
      node.parent = (int64_t)wi_json_read_number(r->in);
    else if (wi_json_is_text(r->in, key, "hitCount"))
      node.hit_count = (int64_t)wi_json_read_number(r->in);
    else if (wi_json_is_text(r->in, key, "callFrame"))
      read_frame(r, &node);
    else if (wi_json_is_text(r->in, key, "children"))
      read_children(r, &node);
    else
      wi_json_skip_value(r->in);
  }
  return node;
}

static void read_nodes(const reader *r) {
  WI_JSON_EACH_ITEM(r->in) {
    wi_v8_node node = read_node(r);
    wi_v8_node *added = WI_ARRAY_PUSH(r->profile, nodes);
    if (!added) {
      wi_cursor_fail_memory(r->in);
      return;
    }
    *added = node;
  }
}

bool wi_v8_profile_read(wi_v8_profile *profile, wi_cursor *in, bool is_raw) {
  const reader r = {profile, in, is_raw};
  bool first = true;
  wi_span key;
  if (profile->texts.size == 0)
    wi_buffer_u8(&profile->texts, 0); /* the empty text, of nodes that have none */
  wi_json_expect(in, '{');
  while (!in->failed && wi_json_next_member(in, &first, &key)) {
    if (wi_json_is_text(in, key, "nodes"))
      read_nodes(&r);
    else if (wi_json_is_text(in, key, "samples"))
      read_ids(&r, &profile->samples, &profile->samples_count, &profile->samples_capacity);
    else if (wi_json_is_text(in, key, "timeDeltas"))
      read_deltas(&r);
    else if (wi_json_is_text(in, key, "startTime"))
      profile->start = wi_json_read_number(in);
    else if (wi_json_is_text(in, key, "endTime"))
      profile->end = wi_json_read_number(in);
    else
      wi_json_skip_value(in);
  }
  return !in->failed;
}

/* ---- The tree -------------------------------------------------------------------- */

typedef struct keyed {
  int64_t id;
  uint32_t index;
} keyed;

static int compare_ids(const void *left, const void *right) {
  const keyed *a = left, *b = right;
  if (a->id != b->id)
    return a->id < b->id ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

bool wi_v8_profile_sort(wi_v8_profile *profile) {
  uint32_t count = profile->nodes_count;
  keyed *order = malloc((count + (size_t)1) * sizeof *order);
  profile->by_id_count = 0;
  if (!order || !WI_ARRAY_RESERVE(profile, by_id, count + 1)) {
    free(order);
    return false;
  }
  for (uint32_t i = 0; i < count; i++)
    order[i] = (keyed){profile->nodes[i].id, i};
  qsort(order, count, sizeof *order, compare_ids);
  for (uint32_t i = 0; i < count; i++)
    profile->by_id[profile->by_id_count++] = order[i].index;
  free(order);
  return true;
}

uint32_t wi_v8_profile_find(const wi_v8_profile *profile, int64_t id) {
  uint32_t low = 0, high = profile->by_id_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (profile->nodes[profile->by_id[middle]].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  bool is_found = low < profile->by_id_count && profile->nodes[profile->by_id[low]].id == id;
  return is_found ? profile->by_id[low] : UINT32_MAX;
}

static bool has_repeated_id(const wi_v8_profile *profile) {
  for (uint32_t i = 1; i < profile->by_id_count; i++)
    if (profile->nodes[profile->by_id[i]].id == profile->nodes[profile->by_id[i - 1]].id)
      return true;
  return false;
}

bool wi_v8_profile_is_tree(const wi_v8_profile *profile) {
  if (profile->nodes_count == 0 || has_repeated_id(profile))
    return false;
  bool *seen = calloc(profile->nodes_count, sizeof *seen), is_tree = seen != NULL;
  if (is_tree)
    seen[0] = true;
  for (uint32_t i = 0; is_tree && i < profile->children_count; i++) {
    uint32_t child = wi_v8_profile_find(profile, profile->children[i]);
    is_tree = child != UINT32_MAX && !seen[child];
    if (is_tree)
      seen[child] = true;
  }
  free(seen);
  return is_tree;
}
