#include "samples/v8_walk.h"

#include <stdlib.h>
#include <string.h>

#include "samples/v8_frame.h"

#define ROOT        0u
#define NONE        UINT32_MAX
#define TIMER_DEPTH 2u /* processTimers, listOnTimeout */

/*
 * Whose a frame is: the program's; one of our functions; one that calls nothing of the program; a
 * hook, such as a function of the runtime; a wait.
 */
typedef enum whose { PROGRAM, OURS, WORK, HOOK, WAITING } whose;

/* A node to visit. */
typedef struct visit {
  uint32_t node;   /* of V8 */
  uint32_t parent; /* node of the tree below which it is */
  whose caller;    /* what called it */
} visit;

/* Where a frame belongs: its callees come below `node`, its time is that of `place`. */
typedef struct location {
  uint32_t node, place;
  whose as;
} location;

typedef struct walk {
  wi_v8_tree *tree;
  const wi_v8_profile *profile;
  const wi_v8_owner *owners;
  WI_ARRAY(visit, open);
} walk;

/* A frame of V8. */
typedef struct frame {
  const char *name, *url;
  int64_t line, column;
  wi_v8_owner owner;
} frame;

bool wi_v8_tree_init(wi_v8_tree *tree) {
  wi_v8_place *root = WI_ARRAY_PUSH(tree, places);
  tree->children = wi_child_table_new(0);
  if (root)
    *root = (wi_v8_place){.function = WASM_PERF_FUNCTION_ROOT};
  return root && tree->children;
}

void wi_v8_tree_clear(wi_v8_tree *tree) {
  wi_child_table_free(tree->children);
  free(tree->places);
  wi_v8_others_clear(&tree->others);
}

/* ---- Nodes ----------------------------------------------------------------------- */

/* Finds or adds the child; ROOT after running out of memory. */
static uint32_t child_of(wi_v8_tree *tree, uint32_t parent, uint32_t function) {
  uint32_t *node = wi_child_table_at(tree->children, parent, function);
  if (node && *node != 0)
    return *node;
  wi_v8_place *added = node ? WI_ARRAY_PUSH(tree, places) : NULL;
  if (!added) {
    tree->failed = true;
    return ROOT;
  }
  *added = (wi_v8_place){.function = function, .parent = parent};
  *node = tree->places_count - 1;
  return *node;
}

static uint32_t other(wi_v8_tree *tree, const wi_v8_other *described) {
  uint32_t number = wi_v8_others_add(&tree->others, described);
  tree->failed |= number == NONE;
  return number == NONE ? WI_V8_FIRST_OTHER : WI_V8_FIRST_OTHER + number;
}

static wi_v8_other nameless(wasm_perf_kind kind, const char *name) {
  return (wi_v8_other){.kind = kind, .name = name, .url = ""};
}

static uint32_t child_called(wi_v8_tree *tree, uint32_t node, wasm_perf_kind kind,
                             const char *name) {
  const wi_v8_other described = nameless(kind, name);
  return child_of(tree, node, other(tree, &described));
}

uint32_t wi_v8_tree_collector(wi_v8_tree *tree, uint32_t node) {
  return child_called(tree, node, WASM_PERF_KIND_COLLECTION, "(garbage collector)");
}

uint32_t wi_v8_tree_compiler(wi_v8_tree *tree, uint32_t node) {
  return child_called(tree, node, WASM_PERF_KIND_COMPILATION, "WebAssembly.compile");
}

uint32_t wi_v8_tree_waiter(wi_v8_tree *tree, uint32_t node) {
  return child_called(tree, node, WASM_PERF_KIND_WAIT, "(no processor)");
}

uint32_t wi_v8_tree_profiler(wi_v8_tree *tree, uint32_t node) {
  return child_called(tree, node, WASM_PERF_KIND_PROFILER, "(profiler)");
}

/* ---- Our own functions ----------------------------------------------------------- */

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, const char *end) {
  size_t size = strlen(text), end_size = strlen(end);
  return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

static bool is_one_of(const char *name, const char *const *names) {
  while (*names && strcmp(name, *names) != 0)
    names++;
  return *names != NULL;
}

static bool is_ours(const wi_v8_tree *tree, const frame *of) {
  return *tree->facts->home && starts_with(of->url, tree->facts->home);
}

/*
 * The host of a module that is recorded by itself, in a bundle or not. Below the module's frames,
 * the host's are imports.
 */
static bool is_host(const wi_v8_tree *tree, const frame *of) {
  return is_ours(tree, of) &&
         (ends_with(of->url, "/node_wasi.mjs") || ends_with(of->url, "/interruptible.mjs") ||
          ends_with(of->url, "/standard_input.mjs"));
}

/*
 * What our functions that wait are waiting for; NULL for any other. V8 has no frames for most of
 * the native functions below them.
 */
static const char *wait_of(const wi_v8_tree *tree, const frame *of) {
  static const char *const waits[][2] = {{"wait", "Atomics.wait"},
                                         {"awaitInput", "standard input"},
                                         {"sleep", "poll_oneoff"},
                                         {"poll", "poll_oneoff"}};
  for (size_t i = 0; i < sizeof waits / sizeof *waits && is_ours(tree, of); i++)
    if (strcmp(of->name, waits[i][0]) == 0)
      return waits[i][1];
  return NULL;
}

/*
 * Our functions that write profiles, some as the program ends, before sampling does; the one that a timer
 * of ours calls; and the clock of single calls (host_functions.mjs).
 */
static bool is_work(const frame *of) {
  static const char *const names[] = {"finish", "flush",       "keepProfile",
                                      "glance", "nanoseconds", NULL};
  return is_one_of(of->name, names);
}

/* Functions of V8 and Node that only the profiler calls, from its own functions. */
static bool is_for_profiler(const frame *of) {
  static const char *const names[] = {"startCpuProfile", "stop", NULL};
  return (*of->url == '\0' || starts_with(of->url, "node:")) && is_one_of(of->name, names);
}

static frame frame_of(const walk *w, uint32_t node) {
  const wi_v8_node *of = &w->profile->nodes[node];
  return (frame){wi_v8_name(w->profile, of), wi_v8_url(w->profile, of), of->line, of->column,
                 w->owners[node]};
}

static uint32_t callee_of(const walk *w, uint32_t node, uint32_t index) {
  const wi_v8_profile *profile = w->profile;
  return wi_v8_profile_find(profile,
                            profile->children[profile->nodes[node].children_first + index]);
}

/* Whether a frame is one of the `depth` of Node's that lead to timers, and leads only to ours. */
static bool is_our_timer(const walk *w, uint32_t node, unsigned depth) {
  static const char timers[] = "node:internal/timers";
  if (depth == 0 || strcmp(wi_v8_url(w->profile, &w->profile->nodes[node]), timers) != 0)
    return false;
  uint32_t count = w->profile->nodes[node].children_count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t callee = callee_of(w, node, i);
    const frame of = frame_of(w, callee);
    if (!(is_ours(w->tree, &of) && is_work(&of)) && !is_our_timer(w, callee, depth - 1))
      return false;
  }
  return count > 0;
}

/* ---- Functions of the program ---------------------------------------------------- */

/* The function of a node outside of modules; false if the node is another one. */
static bool described(const wi_v8_tree *tree, uint32_t node, wi_v8_other *found) {
  uint32_t function = tree->places[node].function;
  if (function < WI_V8_FIRST_OTHER || function >= WASM_PERF_FUNCTION_UNHOOKED)
    return false;
  *found = wi_v8_others_get(&tree->others, function - WI_V8_FIRST_OTHER);
  return true;
}

bool wi_v8_tree_waits(const wi_v8_tree *tree, uint32_t node) {
  wi_v8_other found;
  return described(tree, node, &found) && found.kind == WASM_PERF_KIND_WAIT;
}

/*
 * Whether Node's loader of modules has called itself, which it does up to eight times from one
 * module to the next, also by way of diagnostics_channel.
 */
static bool is_loading(const wi_v8_tree *tree, const frame *of, uint32_t parent) {
  static const char loader[] = "node:internal/modules/";
  wi_v8_other caller;
  return described(tree, parent, &caller) && starts_with(caller.url, loader) &&
         (starts_with(of->url, loader) || strcmp(of->url, "node:diagnostics_channel") == 0);
}

/* Whether a frame is that of Node's native function that waits for a child process. */
static bool is_child_process(const wi_v8_tree *tree, const frame *of, uint32_t parent) {
  wi_v8_other caller;
  return *of->url == '\0' && strcmp(of->name, "spawn") == 0 && described(tree, parent, &caller) &&
         strcmp(caller.name, "spawnSync") == 0;
}

/* Lines and columns of V8 start at 0; a whole script has none. */
static uint32_t from_one(int64_t number) {
  return number > 0 && number < UINT32_MAX ? (uint32_t)number + 1 : 1;
}

/* samples/thread.c refines these kinds. */
static wi_v8_other describe(const wi_v8_tree *tree, const frame *of, uint32_t parent) {
  const char *wait = wait_of(tree, of);
  if (wait || is_child_process(tree, of, parent))
    return nameless(WASM_PERF_KIND_WAIT, wait ? wait : "child process");
  if (*of->url == '\0')
    return nameless(WASM_PERF_KIND_NATIVE, of->name);
  bool is_wasm = starts_with(of->url, "wasm:");
  return (wi_v8_other){.kind = is_wasm ? WASM_PERF_KIND_WASM : WASM_PERF_KIND_JAVASCRIPT,
                       .line = from_one(of->line),
                       .column = from_one(of->column),
                       .name = of->name,
                       .url = of->url};
}

/* Returns the node of a frame that is not ours. */
static uint32_t enter(wi_v8_tree *tree, const frame *of, uint32_t parent) {
  if (strcmp(of->name, "(root)") == 0 || wi_v8_is_entry(of->name))
    return parent;
  if (wi_v8_is_exit(of->name)) /* which V8 does not name */
    return child_called(tree, parent, WASM_PERF_KIND_IMPORT, "");
  if (is_loading(tree, of, parent))
    return parent;
  if (of->owner.module != NONE)
    return child_of(tree, parent, tree->bases[of->owner.module] + of->owner.function);
  const wi_v8_other own = describe(tree, of, parent);
  return child_of(tree, parent, other(tree, &own));
}

static bool is_import(const wi_v8_tree *tree, uint32_t node) {
  wi_v8_other found;
  return described(tree, node, &found) && found.kind == WASM_PERF_KIND_IMPORT && !*found.name;
}

/* The same for a module that is recorded by itself, or what it called. */
static uint32_t enter_hosted(wi_v8_tree *tree, const frame *of, uint32_t parent) {
  if (of->owner.module == NONE && parent == ROOT)
    return ROOT;
  if (is_host(tree, of) && is_import(tree, parent))
    return child_called(tree, tree->places[parent].parent, WASM_PERF_KIND_IMPORT, of->name);
  if (wait_of(tree, of))
    return child_called(tree, parent, WASM_PERF_KIND_WAIT, "waiting");
  return of->owner.module != NONE || wi_v8_is_exit(of->name) ? enter(tree, of, parent) : parent;
}

/* ---- All frames ------------------------------------------------------------------ */

static bool is_hook(const wi_v8_tree *tree, const frame *of) {
  return of->owner.module != NONE &&
         of->owner.function >= tree->modules[of->owner.module].function_count;
}

/* Whether the frame is a function of a module without a profile. */
static bool is_of_another(const wi_v8_tree *tree, const frame *of) {
  return of->owner.module != NONE && *tree->modules[of->owner.module].file == '\0';
}

/* Where a frame belongs if only functions of modules are shown. */
static location locate_in_modules(wi_v8_tree *tree, const frame *of, uint32_t parent,
                                  whose caller) {
  bool is_called_by_hook = caller == HOOK && of->owner.module == NONE;
  if (is_hook(tree, of) || is_of_another(tree, of) || is_called_by_hook)
    return (location){parent, ROOT, HOOK};
  if (of->owner.module != NONE) {
    uint32_t node = enter(tree, of, parent);
    return (location){node, node, PROGRAM};
  }
  return (location){parent, tree->facts->scope == WI_V8_CALLERS ? parent : ROOT, PROGRAM};
}

static location locate(const walk *w, const visit *at, const frame *of) {
  wi_v8_tree *tree = w->tree;
  uint32_t parent = at->parent;
  whose caller = at->caller;
  bool is_hosted = tree->facts->scope == WI_V8_HOSTED;
  if (tree->facts->scope == WI_V8_CALLERS || tree->facts->scope == WI_V8_MODULES)
    return locate_in_modules(tree, of, parent, caller);
  if (caller == WAITING)
    return (location){parent, parent, WAITING};
  bool waits = wait_of(tree, of) != NULL;
  bool is_own = is_ours(tree, of) && !waits && !(is_hosted && is_host(tree, of));
  bool works = caller == WORK || (is_own && is_work(of));
  bool hooks = is_hook(tree, of) ||
               (caller == HOOK && of->owner.module == NONE && *of->url == '\0') ||
               (caller == OURS && is_for_profiler(of));
  if (is_own || hooks || works || is_our_timer(w, at->node, TIMER_DEPTH)) {
    uint32_t place = is_hosted && parent == ROOT ? ROOT : wi_v8_tree_profiler(tree, parent);
    return (location){parent, place, works ? WORK : hooks ? HOOK : OURS};
  }
  uint32_t node = is_hosted ? enter_hosted(tree, of, parent) : enter(tree, of, parent);
  return (location){node, node, waits ? WAITING : PROGRAM};
}

static bool push(walk *w, uint32_t node, uint32_t parent, whose caller) {
  visit *added = WI_ARRAY_PUSH(w, open);
  if (added)
    *added = (visit){node, parent, caller};
  return added != NULL;
}

/* Visits a node, and opens its children. */
static bool visit_node(walk *w, const visit *at, uint32_t *places) {
  const frame of = frame_of(w, at->node);
  if (strcmp(of.name, "(garbage collector)") == 0)
    return true; /* charged to the function that was interrupted */
  if (is_ours(w->tree, &of) && strcmp(of.name, "rewrite") == 0)
    return true; /* before the program runs */
  location found = locate(w, at, &of);
  places[at->node] = found.place;
  bool done = !w->tree->failed;
  for (uint32_t i = 0; done && i < w->profile->nodes[at->node].children_count; i++)
    done = push(w, callee_of(w, at->node, i), found.node, found.as);
  return done;
}

bool wi_v8_tree_add(wi_v8_tree *tree, const wi_v8_profile *profile, const wi_v8_owner *owners,
                    uint32_t *places) {
  walk w = {.tree = tree, .profile = profile, .owners = owners};
  for (uint32_t i = 0; i < profile->nodes_count; i++)
    places[i] = NONE;
  bool done = push(&w, 0, ROOT, PROGRAM);
  while (done && w.open_count > 0) {
    visit at = w.open[--w.open_count];
    done = visit_node(&w, &at, places);
  }
  free(w.open);
  return done;
}
