/* Collects functions that get no hooks, and warns about them. */
#include "rewrite/unhookable.h"

#include <stdio.h>
#include <string.h>

#include "module/names.h"
#include "rewrite/warn.h"

bool wi_unhookable_add(wi_plan *plan, uint32_t function) {
  uint32_t *added = WI_ARRAY_PUSH(plan, unhookable);
  if (added)
    *added = function;
  return added != NULL;
}

static void put_text(const char *text, wi_buffer *out) {
  wi_buffer_append(out, text, strlen(text));
}

void wi_unhookable_put_names(const wi_plan *plan, wi_buffer *out) {
  enum { MAX_COUNT = 8, MAX_NAME_SIZE = 60 };
  if (plan->unhookable_count == 0)
    return;
  wi_names *names = wi_names_of_module(plan->module);
  for (uint32_t i = 0; i < plan->unhookable_count && i < MAX_COUNT; i++) {
    char name[MAX_NAME_SIZE];
    const char *full = names ? wi_names_get_start(names, plan->unhookable[i], sizeof name) : "";
    snprintf(name, sizeof name, "%s", full);
    put_text(i > 0 ? ", " : "", out);
    put_text(name, out);
  }
  if (plan->unhookable_count > MAX_COUNT) {
    char rest[32];
    snprintf(rest, sizeof rest, " and %u others", plan->unhookable_count - MAX_COUNT);
    put_text(rest, out);
  }
  out->failed |= !names;
  wi_names_free(names);
}

void wi_unhookable_warn(const wi_plan *plan, const wi_options *options) {
  wi_buffer text = {0};
  wi_unhookable_put_names(plan, &text);
  if (text.size > 0 && !text.failed)
    wi_warn(options, "no hooks in %.*s: they would exceed a limit of engines", (int)text.size,
            (const char *)text.data);
  wi_buffer_clear(&text);
}
