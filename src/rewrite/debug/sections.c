/*
 * The custom sections that go by the offset map. They are written when all code is, since they may
 * stand before it, and depend on one another.
 */
#include <stdlib.h>

#include "rewrite/debug/debug.h"
#include "rewrite/rewriter.h"

static bool is_debug(const wi_module *module, const wi_section *section) {
  return section->id == WI_SECTION_CUSTOM &&
         wi_module_span_begins(module, section->name, ".debug_");
}

bool wi_rewriter_needs_map(const wi_module *module) {
  for (uint32_t i = 0; i < module->sections_count; ++i)
    if (is_debug(module, &module->sections[i]))
      return true;
  return false;
}

bool wi_rewriter_defer(wi_rewriter *r, const wi_section *section) {
  wi_deferred *deferred = WI_ARRAY_PUSH(r, deferred);
  if (!deferred)
    return wi_error_memory(r->error);
  *deferred = (wi_deferred){section, r->out.size};
  return true;
}

/* ---- What a section becomes --------------------------------------------- */

/* The section of DWARF that is rewritten; none for others, and for a second one of a name. */
static wi_dwarf_section find_section(const wi_rewriter *r, const wi_debug *debug,
                                     const wi_section *section) {
  const uint8_t *bytes = r->module->bytes;
  wi_dwarf_section id = wi_dwarf_section_find(bytes + section->name.offset, section->name.size);
  bool first = id < WI_DWARF_SECTION_COUNT &&
               debug->in.section[id].data == bytes + wi_section_contents(section).offset;
  return first ? id : WI_DWARF_SECTION_COUNT;
}

/* Appends the whole section as it is now, or nothing. */
static void put_section(wi_rewriter *r, const wi_debug *debug, const wi_section *section,
                        wi_buffer *out) {
  wi_dwarf_section id = find_section(r, debug, section);
  if (id == WI_DWARF_SECTION_COUNT || debug->fate[id] == WI_DEBUG_DROPPED) {
    wi_rewriter_note_dropped(r, section->name);
    return;
  }
  wi_span contents = wi_section_contents(section);
  bool copied = debug->fate[id] == WI_DEBUG_COPIED;
  size_t size = copied ? contents.size : debug->out[id].size;
  wi_buffer_u8(out, WI_SECTION_CUSTOM);
  uint32_t head = contents.offset - section->payload.offset; /* the section's name */
  wi_buffer_u32(out, (uint32_t)(head + size));
  wi_buffer_append(out, r->module->bytes + section->payload.offset, head);
  wi_buffer_append(out, copied ? r->module->bytes + contents.offset : debug->out[id].data, size);
}

/* Puts sections in between what is written already, the last first. */
static void put_sections(wi_rewriter *r, wi_debug *debug) {
  wi_buffer all = {0};
  size_t *ends = calloc(r->deferred_count, sizeof *ends);
  for (uint32_t i = 0; ends && i < r->deferred_count; ++i) {
    put_section(r, debug, r->deferred[i].section, &all);
    ends[i] = all.size;
  }
  size_t old_end = r->out.size, end = r->out.size + all.size;
  if (!ends || all.failed || !wi_buffer_reserve(&r->out, all.size)) {
    r->out.failed = true;
  } else {
    r->out.size = end;
    for (uint32_t i = r->deferred_count; i > 0; --i) {
      size_t position = r->deferred[i - 1].position, start = i > 1 ? ends[i - 2] : 0;
      size_t behind = old_end - position, size = ends[i - 1] - start;
      memmove(r->out.data + end - behind, r->out.data + position, behind);
      end -= behind + size;
      if (size > 0)
        memcpy(r->out.data + end, all.data + start, size);
      old_end = position;
    }
  }
  free(ends);
  wi_buffer_clear(&all);
}

/* ---- All of it ---------------------------------------------------------- */

static void warn_of_losses(const wi_rewriter *r, const wi_debug *debug) {
  for (unsigned i = 0; i < WI_DWARF_SECTION_COUNT; ++i) {
    const wi_debug_loss *loss = &debug->losses[i];
    if (loss->count > 0)
      wi_warn(r->options, "debug information: %u malformed part%s of .debug_%s dropped (%s)",
              loss->count, loss->count == 1 ? "" : "s", wi_dwarf_section_name((wi_dwarf_section)i),
              loss->reason);
  }
  if (debug->split_units > 0)
    wi_warn(r->options,
            "debug information: %u unit%s cut off from the .dwo or .dwp file, whose addresses are "
            "the old ones",
            debug->split_units, debug->split_units == 1 ? "" : "s");
}

bool wi_rewriter_put_deferred(wi_rewriter *r) {
  if (r->deferred_count == 0)
    return true;
  wi_debug debug = {.map = &r->map};
  wi_dwarf_sections_of(r->module, &debug.in);
  bool done = !r->map.failed && wi_debug_rewrite(&debug);
  if (done) {
    put_sections(r, &debug);
    warn_of_losses(r, &debug);
  }
  wi_debug_clear(&debug);
  return done || wi_error_memory(r->error);
}
