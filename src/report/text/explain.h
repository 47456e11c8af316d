/* Parts that both forms of an explanation share. */
#ifndef WI_REPORT_TEXT_EXPLAIN_H_
#define WI_REPORT_TEXT_EXPLAIN_H_

#include <stdio.h>

#include "report/model/explanation.h"

/* Size of a wasm-perf command in bytes, including the terminator. */
#define WI_COMMAND_SIZE (8 * WI_LABEL_MAX_SIZE)

/*
 * Writes the next command to run, quoted for a shell: one that shows the lines of the most
 * expensive function, or its callers. Returns false if there is none.
 */
bool wi_explain_next_command(const wi_explanation *explanation, char text[WI_COMMAND_SIZE]);

/* Writes the explanation as Markdown. Returns false if memory ran out. */
bool wi_explain_write_markdown(const wi_report *report, FILE *stream);

#endif /* WI_REPORT_TEXT_EXPLAIN_H_ */
