/* The JSON writer: what the profiles of the other tests do not contain. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/json_writer.h"
#include "wasm_perf/report.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What is written between the two calls. */
static char *text;
static size_t text_size;

static wi_json begin(void) {
  wi_json json;
  FILE *stream = open_memstream(&text, &text_size);
  assert_non_null(stream);
  wi_json_init(&json, stream);
  return json;
}

static void assert_written(wi_json *json, const char *expected) {
  assert_true(wi_json_finish(json));
  assert_string_equal(text, expected);
  fclose(json->stream);
  free(text);
}

static void test_strings(void **state) {
  static const char *const cases[][2] = {
      {"", "\"\"\n"},
      {"a \"b\" \\c /", "\"a \\\"b\\\" \\\\c /\"\n"},
      {"\x01\n\x1F\x7F", "\"\\u0001\\u000a\\u001f\\u007f\"\n"},
      {"\xE2\x80\xAE\xF3\xA0\x81\x81", "\"\\u202e\\udb40\\udc41\"\n"},
      {"\xC3\xA9 \xF0\x9F\x98\x80", "\"\xC3\xA9 \xF0\x9F\x98\x80\"\n"},
      {"\xFFz\xC3", "\"\xEF\xBF\xBDz\xEF\xBF\xBD\"\n"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    wi_json json = begin();
    wi_json_string(&json, NULL, cases[i][0]);
    assert_written(&json, cases[i][1]);
  }
}

static void test_numbers(void **state) {
  setlocale(LC_ALL, ""); /* one with a decimal comma must not matter, if there is one */
  static const struct {
    uint64_t value;
    unsigned decimals;
    const char *text;
  } cases[] = {
      {0, 6, "0\n"},
      {1, 6, "0.000001\n"},
      {1200, 3, "1.2\n"},
      {1000000, 6, "1\n"},
      {1050, 3, "1.05\n"},
      {7, 0, "7\n"},
      {UINT64_MAX, 0, "18446744073709551615\n"},
      {UINT64_MAX, 3, "18446744073709551.615\n"},
      {UINT64_MAX, 9, "18446744073.709551615\n"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    wi_json json = begin();
    wi_json_decimal(&json, NULL, cases[i].value, cases[i].decimals);
    assert_written(&json, cases[i].text);
  }
}

static void test_containers(void **state) {
  wi_json json = begin();
  wi_json_open(&json, NULL, '{');
  wi_json_open(&json, "none", '[');
  wi_json_close(&json, ']');
  wi_json_open(&json, "some", '[');
  wi_json_literal(&json, NULL, "null");
  wi_json_open(&json, NULL, '{');
  wi_json_close(&json, '}');
  wi_json_integer(&json, NULL, 1);
  wi_json_close(&json, ']');
  wi_json_string(&json, "last", "x");
  wi_json_close(&json, '}');
  assert_written(&json, "{\"none\":[],\"some\":[null,\n{},1],\"last\":\"x\"}\n");
}

/* Titles are file names, which may be anything; control characters become '_' as in all names. */
static void test_titles(void **state) {
  static const char *const formats[] = {"chrome", "firefox", "json", "speedscope"};
  wasm_perf_node root = {.function = WASM_PERF_FUNCTION_ROOT};
  wasm_perf_profile profile = {.nodes = &root};
  profile.header.node_count = 1;
  const wasm_perf_report_options options = {.title = "\"\n\xFE.wperf"};
  for (size_t i = 0; i < COUNT(formats); i++) {
    wi_json json = begin();
    assert_true(wasm_perf_report_format_find(formats[i])->write(&profile, &options, json.stream));
    assert_non_null(strstr(text, "\"\\\"_\xEF\xBF\xBD.wperf\""));
    fclose(json.stream);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_strings),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_containers),
      cmocka_unit_test(test_titles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
