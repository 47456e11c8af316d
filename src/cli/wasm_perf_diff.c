/* wasm-perf diff: what changed from one profile to another. */
#include "cli/wasm_perf_cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/file.h"

#define MAX_LIMIT_DIGITS 9 /* before the point, and behind it */

/* Growth that is allowed: part ÷ whole of the total before. */
typedef struct growth_limit {
  const char *text; /* as it was given; NULL: all is allowed */
  uint64_t part;
  uint64_t whole;
} growth_limit;

/* Strings are borrowed from argv. */
typedef struct diff_request {
  const char *command;
  const char *format_name; /* NULL: by the output's name */
  const char *before;      /* "-": stdin */
  const char *after;
  const char *output; /* "-": stdout */
  cli_view view;
  wasm_perf_diff_options options;
  growth_limit limit;
  const wasm_perf_diff_format *format;
} diff_request;

/* ---- The command line ---------------------------------------------------- */

enum {
  OPTION_BY = 256,
  OPTION_FAIL_ABOVE,
  OPTION_HOST,
  OPTION_NO_DEMANGLE,
  OPTION_RAW,
  OPTION_SORT
};

static const struct option long_options[] = {
    {"format", required_argument, NULL, 'f'},
    {"by", required_argument, NULL, OPTION_BY},
    {"sort", required_argument, NULL, OPTION_SORT},
    {"rows", required_argument, NULL, 'n'},
    {"output", required_argument, NULL, 'o'},
    {"fail-above", required_argument, NULL, OPTION_FAIL_ABOVE},
    {"host", required_argument, NULL, OPTION_HOST},
    {"raw", no_argument, NULL, OPTION_RAW},
    {"no-demangle", no_argument, NULL, OPTION_NO_DEMANGLE},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static int print_help(void) {
  puts("Usage: wasm-perf diff [OPTION]... BEFORE.wperf AFTER.wperf\n"
       "Compares two profiles, of different builds perhaps: functions are matched by their names.\n"
       "'-' reads one of them from stdin.\n"
       "\n"
       "  -f, --format NAME  how to show it; default: what the name of the output asks for,\n"
       "                     else table\n"
       "      --by function|stack   what the table's rows are\n"
       "      --sort self|total|calls   the change that the table is ordered by\n"
       "  -n, --rows N       rows of the table at most; default: 50\n"
       "  -o, --output FILE  write to FILE instead of stdout\n"
       "      --fail-above N%  exit with 3 if the total, or the self value of a function, grew\n"
       "                     by more than N % of the total before; stderr says which\n"
       "      --host show|hide   hide: leave out the calls of the host that wasm-instrument\n"
       "                     --host-calls gave frames of their own, and their time\n"
       "      --raw          leave the time in that the hooks themselves took\n"
       "      --no-demangle  leave mangled names as they are\n"
       "  -h, --help         print this help\n"
       "\n"
       "Formats:");
  for (const wasm_perf_diff_format *format = wasm_perf_diff_formats; format->name; ++format)
    printf("  %-12s %s\n", format->name, format->summary);
  puts("\n"
       "Exit code: 0, or 3 for what --fail-above finds, 1 where it could not be done, 2 for wrong\n"
       "usage.");
  return 0;
}

/* Reads at most MAX_LIMIT_DIGITS digits onto *number. Returns how many there are. */
static int take_digits(const char **text, uint64_t *number) {
  int count = 0;
  while (count <= MAX_LIMIT_DIGITS && **text >= '0' && **text <= '9') {
    *number = *number * 10 + (uint64_t)(**text - '0');
    ++*text;
    ++count;
  }
  return count;
}

/* "5", "5%", "0.25%": exact, so that a limit means what it says. */
static bool parse_limit(const char *text, growth_limit *limit) {
  *limit = (growth_limit){.text = text, .whole = 100};
  int digits = take_digits(&text, &limit->part);
  bool is_number = digits > 0 && digits <= MAX_LIMIT_DIGITS;
  if (is_number && *text == '.') {
    ++text;
    digits = take_digits(&text, &limit->part);
    is_number = digits > 0 && digits <= MAX_LIMIT_DIGITS;
    while (digits-- > 0)
      limit->whole *= 10;
  }
  if (*text == '%')
    ++text;
  return is_number && *text == 0;
}

static int set_limit(diff_request *request, const char *value) {
  if (parse_limit(value, &request->limit))
    return CLI_PROCEED;
  return cli_usage_error(request->command,
                         "--fail-above wants a percentage like 5%% or 0.25%%, not '%s'", value);
}

static int set_rows(diff_request *request, const char *value) {
  char *end;
  errno = 0;
  unsigned long rows = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || errno || rows == 0 || rows > UINT32_MAX)
    return cli_usage_error(request->command, "--rows '%s' is not a positive number", value);
  request->options.row_limit = (uint32_t)rows;
  return CLI_PROCEED;
}

static int set_sort(diff_request *request, const char *value) {
  static const char *const names[] = {[WASM_PERF_DIFF_SORT_SELF] = "self",
                                      [WASM_PERF_DIFF_SORT_TOTAL] = "total",
                                      [WASM_PERF_DIFF_SORT_CALLS] = "calls"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (strcmp(names[i], value) == 0) {
      request->options.sort = (wasm_perf_diff_sort)i;
      return CLI_PROCEED;
    }
  }
  return cli_usage_error(request->command, "--sort wants self, total or calls, not '%s'", value);
}

static int take_option(diff_request *request, int option, const char *value) {
  switch (option) {
  case 'f': request->format_name = value; return CLI_PROCEED;
  case 'n': return set_rows(request, value);
  case 'o': request->output = value; return CLI_PROCEED;
  case OPTION_BY:
    return cli_choose(request->command, "--by", value, "function", "stack",
                      &request->options.by_stack);
  case OPTION_FAIL_ABOVE: return set_limit(request, value);
  case OPTION_HOST:
    return cli_choose(request->command, "--host", value, "show", "hide", &request->view.hides_host);
  case OPTION_NO_DEMANGLE: request->view.raw_names = true; return CLI_PROCEED;
  case OPTION_RAW: request->view.keeps_hook_time = true; return CLI_PROCEED;
  case OPTION_SORT: return set_sort(request, value);
  case 'h': return print_help();
  default: return cli_usage_hint(request->command);
  }
}

static const wasm_perf_diff_format *format_for_path(const char *path) {
  if (cli_ends_with(path, ".txt"))
    return wasm_perf_diff_format_find("folded");
  const char *dot = strrchr(cli_basename(path), '.');
  for (const wasm_perf_diff_format *format = wasm_perf_diff_formats; dot && format->name; ++format)
    if (format->extension && strcmp(format->extension, dot + 1) == 0)
      return format;
  return NULL;
}

static int choose_format(diff_request *request) {
  if (request->format_name)
    request->format = wasm_perf_diff_format_find(request->format_name);
  else if (strcmp(request->output, "-") == 0)
    request->format = wasm_perf_diff_format_find("table");
  else
    request->format = format_for_path(request->output);
  if (request->format)
    return CLI_PROCEED;
  if (request->format_name)
    return cli_usage_error(request->command, "unknown format '%s'", request->format_name);
  return cli_usage_error(request->command, "the name '%s' tells no format; give --format",
                         request->output);
}

static int parse(diff_request *request, int argc, char **argv) {
  request->command = argv[0];
  int option;
  while ((option = getopt_long(argc, argv, "f:n:o:h", long_options, NULL)) != -1) {
    int status = take_option(request, option, optarg);
    if (status != CLI_PROCEED)
      return status;
  }
  if (argc - optind != 2)
    return cli_usage_error(request->command, "two profiles are needed, not %d", argc - optind);
  request->before = argv[optind];
  request->after = argv[optind + 1];
  if (strcmp(request->before, "-") == 0 && strcmp(request->after, "-") == 0)
    return cli_usage_error(request->command, "stdin can only be read once");
  return choose_format(request);
}

/* ---- The command --------------------------------------------------------- */

static bool write_diff(const diff_request *request, const wasm_perf_diff *diff) {
  wi_file_output output;
  if (wi_file_output_open(&output, request->output)) {
    bool complete = request->format->write(diff, &request->options, output.stream);
    if (wi_file_output_close(&output, complete))
      return true;
  }
  cli_error(request->output, "%s", errno ? strerror(errno) : "cannot be written");
  return false;
}

/* Tells what grew too much. Returns the exit code. */
static int check_growth(const growth_limit *limit, const wasm_perf_diff *diff) {
  if (!limit->text || wasm_perf_diff_growth(diff, limit->part, limit->whole, NULL) == 0)
    return 0;
  int size = (int)strcspn(limit->text, "%");
  cli_error(NULL, "grew by more than %.*s %% of the total before:", size, limit->text);
  wasm_perf_diff_growth(diff, limit->part, limit->whole, stderr);
  return CLI_EXIT_GREW;
}

static int compare(const diff_request *request, const wasm_perf_profile *before,
                   const wasm_perf_profile *after) {
  wasm_perf_mismatch mismatch;
  wasm_perf_diff *diff = wasm_perf_diff_new(before, after, &mismatch);
  if (!diff)
    return cli_error(mismatch.index == 1 ? request->after : NULL, "%s", mismatch.message);
  int status = write_diff(request, diff) ? check_growth(&request->limit, diff) : CLI_EXIT_FAILURE;
  wasm_perf_diff_free(diff);
  return status;
}

int cli_diff_main(int argc, char **argv) {
  diff_request request = {.output = "-"};
  int status = parse(&request, argc, argv);
  if (status != CLI_PROCEED)
    return status;
  wasm_perf_profile *before = cli_profile_load(request.before, &request.view);
  wasm_perf_profile *after = before ? cli_profile_load(request.after, &request.view) : NULL;
  status = after ? compare(&request, before, after) : CLI_EXIT_FAILURE;
  wasm_perf_profile_free(before);
  wasm_perf_profile_free(after);
  return status;
}
