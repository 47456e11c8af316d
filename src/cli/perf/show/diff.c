/* wasm-perf diff: what changed from one profile to another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/common/parser.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/input/align.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/show/terminal.h"
#include "cli/perf/show/view.h"
#include "wasm_perf/diff.h"

/* The growth that --fail-above or --fail-function-above allows. */
typedef struct growth_limit {
  const char *text;     /* as typed; NULL if any growth is allowed */
  cli_percentage share; /* of the value before */
} growth_limit;

/* Strings are borrowed from argv. */
typedef struct diff_request {
  const char *before; /* "-": stdin */
  const char *after;
  const char *output; /* "-": stdout */
  cli_view view;
  wasm_perf_diff_options options;
  growth_limit limit;          /* relative to the total before */
  growth_limit function_limit; /* relative to the function's self before */
  bool force;
  const wasm_perf_diff_format *format; /* NULL until chosen by the output's name */
} diff_request;

/* ---- The command line ---------------------------------------------------- */

enum {
  OPTION_BY = CLI_OPTIONS_OWN,
  OPTION_FAIL_ABOVE,
  OPTION_FAIL_FUNCTION,
  OPTION_FORCE,
  OPTION_SORT
};

enum { BY_FUNCTION, BY_STACK };

static int diff_main(int argc, char **argv);

CLI_FORMAT_CHOICES(wasm_perf_diff_formats)

static bool row_choice(size_t index, cli_choice *choice) {
  static const cli_choice choices[] = {
      [BY_FUNCTION] = {"function", "the default"},
      [BY_STACK] = {"stack", "each distinct stack"},
  };
  return cli_choice_at(choices, sizeof choices / sizeof *choices, index, choice);
}

static const cli_option diff_options[] = {
    CLI_FORMAT_OPTION("table"),
    {OPTION_BY, "by", CLI_CHOICE(NULL, row_choice), "rows of the table:"},
    {OPTION_SORT, "sort", CLI_CHOICE(NULL, cli_sort_choice),
     "the change that the table is ordered by"},
    {OPTION_FORCE, "force", CLI_NO_VALUE,
     "compare a profile without names to one that has them, by the functions' indices"},
    {'n', "limit", CLI_NUMBER("ROWS", 1), "how many rows to show; default: 20"},
    {'o', "output", CLI_FILE("FILE", NULL), "write to FILE instead of stdout"},
    {OPTION_FAIL_ABOVE, "fail-above", CLI_TEXT("N%"),
     "exit with 3 if the total, or the self value of a function, grew by more than N % of the "
     "total before, and by two standard deviations more if times are sampled; stderr says which"},
    {OPTION_FAIL_FUNCTION, "fail-function-above", CLI_TEXT("N%"),
     "exit with 3 if the self value of a function grew by more than N % of its own before; new "
     "functions are ignored"},
    {0}};

static const cli_option_group diff_group = {NULL, diff_options};

const cli_command cli_diff_command = {
    .name = "wasm-perf diff",
    .summary = "compare two profiles",
    .usages = (const char *const[]){"[OPTION]... BEFORE.wperf AFTER.wperf", NULL},
    .description =
        "Compares two profiles, which may be from different builds. Functions are "
        "matched by name and, if the modules are next to the profiles, by code. "
        "Functions with the same name are distinguished by their modules, files and order; "
        "they are compared as one if one profile has more of them: \"helper (2 to 3 "
        "functions)\". '-' reads one of the profiles from standard input.",
    .operands = (const cli_operand[]){{.value = CLI_FILE("BEFORE.wperf", "wperf")},
                                      {.value = CLI_FILE("AFTER.wperf", "wperf")},
                                      {0}},
    .groups =
        (const cli_option_group *const[]){&diff_group, &cli_view_options, &cli_help_options, NULL},
    .exit_codes =
        (const cli_entry[]){
            {CLI_EXIT_TEXT(CLI_EXIT_SUCCESS), "success"},
            {CLI_EXIT_TEXT(CLI_EXIT_FAILURE), "a file cannot be read or written, or is not a "
                                              "profile, or the two cannot be compared"},
            {CLI_EXIT_TEXT(CLI_EXIT_USAGE), "wrong usage"},
            {CLI_EXIT_TEXT(CLI_EXIT_GREW),
             "--fail-above or --fail-function-above found something; the report is written"},
            {0}},
    .examples = (const cli_entry[]){{"wasm-perf diff before.wperf after.wperf",
                                     "shows the change of each function"},
                                    {"wasm-perf diff before.wperf after.wperf -o diff.svg",
                                     "a flame graph: red grew, blue shrank"},
                                    {"wasm-perf diff --fail-above 2% before.wperf after.wperf",
                                     "fails a build; exact if the clock counts instructions"},
                                    {0}},
    .main = diff_main,
};

static void take_option(diff_request *request, const cli_parser *parser, int option) {
  switch (option) {
  case 'f': request->format = &wasm_perf_diff_formats[parser->choice]; break;
  case 'n': request->options.row_limit = parser->number; break;
  case 'o': request->output = parser->value; break;
  case OPTION_BY: request->options.by_stack = parser->choice == BY_STACK; break;
  case OPTION_FAIL_ABOVE: request->limit.text = parser->value; break;
  case OPTION_FAIL_FUNCTION: request->function_limit.text = parser->value; break;
  case OPTION_FORCE: request->force = true; break;
  case OPTION_SORT: request->options.sort = (wasm_perf_sort)parser->choice; break;
  default: cli_view_option(&request->view, parser, option); break;
  }
}

static const wasm_perf_diff_format *format_for_path(const char *path) {
  if (cli_has_extension(path, "txt"))
    return wasm_perf_diff_format_find("folded");
  for (const wasm_perf_diff_format *format = wasm_perf_diff_formats; format->name; format++)
    if (format->extension && cli_has_extension(path, format->extension))
      return format;
  return NULL;
}

static int choose_format(diff_request *request) {
  if (request->format)
    return CLI_PROCEED;
  if (strcmp(request->output, "-") == 0)
    request->format = wasm_perf_diff_format_find("table");
  else
    request->format = format_for_path(request->output);
  return request->format ? CLI_PROCEED : cli_format_unknown(&cli_diff_command, request->output);
}

static int parse_limit(growth_limit *limit, const char *option) {
  if (limit->text && !cli_parse_percentage(limit->text, &limit->share))
    return cli_usage_error(cli_diff_command.name,
                           "--%s wants a percentage like 5%% or 0.25%%, not '%s'", option,
                           limit->text);
  return CLI_PROCEED;
}

static int parse(diff_request *request, int argc, char **argv) {
  const char *name = cli_diff_command.name;
  cli_parser parser;
  cli_parser_init(&parser, &cli_diff_command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END)
    take_option(request, &parser, option);
  if (parser.status != CLI_PROCEED)
    return parser.status;
  int status = parse_limit(&request->limit, "fail-above");
  if (status == CLI_PROCEED)
    status = parse_limit(&request->function_limit, "fail-function-above");
  if (status != CLI_PROCEED)
    return status;
  if (parser.operand_count != 2)
    return cli_usage_error(name, "two profiles are needed, not %zu", parser.operand_count);
  request->before = parser.operands[0];
  request->after = parser.operands[1];
  if (strcmp(request->before, "-") == 0 && strcmp(request->after, "-") == 0)
    return cli_usage_error(name, "stdin can only be read once");
  return choose_format(request);
}

/* ---- The command --------------------------------------------------------- */

/* A diff, and how it is written. */
typedef struct formatted {
  const diff_request *request;
  const wasm_perf_diff *diff;
} formatted;

static bool fill(const void *what, FILE *stream) {
  const formatted *of = what;
  return of->request->format->write(of->diff, &of->request->options, stream);
}

static bool write_diff(const diff_request *request, const wasm_perf_diff *diff) {
  bool done = cli_file_fill(request->output, fill, &(formatted){request, diff});
  if (!done)
    cli_message_unwritten("wasm-perf", wi_file_output_name(request->output));
  return done;
}

/* Whether the profiles can be compared, or --force was given. Prints why not. */
static bool check_names(const diff_request *request, wasm_perf_profile *before,
                        wasm_perf_profile *after) {
  wasm_perf_profile *profiles[] = {before, after};
  char *paths[] = {(char *)request->before, (char *)request->after};
  return request->force || cli_profiles_check_names(profiles, paths, 2);
}

typedef uint32_t growth_check(const wasm_perf_diff *diff, uint64_t part, uint64_t whole,
                              FILE *stream);

/* Prints what grew beyond the limit. Returns the exit code. */
static int check_limit(const growth_limit *limit, growth_check *check, const char *base,
                       const wasm_perf_diff *diff) {
  uint64_t part = limit->share.part, whole = limit->share.whole;
  if (!limit->text || check(diff, part, whole, NULL) == 0)
    return 0;
  int size = (int)strcspn(limit->text, "%");
  cli_error(NULL, "grew by more than %.*s %% of %s:", size, limit->text, base);
  check(diff, part, whole, stderr);
  return CLI_EXIT_GREW;
}

static int check_growth(const diff_request *request, const wasm_perf_diff *diff) {
  int whole = check_limit(&request->limit, wasm_perf_diff_growth, "the total before", diff);
  int function =
      check_limit(&request->function_limit, wasm_perf_diff_function_growth, "its own before", diff);
  return whole ? whole : function;
}

static int compare(const diff_request *request, const cli_shown *before, const cli_shown *after) {
  wasm_perf_mismatch mismatch;
  if (!cli_values_match(before, after))
    return CLI_EXIT_FAILURE;
  wasm_perf_diff *diff =
      wasm_perf_diff_new(before->profile, after->profile, before->value, &mismatch);
  if (!diff)
    return cli_error(mismatch.index == 1 ? request->after : NULL, "%s", mismatch.message);
  int status = write_diff(request, diff) ? check_growth(request, diff) : CLI_EXIT_FAILURE;
  wasm_perf_diff_free(diff);
  return status;
}

static int load_and_compare(const diff_request *request) {
  wasm_perf_value values[2] = {WASM_PERF_VALUE_SELF, WASM_PERF_VALUE_SELF};
  wasm_perf_profile *before = cli_profile_load(request->before, &request->view, &values[0]);
  wasm_perf_profile *after =
      before ? cli_profile_load(request->after, &request->view, &values[1]) : NULL;
  const cli_aligned sides[] = {{before, request->before, &request->view.symbols},
                               {after, request->after, &request->view.symbols}};
  bool comparable =
      after && cli_align_names(&sides[0], &sides[1]) && check_names(request, before, after);
  const cli_shown shown[] = {{before, values[0], request->before},
                             {after, values[1], request->after}};
  int status = comparable ? compare(request, &shown[0], &shown[1]) : CLI_EXIT_FAILURE;
  wasm_perf_profile_free(before);
  wasm_perf_profile_free(after);
  return status;
}

static int diff_main(int argc, char **argv) {
  diff_request request = {.output = "-"};
  int status = parse(&request, argc, argv);
  if (status == CLI_PROCEED) {
    if (strcmp(request.output, "-") == 0)
      request.options.width = cli_terminal_width();
    status = load_and_compare(&request);
  }
  cli_view_clear(&request.view);
  return status;
}
