/* How many columns of a terminal a text takes, in whatever locale. */
#ifndef WI_REPORT_TEXT_TEXT_WIDTH_H_
#define WI_REPORT_TEXT_TEXT_WIDTH_H_

#include <stdint.h>

/* The width of well-formed UTF-8 without control characters. */
uint32_t wi_text_width(const char *text);

/* Steps over the first character of a text that is not empty; *width becomes its width. */
const char *wi_text_next(const char *text, uint32_t *width);

#endif /* WI_REPORT_TEXT_TEXT_WIDTH_H_ */
