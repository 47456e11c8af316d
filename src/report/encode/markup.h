/* Text among the markup of XML and HTML. */
#ifndef WI_REPORT_ENCODE_MARKUP_H_
#define WI_REPORT_ENCODE_MARKUP_H_

#include <stdio.h>

/*
 * Writes a label (labels.h) as the text of an element, not for attributes. The stream's error
 * indicator tells of failures.
 */
void wi_markup_write(const char *label, FILE *stream);

#endif /* WI_REPORT_ENCODE_MARKUP_H_ */
