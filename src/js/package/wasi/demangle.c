/* wi_demangle without a demangler: names stay mangled. */
#include "wasm_instrument/wasm_instrument.h"

bool wi_demangle(const char *name, char *text, size_t size) {
  (void)name;
  (void)text;
  (void)size;
  return false;
}

bool wi_demangle_bare(const char *name, char *text, size_t size) {
  return wi_demangle(name, text, size);
}
