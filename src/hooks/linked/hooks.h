/* What the linked form adds to a module. */
#ifndef WI_HOOKS_LINKED_HOOKS_H_
#define WI_HOOKS_LINKED_HOOKS_H_

#include "hooks/ends.h"
#include "rewrite/plan.h"

/* The hooks in import order. */
#define WI_HOOKS(X)                                                                                \
  X(START, "perf_start", I32_TO_NONE)                                                              \
  X(END, "perf_end", NONE_TO_NONE)                                                                 \
  X(DEPTH, "perf_depth", NONE_TO_I32)                                                              \
  X(UNWIND, "perf_unwind", I32_TO_NONE)                                                            \
  X(START_AT, "perf_start_at", I32_I64_TO_NONE)                                                    \
  X(END_AT, "perf_end_at", I64_TO_NONE)                                                            \
  X(UNWIND_AT, "perf_unwind_at", I32_I64_TO_NONE)                                                  \
  X(FLUSH, "perf_flush", NONE_TO_NONE)

typedef enum wi_hook {
#define WI_HOOK_ENUM(id, name, signature) WI_HOOK_##id,
  WI_HOOKS(WI_HOOK_ENUM)
#undef WI_HOOK_ENUM
      WI_HOOK_COUNT
} wi_hook;

struct wi_linked {
  uint32_t hooks[WI_HOOK_COUNT]; /* function index in the output, or WI_NO_FUNCTION */
  bool counts;                   /* the module counts instructions as its clock */
  uint32_t clock_global;         /* index of the added global with that count */
  wi_ends ends;                  /* where the profile is flushed */
  wi_span old_hooks;             /* see surroundings.h */
};

#endif /* WI_HOOKS_LINKED_HOOKS_H_ */
