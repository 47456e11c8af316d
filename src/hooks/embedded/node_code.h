/*
 * Code of the embedded form that finds a function's node, counts in it and addresses its slots.
 * runtime/embedded/embed.h describes both.
 */
#ifndef WI_HOOKS_EMBEDDED_NODE_CODE_H_
#define WI_HOOKS_EMBEDDED_NODE_CODE_H_

#include "hooks/embedded/survey.h"

/* Context of one body. */
typedef struct wi_node_code {
  const wi_embed *embed;
  uint32_t node_local;  /* i32: the node's address */
  uint32_t index_local; /* i32: scratch, for the counts of a br_table */
} wi_node_code;

/*
 * For the entry of a function, given by output index: node = *slot; if that is not the function's,
 * the runtime finds or creates it. `shares`: see wi_embed_shares_slot. Returns the position in
 * `out` of the `if` for that case, which is unlikely.
 */
size_t wi_node_put_find(const wi_node_code *code, uint32_t function, bool shares, wi_buffer *out);

/* For profiles of a guest's functions only: takes the running function's node from the slot. */
void wi_node_put_running(const wi_node_code *code, wi_buffer *out);

/*
 * For the entry of a function without hooks: node = the slot's owner; or the root if the slot is
 * not a pair, because an unwound frame left it behind.
 */
void wi_node_put_find_owner(const wi_node_code *code, wi_buffer *out);

/* Increments the count of calls at this offset in the node. */
void wi_node_put_count_call(const wi_node_code *code, uint32_t offset, wi_buffer *out);

/* Pushes the address at this offset in the node. */
void wi_node_put_address(const wi_node_code *code, uint32_t offset, wi_buffer *out);

/* Sets callee_slot to the slot at this offset in the node. */
void wi_node_put_set_slot(const wi_node_code *code, uint32_t offset, wi_buffer *out);

/*
 * For the end of a basic block: increments its count, at this address. For a br_table: increments
 * the count of the entry that it takes, among those from this address on. Returns the size of the
 * site's counts.
 */
uint32_t wi_node_put_counter(const wi_node_code *code, const wi_site *site, uint32_t address,
                             wi_buffer *out);

#endif /* WI_HOOKS_EMBEDDED_NODE_CODE_H_ */
