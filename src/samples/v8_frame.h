/* What V8's profiler calls code that is not a function of a profiled module. */
#ifndef WI_SAMPLES_V8_FRAME_H_
#define WI_SAMPLES_V8_FRAME_H_

#include <stdbool.h>

#include "wasm_perf/format.h"

/* The kind of code that V8 describes by a name and a URL, both of which may be empty. */
wasm_perf_kind wi_v8_kind(const char *name, const char *url);

/* Whether it is the wrapper by which JavaScript calls a module: it has no frame of its own. */
bool wi_v8_is_entry(const char *name);

/* Whether it is the wrapper by which a module calls other code. */
bool wi_v8_is_exit(const char *name);

#endif /* WI_SAMPLES_V8_FRAME_H_ */
