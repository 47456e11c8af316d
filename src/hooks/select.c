/* Applies the patterns of a selection to the functions of a module. */
#include "hooks/select.h"

#include "code/scan_body.h"
#include "hooks/function_files.h"
#include "hooks/selection.h"
#include "hooks/suggest.h"
#include "names/label.h"
#include "names/part.h"
#include "names/return_type.h"
#include "rewrite/warn.h"
#include "support/glob.h"
#include "support/nearest.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SUGGESTIONS 8 /* each looks at all names */

/* ---- What patterns are compared with ----------------------------------------------------- */

typedef struct selecting selecting;

/* Called with each text of the current function. False stops, after an error. */
typedef bool text_visitor(selecting *s, wi_pattern_subject subject, const char *text);

/* State of a pass over the functions, with the patterns that have matched. */
struct selecting {
  const wi_module *module;
  const wi_options *options;
  const wi_selection *selection;
  wi_names *names;
  wi_export *exports; /* by function index */
  wi_function_files files;
  text_visitor *visit;
  uint32_t next_export;
  wi_buffer text; /* the current name, NUL-terminated */
  wi_error *error;
  bool *matched; /* per pattern: it matched some function */
  uint32_t last; /* last pattern that matches the current function, or WI_NO_PATTERN */
  wi_regex_matcher *matcher;
  wi_suggestion suggestion;
};

/* Visits all forms of a name. */
static bool visit_forms(selecting *s, const char *raw) {
  char readable[WI_READABLE_MAX_SIZE];
  if (!s->visit(s, WI_SUBJECT_NAME, raw))
    return false;
  if (!wi_demangle(raw, readable, sizeof readable)) {
    const char *own = wi_skip_return_type(raw); /* linkers demangle as well */
    return own == raw || s->visit(s, WI_SUBJECT_NAME, own);
  }
  return s->visit(s, WI_SUBJECT_NAME, readable) &&
         (!wi_demangle_bare(raw, readable, sizeof readable) ||
          s->visit(s, WI_SUBJECT_NAME, readable));
}

/* Visits the crate, namespace, package or prefix that reports group the name by. */
static bool visit_part(selecting *s, const char *raw) {
  char readable[WI_READABLE_MAX_SIZE], text[256];
  if (!s->selection->has_subject[WI_SUBJECT_PART])
    return true;
  size_t size;
  const char *part =
      wi_name_part(wi_demangle(raw, readable, sizeof readable) ? readable : raw, &size);
  snprintf(text, sizeof text, "%.*s", size < sizeof text ? (int)size : 0, part);
  return !*text || s->visit(s, WI_SUBJECT_PART, text);
}

/* A matched name is also visited without its mark. */
static bool visit_name(selecting *s, wi_span name) {
  s->text.size = 0;
  wi_buffer_append(&s->text, s->module->bytes + name.offset, name.size);
  wi_buffer_u8(&s->text, '\0');
  if (s->text.failed)
    return wi_error_memory(s->error);
  const char *raw = (const char *)s->text.data;
  bool is_matched = raw[0] == WI_MATCHED_MARK;
  return visit_forms(s, raw) && (!is_matched || visit_forms(s, raw + 1)) &&
         visit_part(s, raw + is_matched);
}

/* Visits the export names of `function` and moves past them. */
static bool visit_exports(selecting *s, uint32_t function) {
  uint32_t *next = &s->next_export, count = s->module->exports_count;
  while (*next < count && s->exports[*next].function < function)
    ++*next;
  for (; *next < count && s->exports[*next].function == function; ++*next)
    if (!visit_name(s, s->exports[*next].name))
      return false;
  return true;
}

static bool visit_file(selecting *s, uint32_t function) {
  const char *path = s->selection->has_subject[WI_SUBJECT_FILE]
                         ? wi_function_files_find(&s->files, function)
                         : NULL;
  return !path || s->visit(s, WI_SUBJECT_FILE, path);
}

static bool visit_function(selecting *s, uint32_t function) {
  wi_span name;
  bool done = (!wi_names_raw(s->names, function, &name) || visit_name(s, name)) &&
              visit_exports(s, function) && visit_file(s, function);
  if (!done)
    s->error->function = function;
  return done;
}

static int compare_exports(const void *left, const void *right) {
  const wi_export *a = left, *b = right;
  return (a->function > b->function) - (a->function < b->function);
}

/* Returns the exports sorted by function index; NULL if out of memory. */
static wi_export *sorted_exports(const wi_module *module) {
  wi_export *exports = calloc((size_t)module->exports_count + 1, sizeof *exports);
  if (!exports || module->exports_count == 0)
    return exports;
  memcpy(exports, module->exports, module->exports_count * sizeof *exports);
  qsort(exports, module->exports_count, sizeof *exports, compare_exports);
  return exports;
}

/* ---- Matching ---------------------------------------------------------------------------- */

static void note_match(selecting *s, uint32_t position) {
  s->matched[position] = true;
  if (s->last == WI_NO_PATTERN || position > s->last)
    s->last = position;
}

/* Returns false with the error filled in if matching fails. */
static bool match_regex(selecting *s, const wi_pattern *p, const char *name) {
  char why[WI_REGEX_MESSAGE_SIZE];
  wi_regex_result result = wi_regex_find(p->regex, name, s->matcher, why);
  if (result == WI_REGEX_MATCH)
    note_match(s, p->position);
  return result != WI_REGEX_FAILED || wi_pattern_refuse(s->error, p->text, why);
}

static void match_exact(selecting *s, const char *name) {
  const wi_selection *selection = s->selection;
  wi_pattern *exact;
  HASH_FIND_STR(selection->exact, name, exact);
  for (; exact;
       exact = exact->next_same == WI_NO_PATTERN ? NULL : selection->patterns[exact->next_same])
    note_match(s, exact->position);
}

/* Whether the glob matches the path, or what follows a slash in it. */
static bool matches_path(const char *glob, const char *path) {
  bool matches = wi_glob_matches(glob, path);
  for (const char *at = strchr(path, '/'); at && !matches; at = strchr(at + 1, '/'))
    matches = wi_glob_matches(glob, at + 1);
  return matches;
}

static bool match_text(selecting *s, wi_pattern_subject subject, const char *text) {
  const wi_selection *selection = s->selection;
  if (subject == WI_SUBJECT_NAME)
    match_exact(s, text);
  for (uint32_t i = 0; i < selection->patterns_count; i++) {
    const wi_pattern *p = selection->patterns[i];
    if (p->subject != subject)
      continue;
    if (p->kind == WI_PATTERN_GLOB &&
        (subject == WI_SUBJECT_FILE ? matches_path(p->glob, text) : wi_glob_matches(p->glob, text)))
      note_match(s, i);
    if (p->kind == WI_PATTERN_REGEX && !match_regex(s, p, text))
      return false;
  }
  return true;
}

static void match_index(selecting *s, uint32_t function) {
  for (uint32_t i = 0; i < s->selection->patterns_count; i++) {
    const wi_pattern *p = s->selection->patterns[i];
    if (p->kind == WI_PATTERN_INDICES && function >= p->first && function <= p->last)
      note_match(s, i);
  }
}

/* Whether functions without a matching pattern are chosen: if all patterns exclude. */
static bool is_chosen_otherwise(const wi_selection *selection) {
  for (uint32_t i = 0; i < selection->patterns_count; i++)
    if (!selection->patterns[i]->exclude)
      return false;
  return selection->patterns_count > 0 || !selection->is_list;
}

static bool choose(selecting *s, bool *chosen) {
  bool otherwise = is_chosen_otherwise(s->selection);
  s->visit = match_text;
  s->next_export = 0;
  for (uint32_t i = 0; i < s->module->bodies_count; i++) {
    s->last = WI_NO_PATTERN;
    match_index(s, s->module->imports_count + i);
    if (!visit_function(s, s->module->imports_count + i))
      return false;
    chosen[i] = s->last == WI_NO_PATTERN ? otherwise : !s->selection->patterns[s->last]->exclude;
  }
  return true;
}

/* ---- What matches nothing ---------------------------------------------------------------- */

static bool offer_text(selecting *s, wi_pattern_subject subject, const char *text) {
  wi_suggestion_offer(&s->suggestion, subject, text);
  return true;
}

/* Finds what a pattern without a match may have been meant to be. False after an error. */
static bool find_suggestion(selecting *s) {
  bool done = true;
  s->visit = offer_text;
  s->next_export = 0;
  for (uint32_t i = 0; s->suggestion.pattern && done && i < s->module->bodies_count; i++)
    done = visit_function(s, s->module->imports_count + i);
  return done;
}

/* The end of a message about a pattern without a match. */
static const char *hint_of(const selecting *s, const wi_pattern *pattern, char text[256]) {
  *text = 0;
  if (pattern->subject == WI_SUBJECT_FILE && !wi_function_files_any(&s->files))
    snprintf(text, 256, ": the module has neither debug information nor a source map");
  else if (s->suggestion.distance != WI_FAR)
    snprintf(text, 256, "; did you mean '%s'?", s->suggestion.text);
  return text;
}

/* Warns of a pattern without a match; with options->strict, fails. */
static bool report_idle(selecting *s, const wi_pattern *pattern, const char *before) {
  char hint[256];
  hint_of(s, pattern, hint);
  if (s->options->strict)
    return wi_error_set(s->error, WI_ERROR_PATTERN, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "%spattern '%.80s' matches no function%s", before, pattern->text, hint);
  wi_warn(s->options, "%spattern '%s' matches no function%s", before, pattern->text, hint);
  return true;
}

static bool report_none(const selecting *s, const char *why) {
  if (s->options->strict)
    return wi_error_set(s->error, WI_ERROR_PATTERN, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "no function is selected%s", why);
  wi_warn(s->options, "no function is selected%s", why);
  return true;
}

/* Says which patterns match nothing, and whether no function is chosen, each once. */
static bool report(selecting *s, bool any_chosen) {
  const wi_selection *selection = s->selection;
  uint32_t idle_count = 0, said = 0;
  for (uint32_t i = 0; selection && i < selection->patterns_count; i++)
    idle_count += !s->matched[i];
  bool is_reason = !any_chosen && idle_count == 1;
  for (uint32_t i = 0; said < idle_count; i++) {
    if (s->matched[i])
      continue;
    wi_suggestion_init(&s->suggestion, selection->patterns[i]);
    if ((said++ < MAX_SUGGESTIONS && !find_suggestion(s)) ||
        !report_idle(s, selection->patterns[i], is_reason ? "no function is selected: " : ""))
      return false;
  }
  bool is_empty = selection && selection->is_list && selection->patterns_count == 0;
  bool is_said = any_chosen || is_reason || (s->module->bodies_count == 0 && !s->options->strict);
  return is_said || report_none(s, is_empty ? ": the whitelist contains no pattern" : "");
}

/* ---- All of it --------------------------------------------------------------------------- */

static bool selecting_init(selecting *s) {
  s->names = wi_names_of_module(s->module);
  s->exports = sorted_exports(s->module);
  s->matched = calloc((size_t)s->selection->patterns_count + 1, sizeof *s->matched);
  s->matcher = wi_regex_matcher_new();
  bool done = s->names && s->exports && s->matched && s->matcher;
  if (done && s->selection->has_subject[WI_SUBJECT_FILE])
    done = wi_function_files_init(&s->files, s->module, s->options);
  return done || wi_error_memory(s->error);
}

static void selecting_clear(selecting *s) {
  wi_names_free(s->names);
  free(s->exports);
  free(s->matched);
  wi_regex_matcher_free(s->matcher);
  wi_function_files_clear(&s->files);
  wi_buffer_clear(&s->text);
}

/* Whether a scanned function is too short to be worth hooks. */
static bool is_too_short(const wi_scan *scan, const wi_options *options) {
  uint32_t count = scan->instruction_count;
  return count < options->min_instructions ||
         (scan->call_count == 0 && count < options->skip_leaves);
}

static bool drop_short_functions(const wi_module *module, const wi_options *options, wi_scan *scan,
                                 bool *chosen, wi_error *error) {
  for (uint32_t i = 0; i < module->bodies_count; i++) {
    if (!chosen[i])
      continue;
    if (!wi_scan_body(scan, module, i, NULL, error))
      return false;
    chosen[i] = !is_too_short(scan, options);
  }
  return true;
}

static bool is_any(const bool *chosen, uint32_t count) {
  return memchr(chosen, true, count) != NULL;
}

static bool select_functions(selecting *s, wi_scan *scan, bool *chosen) {
  const wi_module *module = s->module;
  memset(chosen, true, module->bodies_count);
  if (s->selection && !(selecting_init(s) && choose(s, chosen)))
    return false;
  bool drops = s->options->min_instructions > 0 || s->options->skip_leaves > 0;
  if (drops && !drop_short_functions(module, s->options, scan, chosen, s->error))
    return false;
  return report(s, is_any(chosen, module->bodies_count));
}

bool *wi_select_functions(const wi_module *module, const wi_options *options, wi_scan *scan,
                          wi_error *error) {
  selecting s = {
      .module = module, .options = options, .selection = options->selection, .error = error};
  bool *chosen = malloc((size_t)module->bodies_count + 1);
  bool done = chosen ? select_functions(&s, scan, chosen) : wi_error_memory(error);
  selecting_clear(&s);
  if (done)
    return chosen;
  free(chosen);
  return NULL;
}
