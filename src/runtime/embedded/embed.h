/*
 * The runtime of the embedded form: a calling context tree with callee slots (Ammons, Ball, Larus,
 * "Exploiting hardware performance counters with flow and context sensitive profiling", PLDI 1997),
 * compiled to a small module that the rewriter merges into the program (hooks/embedded/merge.h).
 *
 * This header is the contract between both sides: the layout of a node, which instrumented
 * functions read and write, and the configuration that the rewriter places in the added memory.
 *
 * A node represents one distinct stack:
 *
 *     u32 function | u32 parent | u64 calls | u64 self | u32 slot[] | u64 leaf_calls[]
 *
 * `self` exists only with a clock.
 *
 * `function` is a function index of the output, `parent` the address of the caller's node with
 * EMBED_PARENT_BIT set. Each slot leads to a callee's node, or is empty: then it holds the address
 * of its own node plus EMBED_EMPTY or EMBED_EMPTY_SHARED. A load of a function index from that
 * address reads parts of `parent`, which equal no function index. So an instrumented function needs
 * one comparison to see whether a slot leads to its node.
 *
 * There are three kinds of slots. An own slot belongs to one callee that has no other callers: it
 * is not exported, referenced or tail-called. A shared slot also belongs to one callee, which may
 * be entered from elsewhere, too. A pair is a slot through which several functions are entered (an
 * indirect call site, all imports of a function, a callee without hooks). Its second word is the
 * address of its node plus EMBED_OWNER: it never changes, and identifies the slot's owner while the
 * first word is in use. Every other slot is followed by a word of a node that is not a second word.
 *
 * A leaf is a function that calls nothing, or exactly one leaf in each of its calls, and that is
 * only called directly, by functions with hooks. It has no hooks: each caller counts its calls
 * after its slots, at the next multiple of 8 bytes. In the file, leaves have nodes like other
 * functions.
 *
 * In memory profiles, the first own slot of a function that allocates leads to the node's account
 * (memory.c). Until there is one, the slot is empty in the same way.
 *
 * Structs and arrays that a function creates have nodes below its own, one per type. Their
 * `function` stands for the type, and their only slot leads to their account. Each instruction that
 * creates one has a slot in its function's node.
 *
 * The functions of a guest (python.c) have nodes like the interpreter's, in which callees share a
 * few pairs, because there are many such nodes.
 *
 * The mutable global callee_slot holds the address of the slot through which the next function is
 * entered. This is safe by construction: a function entered through a slot that is not a live slot
 * of this tree gets the root as its caller, and the runtime never reads or writes through an
 * unchecked slot.
 *
 *   - callee_slot always holds the address of a slot: of a node, which is never freed, or of the
 *     runtime. Instrumented code stores no other value, and wasm_perf_set_slot checks its argument.
 *   - A slot is live from when a caller stores it, directly before a call, until a function is
 *     entered. A function with several possible callers takes the slot: it stores the root's slot
 *     in its place. The others are entered by direct calls only, through an own slot.
 *   - A function that may be entered by a caller that stores no slot (the host, another instance, a
 *     function without hooks), or tail-called in place of such a function, restores on return the
 *     slot that it took. After a call of an import the caller stores the root's slot: frames that
 *     an exception or a trap unwinds later leave no live slot behind.
 *   - A function that takes slots and misses asks the runtime for the slot's owner. An own slot, or
 *     a shared one used for another function, was left behind by an unwound frame: the runtime
 *     returns a node below the root and does not change the slot.
 *
 * A call of an import that throws leaves the root's slot at once, where a module shares exceptions
 * with others and has an unreachable after the call: another instance catches the exception, which
 * restores nothing here. So a side module that throws into its main module again and again has one
 * stack, instead of one below the other.
 *
 * A module cannot distinguish a host that calls back during a call of an import from a host that
 * calls after an exception or a trap has unwound that call. The same holds for calls of functions
 * without hooks, and for a call that traps before its callee is entered. The next function that
 * such a host calls is placed below the unwound frame: a wrong context, but nothing worse. A host
 * that restores the slot gets the right one (see wasm_perf_slot); src/js/engine/guard.mjs does.
 */
#ifndef WI_RUNTIME_EMBEDDED_EMBED_H_
#define WI_RUNTIME_EMBEDDED_EMBED_H_

#include <stdint.h>

#define EMBED_NODE_CALLS 8u  /* offsets in a node, in bytes */
#define EMBED_NODE_SELF  16u /* only with a clock; otherwise slots begin here */

/*
 * Tags added to a node's address in a word of its slots. Nodes are aligned to 8 bytes, so the tag
 * is the low bits of the word. An empty slot has bit EMBED_EMPTY set; a callee's address does not.
 */
#define EMBED_EMPTY        4u /* an empty own slot */
#define EMBED_EMPTY_SHARED 5u /* an empty shared slot or pair */
#define EMBED_OWNER        6u /* the second word of a pair */
#define EMBED_TAG_MASK     7u

#define EMBED_PARENT_BIT   0x80000000u
#define EMBED_PARENT_TABLE 1u /* in `parent`: a table has the node's answers, see answers.h */
#define EMBED_ALIGNMENT    8u /* of nodes and of the configuration, in bytes */

/*
 * The tree is whole at every call, and at every end of a loop: an engine that checks its stack
 * there may throw an exception, which the program catches, or run the host, which takes a profile.
 * So the runtime initialises first and publishes last:
 *
 *   - Memory is a gap from its allocation on, which walks over the nodes skip. Once all else is
 *     initialised, one store of `function` and `parent` makes it a node (embed_publish_node).
 *   - Whatever else leads to something new (a slot, a count, a table's entry, the table itself) is
 *     stored after all calls that may be needed, in a row.
 *   - What an exception interrupts is lost as a whole, and doing it again is correct: it costs at
 *     most a gap, or a node without calls.
 *   - Nothing is on a stack in memory, whose pointer an exception would leave behind: variables
 *     whose address is taken are static, and used up before the host is called.
 */

/*
 * Numbers of slots in a function's nodes, in this order. A node without pairs has one more own
 * slot.
 */
typedef struct embed_slots {
  uint16_t shared; /* or EMBED_NO_NODES */
  uint16_t own;
  uint16_t pairs;
} embed_slots;

#define EMBED_MAX_SLOT_WORDS 0xFFFEu /* per node */
#define EMBED_NO_NODES       0xFFFFu /* the function has no hooks */

/*
 * The profile is written to the memory behind the arena. An engine may refuse to grow that memory,
 * so each allocation for the tree also reserves room for its part of the file: each record with its
 * place in a map, and the rest, which the rewriter knows except for the parts that
 * EMBED_FILE_MARGIN covers. Without that room the tree has reached its limit.
 */
#define EMBED_RECORD_ROOM 28u
#define EMBED_FILE_MARGIN 32768u

/* A node's function that marks a gap; `parent` is then the size in bytes to skip. */
#define EMBED_FUNCTION_GAP 0xFFFFFFFDu

/* Bytes of an embed_shadow (tree.h), a gap before each node that single calls are taken from. */
#define EMBED_SHADOW_SIZE 32u

enum {
#define WI_FOLLOWER(name) EMBED_FOLLOWER_##name,
#include "runtime/embedded/followers.def"
#undef WI_FOLLOWER
  EMBED_FOLLOWER_COUNT
};

/*
 * Functions that stand for something other than a function of the output: a type, or a function
 * that an interpreter runs. They are numbered after the output's functions, and have nodes but no
 * hooks.
 */
typedef struct embed_stand_ins {
  uint32_t first; /* function */
  uint32_t count;
  embed_slots slots; /* of their nodes */
  uint16_t unused;
  uint32_t bounds_recursion; /* recursion of other functions is not folded across them */
} embed_stand_ins;

#define EMBED_INTERPRETER_PAIRS 32u /* in an interpreter's node; callees share them */

/* A leaf that a function calls. A leaf calls at most one. */
typedef struct embed_leaf {
  uint32_t function;
  uint32_t cost; /* instructions executed per call; used with a clock */
} embed_leaf;

/*
 * Placed at the first multiple of EMBED_ALIGNMENT after the runtime's own data, and followed by the
 * data that it refers to. References are addresses in the added memory.
 */
typedef struct embed_config {
  uint32_t function_count; /* only functions of the output below this index can have nodes */
  uint32_t node_limit;
  uint32_t recursion;    /* wasm_perf_recursion */
  uint32_t slots_offset; /* offset of the slots in a node, in bytes */
  uint32_t value_count;  /* 1: calls; 2: calls and self */
  uint32_t root;         /* the root's node, made by the rewriter, with a single pair */
  uint32_t stand_ins;    /* embed_stand_ins of each kind, in ascending order */
  uint32_t stand_in_kinds;
  uint32_t slots; /* embed_slots of each function */
  uint32_t facts; /* the file's static facts, see wasm_perf/format.h */
  uint32_t facts_size;
  uint32_t values; /* the file's section of values */
  uint32_t values_size;
  uint32_t names; /* the file's section of names, for stand-ins only */
  uint32_t names_size;
  uint32_t file_name; /* name of the file that a WASI command writes, UTF-8 */
  uint32_t file_name_size;
  uint32_t flat_index;   /* u32 per function and stand-in: its node beyond the limit, or 0 */
  uint32_t flat;         /* where those nodes are created; has room for one per function */
  uint32_t arena;        /* where all other nodes are created, up to the end of memory */
  uint32_t file_room;    /* bytes that the profile needs apart from these nodes */
  uint32_t block_counts; /* u32 per function: its number of counted blocks; 0: none are counted */
  uint32_t blocks;       /* u64 per counted block, initially zero, in the order of functions */
  uint32_t described[EMBED_FOLLOWER_COUNT]; /* the rewriter's data for each; 0: not in use */
  uint32_t first_leaf;  /* u32 per function, and one more: its first leaf; 0: none */
  uint32_t leaves;      /* embed_leaf of each function's leaves */
  uint32_t write_every; /* of how many returns of chosen exports one writes the profile */
  uint32_t shadow_size; /* EMBED_SHADOW_SIZE, or 0: nodes have no shadows */
} embed_config;

#endif /* WI_RUNTIME_EMBEDDED_EMBED_H_ */
