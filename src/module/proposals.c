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

void wi_proposal_fail(wi_cursor *cursor, uint32_t offset, wi_proposal_place place, uint32_t byte,
                      const char *what) {
  if (cursor->failed)
    return;
  for (size_t i = 0; i < sizeof proposals / sizeof *proposals; ++i)
    if (proposals[i].place == place && byte >= proposals[i].first && byte <= proposals[i].last) {
      wi_cursor_fail(cursor, WI_ERROR_UNSUPPORTED, offset, "%s 0x%02x (%s) is not supported", what,
                     byte, proposals[i].name);
      return;
    }
  wi_cursor_fail(cursor, WI_ERROR_MALFORMED, offset, "malformed %s 0x%02x", what, byte);
}
