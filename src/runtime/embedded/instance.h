/*
 * Instances of one module that share the added memory, and so one tree. Usually each has its own. A
 * host that instantiates a module again and again, and must not keep all instances for their
 * counts, gives them one (js/engine/sharing.mjs): then nothing of an instance is needed once the
 * program has dropped it. callee_slot is of each instance, like all globals. An
 * address of the program has a meaning only together with the instance's number.
 *
 * A follower that keeps more of one instance forbids it (wi_follower.keeps_state): then
 * wasm_perf_share is not exported.
 */
#ifndef WI_RUNTIME_EMBEDDED_INSTANCE_H_
#define WI_RUNTIME_EMBEDDED_INSTANCE_H_

#include <stdint.h>

/* The number of the instance that runs, from 1 in the order of these calls. */
uint32_t embed_instance(void);

/* How many instances share the memory; 0: it is only one's. */
uint32_t embed_instance_count(void);

#endif /* WI_RUNTIME_EMBEDDED_INSTANCE_H_ */
