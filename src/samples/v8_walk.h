/* Where the nodes of a V8 profile belong in the tree of their thread. */
#ifndef WI_SAMPLES_V8_WALK_H_
#define WI_SAMPLES_V8_WALK_H_

#include "samples/v8_others.h"
#include "samples/v8_scripts.h"
#include "support/child_table.h"

/* What of a thread is shown. */
typedef enum wi_v8_scope {
  WI_V8_PROGRAM, /* all functions */
  WI_V8_HOSTED,  /* a module, its imports and its waits: its host is ours */
  WI_V8_CALLERS, /* functions of modules, with the cost of their callees outside of modules */
  WI_V8_MODULES  /* functions of modules alone */
} wi_v8_scope;

/* A thread; all is borrowed. */
typedef struct wi_v8_thread_facts {
  const char *name;
  uint32_t process, number;
  wi_v8_scope scope;
  const char *home; /* URL of the folder with our own JavaScript; "": not known */
} wi_v8_thread_facts;

#define WI_V8_FIRST_OTHER 0x40000000u /* functions outside of modules */

/* A node of the thread's tree. */
typedef struct wi_v8_place {
  uint32_t function, parent;
  double time; /* nanoseconds */
} wi_v8_place;

/* The thread's tree. Node 0 is the root. */
typedef struct wi_v8_tree {
  const wi_v8_thread_facts *facts;
  const wi_v8_module *modules;
  const uint32_t *bases; /* per module: number of its first function */
  WI_ARRAY(wi_v8_place, places);
  wi_child_table *children;
  wi_v8_others others;
  bool failed; /* memory ran out */
} wi_v8_tree;

bool wi_v8_tree_init(wi_v8_tree *tree); /* after the first three fields were set */
void wi_v8_tree_clear(wi_v8_tree *tree);

/* The nodes below a node for garbage collected in it, for waits for compilations and for a
 * processor, and for our own work. */
uint32_t wi_v8_tree_collector(wi_v8_tree *tree, uint32_t node);
uint32_t wi_v8_tree_compiler(wi_v8_tree *tree, uint32_t node);
uint32_t wi_v8_tree_waiter(wi_v8_tree *tree, uint32_t node);
uint32_t wi_v8_tree_profiler(wi_v8_tree *tree, uint32_t node);

/* Whether the thread waits in that node. */
bool wi_v8_tree_waits(const wi_v8_tree *tree, uint32_t node);

/*
 * Adds the nodes of a profile, which are a tree. Fills in, for each, the node that gets its time; 0
 * is the root, whose time is not shown. Returns false if out of memory.
 */
bool wi_v8_tree_add(wi_v8_tree *tree, const wi_v8_profile *profile, const wi_v8_owner *owners,
                    uint32_t *places);

#endif /* WI_SAMPLES_V8_WALK_H_ */
