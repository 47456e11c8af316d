/* The functions that call instructions call. */
#ifndef WI_SYMBOLS_CALLEE_H_
#define WI_SYMBOLS_CALLEE_H_

#include <stdint.h>

/*
 * The function index in the call at `code`, which the scanner has read; WI_NO_FUNCTION for other
 * instructions and for calls through a table or a reference.
 */
uint32_t wi_callee_of(const uint8_t *code);

#endif /* WI_SYMBOLS_CALLEE_H_ */
