#include "debug/file_table.h"

#include <stdlib.h>
#include <string.h>

void wi_dwarf_files_clear(wi_dwarf_files *files) {
  free(files->items);
  free(files->folders);
  *files = (wi_dwarf_files){0};
}

/* ---- Texts -------------------------------------------------------------- */

static wi_dwarf_text_start text_at(wi_dwarf_bytes section, uint64_t offset) {
  if (offset >= section.size)
    return (wi_dwarf_text_start){0};
  size_t left = section.size - (size_t)offset;
  size_t room = left < WI_DWARF_MAX_TEXT_SIZE ? left : WI_DWARF_MAX_TEXT_SIZE;
  return (wi_dwarf_text_start){section.data + offset, (uint32_t)room};
}

static wi_dwarf_text whole_text(wi_dwarf_text_start start) {
  const uint8_t *end = start.room > 0 ? memchr(start.data, 0, start.room) : NULL;
  return end ? (wi_dwarf_text){start.data, (uint32_t)(end - start.data)} : (wi_dwarf_text){0};
}

static wi_dwarf_text_start indexed_text(uint64_t index, const wi_dwarf_unit *unit,
                                        const wi_dwarf_sections *sections, uint64_t indexes) {
  wi_dwarf_bytes offsets = sections->section[WI_DWARF_STR_OFFSETS];
  uint64_t room = indexes < offsets.size ? (offsets.size - indexes) / unit->offset_size : 0;
  if (index >= room)
    return (wi_dwarf_text_start){0};
  uint64_t offset =
      wi_dwarf_get(offsets.data + indexes + index * unit->offset_size, unit->offset_size);
  return text_at(sections->section[WI_DWARF_STR], offset);
}

static wi_dwarf_text_start read_text(wi_cursor *cursor, uint16_t form, const wi_dwarf_unit *unit,
                                     const wi_dwarf_sections *sections, uint64_t indexes) {
  if (form == DW_FORM_string) {
    uint32_t start = cursor->offset;
    wi_dwarf_skip_text(cursor);
    if (cursor->failed)
      return (wi_dwarf_text_start){0};
    return (wi_dwarf_text_start){cursor->bytes + start, cursor->offset - start};
  }
  uint64_t value = wi_dwarf_form_read(cursor, form, unit);
  if (cursor->failed)
    return (wi_dwarf_text_start){0};
  switch (form) {
  case DW_FORM_strp: return text_at(sections->section[WI_DWARF_STR], value);
  case DW_FORM_line_strp: return text_at(sections->section[WI_DWARF_LINE_STR], value);
  case DW_FORM_strx:
  case DW_FORM_strx1:
  case DW_FORM_strx2:
  case DW_FORM_strx3:
  case DW_FORM_strx4: return indexed_text(value, unit, sections, indexes);
  default: return (wi_dwarf_text_start){0};
  }
}

wi_dwarf_text wi_dwarf_text_read(wi_cursor *cursor, uint16_t form, const wi_dwarf_unit *unit,
                                 const wi_dwarf_sections *sections, uint64_t indexes) {
  return whole_text(read_text(cursor, form, unit, sections, indexes));
}

/* ---- Tables ------------------------------------------------------------- */

static bool add_folder(wi_dwarf_files *files, wi_dwarf_text_start name) {
  wi_dwarf_text_start *folder = WI_ARRAY_PUSH(files, folders);
  if (folder)
    *folder = name;
  return folder != NULL;
}

static bool add_file(wi_dwarf_files *files, wi_dwarf_text_start name, uint64_t folder) {
  wi_dwarf_file *file = WI_ARRAY_PUSH(files, items);
  if (file)
    *file = (wi_dwarf_file){name, folder};
  return file != NULL;
}

/* Reads the next name of a list that ends with an empty name. */
static bool next_name(wi_dwarf_files *files, wi_cursor *in, wi_dwarf_text_start *name) {
  const wi_dwarf_unit none = {0};
  const wi_dwarf_sections no_sections = {0};
  *name = read_text(in, DW_FORM_string, &none, &no_sections, 0);
  files->read_count += 1 + name->room;
  return !in->failed && name->room > 1;
}

/* Up to version 4: directories, then files. */
static bool read_lists(wi_dwarf_files *files, wi_cursor *in) {
  wi_dwarf_text_start name;
  while (next_name(files, in, &name))
    if (!add_folder(files, name))
      return false;
  while (next_name(files, in, &name)) {
    uint64_t folder = wi_dwarf_uleb(in);
    wi_dwarf_skip_leb(in);
    wi_dwarf_skip_leb(in);
    if (!add_file(files, name, folder))
      return false;
  }
  return !in->failed;
}

/* Version 5: reads one of the two tables, which is a list of formats followed by the entries. */
static bool read_entries(wi_dwarf_files *files, wi_cursor *in, const wi_dwarf_unit *unit,
                         const wi_dwarf_sections *sections, bool folders) {
  struct {
    uint64_t content;
    uint16_t form;
  } formats[255];
  uint8_t format_count = wi_cursor_u8(in);
  for (unsigned i = 0; i < format_count; i++) {
    formats[i].content = wi_dwarf_uleb(in);
    uint64_t form = wi_dwarf_uleb(in);
    formats[i].form = form < UINT16_MAX ? (uint16_t)form : UINT16_MAX;
  }
  uint64_t count = wi_dwarf_uleb(in);
  if (in->failed || count > wi_cursor_left(in) || (format_count == 0 && count > 0))
    return false;
  for (; count > 0 && !in->failed; count--) {
    wi_dwarf_text_start name = {0};
    uint64_t folder = 0;
    files->read_count += UINT64_C(1) + format_count;
    for (unsigned i = 0; i < format_count; i++) {
      if (formats[i].content == DW_LNCT_path)
        name = read_text(in, formats[i].form, unit, sections, 0);
      else if (formats[i].content == DW_LNCT_directory_index)
        folder = wi_dwarf_form_read(in, formats[i].form, unit);
      else
        wi_dwarf_form_skip(in, formats[i].form, unit);
    }
    if (folders ? !add_folder(files, name) : !add_file(files, name, folder))
      return false;
  }
  return !in->failed;
}

static bool read_table(wi_dwarf_files *files, wi_cursor *in, const wi_dwarf_sections *sections) {
  wi_dwarf_unit unit = {.address_size = 4};
  wi_dwarf_length(in, &unit.offset_size);
  files->version = unit.version = (uint16_t)wi_dwarf_fixed(in, 2);
  if (in->failed || files->version < 2 || files->version > 5)
    return false;
  if (files->version >= 5)
    wi_cursor_skip(in, 2);
  wi_cursor_skip(in, unit.offset_size + (files->version >= 4 ? 5u : 4u));
  uint8_t opcode_base = wi_cursor_u8(in);
  wi_cursor_skip(in, opcode_base ? opcode_base - 1u : 0);
  if (files->version < 5)
    return read_lists(files, in);
  return read_entries(files, in, &unit, sections, true) &&
         read_entries(files, in, &unit, sections, false);
}

bool wi_dwarf_files_load(wi_dwarf_files *files, const wi_dwarf_sections *sections,
                         uint64_t offset) {
  wi_error error;
  wi_error_reset(&error);
  files->items_count = files->folders_count = 0;
  files->read_count = 0;
  wi_cursor in = wi_dwarf_cursor(sections->section[WI_DWARF_LINE], offset, &error);
  bool done = !in.failed && read_table(files, &in, sections);
  if (!done)
    files->items_count = files->folders_count = 0;
  return done;
}

/* ---- Paths -------------------------------------------------------------- */

/* A path may also start with a drive letter, or be a URL in builds that hide their directories. */
static bool is_absolute(wi_dwarf_text path) {
  const uint8_t *colon = path.size > 0 ? memchr(path.data, ':', path.size) : NULL;
  size_t size = colon ? (size_t)(colon - path.data) : 0, rest = path.size - size;
  return path.size > 0 && (path.data[0] == '/' || size == 1 ||
                           (size > 1 && rest > 2 && memcmp(colon, "://", 3) == 0));
}

/* Appends a directory and a slash. */
static void put_part(char **path, wi_dwarf_text folder) {
  if (folder.size == 0)
    return;
  memcpy(*path, folder.data, folder.size);
  *path += folder.size;
  *(*path)++ = '/';
}

bool wi_dwarf_files_path(const wi_dwarf_files *files, uint64_t index, wi_dwarf_text folder,
                         char *path, size_t size) {
  unsigned first = files->version < 5; /* up to version 4, index 0 means none */
  if (index < first || index - first >= files->items_count)
    return false;
  wi_dwarf_file file = files->items[index - first];
  wi_dwarf_text name = whole_text(file.name), own = {0};
  if (file.folder >= first && file.folder - first < files->folders_count)
    own = whole_text(files->folders[file.folder - first]);
  if (is_absolute(name))
    own.size = folder.size = 0;
  if (is_absolute(own))
    folder.size = 0;
  if (name.size == 0 || (size_t)folder.size + own.size + name.size + 3 > size)
    return false;
  put_part(&path, folder);
  put_part(&path, own);
  if (own.size > 0 && name.size == 1 && name.data[0] == '.') { /* Kotlin: the folder is the file */
    path[-1] = '\0';
    return true;
  }
  memcpy(path, name.data, name.size);
  path[name.size] = '\0';
  return true;
}
