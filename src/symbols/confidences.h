/*
 * Carries the confidence in names from other builds, from the module that was named to its profile:
 *
 *     wasm_perf_confidences    a custom section: records of u32 hash of a name with its mark, u32
 *                              thousandths, little endian, sorted by hash
 *
 * Names are hashed because instrumenting renumbers functions, and engines report names only.
 */
#ifndef WI_SYMBOLS_CONFIDENCES_H_
#define WI_SYMBOLS_CONFIDENCES_H_

#include "module/module.h"
#include "symbols/namings.h"
#include "wasm_perf/profile.h"

#define WI_CONFIDENCES_SECTION "wasm_perf_confidences"

/* The confidence as profiles have it: 1 to 1000; 0 for a hint. */
uint32_t wi_naming_thousandths(const wi_naming *naming);

/* Records of names that are being collected. Zero it before use, clear it afterwards. */
typedef struct wi_confidences {
  WI_ARRAY(uint64_t, records); /* hash << 32 | thousandths */
  bool failed;                 /* memory ran out */
} wi_confidences;

void wi_confidences_add(wi_confidences *confidences, const char *name, size_t size,
                        uint32_t thousandths);

/* Appends the section, unless there are no records. Sets out->failed if memory ran out. */
void wi_confidences_write(wi_confidences *confidences, wi_buffer *out);
void wi_confidences_clear(wi_confidences *confidences);

/* Whether the profile has names from other builds. */
bool wi_confidences_matter(const wasm_perf_profile *profile);

/*
 * Sets the confidences of the profile's names after the section of the module that ran, if it has
 * one. Returns false if out of memory.
 */
bool wi_confidences_apply(wasm_perf_profile *profile, const wi_module *module);

/* The same for the module of `size` bytes at `bytes`, unless it is unreadable. */
bool wi_confidences_take(wasm_perf_profile *profile, const uint8_t *bytes, size_t size);

#endif /* WI_SYMBOLS_CONFIDENCES_H_ */
