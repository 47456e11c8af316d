/*
 * Profiles in memory: taking, reading, naming, merging and writing them. format.h documents the
 * .wperf file, report.h shows profiles, diff.h compares them.
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
  uint32_t confidence; /* in thousandths, of a name from another build; 0: any other name */
  char *text;          /* UTF-8, NUL-terminated; owned by the profile */
} wasm_perf_name;

/* Source location of a function. */
typedef struct wasm_perf_place {
  uint32_t function;
  uint32_t line;
  uint32_t column; /* 0: unknown */
  char *file;      /* UTF-8, NUL-terminated; owned by the profile */
} wasm_perf_place;

/* Kind of a function that does not belong to the module; see KINDS in format.h. */
typedef struct wasm_perf_function_kind {
  uint32_t function;
  uint32_t kind; /* enum wasm_perf_kind */
} wasm_perf_function_kind;

/* A node whose calls are known only as a sum with others; see SHARED in format.h. */
typedef struct wasm_perf_shared {
  uint32_t node;
  uint32_t first;
} wasm_perf_shared;

/* The functions of one module; see MODULES and JOINED in format.h. */
typedef struct wasm_perf_module {
  uint32_t function;
  uint32_t count;
  char *name; /* of the module, or of the file with its profile; UTF-8, NUL-terminated; owned by the
                 profile */
} wasm_perf_module;

/* Time that a thread spent in one node. */
typedef struct wasm_perf_stretch {
  uint32_t node; /* 0: not sampled or not shown */
  uint32_t microseconds;
} wasm_perf_stretch;

/* Where a thread was over time; see SAMPLES in format.h. */
typedef struct wasm_perf_thread {
  char *name;       /* UTF-8, NUL-terminated; owned by the profile */
  uint64_t start;   /* microseconds, on a clock that all threads share */
  uint64_t dropped; /* microseconds before the start that were not kept */
  uint32_t process;
  uint32_t number;
  uint32_t stretch_count;
  wasm_perf_stretch *stretches; /* owned by the profile */
} wasm_perf_thread;

/* Execution counts of a function's basic blocks; see BLOCKS in format.h. */
typedef struct wasm_perf_blocks {
  uint32_t function;
  uint32_t count;
  uint64_t *counts; /* owned by the profile */
} wasm_perf_blocks;

/*
 * The cost of a source line in one function, from its block counts and the module's DWARF. A
 * function with lines also has an entry for instructions without a line: the sum of its entries is
 * exactly what was counted.
 */
typedef struct wasm_perf_line {
  uint32_t function;
  uint32_t file;              /* index of its path, or WASM_PERF_NO_FILE */
  uint32_t line;              /* 0, with WASM_PERF_NO_FILE: instructions without a line */
  uint32_t inlined;           /* 0: the function itself; else 1 + index of the inlined function */
  uint64_t execution_count;   /* of the line's most often executed instruction */
  uint64_t instruction_count; /* instructions executed on the line */
  uint64_t call_count;        /* calls among them */
} wasm_perf_line;

#define WASM_PERF_NO_FILE UINT32_MAX

/* Calls of one function that a line makes. */
typedef struct wasm_perf_line_call {
  uint32_t line;       /* index in wasm_perf_lines.items */
  uint32_t callee;     /* function, or WASM_PERF_ANY_CALLEE: through a table or a reference */
  uint64_t call_count; /* number of times that the call instructions were executed */
} wasm_perf_line_call;

#define WASM_PERF_ANY_CALLEE UINT32_MAX

/*
 * One way that a branch can take, and how often it did, in one function. A branch is identified by
 * file, line, column and ordinal: copies of it, inlined or in other functions, have the same.
 */
typedef struct wasm_perf_branch {
  uint32_t function;
  uint32_t file;     /* index of its path */
  uint32_t line;     /* of the branch */
  uint32_t column;   /* 0: unknown */
  uint32_t ordinal;  /* among the branches at that place in the function or inlined function */
  uint32_t way;      /* 0: continues with the next instruction, or the first entry of a table */
  bool is_generated; /* another way of the branch only reports a failure, such as a bounds check */
  uint64_t count;
} wasm_perf_branch;

/*
 * Prefix of the pseudo-path of lines that refer to a function's WebAssembly text; the file's source
 * is that text.
 */
#define WASM_PERF_TEXT_PREFIX "WebAssembly of "

/* A source function inlined at one call site in a function of the module. */
typedef struct wasm_perf_inlined {
  uint32_t outer;     /* what it was inlined into, encoded as wasm_perf_line.inlined; a lower
                         index */
  uint32_t file;      /* its declaration: index of the path, or WASM_PERF_NO_FILE */
  uint32_t line;      /* 0: unknown */
  uint32_t call_file; /* its call site, likewise */
  uint32_t call_line;
  char *name; /* UTF-8, NUL-terminated; owned by the profile */
} wasm_perf_inlined;

/* X(ID): kinds of instructions. Each instruction is of one kind, the first one that fits. */
#define WASM_PERF_MIX(X)                                                                           \
  X(VECTOR) /* SIMD, with its loads and stores */                                                  \
  X(MEMORY) /* loads, stores, atomic and bulk operations, size and growth of memories */           \
  X(CALL)   /* calls of all kinds */                                                               \
  X(FLOAT)  /* on floating-point numbers, and conversions to and from them */                      \
  X(OTHER)

typedef enum wasm_perf_mix {
#define WASM_PERF_MIX_ID(id) WASM_PERF_MIX_##id,
  WASM_PERF_MIX(WASM_PERF_MIX_ID)
#undef WASM_PERF_MIX_ID
      WASM_PERF_MIX_COUNT
} wasm_perf_mix;

/* Files do not contain lines: they are computed from the blocks when the module is at hand. */
typedef struct wasm_perf_lines {
  wasm_perf_line *items; /* `count` items */
  char **files;          /* `file_count` distinct paths */
  char **sources;        /* text of each file; NULL if unknown */
  uint32_t *sorted;      /* file indices sorted by path */
  uint32_t count;
  uint32_t file_count;
  uint32_t inlined_count;
  wasm_perf_inlined *inlined;        /* `inlined_count` items */
  uint64_t mix[WASM_PERF_MIX_COUNT]; /* executed instructions of each kind, even without DWARF */
  wasm_perf_line_call *calls;        /* `call_count` items, in the order of insertion */
  wasm_perf_branch *branches;        /* `branch_count` items; all ways of a branch, in order */
  uint32_t call_count;
  uint32_t branch_count;
} wasm_perf_lines;

/* The facts in format.h that the header lacks: unknown numbers are 0, unknown texts NULL. */
typedef struct wasm_perf_facts {
#define WASM_PERF_NUMBER_FIELD(field, key) uint64_t field;
#define WASM_PERF_TEXT_FIELD(field, key)   char *field; /* UTF-8, owned by the profile */
  WASM_PERF_NUMBER_FACTS(WASM_PERF_NUMBER_FIELD)
  WASM_PERF_TEXT_FACTS(WASM_PERF_TEXT_FIELD)
#undef WASM_PERF_TEXT_FIELD
#undef WASM_PERF_NUMBER_FIELD
} wasm_perf_facts;

/* A node's values in a memory profile; 0 if it has none of that kind. */
typedef struct wasm_perf_row {
  uint32_t node;
  uint64_t values[WASM_PERF_MEASURE_COUNT];
} wasm_perf_row;

/* The most bytes that were live between the previous moment and this number of allocations. */
typedef struct wasm_perf_moment {
  uint64_t allocation_count;
  uint64_t byte_count;
} wasm_perf_moment;

#define WASM_PERF_SIZE_CLASSES 65u /* blocks of 0 bytes, 1 byte, 2 to 3, 4 to 7 ... */

/* A profile in memory. Read its fields directly; change it only through the functions below. */
typedef struct wasm_perf_profile {
  wasm_perf_header header; /* counts match the arrays, sizes match the structs of format.h */
  wasm_perf_node *nodes;   /* header.node_count items, at least 1, parents before children */
  wasm_perf_name *names;   /* header.name_count items, by function; NULL: none */
  wasm_perf_facts facts;
  wasm_perf_place *places; /* place_count items, by function; NULL: none */
  uint32_t place_count;
  uint32_t uncounted_count;
  uint32_t *uncounted; /* functions whose calls are unknown, increasing; NULL: none */
  uint32_t kind_count;
  uint32_t shared_count;
  uint32_t module_count;
  uint32_t joined_count;
  wasm_perf_function_kind *kinds; /* by function; NULL: none */
  wasm_perf_shared *shared;       /* by node; NULL: none */
  wasm_perf_module *modules;      /* by function; NULL: not a file of samples */
  wasm_perf_module *joined;       /* by function; NULL: not a profile of several modules */
  uint32_t thread_count;
  wasm_perf_thread *threads; /* threads whose samples are in order; NULL: none */
  uint32_t block_function_count;
  wasm_perf_blocks *blocks; /* block_function_count items, by function; NULL: none */
  wasm_perf_lines lines;    /* in the order of insertion; empty unless requested */
  bool follows_memory;      /* the module tracks memory; if false, the next five are empty */
  uint32_t row_count;
  uint32_t moment_count;
  wasm_perf_row *rows;       /* by node, at most one each */
  wasm_perf_moment *moments; /* in order of time; only of a single instance */
  uint64_t size_counts[WASM_PERF_SIZE_CLASSES];
  wasm_perf_calls calls;
  bool is_difference; /* by wasm_perf_profile_subtract: live values are two's complement, and may be
                         negative */
  /* Sums over the nodes that wasm_perf_profile_hide removed; self by kind. */
  uint64_t hidden_self[WASM_PERF_KIND_COUNT];
  uint64_t hidden_call_count;
  uint64_t hook_time; /* ticks that wasm_perf_profile_compensate subtracted */
} wasm_perf_profile;

/* Why a profile could not be read. `offset` is in bytes from the start. */
typedef struct wasm_perf_error {
  uint64_t offset;
  char message[160];
} wasm_perf_error;

/*
 * Takes a snapshot of a context, which continues unchanged. A wall clock charges open frames up to
 * now; a module's instruction count charges them up to the last event. Returns NULL if out of
 * memory. The caller frees the result.
 */
wasm_perf_profile *wasm_perf_profile_take(wasm_perf_context *context);

/*
 * Reads a .wperf file of either version from memory; `bytes` is not kept. Every count, parent and
 * name is checked before memory is allocated: hostile input costs at most a few times its size.
 * Returns NULL on failure, with *error filled in.
 */
wasm_perf_profile *wasm_perf_profile_parse(const uint8_t *bytes, size_t size,
                                           wasm_perf_error *error);

void wasm_perf_profile_free(wasm_perf_profile *profile); /* NULL is allowed */

/*
 * Names `function`, replacing an earlier name. `text` is copied; bytes that are not UTF-8 become
 * U+FFFD. Returns false, with nothing changed, if out of memory.
 */
bool wasm_perf_profile_set_name(wasm_perf_profile *profile, uint32_t function, const char *text);

/* Same for `size` bytes without a terminator; a zero byte ends the name early. */
bool wasm_perf_profile_set_name_n(wasm_perf_profile *profile, uint32_t function, const char *text,
                                  size_t size);

/* The name of `function`, or NULL. Valid until the profile changes. */
const char *wasm_perf_profile_name(const wasm_perf_profile *profile, uint32_t function);

/*
 * Records how certain the name of `function` is, which comes from another build: 1 to 1000
 * thousandths. A new name forgets it. Returns false if the function has no name, or if the
 * confidence is out of range.
 */
bool wasm_perf_profile_set_confidence(wasm_perf_profile *profile, uint32_t function,
                                      uint32_t thousandths);

/* That confidence; 0: the name, if any, does not come from another build. */
uint32_t wasm_perf_profile_confidence(const wasm_perf_profile *profile, uint32_t function);

/*
 * Whether any function has a name. Names that an embedded profile itself adds, for the types of
 * allocated objects, do not count.
 */
bool wasm_perf_profile_has_names(const wasm_perf_profile *profile);

/*
 * Sets the text fact `key`; `text` is handled as by wasm_perf_profile_set_name_n. Returns false,
 * with nothing changed, if out of memory or if `key` is not a text.
 */
bool wasm_perf_profile_set_text(wasm_perf_profile *profile, wasm_perf_fact key, const char *text,
                                size_t size);

/*
 * Sets the source location of `function`; ignored if it already has one. Returns false if out of
 * memory.
 */
bool wasm_perf_profile_set_place(wasm_perf_profile *profile, uint32_t function, uint32_t line,
                                 const char *file, size_t size);

/* Returns the source location of `function`, or NULL. Valid until the profile changes. */
const wasm_perf_place *wasm_perf_profile_place(const wasm_perf_profile *profile, uint32_t function);

/*
 * Whether the calls of `function` were counted. If not, it has no hooks: its nodes have sampled
 * times, and their call values are not call counts.
 */
bool wasm_perf_profile_is_counted(const wasm_perf_profile *profile, uint32_t function);

/*
 * Marks the calls of `function` as unknown. Returns false, with nothing changed, if out of memory.
 */
bool wasm_perf_profile_set_uncounted(wasm_perf_profile *profile, uint32_t function);

/* Returns the kind of `function`. */
wasm_perf_kind wasm_perf_profile_kind(const wasm_perf_profile *profile, uint32_t function);

/*
 * Sets the kind of `function`; ignored if it already has one. Returns false if out of memory, or if
 * `kind` is WASM, the default.
 */
bool wasm_perf_profile_set_kind(wasm_perf_profile *profile, uint32_t function, wasm_perf_kind kind);

/* Returns the block counts of `function`, or NULL. Valid until the profile changes. */
const wasm_perf_blocks *wasm_perf_profile_blocks(const wasm_perf_profile *profile,
                                                 uint32_t function);

/*
 * Adds `counts` to the block counts of the function. Returns false if out of memory, or, with
 * nothing changed, if the function has a different number of blocks.
 */
bool wasm_perf_profile_add_blocks(wasm_perf_profile *profile, uint32_t function,
                                  const uint64_t *counts, uint32_t count);

/*
 * Adds a line in the file `path`; NULL: instructions without a line. The combination of function,
 * line and inlined function must be new. Returns false if out of memory.
 */
bool wasm_perf_profile_add_line(wasm_perf_profile *profile, const char *path,
                                const wasm_perf_line *line);

/* Appends calls that a line makes. Returns false if out of memory. */
bool wasm_perf_profile_add_line_call(wasm_perf_profile *profile, const wasm_perf_line_call *call);

/* Appends a way of a branch in the file `path`. Returns false if out of memory. */
bool wasm_perf_profile_add_branch(wasm_perf_profile *profile, const char *path,
                                  const wasm_perf_branch *branch);

/*
 * Appends an inlined function. Its name is copied. `path` and `call_path` name its files; either
 * may be NULL. Returns false if out of memory.
 */
bool wasm_perf_profile_add_inlined(wasm_perf_profile *profile, const wasm_perf_inlined *inlined,
                                   const char *path, const char *call_path);

/*
 * Sets the text of a file; ignored if no line refers to the file. Returns false if out of memory.
 */
bool wasm_perf_profile_set_source(wasm_perf_profile *profile, const char *path, const char *source);

/* Renames an inlined function. Returns false if out of memory. */
bool wasm_perf_profile_name_inlined(wasm_perf_profile *profile, uint32_t index, const char *name);

/*
 * Subtracts the cost of the hooks from wall clock and sampled times, using the header's hook costs.
 * Call it once, before wasm_perf_profile_hide. No time becomes negative. If calls are folded,
 * the outer hook cost is subtracted from the node's parent, whichever frame made the call.
 */
void wasm_perf_profile_compensate(wasm_perf_profile *profile);

#define WASM_PERF_KIND_BIT(kind) (1u << (kind))

/*
 * Removes functions of the kinds in `kinds`, a set of WASM_PERF_KIND_BIT, including their self
 * time. Their callees move to the frame that called them, and siblings of the same function are
 * merged. Returns false if out of memory; the profile may then be incomplete.
 */
bool wasm_perf_profile_hide(wasm_perf_profile *profile, unsigned kinds);

/* The name of a measure: "allocated_bytes" and so on. */
const char *wasm_perf_measure_name(wasm_perf_measure measure);

/* Sum over all nodes. */
uint64_t wasm_perf_measure_total(const wasm_perf_profile *profile, wasm_perf_measure measure);

/*
 * What reports show as self. Memory is charged to the allocator's caller, unless that is the host.
 */
typedef enum wasm_perf_value {
  WASM_PERF_VALUE_SELF, /* what the clock measured; calls without one */
  WASM_PERF_VALUE_CALLS,
  WASM_PERF_VALUE_MEASURES /* this plus a wasm_perf_measure: that measure */
} wasm_perf_value;

/*
 * Writes the profile as .wperf version 2 to `stream` and flushes it. Returns false on a write
 * error.
 */
bool wasm_perf_profile_write(const wasm_perf_profile *profile, FILE *stream);

/* Why profiles do not fit together: profile `index` differs from those before it. */
typedef struct wasm_perf_mismatch {
  size_t index; /* the number of profiles if memory ran out */
  char message[240];
} wasm_perf_mismatch;

/*
 * Adds up `count` (at least 1) profiles of one module: of threads or of repeated runs. Nodes with
 * the same stack are merged, with their calls and self added; they keep the order in which they
 * first occur, so merging a single profile copies it. Sums saturate. All profiles must be of the
 * same module: clock, recursion, numbers of functions and names must agree if two profiles know
 * them.
 *
 * If ticks_per_second differ, the sums are in nanoseconds, each profile rounded as in reports;
 * otherwise merging is exact and associative. In the header, counts and times are added, hook costs
 * are means weighted by calls, and node_limit and hook_cost_error are maxima.
 *
 * Histograms of calls are added. Of the slow calls the slowest are kept, as many as the profile with
 * most has, at least 10. Of the typical calls each function keeps the one nearest to the median.
 *
 * O(n log n) time, and memory proportional to all nodes and names. Returns NULL on failure, with
 * *mismatch filled in. The caller frees the result.
 */
wasm_perf_profile *wasm_perf_profile_merge(const wasm_perf_profile *const *profiles, size_t count,
                                           wasm_perf_mismatch *mismatch);

/*
 * Turns inlined functions into functions with nodes; their indices follow all others. Each node of
 * the outer function passes the cost of the inlined lines to new child nodes, which have no calls,
 * and those lines now belong to the inlined functions. All nodes of a function together pass on
 * exactly what was counted, each in proportion to its own value. Only for the instruction clock,
 * after lines were added; call it once. Returns false if out of memory or if there would be
 * millions of nodes; the profile is then unusable.
 */
bool wasm_perf_profile_show_inlined(wasm_perf_profile *profile);

/*
 * Subtracts `before`, an earlier profile of the same run of the same module, from `profile`: calls,
 * self and measures by stack, block counts, and the sums in the header and the facts. Live values
 * become negative if more was freed than allocated; other values that would become negative are 0.
 * The difference has no peak, and no kept calls that `before` has, too. Line counts are not changed.
 * O(n log n) time. Returns false, with nothing changed, if out of memory.
 */
bool wasm_perf_profile_subtract(wasm_perf_profile *profile, const wasm_perf_profile *before);

/*
 * Combines `count` (at least 1) profiles of different modules: each one becomes a child of the
 * root, in a frame named by its label. Functions are renumbered. A name that occurs in several
 * modules gets its module added: "main (in app.wasm)". Clocks must be equal. Time and memory are
 * proportional to all nodes and names. Returns NULL on failure, with *mismatch filled in. The
 * caller frees the result.
 */
wasm_perf_profile *wasm_perf_profile_join(const wasm_perf_profile *const *profiles,
                                          const char *const *labels, size_t count,
                                          wasm_perf_mismatch *mismatch);

#ifdef __cplusplus
}
#endif

#endif /* WASM_PERF_PROFILE_H_ */
