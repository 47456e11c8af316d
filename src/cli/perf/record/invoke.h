/* --invoke: one function of a module that is no program. */
#ifndef WI_CLI_PERF_RECORD_INVOKE_H_
#define WI_CLI_PERF_RECORD_INVOKE_H_

#include "cli/perf/record/request.h"

/*
 * Whether the module of `size` bytes exports the function that was asked for and takes as many
 * arguments as there are, each a number of its type; prints an error if not. Each is then put into
 * *arguments with its type, "i64:12", for js/node/node_wasi.mjs.
 */
bool cli_invoke_prepare(const cli_request *request, const uint8_t *module, size_t size,
                        cli_list *arguments);

/* Whether the module exports _start. Where not, wasmtime runs nothing, and is content. */
bool cli_exports_start(const uint8_t *bytes, size_t size);

#endif /* WI_CLI_PERF_RECORD_INVOKE_H_ */
