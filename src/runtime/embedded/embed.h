/*
 * The runtime of the embedded form: a calling context tree with callee slots (Ammons, Ball, Larus,
 * "Exploiting hardware performance counters with flow and context sensitive profiling", PLDI 1997),
 * compiled to a small module that the rewriter merges into the program (hooks/embedded/merge.h).
 *
 * This header is what both sides agree on: the shape of a node, which instrumented functions read
 * and write, and the configuration that the rewriter places in the added memory.
 *
 * A node stands for one distinct stack:
 *
 *     u32 function | u32 parent | u64 calls | u64 self | u32 slot[] | u64 leaf_calls[]
 *
 * `self` is there with a clock only.
 *
 * `function` is a function index of the output, `parent` the address of the caller's node with
 * EMBED_PARENT_BIT set. Each slot leads to a callee's node, or is empty: then it holds the address
 * of its own node plus EMBED_EMPTY or EMBED_EMPTY_SHARED. A load of a function index from there
 * reads parts of `parent`, which equal no function index, so an instrumented function tells by one
 * comparison whether a slot leads to its own node.
 *
 * There are three kinds of slots. An own slot belongs to one callee, which nobody else can enter:
 * it is not exported, referenced or tail-called. A shared slot belongs to one callee, too, which
 * others can enter. A pair is a slot that several functions are entered through (an indirect call
 * site, all imports of a function, a callee without hooks). Its second word is the address of its
 * node plus EMBED_OWNER: it never changes, and tells whose slot it is while the first is in use.
 * Each slot that is no pair has another word of a node behind it, which is no second word.
 *
 * A leaf is a function that calls nothing, or one leaf in each of its calls, and that only
 * functions with hooks call, directly. It has no hooks: its callers count its calls, each in a
 * place of its own after the slots, at the next multiple of 8 bytes. In the file it has nodes like
 * others.
 *
 * With memory profiles, the first own slot of a function that allocates leads to the node's account
 * (memory.c) and is empty, in the same way, until there is one.
 *
 * Structs and arrays that a function makes have nodes below its own, one for each type: their
 * `function` is that which stands for the type, their only slot leads to their account, and each
 * instruction that makes one has a slot in its function's node.
 *
 * The functions of a guest (python.c) have nodes of the form of its interpreter's, in which
 * callees share a few pairs: there are many such nodes.
 *
 * The mutable global callee_slot holds the address of the slot that the next function belongs to.
 * The slot is safe by construction: whoever enters with a slot that is not a live one of this tree
 * gets the root, and no path of the runtime reads or writes through an unchecked slot.
 *
 *   - callee_slot always holds the address of a slot: of a node, which is never freed, or of the
 *     runtime. Instrumented code stores no others, and wasm_perf_set_slot checks what hosts pass.
 *   - A slot is live from when a caller stores it, right before a call, until a function is
 *     entered. A function that others than one caller can enter takes it: it stores the root's
 *     slot in its place. The others are entered by direct calls only, through an own slot.
 *   - A function that can be entered by somebody who stores no slot (the host, another instance, a
 *     function without hooks), or tail-called in the place of one, puts back what it took when it
 *     leaves. After a call of an import the caller stores the root's slot: frames that die later,
 *     by an exception or a trap, leave no live slot behind.
 *   - A function that takes slots and misses asks the runtime whose slot it is. An own slot, or a
 *     shared one in use for another function, was left behind by a frame that is gone: the runtime
 *     answers with a node below the root, and leaves the slot as it is.
 *
 * A module cannot tell a host that calls it back during a call of an import from one that calls it
 * after an exception or a trap has left through that call. The same goes for calls of functions
 * without hooks, and for a call that traps before its callee is entered. So what such a host calls
 * next stands below the frame that is gone: a wrong context, nothing worse. A host that puts the
 * slot back gets the right one, see wasm_perf_slot; src/js/engine/guard.mjs does.
 */
#ifndef WI_RUNTIME_EMBEDDED_EMBED_H_
#define WI_RUNTIME_EMBEDDED_EMBED_H_

#include <stdint.h>

#define EMBED_NODE_CALLS 8u  /* offsets in a node, in bytes */
#define EMBED_NODE_SELF  16u /* with a clock only; else slots begin here */

/*
 * What is added to the address of a node in a word of its slots. Nodes are aligned to 8 bytes, so
 * the tag is the low bits of the word; an empty slot has bit EMBED_EMPTY, a callee's address not.
 */
#define EMBED_EMPTY        4u /* an own slot that is empty */
#define EMBED_EMPTY_SHARED 5u /* a shared slot or a pair that is empty */
#define EMBED_OWNER        6u /* the second word of a pair */
#define EMBED_TAG_MASK     7u

#define EMBED_PARENT_BIT 0x80000000u
#define EMBED_ALIGNMENT  8u /* of nodes and of the configuration, in bytes */

/* The slots of a function's nodes, in this order. A node without pairs has an own slot more. */
typedef struct embed_slots {
  uint16_t shared; /* or EMBED_NO_NODES */
  uint16_t own;
  uint16_t pairs;
} embed_slots;

#define EMBED_MAX_SLOT_WORDS 0xFFFEu /* of one node */
#define EMBED_NO_NODES       0xFFFFu /* the function has no hooks */

/*
 * The profile is made in the memory after the arena. An engine may refuse to grow that, so what is
 * added to the tree leaves room for what the file says of it: each record with its place in a map,
 * and the rest, of which the rewriter knows all but what stands in EMBED_FILE_MARGIN. Where there
 * is no room the tree has reached its limit.
 */
#define EMBED_RECORD_ROOM 28u
#define EMBED_FILE_MARGIN 32768u

/* In place of a node's function: no node. `parent` is the size of what is to be skipped. */
#define EMBED_FUNCTION_GAP 0xFFFFFFFDu

enum {
#define WI_FOLLOWER(name) EMBED_FOLLOWER_##name,
#include "runtime/embedded/followers.def"
#undef WI_FOLLOWER
  EMBED_FOLLOWER_COUNT
};

/*
 * Functions that stand for something else than one of the output: for a type, or what an
 * interpreter runs. They are numbered after the output's functions, and have nodes, not hooks.
 */
typedef struct embed_stand_ins {
  uint32_t first; /* function */
  uint32_t count;
  uint32_t own, pairs;       /* the slots of their nodes */
  uint32_t bounds_recursion; /* recursion of others is not folded across them */
} embed_stand_ins;

#define EMBED_INTERPRETER_PAIRS 32u /* of the slots of an interpreter's node: callees share them */

/* One that a function calls; a leaf has at most one. */
typedef struct embed_leaf {
  uint32_t function;
  uint32_t cost; /* instructions that each call executes; with a clock */
} embed_leaf;

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
  uint32_t root;         /* the root's node, made by the rewriter, with one pair for all */
  uint32_t stand_ins;    /* embed_stand_ins of each kind, with increasing numbers */
  uint32_t stand_in_kinds;
  uint32_t slots; /* embed_slots of each function */
  uint32_t facts; /* static facts of the file, see wasm_perf/format.h */
  uint32_t facts_size;
  uint32_t values; /* its section of values */
  uint32_t values_size;
  uint32_t names; /* its section of names, which has those of stand-ins only */
  uint32_t names_size;
  uint32_t file_name; /* of the file that a WASI command writes, UTF-8 */
  uint32_t file_name_size;
  uint32_t flat_index;   /* u32 for each function and stand-in: its node past the limit, or 0 */
  uint32_t flat;         /* where those nodes are made, room for one of each function */
  uint32_t arena;        /* where all other nodes are made, up to the end of memory */
  uint32_t file_room;    /* what the profile needs after these, without them */
  uint32_t block_counts; /* u32 for each function: its blocks that are counted; 0: none are */
  uint32_t blocks; /* u64 for each of these blocks, zero at first, in the order of functions */
  uint32_t
      described[EMBED_FOLLOWER_COUNT]; /* of each follower: what the rewriter tells it; 0: it is
                                               not in the program */
  uint32_t first_leaf; /* u32 for each function, and one more: where the leaves that it calls begin
                          among all; 0: there are none */
  uint32_t leaves;     /* embed_leaf for each of them */
} embed_config;

#endif /* WI_RUNTIME_EMBEDDED_EMBED_H_ */
