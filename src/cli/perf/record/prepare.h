/* The module of a run: read, instrumented, checked. */
#ifndef WI_CLI_PERF_RECORD_PREPARE_H_
#define WI_CLI_PERF_RECORD_PREPARE_H_

#include "cli/perf/record/job.h"

/* The clock to instrument with: the truest one that the engine has, unless one was asked for. */
wasm_perf_clock cli_job_clock(const cli_job *work);

/*
 * Reads the module, has it instrumented where that was asked for, and checks that it will do. False
 * where not, which it has printed on stderr.
 */
bool cli_job_prepare(cli_job *work);

#endif /* WI_CLI_PERF_RECORD_PREPARE_H_ */
