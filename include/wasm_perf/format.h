/*
 * The .wperf file: what hosts write and reports read. Needs no C library, so the WebAssembly builds
 * of the runtime share it. The lists below are the only place where numbers of the format stand;
 * the constants of the JavaScript host and the readers of the tests are made from them.
 *
 * Version 2 is little endian and begins with 16 bytes: the magic, u32 version, u32 size of this
 * head. Sections follow up to the end of the file:
 *
 *   u32 id, u32 zero, u64 size of the payload, the payload, zeros up to a multiple of 8
 *
 * Each section of the list stands at most once, in any order; other ids are skipped.
 *
 *   FACTS
 *     Records u32 key, u32 size, that many bytes, zeros up to a multiple of 8. A number is a
 *     u64, a text is UTF-8 without a zero byte. A number that is 0 may be left out; other keys
 *     are skipped.
 *
 *   VALUES
 *     What a node has, in the order of its values: records u32 size of the name, u32 size of the
 *     unit, name, unit, zeros up to a multiple of 8. ("calls", "calls") and ("self",
 *     "nanoseconds", "instructions" or "ticks") are known, others are skipped.
 *
 *   NODES
 *     Records u32 function, u32 parent, u64 for each value. Node 0 is the root: it stands for
 *     the host, its function is WASM_PERF_FUNCTION_ROOT and its parent is itself. Every other
 *     node's parent has a smaller index. At least the root is there. Its self value is that of
 *     functions without hooks that the host called, which reports show as a child of its own.
 *
 *   NAMES
 *     Records u32 function, u32 size, that many bytes of UTF-8 (no zero byte, no padding), in
 *     increasing order of function. A function without a record has no name.
 *
 *   PLACES
 *     Where functions stand in the source: records u32 function, u32 line, u32 size, that many
 *     bytes of UTF-8, the file (no zero byte, no padding), in increasing order of function.
 *
 *   BLOCKS
 *     How often the blocks of functions were executed: records u32 function, u32 count, u64 for
 *     each block, in increasing order of function. A block is a stretch of instructions in the
 *     body of the original module's function that are executed all or none, in the order of the
 *     code; it ends with an instruction that may go elsewhere (a branch, a call, a throw), or
 *     before one that is reached from elsewhere.
 *
 *   UNCOUNTED
 *     Functions whose calls are not known: they have no hooks, and samples were taken in them.
 *     Records u32 function, increasing. What their nodes have as calls is no number of calls: 0,
 *     and in a sum of profiles those that were counted in some. In a single profile they stand with
 *     their stacks below the nearest function with hooks, and no function with hooks is below them.
 *
 *   KINDS
 *     What functions are that are not the module's: records u32 function, u32 kind, one of
 *     WASM_PERF_KINDS but not WASM, in increasing order of function. Without a record a function is
 *     an import where it is one of the host's, else the module's. Nodes of a kind from JAVASCRIPT
 *     on have times by samples, and no calls.
 *
 *   SHARED
 *     Nodes whose calls are known only together, as several stacks of JavaScript lead to one stack
 *     of WebAssembly: records u32 node, u32 first, in increasing order of node. All nodes with the
 *     same `first`, which is the smallest of them, have as many calls as stand there, added up.
 *
 *   MODULES
 *     In a file of the samples of a thread, which stands beside those of the modules that ran in
 *     it: records u32 function, u32 count, u32 size, that many bytes, the identity of a module: so
 *     many functions from that one on are its own, in their order. No padding.
 *
 *   SAMPLES
 *     Where threads were, in order of time: records u64 start, u64 dropped, both in microseconds,
 *     u32 process, u32 thread, u32 size of the name, u32 size of the stretches, name, stretches,
 *     zeros up to a multiple of 8. Starts are of one clock. So much of the thread was dropped
 *     before. A stretch is two LEB128 u32: microseconds, and the node in which they were spent;
 *     the root is of time in which nothing was sampled, or of what is not shown. Each begins where
 *     the one before it ends.
 *
 *   MEASURES
 *     Values that only some nodes have: u32 number of values, u32 zero, for each value a record as
 *     in VALUES; then, up to the end, records u32 node, u32 zero, u64 for each value, of each node
 *     at most one. Values and units are those of WASM_PERF_MEASURES, others are kept as they are.
 *
 *   SIZES
 *     How large the blocks were that were allocated: u64 numbers of blocks of 0 bytes, of 1 byte,
 * of 2 to 3, 4 to 7 and so on.
 *
 *   TIMELINE
 *     Records u64 number of allocations so far, u64 bytes: the most that was live since the record
 *     before, in increasing order of the first.
 *
 * Version 1, which is still read, and which the linked runtime keeps in its memory:
 *
 *   header  struct wasm_perf_header; header_size says where the nodes begin
 *   nodes   node_count records of node_size bytes, each a struct wasm_perf_node, as above
 *   names   name_count records as above
 *   end     nothing may follow
 *
 * A host that cannot do more may write that memory out as it is; name_count is then 0. Readers skip
 * bytes of a header or node that is longer than they know.
 */
#ifndef WASM_PERF_FORMAT_H_
#define WASM_PERF_FORMAT_H_

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WASM_PERF_MAGIC          "\x89wperf\r\n" /* 8 bytes; breaks visibly when transferred as text */
#define WASM_PERF_VERSION        2u
#define WASM_PERF_HEAD_SIZE      16u /* bytes of version 2 before its sections */
#define WASM_PERF_MEMORY_VERSION 1u  /* of struct wasm_perf_header */

/*
 * What self values count: X(ID, name, number, forms that know it, whether it is time, help, label
 * in reports). The rest is made from this list: the enumeration, the options of the commands, the
 * names and labels of reports, the constants of the JavaScript host. No form knows those that only
 * older files have.
 */
#define WASM_PERF_CLOCKS(X)                                                                        \
  X(NONE, "none", 0, BOTH, false, "nothing; calls are counted", "")                                \
  X(WALL, "wall", 1, LINKED, true,                                                                 \
    "time, read from the clock at each call and return; not with --embed", "wall clock")           \
  X(INSTRUCTIONS, "instructions", 2, BOTH, false,                                                  \
    "executed instructions, counted by the module; the same in every engine", "")                  \
  X(HYBRID, "hybrid", 3, NEITHER, true, "", "instruction counts scaled to the wall clock")         \
  X(SAMPLED, "sampled", 4, EMBEDDED, true, "time, sampled by Node.js; implies --embed", "sampled")

/* What becomes of a call of a function that is on the stack: X(ID, name, number, help). */
#define WASM_PERF_RECURSIONS(X)                                                                    \
  X(FULL, "full", 0, "in frames of their own")                                                     \
  X(FOLD, "fold", 1, "in the frame that the function already has")                                 \
  X(AUTO, "auto", 2, "full for a sixteenth of the nodes, then fold; the default with --embed")

/* So many nodes keep full stacks with AUTO. */
#define WASM_PERF_FULL_NODE_LIMIT(node_limit) ((node_limit) / 16)

/*
 * What a function is: X(ID, name, number, what reports call all of them). Those from IDLE on are
 * no work: the thread waits.
 */
#define WASM_PERF_KINDS(X)                                                                         \
  X(WASM, "wasm", 0, "WebAssembly")                                                                \
  X(IMPORT, "import", 1, "imports")                                                                \
  X(JAVASCRIPT, "javascript", 2, "JavaScript")                                                     \
  X(NATIVE, "native", 3, "native code")                                                            \
  X(COLLECTION, "collection", 4, "garbage collection")                                             \
  X(IDLE, "idle", 5, "idle")                                                                       \
  X(WAIT, "wait", 6, "waiting")                                                                    \
  X(PROFILER, "profiler", 7, "profiling")

/* In memory, where a report shows a measure in place of what the clock counted: X(ID, name, number,
 * one of it). */
#define WASM_PERF_QUANTITIES(X)                                                                    \
  X(BYTES, "bytes", 16, "byte")                                                                    \
  X(OBJECTS, "objects", 17, "object")                                                              \
  X(PAGES, "pages", 18, "page")

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
  X(SAMPLES, 14)

/*
 * What a profile of memory has of nodes: X(ID, name, unit, where, what it is). Those of CALLEE
 * stand with the allocator's node and are what its caller has asked for; those of SELF are the
 * node's own. A block that was resized belongs to who resized it.
 */
#define WASM_PERF_MEASURES(X)                                                                      \
  X(ALLOCATED_OBJECTS, "allocated_objects", OBJECTS, CALLEE, "blocks allocated")                   \
  X(ALLOCATED_BYTES, "allocated_bytes", BYTES, CALLEE, "bytes allocated, growth included")         \
  X(RESIZED_OBJECTS, "resized_objects", OBJECTS, CALLEE, "blocks resized")                         \
  X(TEMPORARY_OBJECTS, "temporary_objects", OBJECTS, CALLEE,                                       \
    "blocks freed before another allocation")                                                      \
  X(LIVE_OBJECTS, "live_objects", OBJECTS, CALLEE, "blocks not freed by the end")                  \
  X(LIVE_BYTES, "live_bytes", BYTES, CALLEE, "bytes not freed by the end")                         \
  X(PEAK_OBJECTS, "peak_objects", OBJECTS, CALLEE, "blocks held at the peak")                      \
  X(PEAK_BYTES, "peak_bytes", BYTES, CALLEE, "bytes held at the peak")                             \
  X(GROWN_PAGES, "grown_pages", PAGES, SELF, "pages added by memory.grow")                         \
  X(GC_OBJECTS, "gc_objects", OBJECTS, SELF, "structs and arrays created, by type")                \
  X(GC_BYTES, "gc_bytes", BYTES, SELF, "their bytes, estimated from their types")

/* The facts that struct wasm_perf_header explains: X(field, type, key). */
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
  X(measured_time, u64, 10)                                                                        \
  X(deviation, u64, 11)                                                                            \
  X(host_time, u64, 12)                                                                            \
  X(inner_hook_cost, u64, 13)                                                                      \
  X(outer_hook_cost, u64, 14)                                                                      \
  X(hook_cost_error, u64, 15)                                                                      \
  X(function_count, u32, 16)                                                                       \
  X(hooked_function_count, u32, 17)

/* Numbers that only version 2 has: X(field, key). 0: not known, or not so. */
#define WASM_PERF_NUMBER_FACTS(X)                                                                  \
  X(run_time, 32)           /* nanoseconds that the program ran, profiled */                       \
  X(plain_run_time, 33)     /* nanoseconds that it ran without a profiler beside that */           \
  X(uninlined, 34)          /* 1: the engine was told to inline nothing while it was sampled */    \
  X(unmatched_time, 35)     /* ticks of samples that no function of the module matched */          \
  X(instance_count, 36)     /* instances of the module that are added up */                        \
  X(shared_slot_count, 37)  /* callee slots that lead to the node of another stack */              \
  X(added_import_count, 38) /* functions with a body are so many further than in the original */   \
  X(hooks_sampled, 39)      /* 1: hooks ran while it was sampled, and samples have their time */   \
  X(budget, 40)             /* millionths of the time without hooks that they were to cost */      \
  X(predicted_overhead, 41) /* the same of what they were thought to cost */                       \
  X(attributed_share, 42)   /* millionths of self values that functions with hooks have */         \
  X(run_time_error, 43)     /* nanoseconds by which run times were measured to vary */             \
  X(first_guest, 44)        /* functions from this one on are a guest's, numbered by each run */   \
  X(allocator_count, 50)    /* of a profile of memory: functions that are allocators */            \
  X(allocation_count, 51)   /* blocks allocated or resized */                                      \
  X(peak_allocation, 52)    /* the number of that by which most bytes were live */                 \
  X(lost_block_count, 53)   /* blocks that there was no room to follow until they are freed */     \
  X(lost_byte_count, 54)    /* of these */                                                         \
  X(unknown_free_count, 55) /* frees of blocks that nobody had allocated */

/* Texts, which only version 2 has: X(field, key). */
#define WASM_PERF_TEXT_FACTS(X)                                                                    \
  X(module, 64)   /* file name of the original */                                                  \
  X(identity, 65) /* of the original's code: XXH3-64 of its code section's payload, 16 digits */   \
  X(tool, 66)     /* what made it, with its version */                                             \
  X(options, 67)  /* that the module was instrumented with */                                      \
  X(command, 68)  /* that ran */                                                                   \
  X(engine, 69)                                                                                    \
  X(date, 70)       /* ISO 8601 */                                                                 \
  X(build_id, 71)   /* of the original: its section of that name, as hexadecimal digits */         \
  X(unhookable, 72) /* names of chosen functions that could not get hooks */                       \
  X(waiting, 73)    /* indices of functions that wait for other threads, with blanks between */

#define WASM_PERF_FUNCTION_ROOT 0xFFFFFFFFu /* the host, parent of all */
#define WASM_PERF_FUNCTION_TRUNCATED                                                               \
  0xFFFFFFFEu /* stacks past the node limit, a child of the root */
#define WASM_PERF_FUNCTION_UNHOOKED                                                                \
  0xFFFFFFFDu /* what stands at the root, see NODES; this and above name no function */

#define WASM_PERF_COST_CALL_COUNT 1024u

/* Where the runtime is: beside the module, or in it. */
typedef enum wasm_perf_form {
  WASM_PERF_FORM_NEITHER = 0,
  WASM_PERF_FORM_LINKED = 1,
  WASM_PERF_FORM_EMBEDDED = 2,
  WASM_PERF_FORM_BOTH = 3
} wasm_perf_form;

typedef enum wasm_perf_clock {
#define WASM_PERF_CLOCK_ENUM(id, name, number, forms, is_time, help, label)                        \
  WASM_PERF_CLOCK_##id = number,
  WASM_PERF_CLOCKS(WASM_PERF_CLOCK_ENUM)
#undef WASM_PERF_CLOCK_ENUM
      WASM_PERF_CLOCK_AUTO = 255 /* of options alone: the one that fits the form */
} wasm_perf_clock;

typedef enum wasm_perf_recursion {
#define WASM_PERF_RECURSION_ENUM(id, name, number, help) WASM_PERF_RECURSION_##id = number,
  WASM_PERF_RECURSIONS(WASM_PERF_RECURSION_ENUM)
#undef WASM_PERF_RECURSION_ENUM
} wasm_perf_recursion;

/* The clock's name; NULL for a number that stands for none. */
static inline const char *wasm_perf_clock_name(uint32_t clock) {
  switch (clock) {
#define WASM_PERF_CLOCK_NAME(id, name, number, forms, is_time, help, label)                        \
  case number: return name;
    WASM_PERF_CLOCKS(WASM_PERF_CLOCK_NAME)
#undef WASM_PERF_CLOCK_NAME
  default: return (const char *)0;
  }
}

/* The forms that know the clock. */
static inline wasm_perf_form wasm_perf_clock_forms(uint32_t clock) {
  switch (clock) {
#define WASM_PERF_CLOCK_FORMS(id, name, number, forms, is_time, help, label)                       \
  case number: return WASM_PERF_FORM_##forms;
    WASM_PERF_CLOCKS(WASM_PERF_CLOCK_FORMS)
#undef WASM_PERF_CLOCK_FORMS
  default: return WASM_PERF_FORM_NEITHER;
  }
}

/* Whether self values are times, in ticks: then a profile says how many make a second. */
static inline bool wasm_perf_clock_is_time(uint32_t clock) {
  switch (clock) {
#define WASM_PERF_CLOCK_IS_TIME(id, name, number, forms, is_time, help, label)                     \
  case number: return is_time;
    WASM_PERF_CLOCKS(WASM_PERF_CLOCK_IS_TIME)
#undef WASM_PERF_CLOCK_IS_TIME
  default: return false;
  }
}

typedef enum wasm_perf_section {
#define WASM_PERF_SECTION_ENUM(id, number) WASM_PERF_SECTION_##id = number,
  WASM_PERF_SECTIONS(WASM_PERF_SECTION_ENUM)
#undef WASM_PERF_SECTION_ENUM
} wasm_perf_section;

typedef enum wasm_perf_kind {
#define WASM_PERF_KIND_ENUM(id, name, number, plural) WASM_PERF_KIND_##id = number,
  WASM_PERF_KINDS(WASM_PERF_KIND_ENUM)
#undef WASM_PERF_KIND_ENUM
      WASM_PERF_KIND_COUNT
} wasm_perf_kind;

typedef enum wasm_perf_quantity {
#define WASM_PERF_QUANTITY_ENUM(id, name, number, one) WASM_PERF_QUANTITY_##id = number,
  WASM_PERF_QUANTITIES(WASM_PERF_QUANTITY_ENUM)
#undef WASM_PERF_QUANTITY_ENUM
} wasm_perf_quantity;

typedef enum wasm_perf_measure {
#define WASM_PERF_MEASURE_ENUM(id, name, unit, where, what) WASM_PERF_MEASURE_##id,
  WASM_PERF_MEASURES(WASM_PERF_MEASURE_ENUM)
#undef WASM_PERF_MEASURE_ENUM
      WASM_PERF_MEASURE_COUNT
} wasm_perf_measure;

/* WASM_PERF_FACT_clock and so on. */
typedef enum wasm_perf_fact {
#define WASM_PERF_FACT_ENUM_3(field, type, key) WASM_PERF_FACT_##field = key,
#define WASM_PERF_FACT_ENUM_2(field, key)       WASM_PERF_FACT_##field = key,
  WASM_PERF_HEADER_FACTS(WASM_PERF_FACT_ENUM_3) WASM_PERF_NUMBER_FACTS(WASM_PERF_FACT_ENUM_2)
      WASM_PERF_TEXT_FACTS(WASM_PERF_FACT_ENUM_2)
#undef WASM_PERF_FACT_ENUM_2
#undef WASM_PERF_FACT_ENUM_3
} wasm_perf_fact;

/* The form of version 1. In memory it holds what either version says. */
typedef struct wasm_perf_header {
  char magic[8];
  uint32_t version;     /* WASM_PERF_MEMORY_VERSION */
  uint32_t header_size; /* bytes */
  uint32_t node_size;   /* bytes */
  uint32_t node_count;
  uint32_t name_count;
  uint32_t clock;                /* enum wasm_perf_clock */
  uint64_t ticks_per_second;     /* unit of self where it is a time, else 0 */
  uint64_t truncated_call_count; /* calls past a limit: in an ancestor's node or [truncated] */
  uint64_t unbalanced_count;     /* perf_end calls with no frame open */
  uint32_t open_frame_count;     /* frames open when the profile was taken */
  uint32_t node_limit;           /* nodes that there was room for */
  uint32_t recursion;            /* enum wasm_perf_recursion */
  uint32_t host_function_count;  /* functions below are the host's, imported; 0: not known */
  uint64_t clock_read_count;     /* of a sampled clock: samples in functions of the module */
  uint64_t measured_time;        /* these three: of the retired hybrid clock */
  uint64_t deviation;
  uint64_t host_time;
  /*
   * Of a wall or sampled clock, else 0: what the hooks of WASM_PERF_COST_CALL_COUNT calls add to
   * the time charged, in ticks.
   */
  uint64_t inner_hook_cost; /* to the function called */
  uint64_t outer_hook_cost; /* to its caller */
  uint64_t hook_cost_error; /* of both together: by how much they were measured to vary */
  /*
   * What a function without hooks does counts for its caller, unless it is one of the section
   * UNCOUNTED. Both 0: not known.
   */
  uint32_t function_count;        /* of the module's own functions */
  uint32_t hooked_function_count; /* of those that have hooks */
} wasm_perf_header;

typedef struct wasm_perf_node {
  uint32_t function; /* function index in the instrumented module */
  uint32_t parent;   /* node index */
  uint64_t call_count;
  uint64_t self; /* clock units spent in this node itself */
} wasm_perf_node;

#ifdef __cplusplus
}
#endif

#endif /* WASM_PERF_FORMAT_H_ */
