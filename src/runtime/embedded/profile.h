/* The profile, for the sources that write it to a host. */
#ifndef WI_RUNTIME_EMBEDDED_PROFILE_H_
#define WI_RUNTIME_EMBEDDED_PROFILE_H_

#include "runtime/embedded/tree.h"

/*
 * Writes the profile to memory that the next new node may overwrite: wasm_perf_read is valid until
 * then. Returns the size of the .wperf file in bytes, or 0 if memory is short.
 */
uint32_t embed_profile(void);

/* Address of that file. */
uint32_t embed_file(void);

#endif /* WI_RUNTIME_EMBEDDED_PROFILE_H_ */
