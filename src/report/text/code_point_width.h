/* How many columns of a terminal a code point takes. */
#ifndef WI_REPORT_TEXT_CODE_POINT_WIDTH_H_
#define WI_REPORT_TEXT_CODE_POINT_WIDTH_H_

#include <stdint.h>

/* 0, of marks that combine with the letter before them, to 2, of Han and emoji: see UAX #11. */
uint32_t wi_code_point_width(uint32_t code_point);

#endif /* WI_REPORT_TEXT_CODE_POINT_WIDTH_H_ */
