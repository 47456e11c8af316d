/* Which import of a module the code is that V8 saw below WebAssembly. */
#ifndef WI_SAMPLES_IMPORTS_H_
#define WI_SAMPLES_IMPORTS_H_

#include "samples/samples.h"
#include "wasm_perf/profile.h"

#define WI_NO_IMPORT UINT32_MAX

typedef struct wi_imports {
  const wasm_perf_profile *profile; /* borrowed */
  uint32_t *only;                   /* by node: the only one that is an import's below it; owned */
} wi_imports;

/* Of a profile that stays as it is meanwhile. False, with nothing to clear: memory ran out. */
bool wi_imports_init(wi_imports *imports, const wasm_perf_profile *profile);
void wi_imports_clear(wi_imports *imports);

/*
 * The import that a function of that name is, called by the node: the one of that name, as V8
 * names a function by where it was made, else the only one that the node calls. WI_NO_IMPORT:
 * it cannot be told.
 */
uint32_t wi_imports_find(const wi_imports *imports, uint32_t node, const char *name, size_t size);

#endif /* WI_SAMPLES_IMPORTS_H_ */
