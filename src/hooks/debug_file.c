/* Finds and rewrites the file with a module's debug information. */
#include "hooks/debug_file.h"

#include <string.h>

#include "hooks/instrument.h"
#include "module/module.h"
#include "support/buffer.h"

#define LINK_SECTION "external_debug_info"

/* A section as it stands, read without what is in it. */
typedef struct part {
  wi_span whole; /* from its id on */
  wi_span name;  /* of a custom section */
  wi_span contents;
  uint8_t id;
} part;

/* What goes from which file into the joined module, and out of it again. */
typedef struct parts_of_file {
  bool has_code;
  bool has_names;
  wi_span code;
  wi_span build_id;
} parts_of_file;

/* ---- Sections --------------------------------------------------------------- */

static wi_cursor sections_of(const uint8_t *bytes, size_t size, wi_error *error) {
  wi_cursor cursor = wi_cursor_at(bytes, (wi_span){0, (uint32_t)size}, error);
  bool is_module = size >= WI_MODULE_HEADER_SIZE && size <= UINT32_MAX &&
                   memcmp(bytes, "\0asm\1\0\0\0", WI_MODULE_HEADER_SIZE) == 0;
  if (is_module)
    wi_cursor_skip(&cursor, WI_MODULE_HEADER_SIZE);
  else
    wi_cursor_fail(&cursor, WI_ERROR_MALFORMED, 0, "no WebAssembly module");
  return cursor;
}

static bool next_part(wi_cursor *cursor, part *next) {
  if (cursor->failed || cursor->offset >= cursor->end)
    return false;
  uint32_t start = cursor->offset;
  *next = (part){.id = wi_cursor_u8(cursor)};
  next->contents = wi_cursor_sized(cursor);
  next->whole = (wi_span){start, cursor->offset - start};
  if (next->id == WI_SECTION_CUSTOM && !cursor->failed) {
    wi_cursor inside = wi_cursor_at(cursor->bytes, next->contents, cursor->error);
    next->name = wi_cursor_sized(&inside);
    next->contents = (wi_span){inside.offset, inside.end - inside.offset};
    cursor->failed |= inside.failed;
  }
  return !cursor->failed;
}

static bool is_called(const uint8_t *bytes, const part *section, const char *name) {
  return section->id == WI_SECTION_CUSTOM && section->name.size == strlen(name) &&
         memcmp(bytes + section->name.offset, name, section->name.size) == 0;
}

static bool is_debug(const uint8_t *bytes, const part *section) {
  static const char start[] = ".debug_";
  return section->id == WI_SECTION_CUSTOM && section->name.size >= sizeof start - 1 &&
         memcmp(bytes + section->name.offset, start, sizeof start - 1) == 0;
}

static bool look_at(const uint8_t *bytes, size_t size, parts_of_file *file, wi_error *error) {
  wi_cursor cursor = sections_of(bytes, size, error);
  *file = (parts_of_file){0};
  for (part section; next_part(&cursor, &section);) {
    file->has_names |= is_called(bytes, &section, "name");
    if (is_called(bytes, &section, "build_id"))
      file->build_id = section.contents;
    if (section.id != WI_SECTION_CODE)
      continue;
    file->has_code = true;
    file->code = section.contents;
  }
  return !cursor.failed;
}

/* ---- Whether they fit -------------------------------------------------------- */

static bool same(const uint8_t *a, wi_span x, const uint8_t *b, wi_span y) {
  return x.size == y.size && memcmp(a + x.offset, b + y.offset, x.size) == 0;
}

/* A debug file may have been left without code; then a build_id tells, if both have one. */
static bool fits(const uint8_t *input, const parts_of_file *module, const uint8_t *side,
                 const parts_of_file *debug) {
  if (debug->has_code && module->has_code)
    return same(input, module->code, side, debug->code);
  return module->build_id.size == 0 || debug->build_id.size == 0 ||
         same(input, module->build_id, side, debug->build_id);
}

/* ---- Joining and parting ------------------------------------------------------ */

/* Whether the section of the module, or of what it became, belongs to the debug file alone. */
static bool is_apart(const uint8_t *bytes, const part *section, bool has_names) {
  return is_debug(bytes, section) || is_called(bytes, section, LINK_SECTION) ||
         (!has_names && is_called(bytes, section, "name"));
}

/* Copies the sections of a file, those that are apart or the others. */
static bool copy_parts(wi_buffer *out, const uint8_t *bytes, size_t size, bool apart,
                       bool has_names, wi_error *error) {
  wi_cursor cursor = sections_of(bytes, size, error);
  for (part section; next_part(&cursor, &section);)
    if (is_apart(bytes, &section, has_names) == apart &&
        (!apart || !is_called(bytes, &section, LINK_SECTION)))
      wi_buffer_append(out, bytes + section.whole.offset, section.whole.size);
  return !cursor.failed;
}

static void put_link(wi_buffer *out, const char *url) {
  size_t size = strlen(url);
  wi_buffer_u8(out, WI_SECTION_CUSTOM);
  size_t start = wi_buffer_sized_begin(out, size + sizeof LINK_SECTION);
  wi_buffer_name(out, LINK_SECTION);
  wi_buffer_u32(out, (uint32_t)size);
  wi_buffer_append(out, (const uint8_t *)url, size);
  wi_buffer_sized_end(out, start, size + sizeof LINK_SECTION);
}

/* The module with the debug file's information in place of the link to it. */
static bool join(wi_buffer *joined, const uint8_t *input, size_t size, const wi_options *options,
                 parts_of_file *module, wi_error *error) {
  parts_of_file debug;
  const uint8_t *side = options->debug_file;
  if (!look_at(input, size, module, error) ||
      !look_at(side, options->debug_file_size, &debug, error))
    return false;
  if (!fits(input, module, side, &debug)) {
    return wi_error_set(error, WI_ERROR_MALFORMED, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "the debug file belongs to another module");
  }
  wi_buffer_append(joined, input, WI_MODULE_HEADER_SIZE);
  return copy_parts(joined, input, size, false, true, error) &&
         copy_parts(joined, side, options->debug_file_size, true, module->has_names, error);
}

/* Makes two of what was instrumented as one. */
static bool part_again(wi_output *output, const wi_options *options, bool has_names,
                       wi_error *error) {
  wi_buffer out = {0};
  wi_buffer_append(&out, output->bytes, WI_MODULE_HEADER_SIZE);
  bool done = copy_parts(&out, output->bytes, output->size, false, has_names, error);
  if (options->debug_file_url)
    put_link(&out, options->debug_file_url);
  if (out.failed || !done) {
    wi_buffer_clear(&out);
    wi_output_clear(output);
    return done && wi_error_memory(error);
  }
  output->debug_file = output->bytes;
  output->debug_file_size = output->size;
  output->bytes = out.data;
  output->size = out.size;
  return true;
}

const char *wi_debug_file_url(const uint8_t *input, size_t size, size_t *url_size) {
  wi_error error;
  wi_error_reset(&error);
  wi_cursor cursor = sections_of(input, size, &error);
  for (part section; next_part(&cursor, &section);) {
    if (!is_called(input, &section, LINK_SECTION))
      continue;
    wi_cursor inside = wi_cursor_at(input, section.contents, &error);
    wi_span url = wi_cursor_sized(&inside);
    *url_size = url.size;
    return inside.failed ? NULL : (const char *)input + url.offset;
  }
  return NULL;
}

bool wi_debug_file_instrument(const uint8_t *input, size_t size, const wi_options *options,
                              wi_output *output, wi_error *error) {
  wi_buffer joined = {0};
  parts_of_file module;
  wi_options own = *options;
  own.pass = NULL; /* it tells of what is joined, not of the input */
  *output = (wi_output){0};
  bool done = join(&joined, input, size, options, &module, error);
  if (done && joined.failed)
    done = wi_error_memory(error);
  done = done && wi_module_instrument(joined.data, joined.size, &own, output, error) &&
         part_again(output, options, module.has_names, error);
  wi_buffer_clear(&joined);
  return done;
}
