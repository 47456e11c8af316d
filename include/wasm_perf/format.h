/*
 * The .wperf file: hosts write it, reports read it. This header needs no C library, so that the
 * WebAssembly builds of the runtime can share it. The lists below are the only definition of the
 * format's numbers: the JavaScript host's constants and the tests' readers are generated from them.
 *
 * Version 2 is little endian and starts with 16 bytes: the magic, u32 version, u32 size of this
 * head. Sections follow up to the end of the file:
 *
 *   u32 id, u32 zero, u64 size of the payload, the payload, zeros up to a multiple of 8
 *
 * Each section of the list occurs at most once, in any order. Readers skip unknown ids.
 *
 *   FACTS
 *     Records: u32 key, u32 size, that many bytes, zeros up to a multiple of 8. A number is a
 *     u64, a text is UTF-8 without a zero byte. A number that is 0 may be omitted. Unknown keys
 *     are skipped.
 *
 *   VALUES
 *     The values of each node, in order: records u32 size of the name, u32 size of the unit, name,
 *     unit, zeros up to a multiple of 8. ("calls", "calls") and ("self", "nanoseconds",
 *     "instructions" or "ticks") are known; readers skip others.
 *
 *   NODES
 *     Records: u32 function, u32 parent, u64 for each value. Node 0 is the root, which represents
 *     the host: its function is WASM_PERF_FUNCTION_ROOT and it is its own parent. Every other
 *     node's parent has a smaller index. The root is always present. Its self value is the cost of
 *     unhooked functions that the host called; reports show it as a child of the root.
 *
 *   NAMES
 *     Records: u32 function, u32 size, that many bytes of UTF-8 (no zero byte, no padding), in
 *     increasing order of function. A function without a record has no name.
 *
 *   PLACES
 *     Source locations of functions. Records: u32 function, u32 line, u32 size, that many bytes of
 *     UTF-8, the file (no zero byte, no padding), in increasing order of function.
 *
 *   COLUMNS
 *     Only in a file of a thread's samples: where in their lines JavaScript functions begin, which
 *     source maps need. Records: u32 function, u32 column, from 1, in increasing order of function.
 *
 *   BLOCKS
 *     Execution counts of basic blocks. Records: u32 function, u32 count, u64 for each block, in
 *     increasing order of function. A block is a run of instructions in the original function's
 *     body of which either all or none are executed; blocks are in code order. A block ends with
 *     an instruction that may continue elsewhere (a branch, a call, a throw), or before one that
 *     can be reached from elsewhere. With the fact counts_edges, there are two more kinds of counts,
 *     also in code order. An empty block: the way past a conditional branch, or the first arm of an
 *     `if`, if it has no instructions before another way joins it. And after a block that ends with
 *     br_table, one count for each entry of the table, the default last.
 *
 *   UNCOUNTED
 *     Functions whose calls are unknown, because they were sampled but have no hooks. Records: u32
 *     function, increasing. The call values of their nodes are not call counts: 0, and in a sum of
 *     profiles the calls that some of them counted. In a single profile their stacks are below the
 *     nearest hooked function, and no hooked function is below them.
 *
 *   KINDS
 *     Functions that do not belong to the module. Records: u32 function, u32 kind, one of
 *     WASM_PERF_KINDS except WASM, in increasing order of function. A function without a record is
 *     an import if it is one of the host's, else one of the module's. Nodes of JAVASCRIPT and the
 *     kinds after it have sampled times and no calls.
 *
 *   MATCHED
 *     Names that come from another build: after their mark, '~', they are as certain as recorded
 *     here. Records: u32 function, u32 thousandths, from 1 to 1000, in increasing order of function.
 *     The function has a name.
 *
 *   SHARED
 *     Nodes whose calls are known only as a sum, because several JavaScript stacks lead to one
 *     WebAssembly stack. Records: u32 node, u32 first, in increasing order of node. `first` is the
 *     smallest node of a group; the group's calls are the sum of its nodes' call values.
 *
 *   MODULES
 *     Only in a file of a thread's samples, which accompanies the profiles of the modules that ran
 *     in the thread. Records: u32 function, u32 count, u32 size, that many bytes, the name of the file
 *     beside it with the profile of a module: the `count` functions from `function` on are that
 *     module's, in its order. No padding.
 *
 *   JOINED
 *     Only in a profile of several modules. Records as in MODULES: `function` stands for the module
 *     itself, `count` is the number of functions after it that are the module's, in its order, and
 *     the text is the module's name. In increasing order of function.
 *
 *   SAMPLES
 *     Where threads were over time. Records: u64 start, u64 dropped, both in microseconds, u32
 *     process, u32 thread, u32 size of the name, u32 size of the stretches, name, stretches, zeros
 *     up to a multiple of 8. All starts are on the same clock. `dropped` is the time before the
 *     start that was not kept. A stretch is two LEB128 u32: its microseconds, and the node in which
 *     they were spent; the root stands for time without samples or in frames that are not shown.
 *     Each stretch begins where the previous one ends.
 *
 *   MEASURES
 *     Values that only some nodes have: u32 number of values, u32 zero, for each value a record as
 *     in VALUES; then, up to the end, records of u32 node, u32 zero, u64 for each value, at most
 *     one per node and caller. The second number is the caller in CALLERS, or 0. Names and units are
 *     those in WASM_PERF_MEASURES; readers keep others unchanged.
 *
 *   CALLERS
 *     Stacks of JavaScript that called into the module, written by its host. u32 number of frames,
 *     u32 number of callers; each caller, numbered from 1: u32 its own caller, which comes before it,
 *     or 0, u32 number of its frame, from 1; each frame: u32 line and u32 column of the call, u32 size
 *     of the function's name, u32 size of the file's name, then both names. A reader makes these
 *     functions of the profile, and puts the rows of MEASURES with a caller below it.
 *
 *   SIZES
 *     Histogram of allocation sizes: u64 number of blocks of 0 bytes, of 1 byte, of 2 to 3, 4 to 7
 *     and so on.
 *
 *   TIMELINE
 *     Records: u64 number of allocations so far, u64 bytes: the most that was live since the
 *     previous record; in increasing order of the former.
 *
 *   CALLS
 *     Single calls of the functions that were measured call by call: see wasm_perf/calls.h.
 *
 * Several files of version 2 may follow each other in one: a host that has many instances writes
 * each as its runtime does, and readers add them up. A number or text that a FACTS section repeats
 * has the last value, so a host can append its own.
 *
 * Version 1, which is still read, is the linked runtime's layout in memory:
 *
 *   header  struct wasm_perf_header; header_size is the offset of the nodes
 *   nodes   node_count records of node_size bytes, each a struct wasm_perf_node, as above
 *   names   name_count records as above
 *   end     nothing may follow
 *
 * A minimal host can write that memory out unchanged; name_count is then 0. Readers skip trailing
 * bytes of a header or node that is longer than the struct they know.
 */
#ifndef WASM_PERF_FORMAT_H_
#define WASM_PERF_FORMAT_H_

#include <stdbool.h>
#include <stdint.h>

#include "wasm_perf/calls.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WASM_PERF_MAGIC          "\x89wperf\r\n" /* 8 bytes; text mode corrupts it visibly */
#define WASM_PERF_VERSION        2u
#define WASM_PERF_HEAD_SIZE      16u /* bytes of version 2 before its sections */
#define WASM_PERF_MEMORY_VERSION 1u  /* of struct wasm_perf_header */

/*
 * The unit of self values: X(ID, name, number, forms that support it, who measures, help, label in
 * reports). Generated from this list: the enumeration, the commands' options, names and labels in
 * reports, and the JavaScript host's constants.
 */
#define WASM_PERF_CLOCKS(X)                                                                        \
  X(NONE, "none", 0, BOTH, NOBODY, "nothing; calls are counted", "")                               \
  X(WALL, "wall", 1, LINKED, HOST,                                                                 \
    "time, read from the clock at each call and return; not with --embed", "wall clock")           \
  X(INSTRUCTIONS, "instructions", 2, BOTH, MODULE,                                                 \
    "executed instructions, counted by the module; the same in every engine", "")                  \
  X(SAMPLED, "sampled", 4, EMBEDDED, ENGINE, "time, sampled by Node.js; implies --embed", "sampled")

/*
 * What a recursive call does, that is, one of a function already on the stack: X(ID, name, number,
 * help).
 */
#define WASM_PERF_RECURSIONS(X)                                                                    \
  X(FULL, "full", 0, "in frames of their own")                                                     \
  X(FOLD, "fold", 1, "in the frame that the function already has")                                 \
  X(AUTO, "auto", 2, "full for a sixteenth of the nodes, then fold; the default with --embed")

/* With AUTO, the number of nodes that keep full stacks. */
#define WASM_PERF_FULL_NODE_LIMIT(node_limit) ((node_limit) / 16)

/*
 * What a function is: X(ID, name, number, plural for reports), in the order of
 * reports. In IDLE and WAIT, the thread does no work.
 */
#define WASM_PERF_KINDS(X)                                                                         \
  X(WASM, "wasm", 0, "WebAssembly")                                                                \
  X(IMPORT, "import", 1, "imports")                                                                \
  X(JAVASCRIPT, "javascript", 2, "JavaScript")                                                     \
  X(NATIVE, "native", 3, "native code")                                                            \
  X(COLLECTION, "collection", 4, "garbage collection")                                             \
  X(COMPILATION, "compilation", 8, "compiling")                                                    \
  X(IDLE, "idle", 5, "idle")                                                                       \
  X(WAIT, "wait", 6, "waiting")                                                                    \
  X(PROFILER, "profiler", 7, "profiling")

/*
 * Values of `clock` while a report shows a measure instead of the clock, or a file of another tool
 * that counts something: X(ID, name, number, singular).
 */
#define WASM_PERF_QUANTITIES(X)                                                                    \
  X(BYTES, "bytes", 16, "byte")                                                                    \
  X(OBJECTS, "objects", 17, "object")                                                              \
  X(PAGES, "pages", 18, "page")                                                                    \
  X(SAMPLES, "samples", 19, "sample")                                                              \
  X(ELEMENTS, "elements", 20, "element")

/* X(ID, number) */
#define WASM_PERF_SECTIONS(X)                                                                      \
  X(FACTS, 1)                                                                                      \
  X(VALUES, 2)                                                                                     \
  X(NODES, 3)                                                                                      \
  X(NAMES, 4)                                                                                      \
  X(PLACES, 5)                                                                                     \
  X(MEASURES, 6)                                                                                   \
  X(SIZES, 7)                                                                                      \
  X(TIMELINE, 8)                                                                                   \
  X(BLOCKS, 9)                                                                                     \
  X(UNCOUNTED, 10)                                                                                 \
  X(KINDS, 11)                                                                                     \
  X(SHARED, 12)                                                                                    \
  X(MODULES, 13)                                                                                   \
  X(SAMPLES, 14)                                                                                   \
  X(COLUMNS, 15)                                                                                   \
  X(MATCHED, 16)                                                                                   \
  X(JOINED, 17)                                                                                    \
  X(CALLERS, 18)                                                                                   \
  X(CALLS, 19)

/*
 * A node's values in a memory profile: X(ID, name, unit, where, nature, description). CALLEE values
 * are stored at the allocator's node and belong to its caller; SELF values belong to the node
 * itself. A resized block belongs to the function that resized it. A SUM only grows; LIVE values
 * are a state, which also shrinks, and PEAK values are the state at one moment of the run.
 */
#define WASM_PERF_MEASURES(X)                                                                      \
  X(ALLOCATED_OBJECTS, "allocated_objects", OBJECTS, CALLEE, SUM, "blocks allocated")              \
  X(ALLOCATED_BYTES, "allocated_bytes", BYTES, CALLEE, SUM, "bytes allocated, growth included")    \
  X(RESIZED_OBJECTS, "resized_objects", OBJECTS, CALLEE, SUM, "blocks resized")                    \
  X(TEMPORARY_OBJECTS, "temporary_objects", OBJECTS, CALLEE, SUM,                                  \
    "blocks freed before another allocation")                                                      \
  X(LIVE_OBJECTS, "live_objects", OBJECTS, CALLEE, LIVE, "blocks not freed by the end")            \
  X(LIVE_BYTES, "live_bytes", BYTES, CALLEE, LIVE, "bytes not freed by the end")                   \
  X(PEAK_OBJECTS, "peak_objects", OBJECTS, CALLEE, PEAK, "blocks held at the peak")                \
  X(PEAK_BYTES, "peak_bytes", BYTES, CALLEE, PEAK, "bytes held at the peak")                       \
  X(GROWN_PAGES, "grown_pages", PAGES, SELF, SUM, "pages added by memory.grow")                    \
  X(REFUSED_PAGES, "refused_pages", PAGES, SELF, SUM, "pages that memory.grow refused")            \
  X(GC_OBJECTS, "gc_objects", OBJECTS, SELF, SUM, "structs and arrays created, by type")           \
  X(GC_BYTES, "gc_bytes", BYTES, SELF, SUM,                                                        \
    "bytes of structs and arrays, estimated from their types")                                     \
  X(BULK_BYTES, "bulk_bytes", BYTES, SELF, SUM, "bytes copied, filled or initialised")             \
  X(BULK_ELEMENTS, "bulk_elements", ELEMENTS, SELF, SUM,                                           \
    "elements of tables and arrays copied, filled or initialised")

/* Facts that struct wasm_perf_header describes: X(field, type, key). */
#define WASM_PERF_HEADER_FACTS(X)                                                                  \
  X(clock, u32, 1)                                                                                 \
  X(ticks_per_second, u64, 2)                                                                      \
  X(truncated_call_count, u64, 3)                                                                  \
  X(unbalanced_count, u64, 4)                                                                      \
  X(open_frame_count, u32, 5)                                                                      \
  X(node_limit, u32, 6)                                                                            \
  X(recursion, u32, 7)                                                                             \
  X(host_function_count, u32, 8)                                                                   \
  X(clock_read_count, u64, 9)                                                                      \
  X(inner_hook_cost, u64, 13)                                                                      \
  X(outer_hook_cost, u64, 14)                                                                      \
  X(hook_cost_error, u64, 15)                                                                      \
  X(function_count, u32, 16)                                                                       \
  X(hooked_function_count, u32, 17)

/* Numbers that only version 2 has: X(field, key). 0: unknown or false. */
#define WASM_PERF_NUMBER_FACTS(X)                                                                  \
  X(run_time, 32)           /* nanoseconds that the profiled program ran */                        \
  X(plain_run_time, 33)     /* nanoseconds that it ran without a profiler, measured alongside */   \
  X(uninlined, 34)          /* 1: the engine was told not to inline while sampling */              \
  X(unmatched_time, 35)     /* ticks of samples that match no function of the module */            \
  X(instance_count, 36)     /* number of instances that were added up */                           \
  X(shared_slot_count, 37)  /* callee slots that point to the node of another stack */             \
  X(added_import_count, 38) /* added to the original indices of functions with a body */           \
  X(hooks_sampled, 39)      /* 1: hooks ran while sampling, so samples include their time */       \
  X(budget, 40) /* overhead allowed for hooks, in millionths of the time without them */           \
  X(predicted_overhead, 41) /* overhead predicted for the chosen hooks, likewise */                \
  X(attributed_share, 42)   /* millionths of the self values that are in hooked functions */       \
  X(run_time_error, 43)     /* half of the run_time's 95 % interval, relative to plain_run_time */ \
  X(first_guest, 44)        /* first function of a guest; their indices differ between runs */     \
  X(start_only, 45)         /* 1: of _start only, though other exports may be called after it */   \
  X(cpu_time, 46)           /* nanoseconds of a processor that the sampled threads had */          \
  X(allocator_count, 50)    /* memory profile: number of allocator functions */                    \
  X(allocation_count, 51)   /* blocks allocated or resized */                                      \
  X(peak_allocation, 52)    /* value of that count at the moment when most bytes were live */      \
  X(lost_block_count, 53)   /* blocks not tracked until freed, for lack of space */                \
  X(lost_byte_count, 54)    /* bytes of these blocks */                                            \
  X(unknown_free_count, 55) /* frees of blocks not known as allocated */                           \
  X(memory_count, 56) /* memories that the instances define; imported ones are not counted */      \
  X(initial_byte_count, 57) /* their size at first */                                              \
  X(run_pair_count, 58)     /* pairs of runs that the run times are from */                        \
  X(starved_time, 59)       /* nanoseconds in which sampled threads had work but no processor */   \
  X(linked_time, 60)        /* nanoseconds of samples in the linked runtime; no node has them */   \
  X(counts_edges, 61)       /* 1: BLOCKS has counts of edges */                                    \
  X(code_size, 62)          /* bytes of function bodies that sampled threads may have compiled */

/* Texts that only version 2 has: X(field, key). */
#define WASM_PERF_TEXT_FACTS(X)                                                                    \
  X(module, 64)   /* file name of the original */                                                  \
  X(identity, 65) /* XXH3-64 of the original's code section payload, 16 hexadecimal digits */      \
  X(tool, 66)     /* producer and its version */                                                   \
  X(options, 67)  /* options that the module was instrumented with */                              \
  X(command, 68)  /* command that was run */                                                       \
  X(engine, 69)                                                                                    \
  X(date, 70)       /* ISO 8601 */                                                                 \
  X(build_id, 71)   /* the original's build_id section, in hexadecimal digits */                   \
  X(unhookable, 72) /* names of chosen functions that could not be hooked */                       \
  X(waiting, 73)    /* indices of functions that wait for other threads, separated by blanks */

#define WASM_PERF_FUNCTION_ROOT 0xFFFFFFFFu /* the host, parent of all */
#define WASM_PERF_FUNCTION_TRUNCATED                                                               \
  0xFFFFFFFEu /* stacks past the node limit; a child of the root */
#define WASM_PERF_FUNCTION_UNHOOKED                                                                \
  0xFFFFFFFDu /* the root's self value, see NODES; this and larger values are not function
                 indices */

#define WASM_PERF_COST_CALL_COUNT 1024u

/* Where the runtime is: beside the module (linked) or in it (embedded). */
typedef enum wasm_perf_form {
  WASM_PERF_FORM_NEITHER = 0,
  WASM_PERF_FORM_LINKED = 1,
  WASM_PERF_FORM_EMBEDDED = 2,
  WASM_PERF_FORM_BOTH = 3
} wasm_perf_form;

/* Who measures self values. */
typedef enum wasm_perf_measurer {
  WASM_PERF_MEASURER_NOBODY,
  WASM_PERF_MEASURER_HOST,   /* whose clock the hooks read */
  WASM_PERF_MEASURER_MODULE, /* counts while it runs */
  WASM_PERF_MEASURER_ENGINE  /* samples */
} wasm_perf_measurer;

typedef enum wasm_perf_clock {
#define WASM_PERF_CLOCK_ENUM(id, name, number, forms, measurer, help, label)                       \
  WASM_PERF_CLOCK_##id = number,
  WASM_PERF_CLOCKS(WASM_PERF_CLOCK_ENUM)
#undef WASM_PERF_CLOCK_ENUM
      WASM_PERF_CLOCK_AUTO = 255 /* in options only: the default of the form */
} wasm_perf_clock;

typedef enum wasm_perf_recursion {
#define WASM_PERF_RECURSION_ENUM(id, name, number, help) WASM_PERF_RECURSION_##id = number,
  WASM_PERF_RECURSIONS(WASM_PERF_RECURSION_ENUM)
#undef WASM_PERF_RECURSION_ENUM
} wasm_perf_recursion;

/* The clock's name; NULL for an unknown number. */
static inline const char *wasm_perf_clock_name(uint32_t clock) {
  switch (clock) {
#define WASM_PERF_CLOCK_NAME(id, name, number, forms, measurer, help, label)                       \
  case number: return name;
    WASM_PERF_CLOCKS(WASM_PERF_CLOCK_NAME)
#undef WASM_PERF_CLOCK_NAME
  default: return (const char *)0;
  }
}

/* The forms that support the clock. */
static inline wasm_perf_form wasm_perf_clock_forms(uint32_t clock) {
  switch (clock) {
#define WASM_PERF_CLOCK_FORMS(id, name, number, forms, measurer, help, label)                      \
  case number: return WASM_PERF_FORM_##forms;
    WASM_PERF_CLOCKS(WASM_PERF_CLOCK_FORMS)
#undef WASM_PERF_CLOCK_FORMS
  default: return WASM_PERF_FORM_NEITHER;
  }
}

/* Who measures with the clock; NOBODY for an unknown number. */
static inline wasm_perf_measurer wasm_perf_clock_measurer(uint32_t clock) {
  switch (clock) {
#define WASM_PERF_CLOCK_MEASURER(id, name, number, forms, measurer, help, label)                   \
  case number: return WASM_PERF_MEASURER_##measurer;
    WASM_PERF_CLOCKS(WASM_PERF_CLOCK_MEASURER)
#undef WASM_PERF_CLOCK_MEASURER
  default: return WASM_PERF_MEASURER_NOBODY;
  }
}

/* Whether the module counts self values, so that they are the same in every run and engine. */
static inline bool wasm_perf_clock_is_counted(uint32_t clock) {
  return wasm_perf_clock_measurer(clock) == WASM_PERF_MEASURER_MODULE;
}

/* Whether self values are times, in ticks; the profile then has ticks_per_second. */
static inline bool wasm_perf_clock_is_time(uint32_t clock) {
  wasm_perf_measurer measurer = wasm_perf_clock_measurer(clock);
  return measurer == WASM_PERF_MEASURER_HOST || measurer == WASM_PERF_MEASURER_ENGINE;
}

typedef enum wasm_perf_section {
#define WASM_PERF_SECTION_ENUM(id, number) WASM_PERF_SECTION_##id = number,
  WASM_PERF_SECTIONS(WASM_PERF_SECTION_ENUM)
#undef WASM_PERF_SECTION_ENUM
      WASM_PERF_SECTION_END /* greater than all */
} wasm_perf_section;

typedef enum wasm_perf_kind {
#define WASM_PERF_KIND_ENUM(id, name, number, plural) WASM_PERF_KIND_##id = number,
  WASM_PERF_KINDS(WASM_PERF_KIND_ENUM)
#undef WASM_PERF_KIND_ENUM
#define WASM_PERF_KIND_ONE(id, name, number, plural) +1
      WASM_PERF_KIND_COUNT = 0 WASM_PERF_KINDS(WASM_PERF_KIND_ONE)
#undef WASM_PERF_KIND_ONE
} wasm_perf_kind;

typedef enum wasm_perf_quantity {
#define WASM_PERF_QUANTITY_ENUM(id, name, number, one) WASM_PERF_QUANTITY_##id = number,
  WASM_PERF_QUANTITIES(WASM_PERF_QUANTITY_ENUM)
#undef WASM_PERF_QUANTITY_ENUM
} wasm_perf_quantity;

typedef enum wasm_perf_measure {
#define WASM_PERF_MEASURE_ENUM(id, name, unit, where, nature, what) WASM_PERF_MEASURE_##id,
  WASM_PERF_MEASURES(WASM_PERF_MEASURE_ENUM)
#undef WASM_PERF_MEASURE_ENUM
      WASM_PERF_MEASURE_COUNT
} wasm_perf_measure;

typedef enum wasm_perf_nature {
  WASM_PERF_NATURE_SUM,
  WASM_PERF_NATURE_LIVE,
  WASM_PERF_NATURE_PEAK
} wasm_perf_nature;

/* The nature of a measure below WASM_PERF_MEASURE_COUNT. */
static inline wasm_perf_nature wasm_perf_measure_nature(unsigned measure) {
  switch (measure) {
#define WASM_PERF_MEASURE_NATURE(id, name, unit, where, nature, what)                              \
  case WASM_PERF_MEASURE_##id: return WASM_PERF_NATURE_##nature;
    WASM_PERF_MEASURES(WASM_PERF_MEASURE_NATURE)
#undef WASM_PERF_MEASURE_NATURE
  default: return WASM_PERF_NATURE_SUM;
  }
}

/* WASM_PERF_FACT_clock and so on. */
typedef enum wasm_perf_fact {
#define WASM_PERF_FACT_ENUM_3(field, type, key) WASM_PERF_FACT_##field = key,
#define WASM_PERF_FACT_ENUM_2(field, key)       WASM_PERF_FACT_##field = key,
  WASM_PERF_HEADER_FACTS(WASM_PERF_FACT_ENUM_3) WASM_PERF_NUMBER_FACTS(WASM_PERF_FACT_ENUM_2)
      WASM_PERF_TEXT_FACTS(WASM_PERF_FACT_ENUM_2)
#undef WASM_PERF_FACT_ENUM_2
#undef WASM_PERF_FACT_ENUM_3
} wasm_perf_fact;

/* Header of version 1. In memory it describes a profile of either version. */
typedef struct wasm_perf_header {
  char magic[8];
  uint32_t version;     /* WASM_PERF_MEMORY_VERSION */
  uint32_t header_size; /* bytes */
  uint32_t node_size;   /* bytes */
  uint32_t node_count;
  uint32_t name_count;
  uint32_t clock;                /* enum wasm_perf_clock */
  uint64_t ticks_per_second;     /* ticks of self per second if it is a time, else 0 */
  uint64_t truncated_call_count; /* calls past a limit: charged to an ancestor's node or
                                    [truncated] */
  uint64_t unbalanced_count;     /* perf_end calls with no frame open */
  uint32_t open_frame_count;     /* frames open when the profile was taken */
  uint32_t node_limit;           /* maximum number of nodes */
  uint32_t recursion;            /* enum wasm_perf_recursion */
  uint32_t host_function_count;  /* functions with a smaller index are the host's (imports); 0:
                                    unknown */
  uint64_t clock_read_count;     /* with a sampled clock: samples in functions of the module */
  /*
   * With a wall clock, else 0: the ticks that the hooks of WASM_PERF_COST_CALL_COUNT calls add to
   * the charged time. Measured in some of the calls, while the program runs.
   */
  uint64_t inner_hook_cost; /* added to the callee */
  uint64_t outer_hook_cost; /* added to the caller */
  uint64_t hook_cost_error; /* measured variation of the sum of both */
  /*
   * Unhooked functions are charged to their callers, except those in section UNCOUNTED. Both 0:
   * unknown.
   */
  uint32_t function_count;        /* the module's own functions */
  uint32_t hooked_function_count; /* hooked functions among them */
} wasm_perf_header;

typedef struct wasm_perf_node {
  uint32_t function; /* function index in the instrumented module */
  uint32_t parent;   /* node index */
  uint64_t call_count;
  uint64_t self; /* clock units spent in this node itself, excluding callees */
} wasm_perf_node;

#ifdef __cplusplus
}
#endif

#endif /* WASM_PERF_FORMAT_H_ */
