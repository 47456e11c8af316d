/* A profile of V8 as it is in a file: nodes and samples, not yet understood. */
#ifndef WI_SAMPLES_V8_PROFILE_H_
#define WI_SAMPLES_V8_PROFILE_H_

#include "support/array.h"
#include "support/buffer.h"
#include "support/cursor.h"

/* A node of V8's tree. Texts are NUL-terminated in `texts`. */
typedef struct wi_v8_node {
  int64_t id, parent; /* parent 0: not given */
  int64_t script;
  size_t name_offset, url_offset;
  int64_t line, column; /* from 0; -1: none */
  int64_t hit_count;
  uint32_t children_first, children_count; /* in `children` */
} wi_v8_node;

/* Zero it before use, clear it afterwards. */
typedef struct wi_v8_profile {
  WI_ARRAY(wi_v8_node, nodes); /* in the order of the file */
  WI_ARRAY(int64_t, children); /* ids */
  WI_ARRAY(int64_t, samples);  /* ids */
  WI_ARRAY(double, deltas);    /* microseconds between samples */
  double start, end;           /* microseconds */
  wi_buffer texts;
  WI_ARRAY(uint32_t, by_id); /* indices of nodes in order of their ids, see wi_v8_profile_sort */
} wi_v8_profile;

void wi_v8_profile_clear(wi_v8_profile *profile);

/*
 * Adds the profile in the JSON object at the cursor. V8 writes names and URLs without escapes where
 * the inspector does not write them: then `is_raw`. Returns false with the cursor failed.
 */
bool wi_v8_profile_read(wi_v8_profile *profile, wi_cursor *in, bool is_raw);

/* Fills in `by_id`. Returns false if out of memory. */
bool wi_v8_profile_sort(wi_v8_profile *profile);

/* Returns the index of the node with that id; UINT32_MAX if there is none. */
uint32_t wi_v8_profile_find(const wi_v8_profile *profile, int64_t id);

/* Whether the nodes are a tree below the first one, in which none occurs twice. */
bool wi_v8_profile_is_tree(const wi_v8_profile *profile);

static inline const char *wi_v8_name(const wi_v8_profile *profile, const wi_v8_node *node) {
  return (const char *)profile->texts.data + node->name_offset;
}

static inline const char *wi_v8_url(const wi_v8_profile *profile, const wi_v8_node *node) {
  return (const char *)profile->texts.data + node->url_offset;
}

#endif /* WI_SAMPLES_V8_PROFILE_H_ */
