/* Rewrites all debug sections of a module in dependency order. */
#include "rewrite/debug/debug.h"

#include <stdlib.h>

#include "rewrite/debug/entries.h"
#include "rewrite/debug/line.h"
#include "rewrite/debug/lists.h"
#include "rewrite/debug/pairs.h"
#include "rewrite/debug/tables.h"

void wi_debug_clear(wi_debug *d) {
  for (unsigned i = 0; i < WI_DWARF_SECTION_COUNT; i++) {
    wi_buffer_clear(&d->out[i]);
    free(d->references[i].items);
    free(d->bases[i].items);
  }
  free(d->lines.items);
  free(d->units);
  free(d->slots);
  *d = (wi_debug){0};
}

bool wi_debug_rewrite(wi_debug *d) {
  wi_debug_lines(d);
  wi_debug_entries(d, false);
  wi_debug_entries(d, true);
  wi_debug_pairs(d, WI_DWARF_RANGES);
  wi_debug_pairs(d, WI_DWARF_LOC);
  wi_debug_lists(d, WI_DWARF_RNGLISTS);
  wi_debug_lists(d, WI_DWARF_LOCLISTS);
  wi_debug_addr(d);
  wi_debug_aranges(d);
  wi_debug_macro(d);
  for (unsigned i = 0; i < WI_DWARF_SECTION_COUNT; i++)
    d->failed |= d->out[i].failed;
  return !d->failed;
}
