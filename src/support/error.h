/* Records failures in a wi_error. */
#ifndef WI_SUPPORT_ERROR_H_
#define WI_SUPPORT_ERROR_H_

#include "wasm_instrument/wasm_instrument.h"

/*
 * Fills in *error unless it already contains an error: the first one is the cause of the others.
 * Always returns false, for `return wi_error_set(...)`.
 */
bool wi_error_set(wi_error *error, wi_error_code code, uint64_t offset, uint32_t function,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Records a failed allocation. Always returns false. */
bool wi_error_memory(wi_error *error);

/* Clears *error. */
void wi_error_reset(wi_error *error);

#endif /* WI_SUPPORT_ERROR_H_ */
