#include "runtime/embedded/call_accounts.h"

#include "runtime/embedded/tree.h"

#define MAX_ACCOUNTS 1024u

static uint32_t accounts; /* address of the account made last */
static uint32_t account_count;

/* ---- Measures --------------------------------------------------------------- */

/* Nanoseconds of the host's clock; 0 without one. The rewriter makes it (hooks/follow/calls.c). */
uint64_t clock_now(void);

static bool has_clock, has_started;
static uint64_t first_start; /* of the first call that was measured */

static bool counts_instructions(void) {
  return embed_configuration()->value_count > 1;
}

uint32_t embed_call_rank(void) {
  return has_clock ? WASM_PERF_CALL_MEASURE_TIME : WASM_PERF_CALL_MEASURE_INSTRUCTIONS;
}

uint64_t embed_call_now(void) {
  uint64_t now = clock_now();
  if (!has_started) {
    has_clock = now != 0;
    first_start = now;
    has_started = true;
  }
  return now;
}

uint64_t embed_first_call_start(void) {
  return first_start;
}

bool embed_call_has(uint32_t measure) {
  return measure == WASM_PERF_CALL_MEASURE_TIME ? has_clock : counts_instructions();
}

uint32_t *embed_call_histogram(embed_call_account *account, uint32_t measure) {
  return embed_call_has(measure)
             ? account->histograms[measure == WASM_PERF_CALL_MEASURE_TIME ? 0 : has_clock]
             : 0;
}

uint32_t embed_call_measure_count(void) {
  return (uint32_t)has_clock + counts_instructions();
}

/* ---- Accounts --------------------------------------------------------------- */

static embed_call_account *account_at(uint32_t address) {
  return (embed_call_account *)address;
}

static embed_call_account *add_account(uint32_t *word) {
  uint32_t count = embed_call_measure_count(), node = embed_owner_in(*word);
  uint32_t size = (uint32_t)sizeof(embed_call_account) + count * WASM_PERF_BUCKET_COUNT * 4u;
  uint32_t address =
      account_count < MAX_ACCOUNTS ? embed_allocate_gap(size, count * EMBED_HISTOGRAM_SIZE) : 0;
  if (address == 0)
    return 0;
  embed_call_account *made = account_at(address);
  *made = (embed_call_account){.node = node, .next = embed_last_call_account()};
  for (uint32_t i = 0; i < count * WASM_PERF_BUCKET_COUNT; i++)
    made->histograms[0][i] = 0;
  accounts = address;
  account_count++;
  *word = address;
  return made;
}

embed_call_account *embed_call_account_of(uint32_t slot) {
  uint32_t *word = embed_word_at(slot);
  return *word & EMBED_EMPTY ? add_account(word) : account_at(*word);
}

embed_call_account *embed_last_call_account(void) {
  return accounts != 0 ? account_at(accounts) : 0;
}

uint32_t embed_call_account_count(void) {
  return account_count;
}
