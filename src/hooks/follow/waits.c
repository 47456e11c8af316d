/* Collects the functions that wait. */
#include "hooks/follow/waits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/opcodes.h"

enum { WAIT32 = 1, WAIT64 = 2 };

void wi_waits_want(wi_scan_wants *wants) {
  wi_scan_want_opcode(wants, WI_PREFIXED(PREFIX_FE, WAIT32));
  wi_scan_want_opcode(wants, WI_PREFIXED(PREFIX_FE, WAIT64));
}

bool wi_waits_is(const wi_site *site) {
  return site->value == WI_PREFIXED(PREFIX_FE, WAIT32) ||
         site->value == WI_PREFIXED(PREFIX_FE, WAIT64);
}

bool wi_waits_note(wi_waits *waits, uint32_t function) {
  uint32_t count = waits->functions_count;
  if (count > 0 && waits->functions[count - 1] == function)
    return true;
  uint32_t *added = WI_ARRAY_PUSH(waits, functions);
  if (added)
    *added = function;
  return added != NULL;
}

void wi_waits_put(const wi_waits *waits, uint32_t import_count, wi_buffer *out) {
  char number[16];
  for (uint32_t i = 0; i < waits->functions_count; ++i) {
    snprintf(number, sizeof number, "%s%u", i > 0 ? " " : "", waits->functions[i] + import_count);
    wi_buffer_append(out, number, strlen(number));
  }
}

void wi_waits_clear(wi_waits *waits) {
  free(waits->functions);
  *waits = (wi_waits){0};
}
