/* Accounts of the measured calls of chosen functions: a histogram of each measure for each node of theirs. */
#ifndef WI_RUNTIME_EMBEDDED_CALL_ACCOUNTS_H_
#define WI_RUNTIME_EMBEDDED_CALL_ACCOUNTS_H_

#include <stdbool.h>
#include <stdint.h>

#include "wasm_perf/calls.h"

/* The measured calls in one node. */
typedef struct embed_call_account {
  uint32_t node;
  struct embed_call_account *next; /* made before; or NULL */
  uint32_t record;                 /* of the node, while a profile is written */
  uint32_t typical;                /* address of its typical call (kept_calls.c), or 0 */
  uint64_t count;
  uint32_t histograms[][WASM_PERF_BUCKET_COUNT]; /* of each measure that the module has */
} embed_call_account;

/* Bytes of a histogram's record in the file, if each bucket has calls. */
#define EMBED_HISTOGRAM_SIZE (16u + 8u * WASM_PERF_BUCKET_COUNT)

typedef struct embed_measured_call {
  embed_call_account *account;
  uint64_t start; /* nanoseconds of the host's clock; 0 without one */
  uint64_t values[WASM_PERF_CALL_MEASURE_COUNT];
} embed_measured_call;

bool embed_call_has(uint32_t measure); /* whether calls are measured by it */

/* The measure that calls are ranked by. */
uint32_t embed_call_rank(void);

/* A measure's histogram in an account, or NULL if the module does not have that measure. */
uint32_t *embed_call_histogram(embed_call_account *account, uint32_t measure);

/* Nanoseconds of the host's clock; 0 without one, which its first answer says. */
uint64_t embed_call_now(void);
uint64_t embed_first_call_start(void); /* what that answer was */

uint32_t embed_call_measure_count(void);

/* The account at the slot of a node, made if needed; NULL if there are too many. */
embed_call_account *embed_call_account_of(uint32_t slot);
embed_call_account *embed_last_call_account(void); /* NULL: none; and `next` */
uint32_t embed_call_account_count(void);

#endif /* WI_RUNTIME_EMBEDDED_CALL_ACCOUNTS_H_ */
