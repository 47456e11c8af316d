/* Parts that both forms of an explanation share. */
#ifndef WI_REPORT_TEXT_EXPLAIN_H_
#define WI_REPORT_TEXT_EXPLAIN_H_

#include <stdio.h>

#include "report/model/explanation.h"

/* Size of a wasm-perf command in bytes, including the terminator. */
#define WI_COMMAND_SIZE (8 * WI_LABEL_MAX_SIZE)

/*
 * Writes a command to run next, quoted for a shell: for the lines of the most expensive function,
 * if they were counted, then for its callers. `index` is from 0 on. Returns false if there is none.
 */
bool wi_explain_next_command(const wi_explanation *explanation, unsigned index,
                             char text[WI_COMMAND_SIZE]);

/* Writes the explanation as Markdown. Returns false if memory ran out. */
bool wi_explain_write_markdown(const wi_report *report, FILE *stream);

/* Likewise, of a part of a profile, see explanation.h. */
bool wi_explain_part(const wi_shown *shown, const char *title, const wi_summary *summary,
                     FILE *stream);

#endif /* WI_REPORT_TEXT_EXPLAIN_H_ */
