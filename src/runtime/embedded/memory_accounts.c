/* Finds and makes the accounts of memory profiles, and follows who calls into the module. */
#include "runtime/embedded/memory_accounts.h"

#include "runtime/embedded/table.h"
#include "runtime/embedded/tree.h"

static uint32_t accounts; /* address of the account created last */
static uint32_t account_count;

/* ---- Who calls ------------------------------------------------------------- */

/* The call's number for the host, which has not been asked for the stack. */
#define UNASKED 0x80000000u

#define OUTERMOST_CALL 1u

static uint32_t caller; /* number of the stack of the call that runs, or UNASKED; 0: none */

/* The number of the stack of the call with that number, or 0. The rewriter makes it (merge.h). */
uint32_t ask_host(uint32_t call);

uint32_t embed_current_caller(void) {
  if (caller & UNASKED)
    caller = ask_host(caller & ~UNASKED);
  return caller;
}

/*
 * The host calls an export. `call` is its number for ask_host, and OUTERMOST_CALL if no other call
 * into any module is open. A call within another one belongs to that one's stack. Returns what
 * wasm_perf_leave needs.
 */
EMBED_EXPORT(wasm_perf_enter) uint32_t embed_enter_call(uint32_t call) {
  uint32_t outer = call == OUTERMOST_CALL ? 0 : caller;
  if (outer == 0)
    caller = call | UNASKED;
  return outer;
}

/* That call has returned or thrown. */
EMBED_EXPORT(wasm_perf_leave) void embed_leave_call(uint32_t outer) {
  caller = outer;
}

/* ---- Accounts --------------------------------------------------------------- */

/* Accounts by node and caller. Nodes lead to the one used last. */
typedef struct entry {
  uint32_t account; /* 0: a free entry */
} entry;

typedef struct key {
  uint32_t node, caller;
} key;

EMBED_TABLE_INLINE uint32_t hash_of(uint32_t node, uint32_t by) {
  uint64_t both = (uint64_t)by << 32 | node;
  return (uint32_t)(both * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

EMBED_TABLE_INLINE uint32_t entry_hash(const void *of) {
  const embed_account *account = embed_account_at(((const entry *)of)->account);
  return hash_of(account->node, account->caller);
}

EMBED_TABLE_INLINE bool is_of(const void *of, const void *wanted) {
  const embed_account *account = embed_account_at(((const entry *)of)->account);
  const key *by = wanted;
  return account->node == by->node && account->caller == by->caller;
}

static const embed_table_kind entry_kind = {.entry_size = sizeof(entry),
                                            .first_capacity = 256,
                                            .max_capacity = 1u << 24,
                                            .hash = entry_hash,
                                            .is = is_of};
static embed_table table;

/* Makes an account and publishes it; 0 if memory is short. */
static uint32_t add_account(uint32_t *word, const key *by, uint64_t epoch) {
  if (!embed_table_reserve(&table, &entry_kind))
    return 0;
  uint32_t address = embed_allocate_gap(sizeof(embed_account), sizeof(embed_account_row));
  if (address == 0)
    return 0;
  embed_account *made = embed_account_at(address);
  made->node = by->node;
  made->caller = by->caller;
  made->next = accounts;
  made->epoch = epoch;
  for (uint32_t i = 0; i < WASM_PERF_MEASURE_COUNT; i++)
    made->values[i] = 0;
  entry *place = embed_table_place(&table, &entry_kind, hash_of(by->node, by->caller), by);
  place->account = address;
  table.count++;
  accounts = address;
  account_count++;
  return *word = address;
}

/* The account of another caller than that of the one at `word`, or the node's first. */
__attribute__((noinline, flatten)) static uint32_t other_account(uint32_t *word, uint32_t by,
                                                                 uint64_t epoch) {
  static key wanted; /* not on a stack: see embed.h */
  bool is_first = *word & EMBED_EMPTY;
  wanted.node = is_first ? embed_owner_in(*word) : embed_account_at(*word)->node;
  wanted.caller = by;
  const entry *known =
      is_first ? NULL : embed_table_find(&table, &entry_kind, hash_of(wanted.node, by), &wanted);
  return known ? (*word = known->account) : add_account(word, &wanted, epoch);
}

uint32_t embed_account_of(uint32_t slot, uint32_t by, uint64_t epoch) {
  uint32_t *word = embed_word_at(slot);
  if (!(*word & EMBED_EMPTY) && embed_account_at(*word)->caller == by)
    return *word;
  return other_account(word, by, epoch);
}

uint32_t embed_last_account(void) {
  return accounts;
}

uint32_t embed_account_count(void) {
  return account_count;
}
