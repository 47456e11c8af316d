/*
 * What followers add to the profile. Each has any of these parts, exported under its own name:
 * memory_facts_size, python_put_names. The rewriter makes the functions below
 * (hooks/embedded/merge.h): each calls that part of all followers that are in the program, and adds
 * up what they return.
 */
#ifndef WI_RUNTIME_EMBEDDED_FOLLOWERS_H_
#define WI_RUNTIME_EMBEDDED_FOLLOWERS_H_

#include <stdint.h>

/* Facts: how many bytes they take, and putting them. */
uint32_t each_facts_size(void);
void each_put_facts(void);

/* Records of the section of names, the same. */
uint32_t each_names_size(void);
void each_put_names(void);

/* Sections of their own, the same. */
uint64_t each_sections_size(void);
void each_put_sections(void);

/*
 * While nodes' `calls` are indices of their records: followers learn those of the nodes that they
 * tell of; mark in `used` those that have something to tell; take new indices.
 */
void each_find_records(void);
void each_mark_used(uint32_t *used);
void each_move_records(const uint32_t *indices);

/* Forgets what was counted; what goes on goes on. */
void each_reset(void);

#endif /* WI_RUNTIME_EMBEDDED_FOLLOWERS_H_ */
