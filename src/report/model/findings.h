/*
 * What a colleague would say of a profile after a first look: a few sentences, each about a function
 * or a frame. Pages show them above the graph, and wasm-perf explain prints them.
 */
#ifndef WI_REPORT_MODEL_FINDINGS_H_
#define WI_REPORT_MODEL_FINDINGS_H_

#include <stdbool.h>
#include <stdint.h>

#include "names/forms.h"
#include "report/model/shown.h"

#define WI_FINDINGS           4u          /* at most */
#define WI_FINDING_NAME_WIDTH 28u         /* of a name within a sentence */
#define WI_FINDING_SIZE       720u        /* of a whole sentence in bytes, with the terminator */
#define WI_FINDING_NO_LABEL   0xFFFFFFFFu /* the sentence is about no single function */

/* "36.0 % of the time is allocation, most in ", mallocgc, "; record --memory shows for whom" */
typedef struct wi_finding {
  char before[256]; /* the function's name; empty: the name begins the sentence */
  char after[320];
  uint32_t label;
  uint32_t node; /* the frame that it is about; 0: the function, wherever it is called */
  uint64_t end;  /* of the time that it is about, in microseconds since the first thread began; 0:
                    it is about no part of the time */
} wi_finding;

typedef struct wi_findings {
  wi_finding list[WI_FINDINGS];
  unsigned count;
} wi_findings;

/* Makes the only finding of times that are too rough for any: that there is none. */
void wi_findings_are_rough(wi_findings *findings);

/* Puts `more` behind the first finding, in place of the last ones if there are too many. */
void wi_findings_put(wi_findings *findings, const wi_findings *more);

/*
 * A name within a sentence, cut to WI_FINDING_NAME_WIDTH; no bare index, which would read as a
 * number. `forms` is working memory.
 */
wi_short_text wi_finding_name(wi_name_forms *forms, const char *label);

/* Writes the sentence, with the name shortened. */
void wi_finding_write(const wi_finding *finding, const wi_shown *shown, char text[WI_FINDING_SIZE]);

/* Appends a finding without texts. Returns NULL if there are enough. */
wi_finding *wi_findings_add(wi_findings *findings, uint32_t label, uint32_t node);

#endif /* WI_REPORT_MODEL_FINDINGS_H_ */
