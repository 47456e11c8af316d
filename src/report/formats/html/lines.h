/* Costs of source lines, for the page. */
#ifndef WI_REPORT_FORMATS_HTML_LINES_H_
#define WI_REPORT_FORMATS_HTML_LINES_H_

#include "report/formats/html/data.h"
#include "support/json_writer.h"

/*
 * Writes member "lines": {"files": paths, "functions": [[name, lines]...], "leftOut": number of
 * functions}. `name` is an index in the data's names. A line is [file, line, instructions,
 * executions, calls, text]; line 0, in any file, stands for code without a line. Text of
 * sources is included only if the options name a source folder: a profile contains paths of the
 * machine that made it, and pages are passed on. Writes nothing for several runs. Returns false if out of memory.
 */
bool wi_html_lines_write(wi_json *json, const wi_html_data *data);

#endif /* WI_REPORT_FORMATS_HTML_LINES_H_ */
