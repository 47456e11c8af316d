/*
 * A follower watches one thing in programs with the embedded form: memory, goroutines, the functions
 * that Python runs. It is one or two sources and a line in runtime/embedded/followers.def: this side says
 * what it looks for and what it puts into bodies, runtime/embedded/NAME.c does what these call, if
 * anything.
 *
 * The order of its functions, all of which but `find` may be NULL:
 *
 *     find       looks through the module, and says whether there is something to follow
 *     want       what scans of bodies are to record for it
 *     traits     what it asks of each function; then note, of each WI_SITE_OPCODE
 *     stand_ins  all is known: functions of its own that have nodes; what the runtime is told
 *     begin      for each body: what it does there; then the code, in order
 */
#ifndef WI_HOOKS_FOLLOW_FOLLOWER_H_
#define WI_HOOKS_FOLLOW_FOLLOWER_H_

#include "rewrite/plan.h"
#include "runtime/embedded/embed.h"

typedef struct wi_follower wi_follower;

enum {
#define WI_FOLLOWER(name) WI_FOLLOWER_##name,
#include "runtime/embedded/followers.def"
#undef WI_FOLLOWER
  WI_FOLLOWER_COUNT,
  WI_FOLLOWER_MAX_EXPORTS = 16
};

/* A follower in a module. */
typedef struct wi_following {
  const wi_follower *follower;
  void *state;    /* its own; owned, see clear */
  bool is_active; /* there is something to follow; else only find and clear are called */
  bool has_guest; /* an interpreted program is there, even if it cannot be followed */
  uint32_t functions[WI_FOLLOWER_MAX_EXPORTS]; /* output index of each of `exports` */
  uint32_t first_stand_in; /* function that its stand-ins begin with, in the output */
  uint32_t description;    /* address in the added memory of what `describe` has put */
} wi_following;

/* What a follower asks of a function. */
typedef enum wi_follow_trait {
  WI_FOLLOW_HOOKED = 1,     /* is to have hooks, whether it was chosen or not */
  WI_FOLLOW_ACCOUNT = 2,    /* its node has an own slot for this follower: wi_follow_body.account */
  WI_FOLLOW_INTERPRETS = 4, /* calls anything: its callees share a few pairs */
  WI_FOLLOW_SETS_SLOT = 8,  /* the follower sets the slot at its entry, before its node is found */
  WI_FOLLOW_RESTORES = 16   /* puts back the slot that it was entered through */
} wi_follow_trait;

/* Functions that stand for something else, as for a type: they have nodes, but no hooks. */
typedef struct wi_stand_ins {
  uint32_t count;
  uint32_t own, pairs;   /* the slots of their nodes */
  bool bounds_recursion; /* recursion of the module's functions is not folded across them */
  bool are_functions;    /* of the output, which `put_section` adds; else they are only numbers.
                            Followers with such come first in followers.def */
} wi_stand_ins;

/* A follower in a function's body. Locals and functions are of the output. */
typedef struct wi_follow_body {
  const wi_following *following;
  const wi_module *module;
  const wi_scan *scan;
  const wi_type *type;
  uint32_t function; /* its index in the input */
  bool hooked;       /* it has a node, at the address in node_local */
  bool interprets; /* WI_FOLLOW_INTERPRETS was asked of it, by whomever: it has no slots to give */
  uint32_t node_local;
  uint32_t account;      /* offset in the node of the slot for WI_FOLLOW_ACCOUNT, in bytes */
  uint32_t memory_index; /* index of the added memory */
  /* Set by begin: */
  const void *hooks;             /* for whatever it decides once */
  unsigned roles;                /* the same */
  uint32_t i32_count, i64_count; /* locals that it adds */
  bool acts_at_exit, needs_account;
  /* Then known: */
  uint32_t i32_locals, i64_locals; /* the first of these */
} wi_follow_body;

/* Appends a name, or a fact of the profile, to what holds them. */
typedef void wi_name_put(wi_buffer *out, uint32_t function, const void *name, size_t size);
typedef struct wi_fact_put {
  void (*number)(wi_buffer *out, uint32_t key, uint64_t value);
  void (*text)(wi_buffer *out, uint32_t key, const void *text, size_t size);
} wi_fact_put;

struct wi_follower {
  const char *name;           /* its parts in the runtime begin with it, see
                                 runtime/embedded/followers.h */
  const char *const *exports; /* of the runtime, that its code calls: up to WI_FOLLOWER_MAX_EXPORTS,
                                 then NULL */
  bool keeps_leaves;          /* functions that call nothing need no node of their own for it */
  bool is_guest;              /* follows a program that this one interprets */

  /* Sets state, is_active and has_guest. Of the plan only the module and what is beside it are known. `scan` is working memory. False, with *error filled in, on
     failure; clear is called then, too, if there is a state. */
  bool (*find)(wi_following *following, const wi_plan *plan, const wi_options *options,
               wi_scan *scan, wi_error *error);
  void (*clear)(void *state);
  void (*want)(const wi_following *following, const wi_module *module, wi_scan_wants *wants);
  unsigned (*traits)(const wi_following *following, const wi_module *module, const wi_scan *scan,
                     uint32_t function); /* wi_follow_trait */
  /* Whether the node has an own slot for that site; it is passed to put_after. */
  bool (*needs_slot)(const wi_site *site);
  bool (*note)(wi_following *following, wi_plan *plan, uint32_t function, const wi_site *site,
               wi_error *error);
  wi_stand_ins (*stand_ins)(const wi_following *following);
  /* Of stand-ins that are functions: their items in the sections of functions and code. */
  void (*put_section)(const wi_following *following, const wi_plan *plan, wi_section_id id,
                      wi_buffer *out);
  void (*put_names)(const wi_following *following, const wi_module *module, wi_name_put *put,
                    wi_buffer *out);
  void (*put_facts)(const wi_following *following, const wi_plan *plan, const wi_fact_put *put,
                    wi_buffer *out);
  /* What its side of the runtime reads, at embed_config.described: words, little endian. */
  void (*describe)(const wi_following *following, const wi_plan *plan, wi_buffer *out);

  /* What it does in a body; false: nothing. */
  bool (*begin)(wi_follow_body *body);
  /* At the entry, before the node is found; returns the number of its structured instructions.
     After it. */
  uint32_t (*put_entry)(const wi_follow_body *body, wi_buffer *out);
  uint32_t (*put_start)(const wi_follow_body *body, wi_buffer *out);
  /* Right before a site of kind WI_SITE_BEFORE_CALL, where the callee's slot is set, WI_SITE_OPCODE,
     WI_SITE_STORE or WI_SITE_STORED; right after a WI_SITE_OPCODE, with the offset of its slot in
     the node. */
  void (*put_before)(const wi_follow_body *body, const wi_site *site, wi_buffer *out);
  void (*put_after)(const wi_follow_body *body, const wi_site *site, uint32_t slot, wi_buffer *out);
  /* At an exit, with the results on the stack, or before a tail call. */
  void (*put_exit)(const wi_follow_body *body, bool is_tail_call, wi_buffer *out);
};

#endif /* WI_HOOKS_FOLLOW_FOLLOWER_H_ */
