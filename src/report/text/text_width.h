/*
 * How many columns of a terminal a text takes. The rule is our own, so that it depends on no
 * locale: a column for each character, two for those of East Asian scripts and for emoji, none for
 * combining marks of the common blocks and for joiners. Where terminals differ or a mark is missing
 * here, this counts too many columns rather than too few.
 */
#ifndef WI_REPORT_TEXT_TEXT_WIDTH_H_
#define WI_REPORT_TEXT_TEXT_WIDTH_H_

#include <stdint.h>

/* The width of well-formed UTF-8 without control characters. */
uint32_t wi_text_width(const char *text);

/* The text behind the first character of one that is not empty; *width is that character's. */
const char *wi_text_next(const char *text, uint32_t *width);

#endif /* WI_REPORT_TEXT_TEXT_WIDTH_H_ */
