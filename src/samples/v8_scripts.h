/* Which nodes of a V8 profile are functions of profiled modules. */
#ifndef WI_SAMPLES_V8_SCRIPTS_H_
#define WI_SAMPLES_V8_SCRIPTS_H_

#include "samples/v8_profile.h"

/* A module as V8 compiled it. */
typedef struct wi_v8_module {
  const char *file;      /* name of the module's profile; "": none, it is not shown; borrowed */
  const wi_span *bodies; /* of its functions; borrowed */
  uint32_t body_count;
  uint32_t moved;          /* bytes by which its code was moved before it was compiled */
  uint32_t import_count;   /* functions that are imports */
  uint32_t function_count; /* all functions except the hooks' own */
  bool is_runtime;         /* the linked form's: its time is that of hooks */
} wi_v8_module;

/* A function of a module. */
typedef struct wi_v8_owner {
  uint32_t module; /* index of the module; UINT32_MAX: the node is other code */
  uint32_t function;
} wi_v8_owner;

/*
 * Fills in the owner of each node. All functions of a module have one script. A script belongs to
 * the first module in which all its functions begin where V8 says. Returns false if out of memory.
 */
bool wi_v8_find_owners(const wi_v8_profile *profile, const wi_v8_module *modules,
                       uint32_t module_count, wi_v8_owner *owners);

#endif /* WI_SAMPLES_V8_SCRIPTS_H_ */
