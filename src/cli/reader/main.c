/*
 * What an HTML page runs to read the files that are dropped on it: wasm-perf's own code, built for
 * WebAssembly (cmake/package.cmake). The page passes the files by their names.
 *
 *     reader kind FILE                   says what it is: page, profile, symbols or map; of a page
 *                                        also its packed profile, in a second line
 *     reader profile PROFILE [FILE]...   writes the parts of the page of a profile, ours or another
 *                                        tool's, with names and lines from the other files
 *                                        (page_parts.h)
 *     reader names FUNCTIONS FILE...     names functions without a name by modules and symbol files:
 *                                        writes a JSON object of what the page knows of their names
 *                                        (html/names.h). FUNCTIONS has a line for each:
 *                                        KIND\tLINE\tFILE\tNAME, KIND being a wi_color_kind
 *     reader pairs BEFORE AFTER          pairs the functions of two profiles, in such lines: writes a
 *                                        JSON object (html/pairs.h)
 *     reader findings FUNCTIONS VIEW UNIT
 *                                        writes a JSON object with the findings of what the page
 *                                        shows (html/page_view.h)
 *     reader summary FUNCTIONS VIEW UNIT TEXTS
 *                                        writes what it shows as wasm-perf explain does, as
 *                                        Markdown. TEXTS has the title in its first line, then
 *                                        statements, of which cautions begin with '!'
 *     reader changes FUNCTIONS VIEW UNIT TITLE
 *                                        writes a JSON object with the findings of two profiles
 *                                        that it compares (diff_page.h)
 *
 * On failure, prints the reason on stderr and returns 1.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/input/texts.h"
#include "cli/perf/show/view.h"
#include "cli/reader/file_kind.h"
#include "names/label.h"
#include "names/mangled.h"
#include "report/diff/diff_page.h"
#include "report/formats/html/findings.h"
#include "report/formats/html/names.h"
#include "report/formats/html/page_parts.h"
#include "report/formats/html/page_view.h"
#include "report/formats/html/pairs.h"
#include "report/model/shown_findings.h"
#include "report/text/explain.h"
#include "support/array.h"
#include "support/json_writer.h"
#include "symbols/symbol_file.h"

enum { FIRST_OPERAND = 2 };

/* ---- Files ------------------------------------------------------------------ */

static bool read_kind(char **operands) {
  static const char *const names[] = {[WI_FILE_PROFILE] = "profile",
                                      [WI_FILE_PAGE] = "page",
                                      [WI_FILE_SYMBOLS] = "symbols",
                                      [WI_FILE_MAP] = "map"};
  uint8_t *bytes;
  size_t size;
  wi_span data = {0};
  if (!cli_file_read(operands[0], &bytes, &size, NULL))
    return false;
  puts(names[wi_file_kind_of(bytes, size, &data)]);
  fwrite(bytes + data.offset, 1, data.size, stdout);
  free(bytes);
  return true;
}

/* ---- Profiles -------------------------------------------------------------- */

static const char mangled_notice[] =
    "Names of C++ and Rust stay mangled here. These commands demangle them: wasm-perf open "
    "FILE.wperf, with --symbols FILE for names from another file.";

/* The reader has no demangler. */
static void warn_of_mangled_names(const wi_html_data *data) {
  for (uint32_t i = 0; i < data->name_count; i++)
    if (wi_name_is_mangled(data->names[i])) {
      cli_message("%s", mangled_notice);
      return;
    }
}

static bool write_reports(const wi_report *reports, uint32_t count) {
  wi_html_data data;
  if (!wi_html_data_init(&data, reports, count))
    return false;
  warn_of_mangled_names(&data);
  data.is_difference = count > 1;
  wi_html_summary_write(&data, stdout);
  bool done = wi_html_values_write(&data, stdout);
  wi_html_data_clear(&data);
  return done;
}

/* Writes a profile; of a difference also what it subtracts, `before`, otherwise NULL. */
static bool write_profiles(const wasm_perf_profile *before, const wasm_perf_profile *profile,
                           const wasm_perf_report_options *options) {
  const wasm_perf_profile *profiles[] = {before, profile};
  const char *titles[] = {"subtracted", "added"};
  uint32_t count = before ? 2 : 1;
  wi_report reports[2];
  bool made = before ? wi_reports_init(reports, profiles, titles, count, options)
                     : wi_report_init(reports, profile, options, WI_STACKS_WHOLE);
  bool done = made && write_reports(reports, count);
  if (made)
    wi_reports_clear(reports, count);
  if (!done)
    cli_error(NULL, "out of memory");
  return done;
}

static bool read_profile(char **operands) {
  cli_view view = {0};
  wasm_perf_report_options options = {.title = operands[0]};
  wasm_perf_profile *before, *profile = cli_profile_read_pair(operands[0], &before, NULL);
  for (char **file = operands + 1; *file; file++)
    cli_list_add(&view.symbols, cli_text("%s", *file));
  bool done = (!before || cli_profile_prepare(before, operands[0], &view, &options.value)) &&
              profile && cli_profile_prepare(profile, operands[0], &view, &options.value);
  if (done) {
    cli_texts_add(profile, operands[0], &view.symbols);
    done = write_profiles(before, profile, &options);
  }
  wasm_perf_profile_free(profile);
  wasm_perf_profile_free(before);
  cli_view_clear(&view);
  return done;
}

/* ---- Names ----------------------------------------------------------------- */

/* The functions of a page, in the lines that the page passed. */
typedef struct functions {
  WI_ARRAY(wi_part_function, list);
  cli_list texts; /* their names */
} functions;

static const char *keep_label(functions *of, const char *name) {
  char label[WI_LABEL_MAX_SIZE + 1];
  wi_label_clean(label, name, 0);
  char *text = cli_text("%s", label);
  cli_list_add(&of->texts, text);
  return text;
}

/* Ends the text at *at behind its next tab or line, and moves *at there. */
static char *next_field(char **at, char separator) {
  char *field = *at, *end = strchr(field, separator);
  *at = end ? end + 1 : field + strlen(field);
  if (end)
    *end = 0;
  return field;
}

static bool read_functions(functions *of, char *text) {
  while (*text != 0) {
    char *line = next_field(&text, '\n');
    wi_part_function *function = WI_ARRAY_PUSH(of, list);
    if (!function)
      return false;
    unsigned long kind = strtoul(next_field(&line, '\t'), NULL, 10);
    function->kind = kind < WI_COLOR_KIND_COUNT ? (wi_color_kind)kind : WI_COLOR_PROGRAM;
    function->line = (uint32_t)strtoul(next_field(&line, '\t'), NULL, 10);
    const char *file = next_field(&line, '\t');
    function->file = *file != 0 ? file : NULL;
    function->name = keep_label(of, line);
  }
  return true;
}

/* Names functions without a name by the file. Returns whether it has names. */
static bool name_functions(functions *of, const wi_symbol_file *file) {
  uint32_t count = file->is_module ? wi_names_count(file->names) : file->map.count;
  bool has_names = !file->is_module && count > 0;
  for (uint32_t i = 0; file->is_module && !has_names && i < count; i++)
    has_names = !wi_label_is_number(wi_symbol_file_name(file, i), NULL);
  for (uint32_t i = 0; i < of->list_count; i++) {
    wi_part_function *function = &of->list[i];
    char text[WI_READABLE_MAX_SIZE];
    uint32_t index;
    const char *name =
        wi_label_is_number(function->name, &index) ? wi_symbol_file_name(file, index) : NULL;
    if (!name || wi_label_is_number(name, NULL))
      continue;
    function->name = keep_label(of, wi_demangle(name, text, sizeof text) ? text : name);
    function->kind = wi_color_kind_of(function->name, function->file, WASM_PERF_KIND_WASM);
  }
  return has_names;
}

static bool add_names(functions *of, const char *path) {
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
  bool has_names = name_functions(of, &file);
  wi_symbol_file_clear(&file);
  return has_names || cli_fail(NULL, path, "it has no names");
}

static bool write_names(const functions *of) {
  wi_json json;
  wi_json_init(&json, stdout);
  wi_json_open(&json, NULL, '{');
  bool done = wi_html_names_write(&json, of->list, of->list_count);
  wi_json_close(&json, '}');
  return wi_json_finish(&json) && done;
}

/* Reads the lines of FUNCTIONS. *text is owned by the caller, and used by the functions. */
static bool read_function_file(functions *of, const char *path, char **text) {
  uint8_t *bytes;
  size_t size;
  if (!cli_file_read(path, &bytes, &size, NULL))
    return false;
  *text = cli_text("%.*s", (int)size, (const char *)bytes);
  free(bytes);
  return read_functions(of, *text) || cli_fail_memory(NULL);
}

static void clear_functions(functions *of, char *text) {
  free(of->list);
  cli_list_clear(&of->texts);
  free(text);
}

static bool read_names(char **operands) {
  char *text = NULL;
  functions of = {0};
  bool done = read_function_file(&of, operands[0], &text);
  for (char **file = operands + 1; done && *file; file++)
    done = add_names(&of, *file);
  done = done && (write_names(&of) || cli_fail_memory(NULL));
  clear_functions(&of, text);
  return done;
}

static bool read_pairs(char **operands) {
  char *texts[2] = {NULL, NULL};
  functions of = {0};
  uint32_t counts[2] = {0};
  bool done = operands[1] != NULL;
  for (int i = 0; done && i < 2; i++) {
    done = read_function_file(&of, operands[i], &texts[i]);
    counts[i] = of.list_count - counts[0];
  }
  if (done) {
    wi_json json;
    wi_json_init(&json, stdout);
    wi_json_open(&json, NULL, '{');
    done = wi_html_pairs_write(&json, of.list, counts);
    wi_json_close(&json, '}');
    done = (wi_json_finish(&json) && done) || cli_fail_memory(NULL);
  }
  clear_functions(&of, texts[0]);
  free(texts[1]);
  return done;
}

/* ---- Findings --------------------------------------------------------------- */

static wi_unit unit_of(const char *name) {
  unsigned unit = 0;
  while (unit + 1 < WI_UNIT_COUNT && strcmp(wi_unit_name((wi_unit)unit), name) != 0)
    unit++;
  return (wi_unit)unit;
}

/* A view of the page: see page_view.h. */
typedef struct page {
  functions of;
  char *text; /* of the functions; owned */
  wi_shown view;
} page;

/* Reads FUNCTIONS VIEW UNIT. Clear it in any case. */
static bool read_view(page *page, char **operands) {
  uint8_t *bytes = NULL;
  size_t size;
  *page = (struct page){.text = NULL};
  bool done =
      operands[1] && operands[2] && read_function_file(&page->of, operands[0], &page->text) &&
      cli_file_read(operands[1], &bytes, &size, NULL) &&
      wi_html_view_init(&page->view, page->of.list, page->of.list_count,
                        (const double *)(void *)bytes, size / sizeof(double), unit_of(operands[2]));
  free(bytes);
  return done;
}

static void clear_view(page *page) {
  wi_shown_clear(&page->view);
  clear_functions(&page->of, page->text);
}

static bool read_findings(char **operands) {
  page page;
  wi_findings findings;
  wi_json json;
  bool done = read_view(&page, operands) && wi_shown_find(&findings, &page.view);
  if (done) {
    wi_json_init(&json, stdout);
    wi_json_open(&json, NULL, '{');
    wi_html_finding_list_write(&json, &findings);
    wi_json_close(&json, '}');
    done = wi_json_finish(&json);
  }
  clear_view(&page);
  return done;
}

static void add_texts(wi_summary *summary, char *at) {
  while (*at != 0) {
    const char *line = next_field(&at, '\n');
    if (*line == '!')
      wi_summary_warn(summary, "%s", line + 1);
    else
      wi_summary_add(summary, "%s", line);
  }
}

static bool read_summary(char **operands) {
  enum { TEXTS = 3 };
  page page;
  wi_summary *summary = calloc(1, sizeof *summary);
  uint8_t *bytes = NULL;
  size_t size;
  bool done = read_view(&page, operands) && summary && operands[TEXTS] &&
              cli_file_read(operands[TEXTS], &bytes, &size, NULL);
  if (done) {
    char *texts = cli_text("%.*s", (int)size, (const char *)bytes), *at = texts;
    const char *title = next_field(&at, '\n');
    add_texts(summary, at);
    done = wi_explain_part(&page.view, title, summary, stdout);
    free(texts);
  }
  free(bytes);
  free(summary);
  clear_view(&page);
  return done;
}

static bool read_changes(char **operands) {
  enum { TITLE = 3 };
  char *text = NULL;
  functions of = {0};
  uint8_t *bytes = NULL;
  size_t size;
  wi_json json;
  bool done = operands[1] && operands[2] && operands[TITLE] &&
              read_function_file(&of, operands[0], &text) &&
              cli_file_read(operands[1], &bytes, &size, NULL);
  if (done) {
    const wi_diff_page page = {operands[TITLE], of.list, of.list_count, unit_of(operands[2])};
    wi_json_init(&json, stdout);
    done = wi_diff_page_write(&json, &page, (const double *)(void *)bytes, size / sizeof(double)) &&
           wi_json_finish(&json);
  }
  free(bytes);
  clear_functions(&of, text);
  return done;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    bool (*run)(char **operands);
  } commands[] = {{"kind", read_kind},      {"profile", read_profile},   {"names", read_names},
                  {"pairs", read_pairs},    {"findings", read_findings}, {"summary", read_summary},
                  {"changes", read_changes}};
  for (size_t i = 0; argc > FIRST_OPERAND && i < sizeof commands / sizeof *commands; i++)
    if (strcmp(argv[1], commands[i].name) == 0)
      return commands[i].run(argv + FIRST_OPERAND) ? 0 : CLI_EXIT_FAILURE;
  return CLI_EXIT_USAGE;
}
