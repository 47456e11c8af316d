/* Which source files are the program's own. */
#ifndef WI_REPORT_MODEL_OWN_FILES_H_
#define WI_REPORT_MODEL_OWN_FILES_H_

#include "wasm_perf/report.h"

/*
 * Whether the file belongs to coverage: it matches one of options->coverage_of; or, without these,
 * it is not in a folder of a compiler's libraries or of dependencies.
 */
bool wi_file_is_own(const wasm_perf_report_options *options, const char *path);

#endif /* WI_REPORT_MODEL_OWN_FILES_H_ */
