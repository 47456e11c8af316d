/* The explanation as a report format. */
#include "report/formats/writers.h"
#include "report/text/explain.h"

bool wi_md_write(const wi_report *report, FILE *stream) {
  return wi_explain_write_markdown(report, stream);
}
