/* The Firefox Profiler's table of native allocations. */
#ifndef WI_REPORT_FORMATS_FIREFOX_ALLOCATIONS_H_
#define WI_REPORT_FORMATS_FIREFOX_ALLOCATIONS_H_

#include "report/model/report.h"
#include "support/json_writer.h"

/*
 * Writes the member "nativeAllocations" of a thread if the profile follows memory. Stack i is tree
 * node i + 1. Each stack has a block that is never freed, of the size live at the end, and a freed
 * block for the rest of its allocations. So "retained" equals live_bytes, and "allocated" equals
 * allocated_bytes, except after resizing other stacks' blocks. Returns false if memory ran out.
 */
bool wi_firefox_write_allocations(wi_json *json, const wi_report *report);

#endif /* WI_REPORT_FORMATS_FIREFOX_ALLOCATIONS_H_ */
