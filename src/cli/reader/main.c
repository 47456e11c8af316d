/*
 * What an HTML page runs to read the files that are dropped on it: wasm-perf's own code, built for
 * WebAssembly (cmake/package.cmake). The page passes the files by their names.
 *
 *     reader profile PROFILE [FILE]...   writes the parts of the page of a profile, ours or another
 *                                        tool's, with names and lines from the other files
 *                                        (page_parts.h)
 *     reader names FILE                  writes the names in a module or symbol file as JSON: an object
 *                                        of function indices
 *
 * On failure, prints the reason on stderr and returns 1.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/input/texts.h"
#include "cli/perf/show/view.h"
#include "names/label.h"
#include "report/formats/html/page_parts.h"
#include "support/json_writer.h"
#include "symbols/symbol_file.h"

enum { FIRST_OPERAND = 2 };

/* ---- Profiles -------------------------------------------------------------- */

static bool write_reports(const wi_report *reports, uint32_t count) {
  wi_html_data data;
  if (!wi_html_data_init(&data, reports, count))
    return false;
  data.is_difference = count > 1;
  wi_html_summary_write(&data, stdout);
  bool done = wi_html_values_write(&data, stdout);
  wi_html_data_clear(&data);
  return done;
}

/* Writes a profile; of a difference also what it subtracts, `before`, otherwise NULL. */
static bool write_profiles(const wasm_perf_profile *before, const wasm_perf_profile *profile,
                           const char *title) {
  const wasm_perf_profile *profiles[] = {before, profile};
  const char *titles[] = {"subtracted", "added"};
  const wasm_perf_report_options options = {.title = title};
  uint32_t count = before ? 2 : 1;
  wi_report reports[2];
  bool made = before ? wi_reports_init(reports, profiles, titles, count, NULL)
                     : wi_report_init(reports, profile, &options, WI_STACKS_WHOLE);
  bool done = made && write_reports(reports, count);
  if (made)
    wi_reports_clear(reports, count);
  if (!done)
    cli_error(NULL, "out of memory");
  return done;
}

static bool read_profile(char **operands) {
  cli_view view = {0};
  wasm_perf_profile *before, *profile = cli_profile_read_pair(operands[0], &before, NULL);
  for (char **file = operands + 1; *file; file++)
    cli_list_add(&view.symbols, cli_text("%s", *file));
  bool done = profile && cli_profile_prepare(profile, operands[0], &view) &&
              (!before || cli_profile_prepare(before, operands[0], &view));
  if (done) {
    cli_texts_add(profile, operands[0], &view.symbols);
    done = write_profiles(before, profile, operands[0]);
  }
  wasm_perf_profile_free(profile);
  wasm_perf_profile_free(before);
  cli_view_clear(&view);
  return done;
}

/* ---- Names ----------------------------------------------------------------- */

static void write_name(wi_json *json, uint32_t function, const char *name) {
  char key[16], text[WI_READABLE_MAX_SIZE];
  uint32_t number;
  if (!name || wi_label_is_number(name, &number))
    return;
  snprintf(key, sizeof key, "%" PRIu32, function);
  wi_json_string(json, key, wi_demangle(name, text, sizeof text) ? text : name);
}

static void write_names(const wi_symbol_file *file) {
  wi_json json;
  wi_json_init(&json, stdout);
  wi_json_open(&json, NULL, '{');
  for (uint32_t i = 0; i < file->map.count; i++)
    write_name(&json, file->map.symbols[i].function, file->map.symbols[i].name);
  for (uint32_t i = 0; file->is_module && i < wi_names_count(file->names); i++)
    write_name(&json, i, wi_names_get(file->names, i));
  wi_json_close(&json, '}');
  wi_json_finish(&json);
}

static bool read_names(const char *path) {
  uint8_t *bytes;
  size_t size;
  wi_error error;
  wi_symbol_file file;
  const wasm_perf_profile none = {0};
  wi_error_reset(&error);
  if (!cli_file_read(path, &bytes, &size, NULL))
    return false;
  if (!wi_symbol_file_read(&file, bytes, size, path, &none, wi_file_read_regular, &error))
    return cli_module_error(path, &error) == CLI_PROCEED;
  write_names(&file);
  wi_symbol_file_clear(&file);
  return true;
}

int main(int argc, char **argv) {
  if (argc <= FIRST_OPERAND)
    return CLI_EXIT_USAGE;
  bool is_names = strcmp(argv[1], "names") == 0;
  char **operands = argv + FIRST_OPERAND;
  return (is_names ? read_names(operands[0]) : read_profile(operands)) ? 0 : CLI_EXIT_FAILURE;
}
