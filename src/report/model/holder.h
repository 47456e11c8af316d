/*
 * Which line of JavaScript holds most memory at the end. Many lines lead to an export, often through
 * helpers that others call, too. Of the frames on a stack, the one that holds its blocks is the one
 * whose blocks are freed least; of equal ones it is the innermost, outside of packages if there is one.
 */
#ifndef WI_REPORT_MODEL_HOLDER_H_
#define WI_REPORT_MODEL_HOLDER_H_

#include "report/model/findings.h"
#include "report/model/report.h"

typedef struct wi_holder {
  uint32_t label; /* the frame's, or WI_FINDING_NO_LABEL: no frame holds anything */
  uint32_t
      callee; /* the function that it calls and that holds most; WI_FINDING_NO_LABEL: allocators */
  uint64_t byte_count, block_count;
} wi_holder;

/* Finds the frame that holds most live bytes. Returns false if memory ran out. */
bool wi_holder_find(wi_holder *holder, const wi_report *report);

/* "main.mjs:19 → parse holds 12.0 MB at the end (300 blocks): called in ", before the frame's name. */
void wi_holder_describe(const wi_holder *holder, const wi_report *report, char *text, size_t size);

#endif /* WI_REPORT_MODEL_HOLDER_H_ */
