/* Accounts of the measured calls of chosen functions: a histogram of each measure for each node of theirs. */
#ifndef WI_RUNTIME_EMBEDDED_CALL_ACCOUNTS_H_
#define WI_RUNTIME_EMBEDDED_CALL_ACCOUNTS_H_

#include <stdbool.h>
#include <stdint.h>

/* What is measured of a call; calls are ranked by the first that is known. */
enum { EMBED_CALL_TIME, EMBED_CALL_INSTRUCTIONS, EMBED_CALL_MEASURES };

/*
 * Buckets of a histogram: values below 16 one each, then 16 to an octave, as HdrHistogram has them.
 * Values from 2^48 on count as the largest below.
 */
enum { EMBED_BUCKET_BITS = 4, EMBED_VALUE_BITS = 48, EMBED_BUCKET_COUNT = 720 };

/* The measured calls in one node. */
typedef struct embed_call_account {
  uint32_t node;
  struct embed_call_account *next; /* made before; or NULL */
  uint32_t record;                 /* of the node, while a profile is written */
  uint32_t typical;                /* address of its typical call (kept_calls.c), or 0 */
  uint64_t count;
  uint32_t histograms[][EMBED_BUCKET_COUNT]; /* of each measure that the module has */
} embed_call_account;

/* Bytes of a histogram's record in the file, if each bucket has calls. */
#define EMBED_HISTOGRAM_SIZE (16u + 8u * EMBED_BUCKET_COUNT)

typedef struct embed_measured_call {
  embed_call_account *account;
  uint64_t start; /* nanoseconds of the host's clock; 0 without one */
  uint64_t values[EMBED_CALL_MEASURES];
} embed_measured_call;

uint32_t embed_bucket_of(uint64_t value);

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
