/*
 * A follower watches one thing in programs with the embedded form: memory, goroutines, the
 * functions that Python runs. It consists of one or two sources and a line in
 * runtime/embedded/followers.def. This side defines what it looks for and what it inserts into
 * bodies; runtime/embedded/NAME.c, if there is one, defines the functions that the inserted code
 * calls.
 *
 * Its functions are called in this order; all but `find` may be NULL:
 *
 *     find       searches the module, and reports whether there is something to follow
 *     want       what scans of bodies must record
 *     traits     its requirements of each function; then note, for each WI_SITE_OPCODE
 *     stand_ins  after the survey: added functions that have nodes; data for the runtime
 *     begin      for each body: what it does there; then the code, in order
 */
#ifndef WI_HOOKS_FOLLOW_FOLLOWER_H_
#define WI_HOOKS_FOLLOW_FOLLOWER_H_

#include "hooks/embedded/image.h"
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

/* A follower's state for one module. */
typedef struct wi_following {
  const wi_follower *follower;
  void *state;          /* the follower's own; owned, see clear */
  bool is_active;       /* there is something to follow; otherwise only find and clear are called */
  bool has_guest;       /* an interpreted program was found, even if it cannot be followed */
  bool excludes_others; /* only functions that it follows have nodes; none if it finds nothing */
  uint32_t functions[WI_FOLLOWER_MAX_EXPORTS]; /* output index of each function in `exports` */
  uint32_t first_stand_in; /* function index of its first stand-in in the output */
  uint32_t description;    /* address in the added memory of the data from `describe` */
} wi_following;

/* What a follower requires of a function. */
typedef enum wi_follow_trait {
  WI_FOLLOW_HOOKED = 1,     /* gets hooks even if it was not chosen */
  WI_FOLLOW_ACCOUNT = 2,    /* its node has an own slot for this follower: wi_follow_body.account */
  WI_FOLLOW_INTERPRETS = 4, /* may call any function, so its callees share a few pairs */
  WI_FOLLOW_SETS_SLOT = 8,  /* the follower sets the slot at its entry, before its node is found */
  WI_FOLLOW_RESTORES = 16   /* restores the slot through which it was entered */
} wi_follow_trait;

/* Functions that stand for something else, such as a type. They have nodes but no hooks. */
typedef struct wi_stand_ins {
  uint32_t count;
  uint32_t own, pairs;   /* slots in each node */
  bool bounds_recursion; /* recursion of the module's functions is not folded across them */
  bool are_functions;    /* they are functions of the output, which `put_section` adds;
                            otherwise they are only numbers. Followers with such come first
                            in followers.def */
} wi_stand_ins;

/* A follower's state for one function body. Locals and functions are numbered as in the output. */
typedef struct wi_follow_body {
  const wi_following *following;
  const wi_module *module;
  const wi_scan *scan;
  const wi_type *type;
  uint32_t function; /* function index in the input */
  bool hooked;       /* has a node, whose address is in node_local */
  bool interprets;   /* some follower requested WI_FOLLOW_INTERPRETS for it: it has no slots
                        to spare */
  uint32_t node_local;
  uint32_t account;         /* offset in the node of the slot for WI_FOLLOW_ACCOUNT, in bytes */
  uint32_t memory_index;    /* index of the added memory */
  uint32_t executed_global; /* see wi_embed */
  /* Set by begin: */
  const void *hooks;             /* any decision made once per body */
  unsigned roles;                /* likewise */
  uint32_t i32_count, i64_count; /* number of added locals */
  bool acts_at_exit, needs_account;
  /* Known afterwards: */
  uint32_t i32_locals, i64_locals; /* the first of these */
} wi_follow_body;

/* Appends a name, or a fact of the profile. */
typedef void wi_name_put(wi_buffer *out, uint32_t function, const void *name, size_t size);
typedef struct wi_fact_put {
  void (*number)(wi_buffer *out, uint32_t key, uint64_t value);
  void (*text)(wi_buffer *out, uint32_t key, const void *text, size_t size);
} wi_fact_put;

struct wi_follower {
  const char *name;           /* prefix of its parts in the runtime, see
                                 runtime/embedded/followers.h */
  const char *const *exports; /* runtime functions that its code calls: up to
                                 WI_FOLLOWER_MAX_EXPORTS, then NULL */
  bool keeps_leaves;          /* leaves need no node for it */
  bool keeps_state;           /* of one instance: instances cannot share the added memory, see
                                 runtime/embedded/instance.h */

  bool needs_shadows; /* nodes have shadows, see embed_shadow in runtime/embedded/tree.h */

  /*
   * Sets state, is_active, has_guest and excludes_others. Of the plan only the module and `beside` are set. `scan`
   * is working memory. Returns false, with *error set, on failure; clear is called then, too, if
   * there is a state.
   */
  bool (*find)(wi_following *following, const wi_plan *plan, const wi_options *options,
               wi_scan *scan, wi_error *error);
  void (*clear)(void *state);
  void (*want)(const wi_following *following, const wi_module *module, wi_scan_wants *wants);
  unsigned (*traits)(const wi_following *following, const wi_module *module, const wi_scan *scan,
                     uint32_t function); /* wi_follow_trait */
  /* Whether the node has an own slot for the site; its offset is passed to put_after. */
  bool (*needs_slot)(const wi_site *site);
  bool (*note)(wi_following *following, wi_plan *plan, uint32_t function, const wi_site *site,
               wi_error *error);
  wi_stand_ins (*stand_ins)(const wi_following *following);
  /* For stand-ins that are functions: their items in the function and code sections. */
  void (*put_section)(const wi_following *following, const wi_plan *plan, wi_section_id id,
                      wi_buffer *out);
  /* Links what its exports import with parts of the image. Returns false if memory ran out. */
  bool (*link)(const wi_following *following, const wi_plan *plan, wi_image *image);
  void (*put_names)(const wi_following *following, const wi_module *module, wi_name_put *put,
                    wi_buffer *out);
  void (*put_facts)(const wi_following *following, const wi_plan *plan, const wi_fact_put *put,
                    wi_buffer *out);
  /* The data for its part of the runtime, at embed_config.described: words, little-endian. */
  void (*describe)(const wi_following *following, const wi_plan *plan, wi_buffer *out);

  /* Decides what it does in a body. Returns false if nothing. */
  bool (*begin)(wi_follow_body *body);
  /*
   * At the entry: before the node is found, and after it. Both return the number of structured
   * instructions that they emitted.
   */
  uint32_t (*put_entry)(const wi_follow_body *body, wi_buffer *out);
  uint32_t (*put_start)(const wi_follow_body *body, wi_buffer *out);
  /*
   * put_before: before a site of kind WI_SITE_BEFORE_CALL, when the callee's slot is set, and of
   * kind WI_SITE_OPCODE, WI_SITE_STORE or WI_SITE_STORED. put_after: after a WI_SITE_OPCODE; `slot`
   * is the offset of its slot in the node.
   */
  void (*put_before)(const wi_follow_body *body, const wi_site *site, wi_buffer *out);
  void (*put_after)(const wi_follow_body *body, const wi_site *site, uint32_t slot, wi_buffer *out);
  /* At an exit, with the results on the stack, or before a tail call. */
  void (*put_exit)(const wi_follow_body *body, bool is_tail_call, wi_buffer *out);
};

#endif /* WI_HOOKS_FOLLOW_FOLLOWER_H_ */
