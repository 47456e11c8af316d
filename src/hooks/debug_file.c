/* Finds and rewrites the file with a module's debug information. */
#include "hooks/debug_file.h"

#include <string.h>

#include "hooks/instrument.h"
#include "module/module.h"
#include "support/buffer.h"

#define LINK_SECTION "external_debug_info"

/* The parts of a file that go into the joined module, and out of it again. */
typedef struct parts_of_file {
  bool has_code;
  bool has_names;
  wi_span code;
  wi_span build_id;
} parts_of_file;

static bool look_at(const uint8_t *bytes, size_t size, parts_of_file *file, wi_error *error) {
  wi_cursor cursor = wi_sections_begin(bytes, size, error);
  *file = (parts_of_file){0};
  for (wi_section section; wi_sections_next(&cursor, &section);) {
    file->has_names |= wi_section_is(bytes, &section, "name");
    if (wi_section_is(bytes, &section, "build_id"))
      file->build_id = wi_section_contents(&section);
    if (section.id != WI_SECTION_CODE)
      continue;
    file->has_code = true;
    file->code = section.payload;
  }
  return !cursor.failed;
}

/* ---- Matching ---------------------------------------------------------------- */

static bool same(const uint8_t *a, wi_span x, const uint8_t *b, wi_span y) {
  return x.size == y.size && memcmp(a + x.offset, b + y.offset, x.size) == 0;
}

/* A debug file may contain no code; then the build_ids decide, if both files have one. */
static bool fits(const uint8_t *input, const parts_of_file *module, const uint8_t *side,
                 const parts_of_file *debug) {
  if (debug->has_code && module->has_code)
    return same(input, module->code, side, debug->code);
  return module->build_id.size == 0 || debug->build_id.size == 0 ||
         same(input, module->build_id, side, debug->build_id);
}

/* ---- Joining and splitting ---------------------------------------------------- */

/* Whether the section, of the module or of its output, belongs only in the debug file. */
static bool is_apart(const uint8_t *bytes, const wi_section *section, bool has_names) {
  return wi_section_begins(bytes, section, ".debug_") ||
         wi_section_is(bytes, section, LINK_SECTION) ||
         (!has_names && wi_section_is(bytes, section, "name"));
}

/* Copies a file's sections: those that belong only in the debug file (`apart`), or the others. */
static bool copy_parts(wi_buffer *out, const uint8_t *bytes, size_t size, bool apart,
                       bool has_names, wi_error *error) {
  wi_cursor cursor = wi_sections_begin(bytes, size, error);
  uint32_t start = cursor.offset; /* of the next section, including its id */
  for (wi_section section; wi_sections_next(&cursor, &section); start = cursor.offset)
    if (is_apart(bytes, &section, has_names) == apart &&
        (!apart || !wi_section_is(bytes, &section, LINK_SECTION)))
      wi_buffer_append(out, bytes + start, cursor.offset - start);
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

/* Builds a module with the debug file's information in place of the link to it. */
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

/* Splits the instrumented module into a module and a debug file again. */
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
  return wi_module_url(input, size, LINK_SECTION, url_size);
}

bool wi_debug_file_instrument(const uint8_t *input, size_t size, const wi_options *options,
                              wi_output *output, wi_error *error) {
  wi_buffer joined = {0};
  parts_of_file module;
  wi_options own = *options;
  own.pass = NULL; /* it would describe the joined module, not the input */
  *output = (wi_output){0};
  bool done = join(&joined, input, size, options, &module, error);
  if (done && joined.failed)
    done = wi_error_memory(error);
  done = done && wi_module_instrument(joined.data, joined.size, &own, NULL, output, error) &&
         part_again(output, options, module.has_names, error);
  wi_buffer_clear(&joined);
  return done;
}

bool wi_debug_file_list_functions(const uint8_t *input, size_t size, const wi_options *options,
                                  void (*visit)(void *user, const wi_function_info *info),
                                  void *user, wi_error *error) {
  wi_buffer joined = {0};
  parts_of_file module;
  bool done = join(&joined, input, size, options, &module, error);
  if (done && joined.failed)
    done = wi_error_memory(error);
  done = done && wi_module_list_functions(joined.data, joined.size, options, visit, user, error);
  wi_buffer_clear(&joined);
  return done;
}
