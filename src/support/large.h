/* Allocates arrays of millions of items. */
#ifndef WI_SUPPORT_LARGE_H_
#define WI_SUPPORT_LARGE_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * malloc for memory that will be filled. Large blocks use huge pages if the system has them, which
 * reduces page faults and TLB misses. NULL: out of memory.
 */
void *wi_large_alloc(size_t size);

#ifdef __cplusplus
}
#endif

#endif /* WI_SUPPORT_LARGE_H_ */
