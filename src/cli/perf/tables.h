/* What the tables of several commands have. */
#ifndef WI_CLI_PERF_TABLES_H_
#define WI_CLI_PERF_TABLES_H_

#include "cli/common/options.h"
#include "wasm_perf/report.h"

extern const cli_option_group cli_help_options; /* --help alone */
extern const cli_entry cli_report_exit_codes[]; /* of commands that read profiles */

/* What tables can be in order of; the index is a wasm_perf_sort. */
bool cli_sort_choice(size_t index, cli_choice *choice);

#endif /* WI_CLI_PERF_TABLES_H_ */
