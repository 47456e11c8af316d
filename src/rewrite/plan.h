/*
 * The plan for a module: which functions get hooks, and which imports and types these need.
 * planner.h makes the plan and the edits that follow from it.
 */
#ifndef WI_REWRITE_PLAN_H_
#define WI_REWRITE_PLAN_H_

#include "code/scan.h"
#include "rewrite/edits.h"

/* Signatures of added functions, with their encoded parameters and results. */
#define WI_SIGNATURES(X)                                                                           \
  X(NONE_TO_NONE, "\x00\x00")                                                                      \
  X(I32_TO_NONE, "\x01\x7f\x00")                                                                   \
  X(NONE_TO_I32, "\x00\x01\x7f")                                                                   \
  X(I32_TO_I32, "\x01\x7f\x01\x7f")                                                                \
  X(I64_TO_I64, "\x01\x7e\x01\x7e")                                                                \
  X(I64_TO_NONE, "\x01\x7e\x00")                                                                   \
  X(I32_I32_TO_NONE, "\x02\x7f\x7f\x00")                                                           \
  X(I32_I64_TO_NONE, "\x02\x7f\x7e\x00")                                                           \
  X(I64_I64_TO_NONE, "\x02\x7e\x7e\x00")

typedef enum wi_signature {
#define WI_SIGNATURE_ENUM(id, encoding) WI_SIGNATURE_##id,
  WI_SIGNATURES(WI_SIGNATURE_ENUM)
#undef WI_SIGNATURE_ENUM
      WI_SIGNATURE_COUNT
} wi_signature;

typedef struct wi_block_type wi_block_type;     /* additions.h */
typedef struct wi_embed wi_embed;               /* hooks/embedded/survey.h */
typedef struct wi_linked wi_linked;             /* hooks/linked/hooks.h */
typedef struct wi_single wi_single;             /* hooks/single/layout.h */
typedef struct wi_surroundings wi_surroundings; /* hooks/surroundings.h */
typedef struct wi_form wi_form;                 /* below */

#define WI_NO_TYPE UINT32_MAX

/* An added import of a function. */
typedef struct wi_added_import {
  const char *name; /* static */
  wi_signature signature;
} wi_added_import;

typedef struct wi_plan {
  const wi_module *module; /* borrowed */
  const wi_form *form;     /* borrowed; static */
  bool *chosen;            /* per function with a body; owned */
  uint32_t chosen_count;
  WI_ARRAY(uint32_t, unhookable);               /* see unhookable.h; owned */
  WI_ARRAY(wi_added_import, added);             /* imports that are named, the first ones; owned */
  uint32_t import_count;                        /* number of all added imports */
  wi_buffer types;                              /* encoded types to append */
  uint32_t type_count;                          /* number of added types */
  uint32_t signature_types[WI_SIGNATURE_COUNT]; /* type indices in the output, or WI_NO_TYPE */
  wi_block_type *block_types;                   /* types [] -> several results, by their bytes */
  bool host_calls;                              /* direct calls of imports get their own frames */
  const wi_surroundings *beside;                /* borrowed; NULL: nothing is known */
  uint32_t *replaced; /* of each import: the function of the output that takes its place, or
                         WI_NO_FUNCTION; NULL: none is. Owned */

  wi_scan_wants wants; /* for scanning each body; const once the plan is made */
  wi_embed *embed;     /* the embedded form's, or NULL; owned */
  wi_linked *linked;   /* the linked form's, or NULL; owned */
  wi_single *single;   /* the form's with a single memory, or NULL; owned */
} wi_plan;

/* Whether anything moves. If not, offsets and indices in metadata stay valid. */
static inline bool wi_plan_changes_module(const wi_plan *plan) {
  return plan->import_count > 0 || plan->type_count > 0 || plan->embed;
}

/* Maps a function index of the input to the output. */
static inline uint32_t wi_plan_function_index(const wi_plan *plan, uint32_t index) {
  return index < plan->module->imports_count ? index : index + plan->import_count;
}

/* The function index in the output that takes the place of `index` where the program uses it. */
static inline uint32_t wi_plan_used_index(const wi_plan *plan, uint32_t index) {
  bool is_replaced = plan->replaced && index < plan->module->imports_count &&
                     plan->replaced[index] != WI_NO_FUNCTION;
  return is_replaced ? plan->replaced[index] : wi_plan_function_index(plan, index);
}

/* Decisions for a function's body. */
typedef struct wi_body_plan {
  bool hooked;           /* has hooks */
  uint32_t entry_labels; /* number of blocks added before its own */
  uint32_t unlikely;     /* offset of a rarely taken `if` in the hooks, in bytes from the body's
                            start in the output; 0: none */
} wi_body_plan;

/*
 * A form of hooks: what it adds to a module and to each body. The pipeline accesses a form only
 * through this interface. `scan` is scratch memory; *error is filled in on failure.
 */
struct wi_form {
  /*
   * Surveys the module and decides what the functions in plan->chosen need: imports, types, what to
   * record.
   */
  bool (*init)(wi_plan *plan, const wi_options *options, wi_scan *scan, wi_error *error);
  void (*clear)(wi_plan *plan);
  /* See wi_plan_body in planner.h. */
  bool (*plan_body)(const wi_plan *plan, const wi_scan *scan, uint32_t index, wi_edits *edits,
                    wi_body_plan *result, wi_error *error);
  /*
   * Number of structured instructions that the body planned last has more before the one at this offset
   * in the input, apart from those at its entry. NULL: none. Needs wants.flow.
   */
  uint32_t (*labels_before)(const wi_plan *plan, uint32_t offset);
  /*
   * Number of items added to the section's vector besides the plan's imports and types, and the
   * items.
   */
  uint32_t (*count)(const wi_plan *plan, wi_section_id id);
  void (*put)(wi_plan *plan, wi_section_id id, wi_buffer *out);
  /* Writes the whole contents of a section in place of the module's, or returns false. May be NULL. */
  bool (*replace)(const wi_plan *plan, const wi_section *section, wi_buffer *out);
  /* Number of functions added after the module's own, and their entries for the name section. */
  uint32_t (*name_count)(const wi_plan *plan);
  void (*put_names)(const wi_plan *plan, wi_buffer *out);
};

#endif /* WI_REWRITE_PLAN_H_ */
