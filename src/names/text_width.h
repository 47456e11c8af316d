/* The width of text in terminal columns, independent of the locale. */
#ifndef WI_NAMES_TEXT_WIDTH_H_
#define WI_NAMES_TEXT_WIDTH_H_

#include <stdint.h>

/* The width of well-formed UTF-8 without control characters. */
uint32_t wi_text_width(const char *text);

/* Returns the end of the first character of a non-empty text; sets *width to its width. */
const char *wi_text_next(const char *text, uint32_t *width);

#endif /* WI_NAMES_TEXT_WIDTH_H_ */
