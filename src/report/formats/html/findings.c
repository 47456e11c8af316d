#include "report/formats/html/findings.h"

#include "report/model/report_findings.h"
#include "report/model/report_shown.h"

/* ---- JSON -------------------------------------------------------------------- */

static void write_finding(wi_json *json, const wi_finding *finding) {
  wi_json_open(json, NULL, '[');
  if (finding->label == WI_FINDING_NO_LABEL)
    wi_json_literal(json, NULL, "-1");
  else
    wi_json_integer(json, NULL, finding->label);
  wi_json_integer(json, NULL, finding->node);
  wi_json_string(json, NULL, finding->before);
  wi_json_string(json, NULL, finding->after);
  if (finding->end > 0)
    wi_json_integer(json, NULL, finding->end);
  wi_json_close(json, ']');
}

void wi_html_finding_list_write(wi_json *json, const wi_findings *findings) {
  wi_json_open(json, "findings", '[');
  for (unsigned i = 0; i < findings->count; i++)
    write_finding(json, &findings->list[i]);
  wi_json_close(json, ']');
}

/* ---- The first view ---------------------------------------------------------- */

bool wi_html_findings_write(wi_json *json, const wi_html_data *data, const uint32_t *order) {
  const wi_html_run *run = &data->runs[0];
  wi_findings findings;
  wi_shown shown;
  if (data->run_count > 1)
    return true;
  if (!wi_report_show(&shown, run->report))
    return false;
  bool done = wi_report_find(&findings, &shown, run->report);
  wi_shown_clear(&shown);
  for (unsigned i = 0; done && i < findings.count; i++) {
    wi_finding *finding = &findings.list[i];
    finding->node = order[data->places[finding->node]];
    if (finding->label != WI_FINDING_NO_LABEL)
      finding->label = run->labels[finding->label];
  }
  if (done)
    wi_html_finding_list_write(json, &findings);
  return done;
}
