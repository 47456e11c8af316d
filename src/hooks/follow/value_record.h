/* The description of a value in a profile's sections, see wasm_perf/format.h: VALUES. */
#ifndef WI_HOOKS_FOLLOW_VALUE_RECORD_H_
#define WI_HOOKS_FOLLOW_VALUE_RECORD_H_

#include "support/buffer.h"

void wi_put_value(wi_buffer *out, const char *name, const char *unit);

#endif /* WI_HOOKS_FOLLOW_VALUE_RECORD_H_ */
