/*
 * Profiles in memory: taking, reading, naming, merging and writing them. format.h documents the
 * .wperf file; report.h shows profiles, diff.h compares them.
 */
#ifndef WASM_PERF_PROFILE_H_
#define WASM_PERF_PROFILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "wasm_perf/format.h"
#include "wasm_perf/wasm_perf.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wasm_perf_name {
  uint32_t function;
  char *text; /* UTF-8 with a terminator; owned by the profile */
} wasm_perf_name;

/* Where a function stands in the source. */
typedef struct wasm_perf_place {
  uint32_t function;
  uint32_t line;
  char *file; /* UTF-8 with a terminator; owned by the profile */
} wasm_perf_place;

/* What a function is that is not the module's; see format.h. */
typedef struct wasm_perf_function_kind {
  uint32_t function;
  uint32_t kind; /* enum wasm_perf_kind */
} wasm_perf_function_kind;

/* A node whose calls are known only together with those of others; see format.h. */
typedef struct wasm_perf_shared {
  uint32_t node;
  uint32_t first;
} wasm_perf_shared;

/* Functions of a module among those of a thread's samples; see format.h. */
typedef struct wasm_perf_module {
  uint32_t function;
  uint32_t count;
  char *identity; /* UTF-8 with a terminator; owned by the profile */
} wasm_perf_module;

/* Time that a thread spent in one node. */
typedef struct wasm_perf_stretch {
  uint32_t node; /* 0: nothing was sampled, or it is not shown */
  uint32_t microseconds;
} wasm_perf_stretch;

/* Where a thread was, in order of time; see format.h. */
typedef struct wasm_perf_thread {
  char *name;       /* UTF-8 with a terminator; owned by the profile */
  uint64_t start;   /* microseconds, on a clock that all threads share */
  uint64_t dropped; /* microseconds before that were not kept */
  uint32_t process;
  uint32_t number;
  uint32_t stretch_count;
  wasm_perf_stretch *stretches; /* owned by the profile */
} wasm_perf_thread;

/* How often the blocks of a function were executed; see format.h. */
typedef struct wasm_perf_blocks {
  uint32_t function;
  uint32_t count;
  uint64_t *counts; /* owned by the profile */
} wasm_perf_blocks;

/*
 * What a line of the source took of one function, as its blocks and the module's DWARF say. A
 * function with lines also has its instructions without one here: all its lines together have
 * exactly what was counted.
 */
typedef struct wasm_perf_line {
  uint32_t function;
  uint32_t file;              /* index of its path, or WASM_PERF_NO_FILE */
  uint32_t line;              /* 0, without a file: instructions of no line */
  uint32_t inlined;           /* 0: of the function itself; else 1 + index of the inlined one */
  uint64_t execution_count;   /* of the instruction there that was executed most often */
  uint64_t instruction_count; /* of all there, as often as they were executed */
  uint64_t call_count;        /* of these, the calls */
} wasm_perf_line;

#define WASM_PERF_NO_FILE UINT32_MAX

/* Begins what stands in place of a path where the lines are those of a function's WebAssembly text,
 * which is the file's source. */
#define WASM_PERF_TEXT_PREFIX "WebAssembly of "

/* A function of the source that was inlined at one place of a function of the module. */
typedef struct wasm_perf_inlined {
  uint32_t outer;     /* what it was inlined into, of a lower index: as wasm_perf_line.inlined */
  uint32_t file;      /* where it stands: index of the path, or WASM_PERF_NO_FILE */
  uint32_t line;      /* 0: not known */
  uint32_t call_file; /* where it was called: the same */
  uint32_t call_line;
  char *name; /* UTF-8 with a terminator; owned by the profile */
} wasm_perf_inlined;

/* Lines are not kept in files: who has the module makes them of the blocks. */
typedef struct wasm_perf_lines {
  wasm_perf_line *items; /* `count` of them */
  char **files;          /* `file_count` distinct paths */
  char **sources;        /* per file: what it holds, NULL where that is not known */
  uint32_t *sorted;      /* indices of the files in order of their paths */
  uint32_t count;
  uint32_t file_count;
  uint32_t inlined_count;
  wasm_perf_inlined *inlined; /* `inlined_count` of them */
} wasm_perf_lines;

/* What format.h lists beside the header: numbers, 0 where not known, and texts, NULL. */
typedef struct wasm_perf_facts {
#define WASM_PERF_NUMBER_FIELD(field, key) uint64_t field;
#define WASM_PERF_TEXT_FIELD(field, key)   char *field; /* UTF-8, owned by the profile */
  WASM_PERF_NUMBER_FACTS(WASM_PERF_NUMBER_FIELD)
  WASM_PERF_TEXT_FACTS(WASM_PERF_TEXT_FIELD)
#undef WASM_PERF_TEXT_FIELD
#undef WASM_PERF_NUMBER_FIELD
} wasm_perf_facts;

/* What a node has of memory: 0 where it has nothing of a kind. */
typedef struct wasm_perf_row {
  uint32_t node;
  uint64_t values[WASM_PERF_MEASURE_COUNT];
} wasm_perf_row;

/* After so many allocations: the most bytes that were live since the moment before. */
typedef struct wasm_perf_moment {
  uint64_t allocation_count;
  uint64_t byte_count;
} wasm_perf_moment;

#define WASM_PERF_SIZE_CLASSES 65u /* blocks of 0 bytes, 1 byte, 2 to 3, 4 to 7 ... */

/* A profile in memory. Read its fields; change it through the functions below. */
typedef struct wasm_perf_profile {
  wasm_perf_header header; /* counts match the arrays, sizes the structs of format.h */
  wasm_perf_node *nodes;   /* header.node_count of them, at least 1, parents before children */
  wasm_perf_name *names;   /* header.name_count of them, by function; NULL where there are none */
  wasm_perf_facts facts;
  wasm_perf_place *places; /* place_count of them, by function; NULL where there are none */
  uint32_t place_count;
  uint32_t uncounted_count;
  uint32_t *uncounted; /* functions whose calls are not known, increasing; NULL: there are none */
  uint32_t kind_count;
  uint32_t shared_count;
  uint32_t module_count;
  wasm_perf_function_kind *kinds; /* by function; NULL: there are none */
  wasm_perf_shared *shared;       /* by node; NULL: there are none */
  wasm_perf_module *modules;      /* by function; NULL: it is no file of samples */
  uint32_t thread_count;
  wasm_perf_thread *threads; /* whose samples kept their order; NULL: of none */
  uint32_t block_function_count;
  wasm_perf_blocks
      *blocks;           /* block_function_count of them, by function; NULL where there are none */
  wasm_perf_lines lines; /* in the order in which they were added; empty where not asked for */
  bool follows_memory;   /* the module was made to; else there is nothing in the next five */
  uint32_t row_count;
  uint32_t moment_count;
  wasm_perf_row *rows;       /* by node, each at most once */
  wasm_perf_moment *moments; /* in order of time, of a single instance only */
  uint64_t size_counts[WASM_PERF_SIZE_CLASSES];
  bool is_difference; /* of wasm_perf_profile_subtract: live values below 0 are 2^64 less */
  bool shows_measure; /* what wasm_perf_profile_show_measure has done */
  wasm_perf_measure shown_measure;
  /* Sums over the nodes that wasm_perf_profile_hide left out, by their kinds. */
  uint64_t hidden_self[WASM_PERF_KIND_COUNT];
  uint64_t hidden_call_count;
  uint64_t hook_time; /* sum that wasm_perf_profile_compensate took out, in ticks */
} wasm_perf_profile;

/* Why a profile could not be read: `offset` is in bytes from the start. */
typedef struct wasm_perf_error {
  uint64_t offset;
  char message[160];
} wasm_perf_error;

/*
 * A snapshot of a context, which goes on unchanged. Open frames are charged up to
 * now by a wall clock, up to the last event by a module's own clock. With a wall clock it also
 * measures what the hooks cost, which takes some 10,000 calls of them and charges them to no node.
 * NULL when memory is short. The caller frees it.
 */
wasm_perf_profile *wasm_perf_profile_take(wasm_perf_context *context);

/*
 * Reads a .wperf file of either version from memory; `bytes` is not kept. Checks every count,
 * parent and name before it allocates, so hostile input costs no more memory than
 * a few times its size. NULL on failure, with *error filled in.
 */
wasm_perf_profile *wasm_perf_profile_parse(const uint8_t *bytes, size_t size,
                                           wasm_perf_error *error);

void wasm_perf_profile_free(wasm_perf_profile *profile); /* NULL is allowed */

/*
 * Names `function`, replacing an earlier name. `text` is copied; bytes in it that are
 * not UTF-8 become U+FFFD. False, and nothing changed: out of memory.
 */
bool wasm_perf_profile_set_name(wasm_perf_profile *profile, uint32_t function, const char *text);

/* The same for `size` bytes without a terminator; a zero byte in them ends the name. */
bool wasm_perf_profile_set_name_n(wasm_perf_profile *profile, uint32_t function, const char *text,
                                  size_t size);

/* The name of `function`, or NULL. Valid until the profile changes. */
const char *wasm_perf_profile_name(const wasm_perf_profile *profile, uint32_t function);

/*
 * Whether functions have names. Those that an embedded profile brings itself, of the types of which
 * objects were made, do not count.
 */
bool wasm_perf_profile_has_names(const wasm_perf_profile *profile);

/*
 * Sets the text fact `key`, as set_name does. False, and nothing changed: out of memory, or the key
 * is no text's.
 */
bool wasm_perf_profile_set_text(wasm_perf_profile *profile, wasm_perf_fact key, const char *text,
                                size_t size);

/* Says where `function` stands; of one function only the first time counts. False: out of
 * memory. */
bool wasm_perf_profile_set_place(wasm_perf_profile *profile, uint32_t function, uint32_t line,
                                 const char *file, size_t size);

/* The place of `function`, or NULL. Valid until the profile changes. */
const wasm_perf_place *wasm_perf_profile_place(const wasm_perf_profile *profile, uint32_t function);

/*
 * Whether the calls of `function` were counted: else it has no hooks, its nodes have times by
 * samples, and what they have as calls is no number of calls.
 */
bool wasm_perf_profile_is_counted(const wasm_perf_profile *profile, uint32_t function);

/* Says that the calls of `function` are not known. False, and nothing changed: out of memory. */
bool wasm_perf_profile_set_uncounted(wasm_perf_profile *profile, uint32_t function);

/* What `function` is. */
wasm_perf_kind wasm_perf_profile_kind(const wasm_perf_profile *profile, uint32_t function);

/*
 * Says what `function` is; of one function only the first time counts. False: out of memory, or it
 * is to be WASM, which it is anyway.
 */
bool wasm_perf_profile_set_kind(wasm_perf_profile *profile, uint32_t function, wasm_perf_kind kind);

/* The blocks of `function`, or NULL. Valid until the profile changes. */
const wasm_perf_blocks *wasm_perf_profile_blocks(const wasm_perf_profile *profile,
                                                 uint32_t function);

/*
 * Adds counts to those that the function has. False: out of memory, or, with nothing changed, the
 * function has another number of blocks.
 */
bool wasm_perf_profile_add_blocks(wasm_perf_profile *profile, uint32_t function,
                                  const uint64_t *counts, uint32_t count);

/*
 * Adds a line, whose file is `path`; at most once of one function, line and inlined function. A
 * path of NULL: instructions of no line. False: out of memory.
 */
bool wasm_perf_profile_add_line(wasm_perf_profile *profile, const char *path,
                                const wasm_perf_line *line);

/*
 * Adds an inlined function, with the last index. The name is copied, `path` and `call_path`, of
 * which either may be NULL, give its files. False: out of memory.
 */
bool wasm_perf_profile_add_inlined(wasm_perf_profile *profile, const wasm_perf_inlined *inlined,
                                   const char *path, const char *call_path);

/* Says what a file holds that lines are of; others are left out. False: out of memory. */
bool wasm_perf_profile_set_source(wasm_perf_profile *profile, const char *path, const char *source);

/* Gives an inlined function another name. False: out of memory. */
bool wasm_perf_profile_name_inlined(wasm_perf_profile *profile, uint32_t index, const char *name);

/*
 * Takes out of a wall clock's times what the hooks themselves cost, as the header says; to be
 * called once, before wasm_perf_profile_hide_host. No time becomes negative. Where calls are
 * folded, their hooks' outer part is taken from the node's parent, whoever called.
 */
void wasm_perf_profile_compensate(wasm_perf_profile *profile);

#define WASM_PERF_KIND_BIT(kind) (1u << (kind))

/*
 * Leaves out functions of these kinds, a sum of WASM_PERF_KIND_BIT of them, with the time that they
 * took themselves; what they called in turn moves to the frame that called them. Siblings of one
 * function become one. False, and nothing changed: out of memory.
 */
bool wasm_perf_profile_hide(wasm_perf_profile *profile, unsigned kinds);

/* The same of imports, which wasm-instrument --host-calls gives frames of their own. */
bool wasm_perf_profile_hide_host(wasm_perf_profile *profile);

/* The names of measures: allocated_bytes and so on. False for no such name. */
const char *wasm_perf_measure_name(wasm_perf_measure measure);
bool wasm_perf_measure_find(const char *name, wasm_perf_measure *measure);

/* The sum over all nodes. */
uint64_t wasm_perf_measure_total(const wasm_perf_profile *profile, wasm_perf_measure measure);

/*
 * Makes `measure` what reports show as self, in place of what the clock measured; what was
 * allocated goes to the allocator's caller, where that is not the host. To be called at most once,
 * before the profile is changed in other ways. Such a profile is for reports, not for files.
 */
void wasm_perf_profile_show_measure(wasm_perf_profile *profile, wasm_perf_measure measure);

/* Writes the .wperf form, in version 2, to `stream` and flushes it; false on a write error. */
bool wasm_perf_profile_write(const wasm_perf_profile *profile, FILE *stream);

/* Why profiles do not fit together: the one at `index` is not like those before it. */
typedef struct wasm_perf_mismatch {
  size_t index; /* the number of profiles where it is none of them: memory ran out */
  char message[240];
} wasm_perf_mismatch;

/*
 * Adds up `count` profiles, at least 1, of one module: of threads or of repeated runs. Nodes of the
 * same stack of functions become one with the sums of calls and self, in the order in which the
 * profiles have them, so of a single profile the result is a copy. Sums that are too large stay at
 * the largest value. The module has to be the same: clock, recursion, counts of functions and
 * names must not differ where two profiles know them.
 *
 * Where ticks_per_second differ the sums are in nanoseconds, each profile rounded as reports round
 * it; else adding up is exact and associative. Of the header, counts and times are added, hook
 * costs are the mean weighted by calls, and node_limit and hook_cost_error are the largest.
 *
 * Takes O(n log n) time and memory in proportion to all nodes and names. NULL on failure, with
 * *mismatch filled in. The caller frees the result.
 */
wasm_perf_profile *wasm_perf_profile_merge(const wasm_perf_profile *const *profiles, size_t count,
                                           wasm_perf_mismatch *mismatch);

/*
 * Makes functions of those that were inlined, with numbers after all others: below each node, nodes
 * of them have what their lines took of it, without calls of their own, and lines are theirs. For
 * profiles whose clock is instructions and whose lines were added; to be called once. All nodes of
 * a function together give up exactly what was counted, each in proportion to what it has. False,
 * and the profile is good for nothing more: out of memory, or there would be millions of nodes.
 */
bool wasm_perf_profile_show_inlined(wasm_perf_profile *profile);

/*
 * Takes out of `profile` what is in `before`, an earlier one of the same run of the same module:
 * calls, self and measures by stack, and the sums of the header and the facts. Live values are
 * below 0 where more was freed than allocated; all else that is less than before becomes 0. There
 * is no peak of a difference. Counts of blocks and lines stay. Takes O(n log n) time. False, and
 * nothing changed: out of memory.
 */
bool wasm_perf_profile_subtract(wasm_perf_profile *profile, const wasm_perf_profile *before);

/*
 * Profiles of different modules, at least 1, in one: below the root each stands under a frame of
 * the name that `labels` has for it. Functions are numbered anew, and where several modules have
 * one of a name, the module is added: "main (in app.wasm)". Clocks must not differ. Takes time and memory in proportion to all nodes and names. NULL on failure, with *mismatch filled in.
 * The caller frees the result.
 */
wasm_perf_profile *wasm_perf_profile_join(const wasm_perf_profile *const *profiles,
                                          const char *const *labels, size_t count,
                                          wasm_perf_mismatch *mismatch);

#ifdef __cplusplus
}
#endif

#endif /* WASM_PERF_PROFILE_H_ */
