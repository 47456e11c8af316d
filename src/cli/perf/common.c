#define _GNU_SOURCE /* vasprintf */

#include "cli/perf/common.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/file.h"
#include "cli/common/message.h"

/* "PATH: message"; NULL if memory ran out. */
static char *reason_of(const char *path, const char *format, va_list arguments) {
  char *message, *reason;
  if (vasprintf(&message, format, arguments) < 0)
    return NULL;
  if (!path)
    return message;
  if (asprintf(&reason, "%s: %s", wi_file_input_name(path), message) < 0)
    reason = NULL;
  free(message);
  return reason;
}

static void print_reason(const char *reason) {
  cli_message("wasm-perf: %s", reason ? reason : "out of memory");
}

int cli_error(const char *path, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *reason = reason_of(path, format, arguments);
  va_end(arguments);
  print_reason(reason);
  free(reason);
  return CLI_EXIT_FAILURE;
}

bool cli_fail(cli_failure *failure, const char *path, const char *format, ...) {
  va_list arguments;
  if (failure && failure->reason)
    return false;
  va_start(arguments, format);
  char *reason = reason_of(path, format, arguments);
  va_end(arguments);
  if (failure) {
    failure->reason = reason ? reason : strdup("out of memory");
    return false;
  }
  print_reason(reason);
  free(reason);
  return false;
}

bool cli_fail_module(cli_failure *failure, const char *path, const wi_error *error) {
  char message[512];
  wi_error_format(error, message, sizeof message);
  return cli_fail(failure, path, "%s", message);
}

bool cli_fail_memory(cli_failure *failure) {
  return cli_fail(failure, NULL, "out of memory");
}

void cli_failure_print(cli_failure *failure) {
  if (failure->reason)
    print_reason(failure->reason);
  cli_failure_clear(failure);
}

void cli_failure_clear(cli_failure *failure) {
  free(failure->reason);
  failure->reason = NULL;
}

void cli_warn(void *path, const char *message) {
  cli_message("wasm-perf: %s: warning: %s", wi_file_input_name(path), message);
}

int cli_module_error(const char *path, const wi_error *error) {
  cli_fail_module(NULL, path, error);
  return CLI_EXIT_FAILURE;
}

bool cli_file_read(const char *path, uint8_t **bytes, size_t *size, cli_failure *failure) {
  return wi_file_read(path, bytes, size) || cli_fail(failure, path, "%s", strerror(errno));
}

static _Noreturn void out_of_memory(void) {
  exit(cli_error(NULL, "out of memory"));
}

char *cli_text(const char *format, ...) {
  char *text;
  va_list arguments;
  va_start(arguments, format);
  int size = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (size < 0)
    out_of_memory();
  return text;
}

void cli_list_add(cli_list *list, char *text) {
  char **items = realloc(list->items, (list->count + 2) * sizeof *items);
  if (!items)
    out_of_memory();
  items[list->count++] = text;
  items[list->count] = NULL;
  list->items = items;
}

void cli_list_clear(cli_list *list) {
  for (size_t i = 0; i < list->count; i++)
    free(list->items[i]);
  free(list->items);
  *list = (cli_list){0};
}

bool cli_parse_number(const char *text, uint32_t *number) {
  char *end;
  errno = 0;
  unsigned long parsed = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || parsed > UINT32_MAX)
    return false;
  *number = (uint32_t)parsed;
  return true;
}

bool cli_parse_share(const char *text, uint32_t *share) {
  enum { MILLION = 1000000 };
  cli_percentage given;
  if (!cli_parse_percentage(text, &given) || given.whole > MILLION || given.part > given.whole)
    return false;
  *share = (uint32_t)(given.part * (MILLION / given.whole));
  return true;
}

bool cli_parse_time(const char *text, uint64_t *time) {
  static const struct {
    const char *name;
    uint64_t nanoseconds;
  } units[] = {{"ms", 1000000}, {"s", 1000000000}, {"", 1000000000}, {"m", 60000000000}};
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || errno != 0 || number == 0 || number > UINT32_MAX)
    return false;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp(end, units[i].name) == 0) {
      *time = number * units[i].nanoseconds;
      return true;
    }
  return false;
}

const char *cli_variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

bool cli_ends_with(const char *text, const char *end) {
  size_t text_size = strlen(text);
  size_t end_size = strlen(end);
  return text_size >= end_size && strcmp(text + text_size - end_size, end) == 0;
}

bool cli_has_extension(const char *path, const char *extension) {
  size_t path_size = strlen(path), size = strlen(extension);
  return cli_ends_with(path, extension) && path_size > size && path[path_size - size - 1] == '.';
}

/* Folders have the same permission, but cannot be executed. */
static bool is_executable(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *cli_executable_find(const char *name) {
  if (strchr(name, '/'))
    return is_executable(name) ? cli_text("%s", name) : NULL;
  for (const char *path = cli_variable("PATH"); path;) {
    size_t size = strcspn(path, ":"); /* 0: the current folder */
    char *file = cli_text("%.*s/%s", size > 0 ? (int)size : 1, size > 0 ? path : ".", name);
    if (is_executable(file))
      return file;
    free(file);
    path = path[size] == ':' ? path + size + 1 : NULL;
  }
  return NULL;
}

/* ---- Tables ---------------------------------------------------------------- */

static const cli_option help_options[] = {CLI_HELP_OPTION, {0}};

const cli_option_group cli_help_options = {"Other", help_options};

static const cli_option usual_help_options[] = {CLI_USUAL_HELP_OPTION, CLI_HELP_ALL_OPTION, {0}};

const cli_option_group cli_usual_help_options = {"Other", usual_help_options};

const cli_entry cli_report_exit_codes[] = {
    {CLI_EXIT_TEXT(CLI_EXIT_SUCCESS), "success"},
    {CLI_EXIT_TEXT(CLI_EXIT_FAILURE), "a file cannot be read or written, or has the wrong format"},
    {CLI_EXIT_TEXT(CLI_EXIT_USAGE), "wrong usage"},
    {0}};

bool cli_sort_choice(size_t index, cli_choice *choice) {
  static const cli_choice choices[] = {
      [WASM_PERF_SORT_SELF] = {"self", "the default"},
      [WASM_PERF_SORT_TOTAL] = {"total", "with all that it called"},
      [WASM_PERF_SORT_CALLS] = {"calls", "how often it was called"},
  };
  return cli_choice_at(choices, sizeof choices / sizeof *choices, index, choice);
}
