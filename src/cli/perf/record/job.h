/* What one run of wasm-perf record holds, from its request to its profile. */
#ifndef WI_CLI_PERF_RECORD_JOB_H_
#define WI_CLI_PERF_RECORD_JOB_H_

#include "cli/common/cleanup.h"
#include "cli/perf/input/times.h"
#include "cli/perf/record/engine.h"
#include "cli/perf/record/request.h"

/* How the profile of a module comes about. */
typedef enum cli_form {
  CLI_FORM_LINKED,  /* hooks as imports, the runtime beside the module; or no hooks, but samples */
  CLI_FORM_SESSION, /* the runtime inside; the JavaScript host reads the profile, and instruments */
  CLI_FORM_FILE     /* the runtime inside; the module writes the profile */
} cli_form;

/* Zeroed but for the request, the engine and the start. */
typedef struct cli_job {
  const cli_request *request;
  cli_engine *engine;
  cli_form form;
  uint8_t *module; /* as it runs: instrumented */
  size_t module_size;
  wi_marker marker;
  wasm_perf_clock clock;   /* of an instrumented module; AUTO: one that is not known */
  bool has_warned;         /* of what there is to say of the module */
  uint64_t start;          /* as cli_progress_now has it */
  cli_list arguments;      /* of the function that is called */
  cli_times times;         /* of another run, where they were asked for */
  wi_temporary folder;     /* private, for module and profile */
  char *instrumented_path; /* in the folder; NULL: the module runs from where it is */
} cli_job;

#endif /* WI_CLI_PERF_RECORD_JOB_H_ */
