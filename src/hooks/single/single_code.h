/* Emits the instructions that both functions of the program and added ones need; see layout.h. */
#ifndef WI_HOOKS_SINGLE_SINGLE_CODE_H_
#define WI_HOOKS_SINGLE_SINGLE_CODE_H_

#include "hooks/single/layout.h"

/* Type of the program's addresses; and the opcode or constant of that type. */
uint8_t wi_single_address_type(const wi_single *single);
void wi_single_put(const wi_single *single, uint8_t opcode_32, uint8_t opcode_64, wi_buffer *out);
void wi_single_put_constant(const wi_single *single, uint64_t value, wi_buffer *out);

/* Replaces an address of the runtime's part on the stack by one of the memory. */
void wi_single_put_own_address(const wi_single *single, wi_buffer *out);

/*
 * Replaces an address of the program on the stack by one that traps, unless the program has `size`
 * bytes from `offset` behind it on. Atomic accesses trap differently if they are not aligned. `local` is
 * working memory of the address's type.
 */
void wi_single_put_checked_address(const wi_single *single, uint64_t offset, uint32_t size,
                                   bool is_atomic, uint32_t local, wi_buffer *out);

/* Whether that contains a structured instruction. */
bool wi_single_branches(const wi_single *single, uint64_t offset, uint32_t size, bool is_atomic);

/* Pushes the number of the program's pages. */
void wi_single_put_size(const wi_single *single, wi_buffer *out);

/* The body of an added function, preceded by its size. */
void wi_single_put_function(const wi_single *single, wi_single_function function, wi_buffer *out);

#endif /* WI_HOOKS_SINGLE_SINGLE_CODE_H_ */
