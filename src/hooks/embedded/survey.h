/*
 * The embedded form's view of the module: the slots of each function's node, the functions that may
 * be entered through a slot that they share, and the additions to each section.
 * runtime/embedded/embed.h describes nodes and slots; body.h has the hooks.
 */
#ifndef WI_HOOKS_EMBEDDED_SURVEY_H_
#define WI_HOOKS_EMBEDDED_SURVEY_H_

#include "hooks/embedded/leaves.h"
#include "hooks/embedded/merge.h"
#include "hooks/embedded/outlet.h"
#include "hooks/embedded/returns.h"
#include "hooks/embedded/tally.h"
#include "hooks/follow/followers.h"
#include "rewrite/plan.h"

/* Facts about a function, imported or not. Indexed by function index in the input. */
typedef enum wi_callee_flag {
  WI_CALLEE_CHOSEN = 1,     /* gets hooks and nodes */
  WI_CALLEE_CALLS = 2,      /* calls something, so it may enter functions with hooks */
  WI_CALLEE_TAIL_CALLS = 4, /* its slot may also lead to callees that replace it */
  WI_CALLEE_CATCHES = 8,
  WI_CALLEE_IN_COMMON_SLOT = 16,   /* entered through a slot that its caller also uses for
                                      other callees */
  WI_CALLEE_REFERENCED = 32,       /* may be called indirectly */
  WI_CALLEE_EXPORTED = 64,         /* or the start function: the host calls it */
  WI_CALLEE_CALLED_UNHOOKED = 128, /* called by a function without hooks */
  WI_CALLEE_TAIL_CALLED = 256,     /* returns to its caller's caller */
  WI_CALLEE_INTERPRETS = 512,      /* see WI_FOLLOW_INTERPRETS */
  WI_CALLEE_BORROWS = 1024         /* no hooks; counts its instructions in its caller's node */
} wi_callee_flag;

/* Slots of nodes: runtime/embedded/embed.h describes them. */
typedef enum wi_slot_kind { WI_SLOT_SHARED, WI_SLOT_OWN, WI_SLOT_PAIR, WI_SLOT_NONE } wi_slot_kind;

/* Number of slots of each kind in a function's node. */
typedef struct wi_slots {
  uint32_t count[WI_SLOT_NONE];
} wi_slots;

/*
 * Offset of a callee's slot, or of a leaf's call count, in the node of the function being planned.
 */
typedef struct wi_slot_place {
  uint32_t serial; /* wi_body_scratch.serial of that function */
  uint32_t offset; /* in the node, in bytes */
} wi_slot_place;

/* Working memory for one body at a time. */
typedef struct wi_body_scratch {
  wi_slot_place *places; /* per function, and a last one for all imports; owned */
  uint32_t serial;       /* of the function whose slots are in `places` */
  wi_tallies tallies;    /* of that function, if instructions are counted */
} wi_body_scratch;

struct wi_embed {
  wi_merge runtime;
  wi_followings following;
  bool excludes_others;   /* see wi_followings_exclude_others */
  bool counts;            /* counts instructions */
  wi_outlet outlet;       /* how it writes its profile */
  wi_returns returns;     /* of exports that write it */
  bool host_calls;        /* each import has a separate node */
  bool unhooked_indirect; /* functions without hooks call indirectly */
  bool references_leave;  /* the host may obtain function references */
  bool tail_calls_by_reference;
  uint16_t *flags; /* wi_callee_flag per function; owned */
  wi_slots *slots; /* per function's node; owned */
  wi_leaves leaves;
  wi_body_scratch *scratch; /* owned */
  uint32_t *first_blocks;   /* per function: index of its first counted block, and one more
                             for the end; NULL: blocks are not counted. Owned */
  uint32_t blocks_address;
  uint32_t function_count, import_count; /* of the input */
  uint32_t asyncify_state;               /* global with Asyncify's state, or WI_NO_GLOBAL */
  uint32_t slot_global;                  /* output indices */
  uint32_t executed_global; /* with the number of executed instructions, or WI_NO_GLOBAL */
  uint32_t memory_index;
  uint32_t enter, enter_host, write_profile; /* functions; the last may be WI_NO_FUNCTION */
  wi_buffer config; /* contents of the data segment that configures the runtime */
  uint32_t config_address;
  uint32_t page_count; /* initial size of the memory */
};

/*
 * Surveys the module. First allocates plan->embed, which stays with the plan even on failure. Sets
 * the fields above, except the addresses and output indices, which wi_embed_place sets. Of the plan
 * it also sets `wants` and `replaced`, adds types, and changes `chosen`: functions that would exceed
 * an engine's limit with hooks leave it, and those that followers need join it.
 */
bool wi_embed_init(wi_plan *plan, const wi_options *options, wi_scan *scan, wi_error *error);
void wi_embed_free(wi_embed *embed); /* may be NULL */

/* Whether `function` may be entered through a slot that may lead to another function's node. */
bool wi_embed_shares_slot(const wi_embed *embed, uint32_t function);

/*
 * Whether a caller that sets no slot may enter the function, or the function may replace one
 * entered so. It must then restore the slot that it took.
 */
bool wi_embed_restores_slot(const wi_embed *embed, uint32_t function);

/* Whether the function's callers count its calls. */
bool wi_embed_is_leaf(const wi_embed *embed, uint32_t function);

/* Offset in a function's node of the call counts of its leaves, in bytes. */
uint32_t wi_embed_leaves_offset(const wi_embed *embed, uint32_t function);

/* The kind of slot that a caller's node has for direct calls of `callee`. */
wi_slot_kind wi_embed_callee_slot(const wi_embed *embed, uint32_t callee);

/*
 * Offset in the function's node of the first slot of this kind; for WI_SLOT_NONE, the end of all.
 */
uint32_t wi_embed_first_slot(const wi_embed *embed, uint32_t function, wi_slot_kind kind);

/* Address of the count of the function's first block; 0 if blocks are not counted. */
uint32_t wi_embed_first_block(const wi_embed *embed, uint32_t function);

/* Address of the root's node. */
uint32_t wi_embed_root_address(const wi_embed *embed);

/* Offset of the slots in a node, in bytes; and the address of the root's slot. */
uint32_t wi_embed_slots_offset(const wi_embed *embed);
uint32_t wi_embed_root_slot(const wi_embed *embed);

#endif /* WI_HOOKS_EMBEDDED_SURVEY_H_ */
