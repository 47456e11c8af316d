#include "module/proposals.h"

static const struct {
  wi_proposal_place place;
  uint32_t first, last;
  const char *name;
} proposals[] = {
#define X(place, first, last, name) {WI_PROPOSAL_##place, first, last, name},
#include "module/proposals.def"
#undef X
};

const char *wi_proposal_name(wi_proposal_place place, uint32_t code) {
  for (size_t i = 0; i < sizeof proposals / sizeof *proposals; i++)
    if (proposals[i].place == place && code >= proposals[i].first && code <= proposals[i].last)
      return proposals[i].name;
  return NULL;
}

void wi_proposal_fail(wi_cursor *cursor, uint32_t offset, wi_proposal_place place, uint32_t code,
                      const char *what) {
  const char *name = wi_proposal_name(place, code);
  if (cursor->failed)
    return;
  if (name)
    wi_cursor_fail(cursor, WI_ERROR_UNSUPPORTED, offset, "%s 0x%02x (%s) is not supported", what,
                   code, name);
  else
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, offset, "malformed %s 0x%02x", what, code);
}
