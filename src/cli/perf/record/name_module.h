/* record --symbols: names for the module that is run. */
#ifndef WI_CLI_PERF_RECORD_NAME_MODULE_H_
#define WI_CLI_PERF_RECORD_NAME_MODULE_H_

#include "cli/perf/record/request.h"

/*
 * Names the functions of the request's module, of *size bytes at *module, after the builds of the
 * request: it is replaced by one with their names, if there are any. False on failure, which it has
 * printed on stderr.
 */
bool cli_record_name_module(const cli_request *request, uint8_t **module, size_t *size);

#endif /* WI_CLI_PERF_RECORD_NAME_MODULE_H_ */
