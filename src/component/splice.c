#include "component/splice.h"

#include <stdlib.h>

typedef struct splicing {
  const wi_component *component;
  const wi_splice *modules;
  bool *changed; /* per part: it is or contains another module */
  wi_buffer *out;
} splicing;

static void copy(const splicing *work, uint32_t from, uint32_t to) {
  wi_buffer_append(work->out, work->component->bytes + from, to - from);
}

/*
 * Writes the part at *next including nested ones, and moves *next past them. Unchanged parts are
 * copied, so an overlong size field stays.
 */
static void put_part(const splicing *work, uint32_t *next) {
  const wi_component *component = work->component;
  const wi_component_part *parts = component->parts;
  uint32_t part = (*next)++;
  uint32_t from = parts[part].bytes.offset, end = from + parts[part].bytes.size;
  if (!work->changed[part]) {
    copy(work, parts[part].section_offset, end);
    while (*next < component->parts_count && parts[*next].section_offset < end)
      ++*next;
    return;
  }
  wi_buffer_u8(work->out, component->bytes[parts[part].section_offset]);
  size_t start = wi_buffer_sized_begin(work->out, parts[part].bytes.size);
  wi_buffer_append(work->out, work->modules[part].bytes, work->modules[part].size);
  while (*next < component->parts_count && parts[*next].parent == part) {
    copy(work, from, parts[*next].section_offset);
    from = parts[*next].bytes.offset + parts[*next].bytes.size;
    put_part(work, next);
  }
  if (!parts[part].is_module)
    copy(work, from, end);
  wi_buffer_sized_end(work->out, start, parts[part].bytes.size);
}

static void put_component(const splicing *work) {
  uint32_t from = 0, next = 0;
  while (next < work->component->parts_count) {
    const wi_component_part *part = &work->component->parts[next];
    copy(work, from, part->section_offset);
    from = part->bytes.offset + part->bytes.size;
    put_part(work, &next);
  }
  copy(work, from, work->component->size);
}

void wi_component_splice(const wi_component *component, const wi_splice *modules, wi_buffer *out) {
  bool *changed = calloc(component->parts_count + (size_t)1, sizeof *changed);
  if (!changed) {
    out->failed = true;
    return;
  }
  for (uint32_t i = 0; i < component->parts_count; i++)
    for (uint32_t part = modules[i].bytes ? i : WI_NO_PART; part != WI_NO_PART;
         part = component->parts[part].parent)
      changed[part] = true;
  put_component(&(splicing){component, modules, changed, out});
  free(changed);
}
