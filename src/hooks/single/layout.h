/*
 * The embedded form for engines with one memory. Its output has two memories: the program's, and
 * the runtime's, whose addresses have 32 bits. This form moves the second into the first one:
 *
 *     0           end            base        base + own pages   base + room
 *     | program's | free for it | runtime's | free for it      |
 *
 * Four globals keep the borders: `end` and `base` in bytes, `own_pages` and `room` in pages. What is
 * free is zero.
 *
 *   - An access of the runtime adds `base` to its address. All addresses that it keeps are relative,
 *     so that its part can move. They are its own, and within it, so nothing is checked.
 *   - An access of the program is checked against `end`. Beyond it, a load of the last address traps in
 *     its place, out of bounds: that address is never part of the memory. An atomic access gets such an
 *     address itself, because it may trap for its alignment instead.
 *   - memory.size of the program is `end`. memory.grow moves `end`; without free pages it first moves
 *     the runtime's part to the end of a larger memory, and clears its old place. The free part
 *     between them is then as large as the runtime's, so that the cost of moving stays in
 *     proportion to growth.
 *   - memory.grow of the runtime takes pages of its room. Where no host keeps views of the memory, it
 *     then adds pages at the end of the memory. JavaScript's views end when a memory grows, and glue
 *     makes new ones only after the growth that it knows of. So elsewhere the room is fixed, and the
 *     runtime gets along without more memory, as it does beyond the limit of nodes.
 *
 * A host that grows an exported memory adds pages behind the runtime's part. They belong to nobody:
 * the program does not see them, and from then on neither part grows, so both stay apart. A program
 * that depends on its host's growing is refused.
 */
#ifndef WI_HOOKS_SINGLE_LAYOUT_H_
#define WI_HOOKS_SINGLE_LAYOUT_H_

#include "rewrite/plan.h"

#define WI_SINGLE_PAGE_BITS 16u

/* Functions added, in this order. */
typedef enum wi_single_function {
  WI_SINGLE_GROW,     /* memory.grow of the program */
  WI_SINGLE_GROW_OWN, /* memory.grow of the runtime */
  WI_SINGLE_CHECK,    /* (address, size): traps unless the program has these bytes */
  WI_SINGLE_FUNCTION_COUNT
} wi_single_function;

struct wi_single {
  bool is_64;                              /* the program's memory has 64-bit addresses */
  uint64_t minimum, maximum;               /* of the program's memory, in pages */
  uint64_t own_minimum;                    /* of the runtime's */
  uint64_t all_maximum;                    /* of the memory with both */
  uint64_t room;                           /* for the runtime at first, in pages */
  bool may_add;                            /* the runtime may make the memory larger */
  uint32_t end, base, own_pages, own_room; /* indices of globals; the last two are i32 */
  WI_ARRAY(uint32_t,
           branches); /* of the body planned last: offsets of the accesses with a branch */
  uint32_t first_function;
};

#endif /* WI_HOOKS_SINGLE_LAYOUT_H_ */
