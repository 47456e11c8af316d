/* Escapes text for XML, HTML and Markdown. */
#ifndef WI_REPORT_ENCODE_MARKUP_H_
#define WI_REPORT_ENCODE_MARKUP_H_

#include <stdio.h>

/*
 * Writes a label (labels.h) as an element's text; not for attributes. The stream's error indicator
 * reports failures.
 */
void wi_markup_write(const char *label, FILE *stream);

/* Likewise, as an attribute's value between double quotes. */
void wi_markup_write_attribute(const char *label, FILE *stream);

/* Likewise, for Markdown. */
void wi_markdown_write(const char *text, FILE *stream);

#endif /* WI_REPORT_ENCODE_MARKUP_H_ */
