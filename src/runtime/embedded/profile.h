/* The profile, as those ask for it who keep it. */
#ifndef WI_RUNTIME_EMBEDDED_PROFILE_H_
#define WI_RUNTIME_EMBEDDED_PROFILE_H_

#include "runtime/embedded/tree.h"

/*
 * Settles the profile in memory that the next new node takes: what wasm_perf_read gives holds until
 * then. Returns the size in bytes of a .wperf file; 0: memory is short.
 */
uint32_t embed_profile(void);

/* Where that file is. */
uint32_t embed_file(void);

#endif /* WI_RUNTIME_EMBEDDED_PROFILE_H_ */
