/* The profile, for the sources that write it to a host. */
#ifndef WI_RUNTIME_EMBEDDED_PROFILE_H_
#define WI_RUNTIME_EMBEDDED_PROFILE_H_

#include "runtime/embedded/tree.h"

/*
 * Writes the profile to memory of its own, which the next profile reuses. Returns the size of the
 * .wperf file in bytes, or 0 if memory is short or the tree is damaged.
 */
uint32_t embed_profile(void);

/* Address of that file, and one from which memory is unused until the next new node. */
uint32_t embed_file(void);
uint32_t embed_behind_file(void);

/* Counts returns of chosen exports. Whether this one writes the profile. */
bool embed_write_is_due(void);

/* Zeroes all counts. Nodes are kept, because open functions hold their addresses. */
void embed_reset(void);

/* Index of a node's record in that file. Valid while followers find their records. */
uint32_t embed_record_of(uint32_t node);

#endif /* WI_RUNTIME_EMBEDDED_PROFILE_H_ */
