/*
 * The code of the embedded form that finds a function's node, counts in it and addresses its slots:
 * runtime/embedded/embed.h describes them.
 */
#ifndef WI_HOOKS_EMBEDDED_NODE_CODE_H_
#define WI_HOOKS_EMBEDDED_NODE_CODE_H_

#include "hooks/embedded/survey.h"

/* Of a body. */
typedef struct wi_node_code {
  const wi_embed *embed;
  uint32_t node_local; /* i32: the node's address */
} wi_node_code;

/*
 * At the entry of a function, by its function index in the output: node = *slot; unless that is the
 * function's own, the runtime finds or makes it. `shares` as wi_embed_shares_slot says. Returns
 * where in `out` the `if` of that stands, which is seldom taken.
 */
size_t wi_node_put_find(const wi_node_code *code, uint32_t function, bool shares, wi_buffer *out);

/* Where only a guest's functions have nodes: the slot tells which of them runs. */
void wi_node_put_running(const wi_node_code *code, wi_buffer *out);

/* At the entry of a function without hooks: node = the owner of the slot; the root if the slot is
 * no pair, which a frame that is gone has left behind. */
void wi_node_put_find_owner(const wi_node_code *code, wi_buffer *out);

/* Counts a call at that offset in the node. */
void wi_node_put_count_call(const wi_node_code *code, uint32_t offset, wi_buffer *out);

/* The address of what is at that offset in the node. */
void wi_node_put_address(const wi_node_code *code, uint32_t offset, wi_buffer *out);

/* The next function entered belongs to the slot at that offset. */
void wi_node_put_set_slot(const wi_node_code *code, uint32_t offset, wi_buffer *out);

/* Counts a basic block, whose count is at that address. */
void wi_node_put_count_block(const wi_node_code *code, uint32_t address, wi_buffer *out);

#endif /* WI_HOOKS_EMBEDDED_NODE_CODE_H_ */
