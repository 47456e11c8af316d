#include "report/model/findings.h"

#include <stdio.h>
#include <string.h>

#include "names/shorten.h"
#include "names/text_width.h"

wi_finding *wi_findings_add(wi_findings *findings, uint32_t label, uint32_t node) {
  if (findings->count == WI_FINDINGS)
    return NULL;
  wi_finding *finding = &findings->list[findings->count++];
  *finding = (wi_finding){.label = label, .node = node};
  return finding;
}

/* The longest form that fits, otherwise the shortest. */
static const char *fitting_form(const wi_name_forms *forms) {
  const char *last = forms->texts[0];
  for (uint32_t i = 0; i < forms->count; i++) {
    const char *form = forms->texts[i];
    if (*form >= '0' && *form <= '9')
      continue;
    last = form;
    if (wi_text_width(form) <= WI_FINDING_NAME_WIDTH)
      break;
  }
  return last;
}

wi_short_text wi_finding_name(wi_name_forms *forms, const char *label) {
  wi_short_text result;
  wi_name_forms_find(forms, label);
  const char *form = fitting_form(forms), *end = form;
  if (wi_text_width(form) <= WI_FINDING_NAME_WIDTH) {
    snprintf(result.text, sizeof result.text, "%s", form);
    return result;
  }
  for (uint32_t width = 0, each; width < WI_FINDING_NAME_WIDTH; width += each) {
    const char *next = wi_text_next(end, &each);
    if (width + each >= WI_FINDING_NAME_WIDTH)
      break;
    end = next;
  }
  snprintf(result.text, sizeof result.text, "%.*s\xE2\x80\xA6", (int)(end - form), form);
  return result;
}

void wi_finding_write(const wi_finding *finding, const wi_shown *shown,
                      char text[WI_FINDING_SIZE]) {
  char name[WI_SHORTENED_SIZE] = "";
  if (finding->label != WI_FINDING_NO_LABEL)
    wi_shorten(name, shown->functions[finding->label].name, WI_SENTENCE_WIDTH);
  bool is_spaced = *name && *finding->after && strchr(",;:", *finding->after) == NULL;
  snprintf(text, WI_FINDING_SIZE, "%s%s%s%s", finding->before, name, is_spaced ? " " : "",
           finding->after);
}

void wi_findings_put(wi_findings *findings, const wi_findings *more) {
  wi_findings all = {.count = findings->count > 0};
  all.list[0] = findings->list[0];
  for (unsigned i = 0; i < more->count && all.count < WI_FINDINGS; i++)
    all.list[all.count++] = more->list[i];
  for (unsigned i = 1; i < findings->count && all.count < WI_FINDINGS; i++)
    all.list[all.count++] = findings->list[i];
  *findings = all;
}

void wi_findings_are_rough(wi_findings *findings) {
  *findings = (wi_findings){.count = 0};
  wi_finding *finding = wi_findings_add(findings, WI_FINDING_NO_LABEL, 0);
  strcpy(finding->after, "No findings: the times are too rough for them");
}
