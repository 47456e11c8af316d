/* The state of one wasm-perf record, from the request to the profile. */
#ifndef WI_CLI_PERF_RECORD_JOB_H_
#define WI_CLI_PERF_RECORD_JOB_H_

#include "cli/common/cleanup.h"
#include "cli/perf/input/times.h"
#include "cli/perf/record/engine.h"
#include "cli/perf/record/request.h"

/* How a module is profiled. */
typedef enum cli_form {
  CLI_FORM_LINKED,  /* hooks are imports of the linked runtime; or the engine samples */
  CLI_FORM_SESSION, /* embedded runtime; the JavaScript host instruments and reads the profile */
  CLI_FORM_READ,    /* embedded runtime; the JavaScript host reads the profile, without a session */
  CLI_FORM_FILE     /* embedded runtime; the module writes the profile */
} cli_form;

/* Zeroed except for the request, the engine and the start. */
typedef struct cli_job {
  const cli_request *request;
  cli_engine *engine;
  cli_form form;
  bool has_one_memory; /* the engine allows a module no other */
  uint8_t *module;     /* the module that runs; owned */
  size_t module_size;
  wi_marker marker;
  wasm_perf_clock clock; /* of an instrumented module; AUTO if unknown */
  bool has_warned;       /* the module's warnings have been printed */
  uint64_t start;        /* from cli_progress_now */
  cli_list arguments;    /* for --invoke */
  cli_times times;       /* of another run, for --times */
  wi_temporary folder;   /* private, for the module and the profile */
  char *written_path;    /* in the folder; NULL if the module runs from its own path */
} cli_job;

#endif /* WI_CLI_PERF_RECORD_JOB_H_ */
