/* Numbers the instances that share the added memory, when first asked: most never need it. */
#include "runtime/embedded/instance.h"

#include "runtime/embedded/tree.h"

/* A global, because each instance has its own; 0: not numbered yet. */
__asm__(".globaltype instance_number, i32\n"
        "instance_number:");

static uint32_t numbered_count, instance_count;

uint32_t embed_instance(void) {
  uint32_t number;
  __asm__ volatile("global.get instance_number\n\tlocal.set %0" : "=r"(number));
  if (number != 0)
    return number;
  number = ++numbered_count;
  __asm__ volatile("local.get %0\n\tglobal.set instance_number" ::"r"(number));
  return number;
}

uint32_t embed_instance_count(void) {
  return instance_count;
}

/* The host tells how many instances share the memory, before it reads their profile. */
EMBED_EXPORT(wasm_perf_share) void embed_share(uint32_t count) {
  instance_count = count;
}
