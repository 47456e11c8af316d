/*
 * Custom sections that depend on the offset map. They are written after all code, because they may
 * precede it in the module, and depend on one another.
 */
#include "rewrite/debug/sections.h"

#include <stdlib.h>

#include "debug/places.h"
#include "names/advice.h"
#include "rewrite/debug/debug.h"
#include "rewrite/debug/source_map.h"

#define MAP_SECTION "sourceMappingURL"

static bool goes_by_map(const wi_module *module, const wi_section *section) {
  return section->id == WI_SECTION_CUSTOM &&
         (wi_module_span_begins(module, section->name, ".debug_") ||
          wi_module_span_equals(module, section->name, MAP_SECTION));
}

bool wi_rewriter_needs_map(const wi_rewriter *r) {
  for (uint32_t i = 0; i < r->module->sections_count; i++)
    if (goes_by_map(r->module, &r->module->sections[i]))
      return true;
  return r->options->source_map != NULL;
}

bool wi_rewriter_defer(wi_rewriter *r, const wi_section *section) {
  wi_deferred *deferred = WI_ARRAY_PUSH(r, deferred);
  if (!deferred)
    return wi_error_memory(r->error);
  *deferred = (wi_deferred){section, r->out.size};
  return true;
}

/* ---- One section --------------------------------------------------------- */

/*
 * Returns the DWARF section to rewrite; WI_DWARF_SECTION_COUNT for other sections and for
 * duplicates.
 */
static wi_dwarf_section find_section(const wi_rewriter *r, const wi_debug *debug,
                                     const wi_section *section) {
  const uint8_t *bytes = r->module->bytes;
  wi_dwarf_section id = wi_dwarf_section_find(bytes + section->name.offset, section->name.size);
  bool first = id < WI_DWARF_SECTION_COUNT &&
               debug->in.section[id].data == bytes + wi_section_contents(section).offset;
  return first ? id : WI_DWARF_SECTION_COUNT;
}

/* Appends the whole section in its new form, or nothing. */
static void put_section(wi_rewriter *r, const wi_debug *debug, const wi_section *section,
                        wi_buffer *out) {
  wi_dwarf_section id = find_section(r, debug, section);
  if (wi_module_span_equals(r->module, section->name, MAP_SECTION))
    return; /* written at the end, because it depends on all other sections */
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

/* Inserts the deferred sections into the output, from last to first. */
static void put_sections(wi_rewriter *r, wi_debug *debug, size_t code) {
  wi_buffer all = {0};
  size_t *ends = calloc(r->deferred_count, sizeof *ends);
  for (uint32_t i = 0; ends && i < r->deferred_count; i++) {
    put_section(r, debug, r->deferred[i].section, &all);
    ends[i] = all.size;
    if (r->deferred[i].position < code)
      r->map.output_start = (uint32_t)(code + all.size);
  }
  size_t old_end = r->out.size, end = r->out.size + all.size;
  if (!ends || all.failed || !wi_buffer_reserve(&r->out, all.size)) {
    r->out.failed = true;
  } else {
    r->out.size = end;
    for (uint32_t i = r->deferred_count; i > 0; i--) {
      size_t position = r->deferred[i - 1].position, start = i > 1 ? ends[i - 2] : 0;
      size_t rest = old_end - position, size = ends[i - 1] - start;
      memmove(r->out.data + end - rest, r->out.data + position, rest);
      end -= rest + size;
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
  for (unsigned i = 0; i < WI_DWARF_SECTION_COUNT; i++) {
    const wi_debug_loss *loss = &debug->losses[i];
    if (loss->count > 0)
      wi_warn(r->options, "debug information: %u malformed part%s of .debug_%s dropped (%s)",
              loss->count, loss->count == 1 ? "" : "s", wi_dwarf_section_name((wi_dwarf_section)i),
              loss->reason);
  }
  if (debug->split_units > 0)
    wi_warn(r->options,
            "debug information: %u unit%s detached from the .dwo or .dwp file, which has the old "
            "addresses",
            debug->split_units, debug->split_units == 1 ? "" : "s");
}

/*
 * wasm-opt without -g drops names and leaves debug information as it was, with the addresses of the
 * code before. clang -O2 runs it when it links, if it is installed, even with -g.
 */
static void warn_of_stale(const wi_rewriter *r, const wi_debug *debug) {
  bool is_whole = r->module->bodies_count > 0 && debug->losses[WI_DWARF_INFO].count == 0;
  if (!is_whole || debug->in.section[WI_DWARF_INFO].size == 0)
    return;
  struct wi_places *places = wi_places_of_module(r->module, r->module);
  if (places && places->items_count == 0)
    wi_warn(r->options,
            "debug information fits no function, as after wasm-opt without -g. " WI_KEEP_NAMES);
  wi_places_free(places);
}

static bool put_debug_sections(wi_rewriter *r) {
  wi_debug debug = {.map = &r->map};
  wi_dwarf_sections_of(r->module, &debug.in);
  bool done = !r->map.failed && wi_debug_rewrite(&debug);
  if (done) {
    put_sections(r, &debug, r->map.output_start);
    warn_of_losses(r, &debug);
    warn_of_stale(r, &debug);
  }
  wi_debug_clear(&debug);
  return done || wi_error_memory(r->error);
}

/* ---- Source maps -------------------------------------------------------- */

static void warn_of_map(wi_rewriter *r, const wi_error *error) {
  wi_warn(r->options, "the source map is dropped (offset %llu: %s)",
          (unsigned long long)error->offset, error->message);
}

static void put_map_section(wi_rewriter *r, const uint8_t *url, size_t size) {
  wi_buffer_u8(&r->out, WI_SECTION_CUSTOM);
  size_t start = wi_buffer_sized_begin(&r->out, size + sizeof MAP_SECTION);
  wi_buffer_name(&r->out, MAP_SECTION);
  wi_buffer_u32(&r->out, (uint32_t)size);
  wi_buffer_append(&r->out, url, size);
  wi_buffer_sized_end(&r->out, start, size + sizeof MAP_SECTION);
}

/* Rewrites the separate source map. */
static void put_source_map(wi_rewriter *r) {
  wi_error error;
  wi_error_reset(&error);
  const wi_options *options = r->options;
  if (options->source_map_size > UINT32_MAX ||
      !wi_source_map_rewrite(options->source_map, (uint32_t)options->source_map_size, &r->map,
                             &r->source_map, &error)) {
    wi_buffer_clear(&r->source_map);
    warn_of_map(r, &error);
  } else if (options->source_map_url) {
    put_map_section(r, (const uint8_t *)options->source_map_url, strlen(options->source_map_url));
  }
}

/* Rewrites a source map inside of the module. A map with another URL is not available. */
static void put_data_url(wi_rewriter *r, const wi_section *section, wi_span url) {
  wi_buffer moved = {0};
  wi_error error;
  wi_error_reset(&error);
  if (!wi_module_span_begins(r->module, url, "data:"))
    wi_rewriter_note_dropped(r, section->name);
  else if (wi_source_map_rewrite_url(r->module->bytes + url.offset, url.size, &r->map, &moved,
                                     &error))
    put_map_section(r, moved.data, moved.size);
  else
    warn_of_map(r, &error);
  wi_buffer_clear(&moved);
}

static wi_span url_of(const wi_module *module, const wi_section *section) {
  wi_error malformed;
  wi_error_reset(&malformed);
  wi_cursor cursor = wi_cursor_at(module->bytes, wi_section_contents(section), &malformed);
  wi_span url = wi_cursor_name(&cursor);
  return cursor.failed ? (wi_span){0, 0} : url;
}

const char *wi_source_map_url(const uint8_t *input, size_t size, size_t *url_size) {
  return wi_module_url(input, size, MAP_SECTION, url_size);
}

static void put_source_maps(wi_rewriter *r) {
  if (r->options->source_map) {
    put_source_map(r);
    return;
  }
  for (uint32_t i = 0; i < r->deferred_count; i++) {
    const wi_section *section = r->deferred[i].section;
    if (wi_module_span_equals(r->module, section->name, MAP_SECTION))
      put_data_url(r, section, url_of(r->module, section));
  }
}

bool wi_rewriter_put_deferred(wi_rewriter *r) {
  if (!r->map.wanted)
    return true;
  if (r->deferred_count > 0 && !put_debug_sections(r))
    return false;
  put_source_maps(r);
  return true;
}
