/* What two forms of an explanation have in common. */
#ifndef WI_REPORT_TEXT_EXPLAIN_H_
#define WI_REPORT_TEXT_EXPLAIN_H_

#include <stdio.h>

#include "report/model/explanation.h"

/* Bytes for a command of wasm-perf with its terminator. */
#define WI_COMMAND_SIZE (8 * WI_LABEL_MAX_SIZE)

/*
 * Writes into `text` the command to go on with, for a shell: how the lines of the function that
 * takes most are counted, or who calls it. False: there is none.
 */
bool wi_explain_next_command(const wi_explanation *explanation, char text[WI_COMMAND_SIZE]);

/* Writes the explanation as Markdown. False: memory ran out. */
bool wi_explain_write_markdown(const wi_report *report, FILE *stream);

#endif /* WI_REPORT_TEXT_EXPLAIN_H_ */
