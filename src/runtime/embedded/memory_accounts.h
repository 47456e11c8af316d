/*
 * The accounts of memory profiles: one per node and JavaScript stack that called into the module.
 *
 * A JavaScript host says when a call of an export begins and ends. The first allocation in between
 * asks it for the number of its stack, and the call uses that number's accounts. Calls that allocate
 * nothing ask nothing.
 */
#ifndef WI_RUNTIME_EMBEDDED_MEMORY_ACCOUNTS_H_
#define WI_RUNTIME_EMBEDDED_MEMORY_ACCOUNTS_H_

#include <stdint.h>

#include "wasm_perf/format.h"

/* The allocations of one node's stack, below one stack of the host. */
typedef struct embed_account {
  uint32_t node;
  uint32_t caller; /* number of the host's stack; 0: unknown */
  uint32_t record; /* index of the node's record; valid while the file is written */
  uint32_t next;   /* address of the account created before it; 0: none */
  uint64_t epoch;  /* number of new peaks up to which the peak values are settled */
  uint64_t values[WASM_PERF_MEASURE_COUNT];
} embed_account;

/* An account in the file. */
typedef struct embed_account_row {
  uint32_t node;
  uint32_t caller;
  uint64_t values[WASM_PERF_MEASURE_COUNT];
} embed_account_row;

static inline embed_account *embed_account_at(uint32_t address) {
  return (embed_account *)address;
}

/*
 * The number of the host's stack that called into the module; 0: unknown. Asks the host if this is
 * the first time in a call.
 */
uint32_t embed_current_caller(void);

/*
 * The account of the node that owns the word at `slot`, below that stack of the host; 0 if memory is
 * short. `epoch` is that of a new one.
 */
uint32_t embed_account_of(uint32_t slot, uint32_t caller, uint64_t epoch);

/* The account created last, or 0; and their number. */
uint32_t embed_last_account(void);
uint32_t embed_account_count(void);

#endif /* WI_RUNTIME_EMBEDDED_MEMORY_ACCOUNTS_H_ */
