/* All commands of wasm-perf. */
#ifndef WI_CLI_PERF_COMMANDS_H_
#define WI_CLI_PERF_COMMANDS_H_

#include "cli/common/options.h"

/* The program, whose table lists the commands, and the commands, each defined in its own file. */
extern const cli_command cli_perf_program;
extern const cli_command cli_help_command;
extern const cli_command cli_record_command;
extern const cli_command cli_bench_command;
extern const cli_command cli_open_command;
extern const cli_command cli_report_command;
extern const cli_command cli_diff_command;
extern const cli_command cli_merge_command;
extern const cli_command cli_explain_command;
extern const cli_command cli_top_command;
extern const cli_command cli_tree_command;
extern const cli_command cli_callers_command;
extern const cli_command cli_callees_command;
extern const cli_command cli_calls_command;
extern const cli_command cli_memory_command;
extern const cli_command cli_annotate_command;
extern const cli_command cli_functions_command;
extern const cli_command cli_symbols_command;

#endif /* WI_CLI_PERF_COMMANDS_H_ */
