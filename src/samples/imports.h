/* Identifies the imports that V8 shows as code below WebAssembly. */
#ifndef WI_SAMPLES_IMPORTS_H_
#define WI_SAMPLES_IMPORTS_H_

#include "samples/samples.h"
#include "wasm_perf/profile.h"

#define WI_NO_IMPORT UINT32_MAX

typedef struct wi_imports {
  const wasm_perf_profile *profile; /* borrowed */
  uint32_t *only;                   /* per node: the only import node below it; owned */
} wi_imports;

/*
 * The profile must not change while this is used. Returns false, with nothing to clear, if out of
 * memory.
 */
bool wi_imports_init(wi_imports *imports, const wasm_perf_profile *profile);
void wi_imports_clear(wi_imports *imports);

/*
 * Returns the import that the node calls through a function of that name: the import with that
 * name (V8 names a function after the place that creates it), else the only import that the node
 * calls. WI_NO_IMPORT: unknown.
 */
uint32_t wi_imports_find(const wi_imports *imports, uint32_t node, const char *name, size_t size);

#endif /* WI_SAMPLES_IMPORTS_H_ */
