/* Reads, instruments and checks the module of a run. */
#ifndef WI_CLI_PERF_RECORD_PREPARE_H_
#define WI_CLI_PERF_RECORD_PREPARE_H_

#include "cli/perf/record/job.h"

/* The clock to instrument with: --clock, or the most accurate one that the engine supports. */
wasm_perf_clock cli_job_clock(const cli_job *work);

/*
 * Names the functions of the request's module or component, of *size bytes at *module, from the
 * request's builds. Replaces the bytes if functions gain names. False on failure; here and below,
 * the request's failure says why.
 */
bool cli_request_name_module(const cli_request *request, uint8_t **module, size_t *size);

/* Warns that an option about hooks was given, which comes too late for an instrumented module. */
void cli_request_warn_instrumented(const cli_request *request);

/*
 * Reads the module, instruments it if the request says so, and checks that it can be run as
 * requested. False if not.
 */
bool cli_job_prepare(cli_job *work);

#endif /* WI_CLI_PERF_RECORD_PREPARE_H_ */
