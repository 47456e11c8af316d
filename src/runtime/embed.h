/*
 * The runtime of the embedded form: a calling context tree with callee slots (Ammons, Ball, Larus,
 * "Exploiting hardware performance counters with flow and context sensitive profiling", PLDI 1997),
 * compiled to a small module that the rewriter merges into the program (rewrite/merge.h).
 *
 * This header is what both sides agree on: the shape of a node, which instrumented functions read
 * and write, and the configuration that the rewriter places in the added memory.
 *
 * A node stands for one distinct stack:
 *
 *     u32 function | u32 parent | u64 calls | u64 self, with a clock | u32 slot[]
 *
 * `function` is a function index of the output, `parent` the address of the caller's node with
 * EMBED_PARENT_BIT set. Each slot leads to a callee's node. An empty one holds the address of its
 * own node plus EMBED_EMPTY: that is where `parent` stands, which equals no function index, so an
 * instrumented function tells by one comparison whether a slot leads to its own node.
 *
 * A slot that several functions may be entered through (an indirect call site, all imports of a
 * function, a callee without hooks) has a second word after it, which stays as it was made and so
 * tells whose slot it is while the first is in use.
 *
 * With memory profiles, a function that allocates has one word before its slots, which leads to the
 * node's account (embed_memory.h) and is empty, in the same way, until there is one.
 *
 * Structs and arrays that a function makes have nodes below its own, one for each type: their
 * `function` is that which stands for the type, their only slot leads to their account, and each
 * instruction that makes one has a slot in its function's node.
 *
 * The mutable global callee_slot holds the address of the slot that the next function belongs to.
 */
#ifndef WI_RUNTIME_EMBED_H_
#define WI_RUNTIME_EMBED_H_

#include <stdint.h>

#define EMBED_NODE_CALLS 8u  /* offsets in a node, in bytes */
#define EMBED_NODE_SELF  16u /* with a clock only; else slots begin here */
#define EMBED_EMPTY      4u
#define EMBED_PARENT_BIT 0x80000000u
#define EMBED_ALIGNMENT  8u /* of nodes and of the configuration, in bytes */

#define EMBED_MAX_SLOT_WORDS 0xFFFEu /* of one node */
#define EMBED_NO_NODES       0xFFFFu /* in place of that: the function has no hooks */

/* In place of a node's function: no node. `parent` is the size of what is to be skipped. */
#define EMBED_FUNCTION_GAP 0xFFFFFFFDu

/*
 * Placed at the first address after the runtime's own data that EMBED_ALIGNMENT divides, and
 * followed by what it names. Offsets are addresses in the added memory.
 */
typedef struct embed_config {
  uint32_t function_count; /* functions of the output that may have nodes: indices below it */
  uint32_t node_limit;
  uint32_t recursion;    /* wasm_perf_recursion */
  uint32_t slots_offset; /* in a node, in bytes */
  uint32_t value_count;  /* 1: calls; 2: and self */
  uint32_t root;         /* the root's node, made by the rewriter, with one slot for all */
  uint32_t first_type;   /* the function that stands for the first type of which objects are made */
  uint32_t type_count;
  uint32_t slot_words; /* u16 for each function: words of its slots */
  uint32_t facts;      /* static facts of the file, see wasm_perf/format.h */
  uint32_t facts_size;
  uint32_t values; /* its section of values */
  uint32_t values_size;
  uint32_t
      measures; /* of its section of measures what names them; size 0: memory is not followed */
  uint32_t measures_size;
  uint32_t names; /* its section of names, which has those of types only */
  uint32_t names_size;
  uint32_t file_name; /* of the file that a WASI command writes, UTF-8 */
  uint32_t file_name_size;
  uint32_t flat_index;   /* u32 for each function and each type: its node past the limit, or 0 */
  uint32_t flat;         /* where those nodes are made, room for one of each function */
  uint32_t arena;        /* where all other nodes are made, up to the end of memory */
  uint32_t block_counts; /* u32 for each function: its blocks that are counted; 0: none are */
  uint32_t blocks;   /* u64 for each of these blocks, zero at first, in the order of functions */
  uint32_t go_table; /* in programs of Go: what added to an index of the table gives a function */
} embed_config;

#endif /* WI_RUNTIME_EMBED_H_ */
