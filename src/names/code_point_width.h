/* The width of a code point in terminal columns. */
#ifndef WI_NAMES_CODE_POINT_WIDTH_H_
#define WI_NAMES_CODE_POINT_WIDTH_H_

#include <stdint.h>

/* From 0, for combining marks, to 2, for Han and emoji: see UAX #11. */
uint32_t wi_code_point_width(uint32_t code_point);

#endif /* WI_NAMES_CODE_POINT_WIDTH_H_ */
