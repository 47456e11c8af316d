/* What lines of the source took, for the page. */
#ifndef WI_REPORT_FORMATS_HTML_LINES_H_
#define WI_REPORT_FORMATS_HTML_LINES_H_

#include "report/formats/html/data.h"
#include "support/json_writer.h"

/*
 * Writes member "lines": {"files": paths, "functions": [[name, lines]...], "leftOut": functions},
 * name being an index of the data's and each line [file, line, instructions, executions, calls,
 * text]; line 0, of any file, is what has no line. The text is there only where the options name a
 * folder of sources: a profile tells paths of the machine that it was made on, and pages are sent
 * on. Of several runs there are none. False: out of memory.
 */
bool wi_html_lines_write(wi_json *json, const wi_html_data *data);

#endif /* WI_REPORT_FORMATS_HTML_LINES_H_ */
