/* What help says of the engines. */
#ifndef WI_CLI_PERF_RECORD_ENGINE_TABLES_H_
#define WI_CLI_PERF_RECORD_ENGINE_TABLES_H_

#include "cli/common/options.h"

/* All engines, and the environment variables that locate them. */
bool cli_engine_choice(size_t index, cli_choice *choice);
extern const cli_entry cli_engine_environment[];

#endif /* WI_CLI_PERF_RECORD_ENGINE_TABLES_H_ */
