/*
 * Keeps the slowest calls, and a typical one of each node, with what each added to the tree below its node.
 *
 * Whatever a call adds below its node is in nodes that were entered after it began, so they are found from their
 * parents: nodes whose counts are as when they were last compared (embed_shadow) need no visit, nor what is below them.
 * For that, each outermost call compares when it ends, even one that is not kept.
 */
#include "runtime/embedded/kept_calls.h"

#include "runtime/embedded/file.h"
#include "runtime/embedded/profile.h"
#include "runtime/embedded/shadow.h"

#define MAX_ROWS   4096u /* of a call */
#define FIRST_ROWS 64u

/* What a node gained in a call. In the file without `node`, whose place the record takes. */
typedef struct call_row {
  uint32_t node, record;
  uint64_t calls, self;
} call_row;

typedef struct kept_call {
  uint32_t account; /* 0: none is kept here */
  uint32_t why;
  uint32_t rows, row_count, capacity; /* address of call_rows */
  uint64_t number;                    /* among the measured calls of its node, from 1 */
  uint64_t start;
  uint64_t values[WASM_PERF_CALL_MEASURE_COUNT];
} kept_call;

static uint32_t kept; /* address of the slowest calls, then of the typical ones; 0: none yet */
static uint32_t kept_limit, typical_count;

static uint32_t call_count;    /* numbers calls: odd ones are outermost */
static uint32_t open_call;     /* number of the outermost call that runs; 0: none */
static uint32_t open_node;     /* its node */
static bool is_mixed;          /* another call ran in that node meanwhile */
static uint32_t compared_node; /* comparing it was begun, and not ended */

/* ---- Comparing -------------------------------------------------------------- */

static uint64_t self_of(uint32_t node) {
  return embed_configuration()->value_count > 1 ? *embed_self_of(node) : 0;
}

static call_row *row_at(const kept_call *of, uint32_t index) {
  return (call_row *)of->rows + index;
}

/* The old rows remain as a gap: all of them together are smaller than the new ones. */
static bool grow_rows(kept_call *into) {
  uint32_t capacity = into->capacity == 0 ? FIRST_ROWS : 2 * into->capacity;
  uint32_t size = capacity * (uint32_t)sizeof(call_row);
  uint32_t rows = capacity <= MAX_ROWS ? embed_allocate_gap(size, size) : 0;
  if (rows == 0)
    return false;
  for (uint32_t i = 0; i < into->row_count; i++)
    ((call_row *)rows)[i] = *row_at(into, i);
  into->rows = rows;
  into->capacity = capacity;
  return true;
}

static void add_row(kept_call *into, uint32_t node, uint64_t calls, uint64_t self) {
  if (into->row_count == into->capacity && !grow_rows(into)) {
    into->why |= WASM_PERF_KEPT_CUT;
    return;
  }
  *row_at(into, into->row_count++) = (call_row){.node = node, .calls = calls, .self = self};
}

/* Whether the node has gained anything; adds that to `into`, unless it is NULL. */
static bool compare_node(uint32_t node, kept_call *into) {
  embed_shadow *before = embed_shadow_of(node);
  uint64_t calls = embed_node_at(node)->calls - before->calls, self = self_of(node) - before->self;
  if (calls == 0 && self == 0)
    return false;
  if (into)
    add_row(into, node, calls, self);
  before->calls += calls;
  before->self += self;
  return true;
}

/* The node to visit after one with all below it, within `top`; 0: none is left. */
static uint32_t next_beside(uint32_t node, uint32_t top) {
  while (node != top && embed_shadow_of(node)->next_sibling == 0)
    node = embed_parent_of(node);
  return node == top ? 0 : embed_shadow_of(node)->next_sibling;
}

/* Brings the shadows of `top` and of all below it up to date. After an interruption, parents of others may be so. */
static void compare_within(uint32_t top, bool was_interrupted, kept_call *into) {
  compared_node = top;
  for (uint32_t at = top; at != 0;) {
    bool has_gained = compare_node(at, into);
    uint32_t below = has_gained || was_interrupted ? embed_shadow_of(at)->first_child : 0;
    at = below != 0 ? below : next_beside(at, top);
  }
  compared_node = 0;
}

static void compare(uint32_t top, kept_call *into) {
  compare_within(top, false, into);
}

/* Before they have records. By fields: a row as a variable would be on a stack, see embed.h. */
static void swap_rows(call_row *a, call_row *b) {
  uint32_t node = a->node;
  uint64_t calls = a->calls, self = a->self;
  a->node = b->node;
  a->calls = b->calls;
  a->self = b->self;
  b->node = node;
  b->calls = calls;
  b->self = self;
}

/* Rows are in the order of addresses, which is that of records: a heap sort. */
static void sift_down(const kept_call *of, uint32_t at, uint32_t count) {
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && row_at(of, child)->node < row_at(of, child + 1)->node)
      child++;
    if (row_at(of, at)->node >= row_at(of, child)->node)
      return;
    swap_rows(row_at(of, at), row_at(of, child));
  }
}

static void sort_rows(const kept_call *of) {
  for (uint32_t i = of->row_count / 2; i-- > 0;)
    sift_down(of, i, of->row_count);
  for (uint32_t left = of->row_count; left-- > 1;) {
    swap_rows(row_at(of, 0), row_at(of, left));
    sift_down(of, 0, left);
  }
}

/* ---- Choosing --------------------------------------------------------------- */

static kept_call *kept_at(uint32_t index) {
  return (kept_call *)kept + index;
}

static bool reserve_kept(uint32_t limit) {
  enum { HEAD_SIZE = 8 };
  uint32_t count = 2 * limit;
  if (kept != 0 || limit == 0)
    return kept != 0;
  uint32_t size = count * (uint32_t)sizeof(kept_call);
  uint32_t address = embed_allocate_gap(size, size + count * HEAD_SIZE);
  if (address == 0)
    return false;
  for (uint32_t i = 0; i < count; i++)
    ((kept_call *)address)[i] = (kept_call){0};
  kept_limit = limit;
  kept = address;
  return true;
}

static uint64_t rank_of(const uint64_t *values) {
  return values[embed_call_rank()];
}

/* A free place among the slowest, or that of a quicker call; NULL if all are slower. */
static kept_call *place_among_slowest(const embed_measured_call *call) {
  kept_call *quickest = kept_at(0);
  for (uint32_t i = 0; i < kept_limit; i++) {
    if (kept_at(i)->account == 0)
      return kept_at(i);
    if (rank_of(kept_at(i)->values) < rank_of(quickest->values))
      quickest = kept_at(i);
  }
  return rank_of(quickest->values) < rank_of(call->values) ? quickest : 0;
}

static bool is_in_median_bucket(const embed_measured_call *call) {
  const uint32_t *histogram = embed_call_histogram(call->account, embed_call_rank());
  uint32_t own = wasm_perf_bucket_of(rank_of(call->values));
  uint64_t before = 0, half = (call->account->count + 1) / 2;
  for (uint32_t i = 0; i < own; i++)
    before += histogram[i];
  return before < half && half <= before + histogram[own];
}

/* The place for a typical call, if it is time to take another one: the more calls, the rarer. */
static kept_call *place_of_typical(const embed_measured_call *call) {
  embed_call_account *account = call->account;
  if (account->typical == 0 && typical_count == kept_limit)
    return 0;
  bool is_due =
      account->typical == 0 || account->count >= 2 * ((kept_call *)account->typical)->number;
  if (!is_due || !is_in_median_bucket(call))
    return 0;
  if (account->typical == 0)
    account->typical = (uint32_t)kept_at(kept_limit + typical_count++);
  return (kept_call *)account->typical;
}

/* Replaces what is kept there, without rows. */
static void keep(kept_call *place, const embed_measured_call *call, uint32_t why) {
  place->account = 0;
  place->why = why;
  place->row_count = 0;
  place->number = call->account->count;
  place->start = call->start;
  for (uint32_t i = 0; i < WASM_PERF_CALL_MEASURE_COUNT; i++)
    place->values[i] = call->values[i];
}

static void copy_rows(kept_call *to, const kept_call *from) {
  for (uint32_t i = 0; i < from->row_count; i++)
    add_row(to, row_at(from, i)->node, row_at(from, i)->calls, row_at(from, i)->self);
  to->why |= from->why & WASM_PERF_KEPT_CUT;
}

/* ---- Calls ------------------------------------------------------------------ */

/*
 * A call that began while another was open, and not below it, displaces that one: it was left by an exception or a trap,
 * or its task waits.
 */
uint32_t embed_begin_call(uint32_t node) {
  bool is_inner = open_call != 0 && embed_is_below(node, open_node);
  call_count += 2;
  if (is_inner || !embed_has_shadow(node))
    return call_count & ~1u;
  if (compared_node != 0)
    compare_within(compared_node, true, 0);
  if (open_call != 0)
    compare(open_node, 0);
  is_mixed = open_call != 0 && open_node == node;
  open_node = node;
  return open_call = call_count | 1;
}

/* What the call added, for one place or both. */
static void take_rows(uint32_t node, kept_call *slow, kept_call *typical) {
  kept_call *first = slow ? slow : typical;
  compare(node, first);
  if (first)
    sort_rows(first);
  if (slow && typical)
    copy_rows(typical, slow);
}

void embed_end_call(uint32_t number, uint32_t node, const embed_measured_call *call,
                    uint32_t limit) {
  if ((number & 1) == 0)
    return;
  bool is_own = number == open_call && !is_mixed;
  bool is_kept = call->account && embed_call_has(embed_call_rank()) && reserve_kept(limit);
  kept_call *slow = is_kept ? place_among_slowest(call) : 0;
  kept_call *typical = is_kept && is_own ? place_of_typical(call) : 0;
  if (slow)
    keep(slow, call, WASM_PERF_KEPT_SLOW | (is_own ? 0 : WASM_PERF_KEPT_MIXED));
  if (typical)
    keep(typical, call, WASM_PERF_KEPT_TYPICAL);
  if (is_own)
    take_rows(node, slow, typical);
  else
    compare(node, 0);
  if (slow)
    slow->account = (uint32_t)call->account;
  if (typical)
    typical->account = (uint32_t)call->account;
  is_mixed |= number != open_call && node == open_node;
  if (number == open_call)
    open_call = 0;
}

/* ---- The file, see wasm_perf/format.h ----------------------------------------- */

enum { RECORD_HEAD = 8, CALL_HEAD = 24 };

static uint32_t record_size(const kept_call *of) {
  uint32_t size = CALL_HEAD;
  for (uint32_t i = 0; i < WASM_PERF_CALL_MEASURE_COUNT; i++)
    size += embed_call_has(i) ? 8 : 0;
  return size + of->row_count * (uint32_t)sizeof(call_row);
}

/* The next place from `index` on in which a call is kept; UINT32_MAX: none is left. */
static uint32_t next_kept(uint32_t index) {
  uint32_t count = kept != 0 ? kept_limit + typical_count : 0;
  for (; index < count; index++)
    if (kept_at(index)->account != 0)
      return index;
  return UINT32_MAX;
}

uint32_t embed_kept_size(void) {
  uint32_t size = 0;
  for (uint32_t i = next_kept(0); i != UINT32_MAX; i = next_kept(i + 1))
    size += RECORD_HEAD + record_size(kept_at(i));
  return size;
}

static void put_call(const kept_call *of, uint64_t first_start) {
  embed_put_u32(WASM_PERF_CALLS_CALL);
  embed_put_u32(record_size(of));
  embed_put_u32(((const embed_call_account *)of->account)->record);
  embed_put_u32(of->why);
  embed_put_u64(of->number);
  embed_put_u64(of->start - first_start);
  for (uint32_t i = 0; i < WASM_PERF_CALL_MEASURE_COUNT; i++)
    if (embed_call_has(i))
      embed_put_u64(of->values[i]);
  for (uint32_t i = 0; i < of->row_count; i++) {
    embed_put_u32(row_at(of, i)->record);
    embed_put_u32(0);
    embed_put_u64(row_at(of, i)->calls);
    embed_put_u64(row_at(of, i)->self);
  }
}

void embed_put_kept(uint64_t first_start) {
  for (uint32_t i = next_kept(0); i != UINT32_MAX; i = next_kept(i + 1))
    put_call(kept_at(i), first_start);
}

void embed_find_kept(void) {
  for (uint32_t i = next_kept(0); i != UINT32_MAX; i = next_kept(i + 1))
    for (uint32_t k = 0; k < kept_at(i)->row_count; k++)
      row_at(kept_at(i), k)->record = embed_record_of(row_at(kept_at(i), k)->node);
}

void embed_mark_kept(uint32_t *used) {
  for (uint32_t i = next_kept(0); i != UINT32_MAX; i = next_kept(i + 1))
    for (uint32_t k = 0; k < kept_at(i)->row_count; k++)
      used[row_at(kept_at(i), k)->record] = 1;
}

void embed_move_kept(const uint32_t *indices) {
  for (uint32_t i = next_kept(0); i != UINT32_MAX; i = next_kept(i + 1))
    for (uint32_t k = 0; k < kept_at(i)->row_count; k++)
      row_at(kept_at(i), k)->record = indices[row_at(kept_at(i), k)->record];
}

/* All shadows are behind from now on: the nodes' counts are 0. */
void embed_reset_kept(void) {
  for (uint32_t i = next_kept(0); i != UINT32_MAX; i = next_kept(i + 1)) {
    embed_call_account *account = (embed_call_account *)kept_at(i)->account;
    account->typical = 0;
    kept_at(i)->account = 0;
  }
  typical_count = 0;
  for (uint32_t at = embed_configuration()->root; at != 0; at = embed_next_node(at))
    if (embed_has_shadow(at))
      embed_shadow_of(at)->calls = embed_shadow_of(at)->self = 0;
}
