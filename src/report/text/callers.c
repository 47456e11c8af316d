/* Finds a function by name, and writes its callers or callees as text. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "names/shorten.h"
#include "profile/modules.h"
#include "report/model/outline.h"
#include "report/model/report.h"
#include "report/text/outline_text.h"
#include "report/text/text_table.h"
#include "support/glob.h"

/* ---- The function --------------------------------------------------------- */

static bool is_equal(const char *pattern, const char *name) {
  return strcmp(pattern, name) == 0;
}

/* Ignores the mark that distinguishes functions with the same name. */
static bool is_equal_unmarked(const char *pattern, const char *label) {
  size_t size = strlen(pattern);
  return size == wi_label_name_size(label) && memcmp(pattern, label, size) == 0;
}

/* Ignores the module that distinguishes functions of several modules, and a mark after it. */
static bool is_equal_in_any_module(const char *pattern, const char *label) {
  size_t size = strlen(pattern), end = wi_label_name_size(label);
  size_t in_size = strlen(WI_IN_MODULE);
  return end > size + in_size && memcmp(pattern, label, size) == 0 && label[end - 1] == ')' &&
         memcmp(label + size, WI_IN_MODULE, in_size) == 0;
}

/*
 * Ignores the source position, which distinguishes functions with the same name and Python
 * functions.
 */
static bool is_equal_unplaced(const char *pattern, const char *label) {
  size_t size = strlen(pattern), whole = strlen(label);
  if (whole < size + strlen(" (:0)") || memcmp(pattern, label, size) != 0 ||
      memcmp(label + size, " (", 2) != 0 || label[whole - 1] != ')')
    return false;
  const char *colon = strrchr(label + size, ':');
  return colon && strspn(colon + 1, "0123456789") == (size_t)(label + whole - 1 - (colon + 1)) &&
         !strstr(label + size + 2, " (");
}

static bool is_part(const char *pattern, const char *name) {
  return strstr(name, pattern) != NULL;
}

/* The matching texts, NULL-terminated, in one block. */
static char **copy_matches(const wi_labels *labels, const bool *matches, uint32_t count) {
  size_t size = (count + (size_t)1) * sizeof(char *);
  for (uint32_t i = 0; i < labels->count; i++)
    size += matches[i] ? strlen(labels->texts[i]) + 1 : 0;
  char **names = malloc(size);
  if (!names)
    return NULL;
  char *out = (char *)(names + count + 1);
  uint32_t used = 0;
  for (uint32_t i = 0; i < labels->count; i++) {
    if (!matches[i])
      continue;
    names[used++] = strcpy(out, labels->texts[i]);
    out += strlen(out) + 1;
  }
  names[used] = NULL;
  return names;
}

static char **find(const wi_labels *labels, const char *pattern, uint32_t *count) {
  static bool (*const ways[])(const char *, const char *) = {
      is_equal,          is_equal_unmarked, is_equal_in_any_module,
      is_equal_unplaced, wi_glob_matches,   is_part};
  bool *matches = calloc(labels->count + (size_t)1, sizeof *matches);
  if (!matches)
    return NULL;
  *count = 0;
  for (size_t way = 0; way < sizeof ways / sizeof *ways && *count == 0; way++)
    for (uint32_t i = 0; i < labels->count; i++)
      *count += matches[i] = ways[way](pattern, labels->texts[i]);
  char **names = copy_matches(labels, matches, *count);
  free(matches);
  return names;
}

char **wasm_perf_find_functions(const wasm_perf_profile *profile, const char *pattern,
                                uint32_t *count) {
  wi_labels labels;
  if (!wi_labels_init(&labels, profile, 0, NULL))
    return NULL;
  char **names = find(&labels, pattern, count);
  wi_labels_clear(&labels);
  return names;
}

/* ---- The views ------------------------------------------------------------ */

/* Writes the function's own values, the same as in `top`. */
static void write_caption(const char *view, const wi_outline_node *root, const wi_report *report,
                          FILE *stream) {
  wi_unit unit = report->unit;
  wi_short_text calls = wi_format_calls(root->call_count, !root->is_uncounted);
  wi_short_text share = wi_format_percentage(root->total, report->tree->nodes[0].total, 2);
  char text[320], name[WI_SHORTENED_SIZE];
  uint32_t width = report->options.width, used = (uint32_t)strlen(view) + (uint32_t)strlen(" of ");
  wi_shorten(name, wi_tree_text(report->tree, root->label),
             width == 0                         ? UINT32_MAX
             : width > used + WI_NAME_MIN_WIDTH ? width - used
                                                : WI_NAME_MIN_WIDTH);
  fprintf(stream, "\n%s of %s\n", view, name);
  if (unit == WI_UNIT_CALLS)
    snprintf(text, sizeof text, "%s; with those below it %s, %s %% of all", calls.text,
             wi_format_quantity(root->total, "call").text, share.text);
  else
    snprintf(text, sizeof text, "%s, self %s, total %s, %s %% of all", calls.text,
             wi_format_value(unit, root->self).text, wi_format_value(unit, root->total).text,
             share.text);
  wi_write_wrapped(text, &report->options, stream);
}

static uint32_t find_label(const wi_labels *labels, const char *name) {
  for (uint32_t i = 0; i < labels->count; i++)
    if (strcmp(labels->texts[i], name) == 0)
      return i;
  return WI_OUTLINE_NO_LABEL;
}

static bool write_view(wi_outline_kind kind, const char *view, const wi_report *report,
                       FILE *stream) {
  const char *function = report->options.function;
  uint32_t label = function ? find_label(&report->tree->labels, function) : WI_OUTLINE_NO_LABEL;
  if (label == WI_OUTLINE_NO_LABEL) {
    errno = EINVAL;
    return false;
  }
  wi_outline *outline = wi_outline_new(report, kind, label);
  if (!outline)
    return false;
  wi_write_totals(report, stream);
  write_caption(view, &outline->nodes[0], report, stream);
  bool ok = (kind != WI_OUTLINE_CALLERS || wi_outline_write_callers(outline, report, stream)) &&
            wi_outline_write(outline, true, report, stream);
  wi_write_notes(report, stream);
  wi_outline_free(outline);
  return ok;
}

static bool write_callers(const wi_report *report, FILE *stream) {
  return write_view(WI_OUTLINE_CALLERS, "Callers", report, stream);
}

static bool write_callees(const wi_report *report, FILE *stream) {
  return write_view(WI_OUTLINE_CALLEES, "Callees", report, stream);
}

static bool report_callers(const wasm_perf_profile *profile,
                           const wasm_perf_report_options *options, FILE *stream) {
  return wi_report_write(profile, options, WI_STACKS_WHOLE, write_callers, stream);
}

static bool report_callees(const wasm_perf_profile *profile,
                           const wasm_perf_report_options *options, FILE *stream) {
  return wi_report_write(profile, options, WI_STACKS_WHOLE, write_callees, stream);
}

const wasm_perf_report_format wasm_perf_callers = {"callers", NULL, "who calls a function",
                                                   report_callers, WASM_PERF_FORMAT_NEEDS_FUNCTION};
const wasm_perf_report_format wasm_perf_callees = {"callees", NULL, "what a function calls",
                                                   report_callees, WASM_PERF_FORMAT_NEEDS_FUNCTION};
