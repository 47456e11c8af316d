/*
 * What followers add to the profile. Each may have any of the parts below and exports them under
 * its name: memory_facts_size, python_put_names. The rewriter generates the functions below
 * (hooks/embedded/merge.h): each calls that part of every follower in the program, and adds up the
 * results.
 */
#ifndef WI_RUNTIME_EMBEDDED_FOLLOWERS_H_
#define WI_RUNTIME_EMBEDDED_FOLLOWERS_H_

#include <stdint.h>

/* Facts: their size in bytes, and writing them. */
uint32_t each_facts_size(void);
void each_put_facts(void);

/* Records of the names section: their size in bytes, and writing them. */
uint32_t each_names_size(void);
void each_put_names(void);

/* Additional sections: their size in bytes, and writing them. */
uint64_t each_sections_size(void);
void each_put_sections(void);

/*
 * Called when all records are written. Followers first note the records of their nodes
 * (embed_record_of), then mark in `used` those with data, and finally replace them by new indices.
 */
void each_find_records(void);
void each_mark_used(uint32_t *used);
void each_move_records(const uint32_t *indices);

/* Zeroes what was counted; state of what is still running is kept. */
void each_reset(void);

#endif /* WI_RUNTIME_EMBEDDED_FOLLOWERS_H_ */
