/*
 * The .wperf file: the shapes that the runtime keeps in memory, hosts write and reports read.
 * Needs no C library, so the WebAssembly build of the runtime shares it.
 *
 * A .wperf file is little endian and has four parts, in this order:
 *
 *   header   struct wasm_perf_header; header_size says where the nodes begin
 *   nodes    node_count records of node_size bytes, each a struct wasm_perf_node.
 *            Node 0 is the root: it stands for the host, its function is
 *            WASM_PERF_FUNCTION_ROOT and its parent is itself. Every other
 *            node's parent has a smaller index.
 *   names    name_count records: u32 function, u32 byte length, that many bytes
 *            of UTF-8 (no zero byte, no terminator, no padding), in increasing
 *            order of function. A function without a record has no name.
 *   end      nothing may follow
 *
 * The runtime keeps header and nodes in this very form in its memory, so a host
 * that cannot do more may write those bytes out as they are; name_count is then 0.
 * Readers skip bytes of a header or node that is longer than they know.
 */
#ifndef WASM_PERF_FORMAT_H_
#define WASM_PERF_FORMAT_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WASM_PERF_MAGIC   "\x89wperf\r\n" /* 8 bytes; breaks visibly when transferred as text */
#define WASM_PERF_VERSION 1u

#define WASM_PERF_FUNCTION_ROOT 0xFFFFFFFFu /* the host, parent of all */
#define WASM_PERF_FUNCTION_TRUNCATED                                                               \
  0xFFFFFFFEu /* stacks past the node limit, a child of the root */

#define WASM_PERF_COST_CALL_COUNT 1024u

typedef struct wasm_perf_header {
  char magic[8];
  uint32_t version;
  uint32_t header_size; /* bytes */
  uint32_t node_size;   /* bytes */
  uint32_t node_count;
  uint32_t name_count;
  uint32_t clock;               /* enum wasm_perf_clock */
  uint64_t ticks_per_second;    /* unit of self where it is a time, else 0 */
  uint64_t folded_call_count;   /* calls counted in an ancestor's or the [truncated] node */
  uint64_t unbalanced_count;    /* perf_end calls with no frame open */
  uint32_t open_frame_count;    /* frames open when the profile was taken */
  uint32_t node_limit;          /* nodes that there was room for */
  uint32_t recursion;           /* enum wasm_perf_recursion */
  uint32_t host_function_count; /* functions below are the host's, imported; 0: not known */
  /*
   * Of a hybrid clock, else 0. The time between two of its readings is exact in sum and divided
   * by instructions. The last three are in ticks.
   */
  uint64_t clock_read_count; /* of a sampled clock: samples in functions of the module */
  uint64_t measured_time;    /* between readings with nothing but instructions between them */
  uint64_t deviation;        /* of that from what the usual speed predicted, readings added up */
  uint64_t host_time;        /* what calls of the host took, estimated */
  /*
   * Of a wall or sampled clock, else 0: what the hooks of WASM_PERF_COST_CALL_COUNT calls add to
   * the time charged, in ticks.
   */
  uint64_t inner_hook_cost; /* to the function called */
  uint64_t outer_hook_cost; /* to its caller */
  uint64_t hook_cost_error; /* of both together: by how much they were measured to vary */
  /* What a function without hooks does counts for its caller. Both 0: not known. */
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
