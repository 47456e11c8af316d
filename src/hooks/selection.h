/* A selection's patterns. The public header describes them. */
#ifndef WI_HOOKS_SELECTION_H_
#define WI_HOOKS_SELECTION_H_

#include <uthash.h>

#include "hooks/follow/allocator_kinds.h"
#include "support/array.h"
#include "support/regex.h"
#include "wasm_instrument/wasm_instrument.h"

typedef enum wi_pattern_kind {
  WI_PATTERN_EXACT,
  WI_PATTERN_GLOB,
  WI_PATTERN_REGEX,
  WI_PATTERN_INDICES
} wi_pattern_kind;

/* What a pattern is compared with; an index has none of them. */
typedef enum wi_pattern_subject {
  WI_SUBJECT_NAME,
  WI_SUBJECT_FILE,
  WI_SUBJECT_PART
} wi_pattern_subject;

typedef struct wi_pattern {
  wi_pattern_kind kind;
  wi_pattern_subject subject;
  bool exclude;
  char *text;           /* as passed, without the '!'; owned */
  const char *glob;     /* the text without "file:" or "part:" */
  wi_regex *regex;      /* WI_PATTERN_REGEX; owned */
  uint32_t first, last; /* WI_PATTERN_INDICES, inclusive */
  uint32_t position;    /* in the list */
  uint32_t next_same;   /* EXACT names: an earlier pattern with the same text, or WI_NO_PATTERN */
  UT_hash_handle hh;    /* EXACT names: the latest with each text */
} wi_pattern;

#define WI_NO_PATTERN UINT32_MAX

struct wi_selection {
  WI_ARRAY(wi_pattern *, patterns); /* owned; pointers, because hash table items must not move */
  wi_pattern *exact;                /* hash of exact names by text */
  bool is_list; /* it has an allow list: without patterns, no function is chosen */
  bool has_subject[WI_SUBJECT_PART + 1];   /* whether any pattern is of that subject */
  WI_ARRAY(wi_allocator_rule, allocators); /* their patterns are owned */
  wi_selection *calls;                     /* whose calls are measured, or NULL; owned */
};

/* Fails because of the pattern `text`. Returns false. */
bool wi_pattern_refuse(wi_error *error, const char *text, const char *why);

/* The rules added by wi_selection_add_allocator, *count of them; owned by the selection. */
const wi_allocator_rule *wi_selection_allocators(const wi_selection *selection, uint32_t *count);

/* The patterns added by wi_selection_add_calls, or NULL; owned by the selection, which may be NULL. */
const wi_selection *wi_selection_calls(const wi_selection *selection);

#endif /* WI_HOOKS_SELECTION_H_ */
