#include "cli/perf/input/thread_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/file_input.h"
#include "cli/common/message.h"
#include "cli/perf/common.h"
#include "samples/v8_thread.h"
#include "support/error.h"
#include "support/json_cursor.h"

/* What the thread's file says. Texts are owned. */
typedef struct description {
  wi_v8_thread_facts facts;
  char *name, *home, *samples;
  uint64_t size;
  WI_ARRAY(wi_v8_module, modules);
  cli_list files, module_files;
} description;

static void description_clear(description *of) {
  free(of->name);
  free(of->home);
  free(of->samples);
  free(of->modules);
  cli_list_clear(&of->files);
  cli_list_clear(&of->module_files);
}

/* ---- The description ------------------------------------------------------------- */

static char *read_text(wi_cursor *in) {
  wi_buffer text = {0};
  wi_json_unescape(in, wi_json_read_text(in), &text);
  wi_buffer_u8(&text, 0);
  if (text.failed)
    wi_cursor_fail_memory(in);
  return text.failed ? NULL : (char *)text.data;
}

static void replace_text(wi_cursor *in, char **text) {
  free(*text);
  *text = read_text(in);
}

static wi_v8_scope read_scope(wi_cursor *in) {
  static const char *const names[] = {"program", "hosted", "callers", "modules"};
  wi_span text = wi_json_read_text(in);
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (wi_json_is_text(in, text, names[i]))
      return (wi_v8_scope)i;
  return WI_V8_PROGRAM;
}

static bool read_flag(wi_cursor *in) {
  bool is_set = wi_json_skip_blanks(in) == 't';
  wi_json_skip_value(in);
  return is_set;
}

static void read_module(wi_cursor *in, description *of) {
  bool first = true;
  wi_span key;
  wi_v8_module *module = WI_ARRAY_PUSH(of, modules);
  char *file = NULL, *module_file = NULL;
  if (!module) {
    wi_cursor_fail_memory(in);
    return;
  }
  *module = (wi_v8_module){0};
  wi_json_expect(in, '{');
  while (!in->failed && wi_json_next_member(in, &first, &key)) {
    if (wi_json_is_text(in, key, "file"))
      replace_text(in, &file);
    else if (wi_json_is_text(in, key, "module"))
      replace_text(in, &module_file);
    else if (wi_json_is_text(in, key, "moved"))
      module->moved = (uint32_t)wi_json_read_number(in);
    else if (wi_json_is_text(in, key, "runtime"))
      module->is_runtime = read_flag(in);
    else
      wi_json_skip_value(in);
  }
  cli_list_add(&of->files, file ? file : cli_text("%s", ""));
  cli_list_add(&of->module_files, module_file ? module_file : cli_text("%s", ""));
}

static void read_modules(wi_cursor *in, description *of) {
  wi_json_expect(in, '[');
  if (wi_json_take(in, ']'))
    return;
  do
    read_module(in, of);
  while (!in->failed && wi_json_take(in, ','));
  wi_json_expect(in, ']');
}

static void read_member(wi_cursor *in, wi_span key, description *of) {
  if (wi_json_is_text(in, key, "name"))
    replace_text(in, &of->name);
  else if (wi_json_is_text(in, key, "home"))
    replace_text(in, &of->home);
  else if (wi_json_is_text(in, key, "samples"))
    replace_text(in, &of->samples);
  else if (wi_json_is_text(in, key, "process"))
    of->facts.process = (uint32_t)wi_json_read_number(in);
  else if (wi_json_is_text(in, key, "number"))
    of->facts.number = (uint32_t)wi_json_read_number(in);
  else if (wi_json_is_text(in, key, "size"))
    of->size = (uint64_t)wi_json_read_number(in);
  else if (wi_json_is_text(in, key, "scope"))
    of->facts.scope = read_scope(in);
  else if (wi_json_is_text(in, key, "modules"))
    read_modules(in, of);
  else
    wi_json_skip_value(in);
}

static bool read_description(const char *path, description *of, cli_failure *failure) {
  uint8_t *bytes;
  size_t size;
  bool first = true;
  wi_span key;
  wi_error error;
  wi_error_reset(&error);
  if (!cli_file_read(path, &bytes, &size, failure))
    return false;
  wi_cursor in = wi_cursor_at(bytes, (wi_span){0, (uint32_t)size}, &error);
  wi_json_expect(&in, '{');
  while (!in.failed && wi_json_next_member(&in, &first, &key))
    read_member(&in, key, of);
  free(bytes);
  if (in.failed || !of->name || !of->home || !of->samples)
    return cli_fail(failure, path, "%s", in.failed ? error.message : "a text is missing");
  of->facts.name = of->name;
  of->facts.home = of->home;
  return true;
}

/* ---- Modules --------------------------------------------------------------------- */

/* The path of a file beside the one at `path`. The caller frees it. */
static char *beside(const char *path, const char *name) {
  return cli_text("%.*s%s", (int)(wi_path_name(path) - path), path, name);
}

/* An unreadable module has no functions. */
static void find_modules(const char *path, description *of, cli_ran_modules *modules) {
  for (uint32_t i = 0; i < of->modules_count; i++) {
    wi_v8_module *module = &of->modules[i];
    char *module_path = beside(path, of->module_files.items[i]);
    const cli_ran_module *ran = cli_ran_modules_get(modules, module_path);
    module->file = of->files.items[i];
    if (ran) {
      module->bodies = ran->module.bodies;
      module->body_count = ran->module.bodies_count;
      module->import_count = ran->module.imports_count;
      module->function_count =
          ran->module.imports_count +
          (ran->has_marker ? ran->marker.function_count : ran->module.bodies_count);
    }
    free(module_path);
  }
}

/* Names the functions of modules that occur. */
static bool name_functions(const char *path, const description *of, cli_ran_modules *modules,
                           wasm_perf_profile *profile) {
  bool done = true;
  for (uint32_t i = 0; done && i < of->modules_count; i++) {
    char *module_path = beside(path, of->module_files.items[i]);
    const cli_ran_module *ran = cli_ran_modules_get(modules, module_path);
    done = !ran || cli_ran_module_name(ran, profile, profile->modules[i].function,
                                       profile->modules[i].count);
    free(module_path);
  }
  return done;
}

/* ---- Samples --------------------------------------------------------------------- */

/* Reads an array with pairs of numbers. */
static bool read_times(wi_cursor *in, wi_v8_piece *piece) {
  wi_json_expect(in, '[');
  for (bool first = true; !in->failed && !wi_json_take(in, ']'); first = false) {
    wi_v8_time *added = WI_ARRAY_PUSH(piece, compiling);
    if (!added)
      return false;
    if (!first)
      wi_json_expect(in, ',');
    added->begin = wi_json_read_number(in);
    wi_json_expect(in, ',');
    added->end = wi_json_read_number(in);
  }
  return true;
}

/* Reads the line before a profile of V8. */
static bool read_line(const char *line, size_t line_size, wi_v8_piece *piece, uint64_t *size) {
  bool first = true, done = true;
  wi_span key;
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor in = wi_cursor_at((const uint8_t *)line, (wi_span){0, (uint32_t)line_size}, &ignored);
  wi_json_expect(&in, '{');
  while (done && !in.failed && wi_json_next_member(&in, &first, &key)) {
    if (wi_json_is_text(&in, key, "size"))
      *size = (uint64_t)wi_json_read_number(&in);
    else if (wi_json_is_text(&in, key, "next"))
      piece->is_next = read_flag(&in);
    else if (wi_json_is_text(&in, key, "idle"))
      piece->is_idle = read_flag(&in);
    else if (wi_json_is_text(&in, key, "raw"))
      piece->is_raw = read_flag(&in);
    else if (wi_json_is_text(&in, key, "cpu"))
      piece->cpu = wi_json_read_number(&in);
    else if (wi_json_is_text(&in, key, "compiling"))
      done = read_times(&in, piece);
    else
      wi_json_skip_value(&in);
  }
  return done && !in.failed && *size <= UINT32_MAX;
}

/* Adds the profile behind the line at `from`. Returns where it ends; 0 if it is not there. */
static size_t add_piece(const wi_file_input *in, size_t from, size_t end, const char *path,
                        wi_v8_thread *thread) {
  wi_v8_piece piece = {0};
  uint64_t size = 0;
  wi_error error;
  wi_error_reset(&error);
  const uint8_t *line = in->bytes + from, *newline = memchr(line, '\n', end - from);
  bool done = newline && read_line((const char *)line, (size_t)(newline - line), &piece, &size);
  size_t start = done ? (size_t)(newline - in->bytes) + 1 : end;
  done = done && end - start > size;
  if (done && !wi_v8_thread_add(thread, in->bytes + start, (uint32_t)size, &piece, &error))
    cli_message("wasm-perf: %s: times are lost: %s", path, error.message);
  free(piece.compiling);
  return done ? start + (size_t)size + 1 : 0;
}

/* Adds the profiles in the first `size` bytes of the file. */
static bool add_pieces(const char *path, uint64_t size, wi_v8_thread *thread) {
  wi_file_input in;
  if (size == 0)
    return true;
  if (!wi_file_input_open(&in, path))
    return false;
  size_t at = 0, end = (size_t)size;
  bool done = size <= in.size;
  while (done && at < end) {
    at = add_piece(&in, at, end, path, thread);
    done = at > 0;
    wi_file_input_pass(&in, at);
  }
  wi_file_input_close(&in);
  return done;
}

static wasm_perf_profile *read_samples(const char *path, const description *of,
                                       cli_ran_modules *modules, cli_failure *failure) {
  char *samples_path = beside(path, of->samples);
  wi_v8_thread *thread = wi_v8_thread_new(&of->facts, of->modules, of->modules_count);
  bool done = thread && add_pieces(samples_path, of->size, thread);
  wasm_perf_profile *profile = done ? wi_v8_thread_profile(thread) : NULL;
  if (profile && !name_functions(path, of, modules, profile)) {
    wasm_perf_profile_free(profile);
    profile = NULL;
  }
  if (!profile)
    cli_fail(failure, samples_path, "%s", thread && !done ? "it is truncated" : "out of memory");
  wi_v8_thread_free(thread);
  free(samples_path);
  return profile;
}

wasm_perf_profile *cli_thread_file_read(const char *path, cli_ran_modules *modules,
                                        cli_failure *failure) {
  description of = {0};
  wasm_perf_profile *profile = NULL;
  if (read_description(path, &of, failure)) {
    find_modules(path, &of, modules);
    profile = read_samples(path, &of, modules, failure);
  }
  description_clear(&of);
  return profile;
}
