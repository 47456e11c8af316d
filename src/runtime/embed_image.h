/* What the sources of the embedded runtime share. */
#ifndef WI_RUNTIME_EMBED_IMAGE_H_
#define WI_RUNTIME_EMBED_IMAGE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/embed.h"

#define EMBED_EXPORT(name) __attribute__((export_name(#name)))

extern unsigned char __heap_base; /* the linker's: where free memory begins */

/* The mutable global that says which slot the next function belongs to; the rewriter adds it. */
__asm__(".globaltype callee_slot, i32");

static inline uint32_t embed_callee_slot(void) {
  uint32_t slot;
  __asm__ volatile("global.get callee_slot\n\tlocal.set %0" : "=r"(slot));
  return slot;
}

static inline void embed_set_callee_slot(uint32_t slot) {
  __asm__ volatile("local.get %0\n\tglobal.set callee_slot" ::"r"(slot));
}

const embed_config *embed_configuration(void);

/* Makes the added memory reach up to the address `end`. */
bool embed_reserve(uint64_t end);

/* Where memory begins that nobody uses until the next new node. */
uint32_t embed_scratch(void);

/* See embed_image.c; the file stands at that address until the next new node. */
uint32_t embed_profile(void);
uint32_t embed_file(void);

#endif /* WI_RUNTIME_EMBED_IMAGE_H_ */
