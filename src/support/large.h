/* Memory for arrays of millions of items. */
#ifndef WI_SUPPORT_LARGE_H_
#define WI_SUPPORT_LARGE_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * As malloc, for what will be filled: where it is large, it lies in large pages if the system has
 * such, of which there are few to hand out and to look up. NULL: out of memory.
 */
void *wi_large_alloc(size_t size);

#ifdef __cplusplus
}
#endif

#endif /* WI_SUPPORT_LARGE_H_ */
