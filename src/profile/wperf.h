/* Shared by readers and writers of .wperf files; wasm_perf/format.h describes the format. */
#ifndef WI_PROFILE_WPERF_H_
#define WI_PROFILE_WPERF_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wasm_perf/profile.h"

#define WI_WPERF_MAGIC_SIZE        (sizeof WASM_PERF_MAGIC - 1)
#define WI_WPERF_SECTION_HEAD_SIZE 16u /* id, zero, size */

/* The input. Its bytes are checked before they are read. */
typedef struct wi_wperf_input {
  const uint8_t *bytes;
  size_t size;
  wasm_perf_error *error;
} wi_wperf_input;

/* A part of the input. */
typedef struct wi_wperf_span {
  size_t offset;
  size_t size;
} wi_wperf_span;

static inline uint32_t wi_wperf_u32(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

static inline uint64_t wi_wperf_u64(const uint8_t *bytes) {
  return wi_wperf_u32(bytes) | (uint64_t)wi_wperf_u32(bytes + 4) << 32;
}

/* Whether the bytes begin like a .wperf file. */
bool wi_wperf_has_magic(const uint8_t *bytes, size_t size);

/*
 * Returns the size of the first profile in the `size` bytes, behind which another one may begin; at
 * least 1.
 */
size_t wi_wperf_size(const uint8_t *bytes, size_t size);

/* Fills in the error. Always returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool wi_wperf_fail(const wi_wperf_input *in, size_t offset, const char *format, ...);

/* Checks that a text is UTF-8 without a zero byte. `what` starts the message: "a name". */
bool wi_wperf_check_text(const wi_wperf_input *in, wi_wperf_span text, const char *what);

/*
 * Checks a record of a value, as in VALUES, at *offset, and moves past it, at most to `end`. *name is
 * where its name is.
 */
bool wi_wperf_check_value(const wi_wperf_input *in, size_t *offset, size_t end,
                          wi_wperf_span *name);

/* Checks a node at `offset`: only the first one is a root, and the others follow their parents. */
bool wi_wperf_check_node(const wi_wperf_input *in, size_t offset, uint32_t index);

/*
 * Checks records {u32 function, `number_count` more numbers, u32 size, text} from *offset to `end`,
 * at most *count of them. Afterwards *offset is past the last one, and *count is the number of
 * missing records. `what` is "name" or "place".
 */
bool wi_wperf_check_records(const wi_wperf_input *in, size_t *offset, size_t end, uint32_t *count,
                            unsigned number_count, const char *what);

/* Reads the names in `names`, which was checked. Returns false if out of memory. */
bool wi_wperf_read_names(wasm_perf_profile *profile, const wi_wperf_input *in, wi_wperf_span names);

#endif /* WI_PROFILE_WPERF_H_ */
