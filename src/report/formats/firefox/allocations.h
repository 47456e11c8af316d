/* The Firefox Profiler's table of native allocations. */
#ifndef WI_REPORT_FORMATS_FIREFOX_ALLOCATIONS_H_
#define WI_REPORT_FORMATS_FIREFOX_ALLOCATIONS_H_

#include "report/model/report.h"
#include "support/json_writer.h"

/*
 * Writes the member "nativeAllocations" of a thread, where the profile follows memory; stack i is
 * node i + 1 of the tree. A stack has one block that is never freed, of what it holds at the end,
 * and one that is, of what it has allocated beside that: so "retained" is live_bytes, and
 * "allocated" is allocated_bytes but where blocks of others were resized. False: out of memory.
 */
bool wi_firefox_write_allocations(wi_json *json, const wi_report *report);

#endif /* WI_REPORT_FORMATS_FIREFOX_ALLOCATIONS_H_ */
