/* Writes text through a function of the host that takes an address and a size. */
#include "runtime/embedded/outlet_text.h"
#include "runtime/embedded/profile.h"
#include "runtime/host_text.h"

/* Without the line's end, as logs end their lines themselves. */
EMBED_EXPORT(text_put_host) uint32_t embed_text_put_host(uint32_t size) {
  host_put(TEXT_AT_LINE, size - 1);
  return 1;
}

/* What the result means is the host's affair. */
EMBED_EXPORT(text_put_host_result) uint32_t embed_text_put_host_result(uint32_t size) {
  host_put_result(TEXT_AT_LINE, size - 1);
  return 1;
}

/* At the level of warnings, which proxies show by default. */
EMBED_EXPORT(text_put_host_level) uint32_t embed_text_put_host_level(uint32_t size) {
  enum { LEVEL_WARN = 3 };
  return host_put_level(LEVEL_WARN, TEXT_AT_LINE, size - 1) == 0;
}
