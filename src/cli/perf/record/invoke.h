/* --invoke: calls one function of a module that is not a command. */
#ifndef WI_CLI_PERF_RECORD_INVOKE_H_
#define WI_CLI_PERF_RECORD_INVOKE_H_

#include "cli/perf/record/request.h"

/*
 * Checks the request's function and arguments against the module of `size` bytes: it must export
 * the function, with as many parameters, and each argument must be a number of the parameter's
 * type. Appends them to *arguments with their types ("i64:12"), as js/node/node_wasi.mjs wants
 * them. False if not; the request's failure says why.
 */
bool cli_invoke_prepare(const cli_request *request, const uint8_t *module, size_t size,
                        cli_list *arguments);

/* Whether the module exports _start. Without it, wasmtime runs nothing and reports success. */
bool cli_exports_start(const uint8_t *bytes, size_t size);

#endif /* WI_CLI_PERF_RECORD_INVOKE_H_ */
