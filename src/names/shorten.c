#include "names/shorten.h"

#include <string.h>

#include "names/text_width.h"

#define ELLIPSIS      "\xE2\x80\xA6" /* U+2026, one column */
#define ELLIPSIS_SIZE 3u
#define NO_GROUP      SIZE_MAX
#define MAX_GROUPS    2048u /* further groups are not shortened */

/* The text between a pair of brackets. */
typedef struct group {
  size_t begin;  /* after the opening bracket; offsets in bytes of the name */
  size_t end;    /* of the closing bracket */
  size_t parent; /* index of the enclosing group, or NO_GROUP */
  unsigned depth;
  bool is_round;
  bool is_closed;
  bool is_kept; /* never replaced as a whole */
  bool is_path; /* Rust's <T as Trait>: kept, but its paths may be shortened */
} group;

/* A name's groups, in order of their beginnings. */
typedef struct name_groups {
  const char *name;
  size_t count;
  unsigned max_depth;
  group groups[MAX_GROUPS];
} name_groups;

/* How much is omitted. */
typedef struct stage {
  unsigned depth;    /* omits lists from this depth on; the outermost is 1 */
  bool keeps_angles; /* at `depth`, omits only round lists */
  bool shortens_paths;
} stage;

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (c & 0x80) != 0;
}

/* ---- Finding the lists --------------------------------------------------- */

/* Size of a token at `at` whose brackets do not enclose anything; 0 if there is none. */
static size_t plain_size(const char *name, size_t at) {
  static const char *const operators[] = {
      "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "[]", "<", ">", NULL};
  const char *word = "operator";
  if (starts_with(name + at, "->") || starts_with(name + at, "=>"))
    return 2;
  if (!starts_with(name + at, word) || (at > 0 && is_word(name[at - 1])))
    return 0;
  for (size_t i = 0; operators[i]; i++)
    if (starts_with(name + at + strlen(word), operators[i]))
      return strlen(word) + strlen(operators[i]);
  return 0;
}

static void open_group(name_groups *found, size_t at) {
  group *opened = &found->groups[found->count++];
  *opened = (group){.begin = at + 1, .is_round = found->name[at] == '('};
  const char *text = found->name + at;
  if (opened->is_round)
    opened->is_kept =
        starts_with(text, "(anonymous namespace)") || (at > 0 && found->name[at - 1] == '.');
}

/*
 * Closes the innermost matching open group. A '<' left open inside round brackets was not a
 * bracket.
 */
static void close_group(name_groups *found, size_t at) {
  bool is_round = found->name[at] == ')';
  for (size_t i = found->count; i-- > 0;) {
    group *candidate = &found->groups[i];
    if (candidate->is_closed || candidate->end == SIZE_MAX)
      continue;
    if (candidate->is_round == is_round) {
      candidate->is_closed = true;
      candidate->end = at;
      return;
    }
    if (!is_round)
      return; /* a '>' inside round brackets is a comparison */
    candidate->end = SIZE_MAX;
  }
}

/* The first group after `list` that is not inside it. `end` is the end of all groups. */
static const group *skip_inner(const group *list, const group *end) {
  const group *next = list + 1;
  while (next < end && next->begin < list->end)
    next++;
  return next;
}

/*
 * Whether a list is Rust's "<T as Trait>" or "<impl Trait for T>": a type and its trait, not
 * arguments. An " as " in a nested list does not count.
 */
static bool is_type_and_trait(const name_groups *found, const group *list) {
  if (list->is_round)
    return false;
  const char *name = found->name;
  if (starts_with(name + list->begin, "impl "))
    return true;
  const group *end = found->groups + found->count, *inner = list + 1;
  for (size_t i = list->begin; i < list->end; i++) {
    if (inner < end && inner->begin == i) {
      i = inner->end;
      inner = skip_inner(inner, end);
    }
    if (starts_with(name + i, " as "))
      return true;
  }
  return false;
}

static void drop_open_groups(name_groups *found) {
  size_t kept = 0;
  for (size_t i = 0; i < found->count; i++)
    if (found->groups[i].is_closed)
      found->groups[kept++] = found->groups[i];
  found->count = kept;
}

/* Depths only count groups that may be omitted. */
static void find_depths(name_groups *found) {
  size_t parent = NO_GROUP;
  for (size_t i = 0; i < found->count; i++) {
    group *list = &found->groups[i];
    while (parent != NO_GROUP && found->groups[parent].end < list->begin)
      parent = found->groups[parent].parent;
    list->parent = parent;
    list->is_path = is_type_and_trait(found, list);
    list->is_kept = list->is_kept || list->is_path;
    list->depth = (parent == NO_GROUP ? 0 : found->groups[parent].depth) + !list->is_kept;
    if (list->depth > found->max_depth)
      found->max_depth = list->depth;
    parent = i;
  }
}

static void find_groups(name_groups *found, const char *name) {
  found->name = name;
  found->count = 0;
  found->max_depth = 0;
  for (size_t i = 0; name[i] != 0; i++) {
    size_t plain = plain_size(name, i);
    if (plain > 0)
      i += plain - 1;
    else if ((name[i] == '<' || name[i] == '(') && found->count < MAX_GROUPS)
      open_group(found, i);
    else if (name[i] == '>' || name[i] == ')')
      close_group(found, i);
  }
  drop_open_groups(found);
  find_depths(found);
}

/* ---- Shortening ---------------------------------------------------------- */

static bool is_left_out(const group *list, const stage *now) {
  if (list->is_kept || list->depth < now->depth || list->end - list->begin <= ELLIPSIS_SIZE)
    return false;
  return !(now->keeps_angles && list->depth == now->depth && !list->is_round);
}

/* Size of the path at `text` up to the last "::", so without its last part. */
static size_t path_head_size(const char *text) {
  size_t head = 0;
  for (size_t i = 0; is_word(text[i]) || starts_with(text + i, "::"); i++) {
    if (text[i] == ':') {
      head = is_word(text[i + 2]) ? i : head;
      i++;
    }
  }
  return head;
}

/* Number of bytes omitted at `at`. `current` is the innermost group around it. */
static size_t left_out_size(const name_groups *found, size_t current, size_t at, const stage *now) {
  const group *list = &found->groups[current];
  if (list->begin == at && is_left_out(list, now))
    return list->end - at;
  char before = found->name[at - 1];
  if (!now->shortens_paths || !list->is_path || is_word(before) || before == ':')
    return 0;
  size_t head = path_head_size(found->name + at);
  return head > ELLIPSIS_SIZE ? head : 0;
}

static void write_stage(char *text, const name_groups *found, const stage *now) {
  size_t size = 0, next = 0, current = NO_GROUP;
  for (size_t at = 0; found->name[at] != 0;) {
    for (; next < found->count && found->groups[next].begin <= at; next++)
      if (found->groups[next].begin == at)
        current = next;
    size_t left_out = current == NO_GROUP ? 0 : left_out_size(found, current, at, now);
    if (left_out > 0) {
      memcpy(text + size, ELLIPSIS, ELLIPSIS_SIZE);
      size += ELLIPSIS_SIZE;
      at += left_out;
    }
    if (current != NO_GROUP && found->groups[current].end == at)
      current = found->groups[current].parent;
    text[size++] = found->name[at++];
  }
  text[size] = 0;
}

/* The end of the part of `text` that fits into `width` columns, including combining marks. */
static const char *skip_columns(const char *text, uint32_t width) {
  while (*text != 0) {
    uint32_t next_width;
    const char *next = wi_text_next(text, &next_width);
    if (next_width > width)
      break;
    width -= next_width;
    text = next;
  }
  return text;
}

/* The end of a name is more telling than its beginning, so it gets two thirds. */
static void cut_middle(char *text, uint32_t width) {
  uint32_t whole = wi_text_width(text);
  if (whole <= width)
    return;
  uint32_t tail_width = width * 2 / 3;
  char *head_end = (char *)skip_columns(text, width - 1 - tail_width);
  const char *tail = skip_columns(text, whole - tail_width);
  uint32_t ignored;
  while (wi_text_width(tail) > tail_width) /* a wide character was split */
    tail = wi_text_next(tail, &ignored);
  if (starts_with(tail, ELLIPSIS)) /* avoid a second ellipsis */
    tail += ELLIPSIS_SIZE;
  if (head_end >= text + ELLIPSIS_SIZE && starts_with(head_end - ELLIPSIS_SIZE, ELLIPSIS))
    head_end -= ELLIPSIS_SIZE;
  memmove(head_end + ELLIPSIS_SIZE, tail, strlen(tail) + 1);
  memcpy(head_end, ELLIPSIS, ELLIPSIS_SIZE);
}

/* The stages in order: the first 2 × max_depth omit lists, the last one also shortens paths. */
static stage stage_at(const name_groups *found, unsigned index) {
  if (index == 2 * found->max_depth)
    return (stage){.depth = 1, .shortens_paths = true};
  return (stage){.depth = found->max_depth - index / 2, .keeps_angles = index % 2 == 0};
}

static void shorten(char *text, const char *name, uint32_t width) {
  name_groups found;
  find_groups(&found, name);
  /* Finds the first sufficient stage by bisection: each omits all that the previous ones omit. */
  unsigned first = 0, end = 2 * found.max_depth;
  while (first < end) {
    unsigned middle = (first + end) / 2;
    stage now = stage_at(&found, middle);
    write_stage(text, &found, &now);
    if (wi_text_width(text) <= width)
      end = middle;
    else
      first = middle + 1;
  }
  stage now = stage_at(&found, first);
  write_stage(text, &found, &now);
  cut_middle(text, width);
}

void wi_shorten(char *text, const char *name, uint32_t width) {
  strcpy(text, name);
  if (wi_text_width(name) <= width)
    return;
  size_t name_size = wi_label_name_size(name);
  const char *mark = name + name_size;
  uint32_t mark_width = (uint32_t)strlen(mark);
  if (mark_width == 0 || width < 2 * mark_width) {
    shorten(text, name, width);
    return;
  }
  char bare[WI_LABEL_MAX_SIZE + 1];
  memcpy(bare, name, name_size);
  bare[name_size] = '\0';
  shorten(text, bare, width - mark_width);
  strcat(text, mark);
}
