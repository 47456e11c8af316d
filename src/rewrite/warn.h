/* Warnings for the caller of wi_instrument. */
#ifndef WI_REWRITE_WARN_H_
#define WI_REWRITE_WARN_H_

#include "wasm_instrument/wasm_instrument.h"

/* Formats a message and passes it to options->warn, if set. */
void wi_warn(const wi_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif /* WI_REWRITE_WARN_H_ */
