#include "cli/perf/bench/baseline.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/perf/bench/suite.h"
#include "names/label.h"
#include "support/json_writer.h"

enum { FORMAT_VERSION = 1 };

static void saved_clear(cli_saved *saved) {
  free(saved->name);
  cli_counts_clear(&saved->counts);
}

void cli_baseline_clear(cli_baseline *baseline) {
  for (uint32_t i = 0; i < baseline->saved_count; i++)
    saved_clear(&baseline->saved[i]);
  free(baseline->saved);
  free(baseline->tool);
  *baseline = (cli_baseline){0};
}

cli_saved *cli_baseline_find(const cli_baseline *baseline, const char *name) {
  for (uint32_t i = 0; i < baseline->saved_count; i++)
    if (strcmp(baseline->saved[i].name, name) == 0)
      return &baseline->saved[i];
  return NULL;
}

bool cli_baseline_put(cli_baseline *baseline, const char *name, cli_counts *counts) {
  cli_saved *saved = cli_baseline_find(baseline, name);
  if (!saved) {
    if (!WI_ARRAY_RESERVE(baseline, saved, 1))
      return false;
    uint32_t at = baseline->saved_count++;
    for (; at > 0 && strcmp(baseline->saved[at - 1].name, name) > 0; at--)
      baseline->saved[at] = baseline->saved[at - 1];
    saved = &baseline->saved[at];
    *saved = (cli_saved){.name = cli_text("%s", name)};
  }
  cli_counts_clear(&saved->counts);
  saved->counts = *counts;
  *counts = (cli_counts){0};
  return true;
}

void cli_baseline_remove(cli_baseline *baseline, uint32_t index) {
  saved_clear(&baseline->saved[index]);
  baseline->saved_count--;
  for (uint32_t i = index; i < baseline->saved_count; i++)
    baseline->saved[i] = baseline->saved[i + 1];
}

/* ---- Reading -------------------------------------------------------------------- */

/* A place in the file, for errors: benchmark and function. */
typedef struct place {
  const char *path;
  size_t benchmark, function;
  const char *key;
} place;

static bool refuse(const place *at, const char *wanted) {
  cli_error(at->path, "benchmark %zu, function %zu, '%s': %s", at->benchmark, at->function, at->key,
            wanted);
  return false;
}

/* Reads a string that is safe to show: names of functions are labels. */
static bool read_text(json_t *object, place *at, const char *key, char **text) {
  const char *value = json_string_value(json_object_get(object, key));
  at->key = key;
  if (!value)
    return refuse(at, "expected a string");
  char *label = malloc(WI_LABEL_MAX_SIZE + 1);
  if (!label)
    return refuse(at, "out of memory");
  wi_label_clean(label, value, 0);
  *text = cli_text("%s", label);
  free(label);
  return true;
}

static bool read_number(json_t *object, place *at, const char *key, uint64_t *number) {
  json_t *value = json_object_get(object, key);
  at->key = key;
  if (!json_is_integer(value) || json_integer_value(value) < 0)
    return refuse(at, "expected a whole number");
  *number = (uint64_t)json_integer_value(value);
  return true;
}

/* Reads "12 main". */
static bool read_share(const char *text, cli_share *share) {
  char *end = NULL;
  errno = 0;
  share->value = text && *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
  char label[WI_LABEL_MAX_SIZE + 1];
  if (!end || errno != 0 || *end != ' ' || end[1] == '\0')
    return false;
  wi_label_clean(label, end + 1, 0);
  share->name = cli_text("%s", label);
  return true;
}

/* Reads the shares into an array with room for all of them. */
static bool read_shares(json_t *array, place *at, cli_share *shares, uint32_t *count) {
  for (size_t i = 0; i < json_array_size(array); i++) {
    if (!read_share(json_string_value(json_array_get(array, i)), &shares[*count]))
      return refuse(at, "expected strings of a number, a space and a name");
    (*count)++;
  }
  return true;
}

/* Reads a hash, which may be missing. */
static bool read_code(json_t *object, place *at, uint64_t *code) {
  const char *text = json_string_value(json_object_get(object, "code"));
  at->key = "code";
  if (!text)
    return true;
  size_t size = strspn(text, "0123456789abcdef");
  *code = strtoull(text, NULL, 16);
  return (size > 0 && size <= 16 && text[size] == '\0') || refuse(at, "expected a hash");
}

static bool read_function(json_t *object, place *at, cli_function *function) {
  json_t *callers = json_object_get(object, "callers"), *lines = json_object_get(object, "lines");
  if (!read_text(object, at, "name", &function->name) ||
      !read_number(object, at, "self", &function->self) ||
      !read_number(object, at, "calls", &function->calls) ||
      !read_code(object, at, &function->code))
    return false;
  at->key = "callers and lines";
  return (WI_ARRAY_RESERVE(function, callers, (uint32_t)json_array_size(callers) + 1) &&
          WI_ARRAY_RESERVE(function, lines, (uint32_t)json_array_size(lines) + 1))
             ? read_shares(callers, at, function->callers, &function->callers_count) &&
                   read_shares(lines, at, function->lines, &function->lines_count)
             : refuse(at, "out of memory");
}

/* For binary search by name; a merge by hand may have changed the order. */
static int compare_functions(const void *a, const void *b) {
  return strcmp(((const cli_function *)a)->name, ((const cli_function *)b)->name);
}

static bool read_functions(json_t *array, place *at, cli_counts *counts) {
  size_t count = json_array_size(array);
  if (!json_is_array(array) || !WI_ARRAY_RESERVE(counts, functions, (uint32_t)count + 1))
    return refuse(at, "expected an array");
  for (size_t i = 0; i < count; i++) {
    at->function = i + 1;
    cli_function *function = &counts->functions[counts->functions_count++];
    *function = (cli_function){0};
    if (!read_function(json_array_get(array, i), at, function))
      return false;
  }
  qsort(counts->functions, counts->functions_count, sizeof *counts->functions, compare_functions);
  return true;
}

static bool read_values(json_t *object, place *at, cli_saved *saved) {
  for (cli_metric i = 0; i < CLI_METRIC_COUNT; i++) {
    saved->counts.has[i] = json_object_get(object, cli_metric_name(i)) != NULL;
    if (saved->counts.has[i] &&
        !read_number(object, at, cli_metric_name(i), &saved->counts.values[i]))
      return false;
  }
  at->key = "values";
  return saved->counts.has[CLI_METRIC_INSTRUCTIONS] || refuse(at, "instructions are missing");
}

static bool read_benchmark(json_t *object, place *at, cli_baseline *baseline) {
  cli_saved *saved = WI_ARRAY_PUSH(baseline, saved);
  if (!saved)
    return refuse(at, "out of memory");
  *saved = (cli_saved){0};
  if (!read_text(object, at, "name", &saved->name))
    return false;
  if (!cli_text_is_clean(saved->name))
    return refuse(at, "it cannot be shown");
  if (cli_baseline_find(baseline, saved->name) != saved)
    return refuse(at, "there is another benchmark with that name");
  const char *module = json_string_value(json_object_get(object, "module"));
  saved->counts.module = module ? cli_text("%s", module) : NULL;
  at->key = "functions";
  return read_values(json_object_get(object, "values"), at, saved) &&
         read_functions(json_object_get(object, "functions"), at, &saved->counts);
}

static bool read_all(json_t *root, const char *path, cli_baseline *baseline) {
  json_t *all = json_object_get(root, "benchmarks");
  place at = {.path = path, .key = "tool"};
  json_int_t format = json_integer_value(json_object_get(root, "format"));
  if (format == 0 || !read_text(root, &at, "tool", &baseline->tool)) {
    cli_error(path, "not a baseline; bench --save writes one");
    return false;
  }
  if (format != FORMAT_VERSION || !json_is_array(all)) {
    cli_error(path,
              "wasm-perf %s saved it in a format that wasm-perf %s cannot read; use that version, "
              "or save it again with bench --save",
              baseline->tool, wi_version());
    return false;
  }
  at.key = "benchmarks";
  if (json_array_size(all) > CLI_MOST_BENCHMARKS)
    return refuse(&at, "there are too many");
  for (size_t i = 0; i < json_array_size(all); i++) {
    at.benchmark = i + 1;
    at.function = 0;
    if (!read_benchmark(json_array_get(all, i), &at, baseline))
      return false;
  }
  return true;
}

bool cli_baseline_read(cli_baseline *baseline, const char *path) {
  uint8_t *text;
  size_t size;
  json_error_t error;
  if (!cli_file_read(path, &text, &size, NULL))
    return false;
  json_t *root = json_loadb((const char *)text, size, JSON_REJECT_DUPLICATES, &error);
  free(text);
  if (!root)
    cli_error(path, "line %d, offset 0x%x: %s; bench --save writes it anew", error.line,
              (unsigned)error.position, error.text);
  bool done = root && read_all(root, path, baseline);
  json_decref(root);
  return done;
}

/* ---- Writing ------------------------------------------------------------------------ */

static void put_shares(wi_json *json, const char *key, const cli_share *shares, uint32_t count) {
  if (count == 0)
    return;
  wi_json_open(json, key, '[');
  for (uint32_t i = 0; i < count; i++) {
    char *text = cli_text("%" PRIu64 " %s", shares[i].value, shares[i].name);
    wi_json_string(json, NULL, text);
    free(text);
  }
  wi_json_close(json, ']');
}

static void put_code(wi_json *json, uint64_t code) {
  char text[17];
  snprintf(text, sizeof text, "%" PRIx64, code);
  if (code != 0)
    wi_json_string(json, "code", text);
}

static void put_function(wi_json *json, const cli_function *function) {
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "name", function->name);
  wi_json_integer(json, "self", function->self);
  wi_json_integer(json, "calls", function->calls);
  put_code(json, function->code);
  put_shares(json, "callers", function->callers, function->callers_count);
  put_shares(json, "lines", function->lines, function->lines_count);
  wi_json_close(json, '}');
}

static void put_benchmark(wi_json *json, const cli_saved *saved) {
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "name", saved->name);
  if (saved->counts.module)
    wi_json_string(json, "module", saved->counts.module);
  wi_json_open(json, "values", '{');
  for (cli_metric i = 0; i < CLI_METRIC_COUNT; i++)
    if (saved->counts.has[i])
      wi_json_integer(json, cli_metric_name(i), saved->counts.values[i]);
  wi_json_close(json, '}');
  wi_json_open(json, "functions", '[');
  for (uint32_t i = 0; i < saved->counts.functions_count; i++)
    put_function(json, &saved->counts.functions[i]);
  wi_json_close(json, ']');
  wi_json_close(json, '}');
}

static bool put_all(const cli_baseline *baseline, FILE *stream) {
  wi_json json;
  wi_json_init(&json, stream);
  wi_json_open(&json, NULL, '{');
  wi_json_integer(&json, "format", FORMAT_VERSION);
  wi_json_string(&json, "tool", wi_version());
  wi_json_open(&json, "benchmarks", '[');
  for (uint32_t i = 0; i < baseline->saved_count; i++)
    put_benchmark(&json, &baseline->saved[i]);
  wi_json_close(&json, ']');
  wi_json_close(&json, '}');
  return wi_json_finish(&json);
}

bool cli_baseline_write(const cli_baseline *baseline, const char *path) {
  wi_file_output output;
  if (wi_file_output_open(&output, path) &&
      wi_file_output_close(&output, put_all(baseline, output.stream)))
    return true;
  cli_error(path, "cannot be written: %s", strerror(errno));
  return false;
}
