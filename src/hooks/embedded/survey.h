/*
 * The embedded form, seen from the module: which slots a function's node has, which functions may
 * be entered through a slot that is not theirs alone, and what is added to each section.
 * runtime/embedded/embed.h describes nodes and slots; body.h has the hooks.
 */
#ifndef WI_HOOKS_EMBEDDED_SURVEY_H_
#define WI_HOOKS_EMBEDDED_SURVEY_H_

#include "hooks/embedded/leaves.h"
#include "hooks/embedded/merge.h"
#include "hooks/embedded/tally.h"
#include "hooks/follow/followers.h"
#include "rewrite/plan.h"

/* What is known of a function, imported or not. Index: its function index in the input. */
typedef enum wi_callee_flag {
  WI_CALLEE_CHOSEN = 1,     /* gets hooks, and nodes */
  WI_CALLEE_CALLS = 2,      /* calls something: may enter functions that have hooks */
  WI_CALLEE_TAIL_CALLS = 4, /* its slot leads to the callees that take its place, too */
  WI_CALLEE_CATCHES = 8,
  WI_CALLEE_IN_COMMON_SLOT = 16,   /* entered through a slot that its caller has for others, too */
  WI_CALLEE_REFERENCED = 32,       /* may be called indirectly */
  WI_CALLEE_EXPORTED = 64,         /* or the start function: the host calls it */
  WI_CALLEE_CALLED_UNHOOKED = 128, /* by a function without hooks */
  WI_CALLEE_TAIL_CALLED = 256,     /* it returns to whom its caller's caller is */
  WI_CALLEE_INTERPRETS = 512,      /* see WI_FOLLOW_INTERPRETS */
  WI_CALLEE_BORROWS = 1024         /* has no hooks: counts its instructions in its caller's node */
} wi_callee_flag;

/* Slots of nodes: runtime/embedded/embed.h describes them. */
typedef enum wi_slot_kind { WI_SLOT_SHARED, WI_SLOT_OWN, WI_SLOT_PAIR, WI_SLOT_NONE } wi_slot_kind;

/* How many of each kind a function's node has. */
typedef struct wi_slots {
  uint32_t count[WI_SLOT_NONE];
} wi_slots;

/* Where the slot of a callee, or the count of a leaf's calls, is in the node of the function that
 * is being planned. */
typedef struct wi_slot_place {
  uint32_t serial; /* of that function: wi_embed.serial then */
  uint32_t offset; /* in the node, in bytes */
} wi_slot_place;

struct wi_embed {
  wi_merge runtime;
  wi_followings following;
  bool guest_is_alone; /* only the functions of a guest have nodes: none if it is not found */
  bool counts;         /* instructions */
  const char *writer;  /* of a program that leaves its profile by itself, see outlet.h; or NULL */
  bool host_calls;     /* each import has a node of its own */
  bool unhooked_indirect; /* functions without hooks call indirectly */
  bool references_leave;  /* the host may get hold of references to functions */
  bool tail_calls_by_reference;
  uint16_t *flags; /* wi_callee_flag of each function; owned */
  wi_slots *slots; /* of each function's node; owned */
  wi_leaves leaves;
  wi_slot_place *places;  /* of each function, and one for all imports after them; owned */
  uint32_t *first_blocks; /* of each function, its first block among those that are counted, and one
                             more for the end; NULL: blocks are not counted. Owned */
  wi_tallies tallies;     /* where counts: of the function that is being planned */
  uint32_t blocks_address;
  uint32_t serial;                       /* of the function whose slots are in places */
  uint32_t function_count, import_count; /* of the input */
  uint32_t asyncify_state; /* the global that tells what is rewound, or WI_NO_GLOBAL */
  uint32_t slot_global;    /* output indices */
  uint32_t memory_index;
  uint32_t program_memory;                   /* with a writer: the one that hosts read */
  uint32_t enter, enter_host, write_profile; /* functions; the last may be WI_NO_FUNCTION */
  wi_buffer config; /* contents of the data segment that configures the runtime */
  uint32_t config_address;
  uint32_t page_count; /* of the memory, at first */
};

/*
 * Surveys the module and decides the above for plan->chosen, from which it removes functions that
 * hooks would push over a limit. Sets plan->embed on success.
 */
bool wi_embed_init(wi_plan *plan, const wi_options *options, wi_scan *scan, wi_error *error);
void wi_embed_free(wi_embed *embed); /* NULL is allowed */

/* Whether `function` may be entered through a slot that may lead to another function's node. */
bool wi_embed_shares_slot(const wi_embed *embed, uint32_t function);

/*
 * Whether somebody who sets no slot may enter it, or it may take the place of a function that was
 * entered so: it puts back the slot that it took.
 */
bool wi_embed_restores_slot(const wi_embed *embed, uint32_t function);

/* Whether its callers count its calls. */
bool wi_embed_is_leaf(const wi_embed *embed, uint32_t function);

/* Where a function's node has the counts of the leaves that it calls, in bytes. */
uint32_t wi_embed_leaves_offset(const wi_embed *embed, uint32_t function);

/* The slot that a caller's node has for direct calls of that function. */
wi_slot_kind wi_embed_callee_slot(const wi_embed *embed, uint32_t callee);

/* Where the first slot of that kind is in the function's node; of WI_SLOT_NONE: where all end. */
uint32_t wi_embed_first_slot(const wi_embed *embed, uint32_t function, wi_slot_kind kind);

/* The address of the count of the function's first block; 0: blocks are not counted. */
uint32_t wi_embed_first_block(const wi_embed *embed, uint32_t function);

/* The address of the root's node. */
uint32_t wi_embed_root_address(const wi_embed *embed);

/* Where slots begin in a node, in bytes, and the address of the root's. */
uint32_t wi_embed_slots_offset(const wi_embed *embed);
uint32_t wi_embed_root_slot(const wi_embed *embed);

#endif /* WI_HOOKS_EMBEDDED_SURVEY_H_ */
