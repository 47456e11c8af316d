/* wasm-perf top, tree, callers, callees, memory and annotate: profiles in a terminal. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/common/parser.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/input/texts.h"
#include "cli/perf/show/terminal.h"
#include "cli/perf/show/view.h"
#include "report/model/labels.h"
#include "support/nearest.h"

#define MAX_LISTED 20u /* most functions that a message lists */

/* Strings are borrowed from argv. */
typedef struct view_request {
  const cli_command *command;
  const char *pattern; /* of the function; NULL in views of the whole profile */
  const char *input;   /* "-": stdin */
  const char *output;  /* "-": stdout */
  const char *min_share;
  cli_view view;
  wasm_perf_report_options options;
  bool wants_text;
  bool has_width;
  bool has_color;
} view_request;

/* ---- Tables -------------------------------------------------------------- */

enum {
  OPTION_SORT = CLI_OPTIONS_OWN,
  OPTION_DEPTH,
  OPTION_MIN_SHARE,
  OPTION_WIDTH,
  OPTION_COLOR,
  OPTION_SOURCE,
  OPTION_TEXT,
};

enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

static int top_main(int argc, char **argv);
static int tree_main(int argc, char **argv);
static int callers_main(int argc, char **argv);
static int callees_main(int argc, char **argv);
static int memory_main(int argc, char **argv);
static int annotate_main(int argc, char **argv);

static bool color_choice(size_t index, cli_choice *choice) {
  static const cli_choice choices[] = {
      [COLOR_AUTO] = {"auto", "the default: in a terminal, if NO_COLOR is not set"},
      [COLOR_ALWAYS] = {"always", "even in files"},
      [COLOR_NEVER] = {"never", "plain text"},
  };
  return cli_choice_at(choices, sizeof choices / sizeof *choices, index, choice);
}

static const cli_option top_options[] = {
    {'n', "limit", CLI_NUMBER("ROWS", 1), "how many functions to show; default: 20"},
    {OPTION_SORT, "sort", CLI_CHOICE(NULL, cli_sort_choice), "sort functions by:"},
    {0}};

static const cli_option tree_options[] = {
    {'n', "limit", CLI_NUMBER("ROWS", 1),
     "how many stacks to show, the largest first; a frame with one callee or caller brings it "
     "along; default: 20"},
    {OPTION_DEPTH, "depth", CLI_NUMBER("LEVELS", 1), "how many levels to show; default: 40"},
    {OPTION_MIN_SHARE, "min-share", CLI_TEXT("PERCENT"),
     "hide stacks below PERCENT of the first line, or of the total; 0 shows all; default: 1"},
    {0}};

static const cli_option output_options[] = {
    {OPTION_WIDTH, "width", CLI_NUMBER("COLUMNS", 0),
     "shorten names so that lines fit into COLUMNS; 0 never does; default: the terminal's width"},
    {OPTION_COLOR, "color", CLI_CHOICE(NULL, color_choice), "colours in text:"},
    {'o', "output", CLI_FILE("FILE", NULL), "write to FILE instead of stdout"},
    {0}};

static const cli_option annotate_options[] = {
    {OPTION_SOURCE, "source", CLI_FOLDER("FOLDER"),
     "look for sources in FOLDER, by the ends of their paths; default: the paths in the debug "
     "information. If the output is a file, only sources in FOLDER are read"},
    {OPTION_TEXT, "wasm", CLI_NO_VALUE,
     "show the function as WebAssembly text; the default if its source is not known"},
    {0}};

static const cli_option_group annotate_group = {NULL, annotate_options};
static const cli_option_group top_group = {NULL, top_options};
static const cli_option_group tree_group = {NULL, tree_options};
static const cli_option_group output_group = {"Output", output_options};

static const cli_option_group *const top_groups[] = {&top_group, &output_group, &cli_view_options,
                                                     &cli_help_options, NULL};
static const cli_option_group *const tree_groups[] = {&tree_group, &output_group, &cli_view_options,
                                                      &cli_help_options, NULL};

static const cli_option_group *const memory_groups[] = {&output_group, &cli_view_options,
                                                        &cli_help_options, NULL};

static const cli_option_group *const annotate_groups[] = {
    &annotate_group, &output_group, &cli_view_options, &cli_help_options, NULL};

static const cli_operand file_operands[] = {{.value = CLI_FILE("FILE.wperf", "wperf")}, {0}};
static const cli_operand function_operands[] = {
    {.value = CLI_FUNCTION("FUNC")}, {.value = CLI_FILE("FILE.wperf", "wperf")}, {0}};

#define FUNCTION_TEXT                                                                              \
  "\n\nFUNC is a function's name, or a glob with * and ?, or a part of a name, that matches only " \
  "one function."

const cli_command cli_top_command = {
    .name = "wasm-perf top",
    .summary = "list the functions by cost",
    .usages = (const char *const[]){"[OPTION]... FILE.wperf", NULL},
    .description = "Lists the functions by self time; '-' reads the profile from standard input. "
                   "Totals count recursion once.",
    .operands = file_operands,
    .groups = top_groups,
    .exit_codes = cli_report_exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf top --sort calls -n 10 app.wperf",
                                     "lists the ten functions with most calls"},
                                    {0}},
    .main = top_main,
};

const cli_command cli_tree_command = {
    .name = "wasm-perf tree",
    .summary = "draw the call tree",
    .usages = (const char *const[]){"[OPTION]... FILE.wperf", NULL},
    .description =
        "Draws the call tree, largest totals first; '-' reads the profile from standard input. A "
        "chain of single callees is one line, with arrows. A recursive call, direct or through "
        "other functions, is counted in the line that its function already has on the stack; the "
        "line ends with the most calls at once. Hidden stacks share one line if their sum is not "
        "small.",
    .operands = file_operands,
    .groups = tree_groups,
    .exit_codes = cli_report_exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf tree --min-share 5 app.wperf",
                                     "shows only stacks of at least 5 % of the total"},
                                    {0}},
    .main = tree_main,
};

const cli_command cli_callers_command = {
    .name = "wasm-perf callers",
    .summary = "show who calls a function",
    .usages = (const char *const[]){"[OPTION]... FUNC FILE.wperf", NULL},
    .description = "Shows the callers of FUNC, and their callers; '-' reads the profile from "
                   "standard input. All numbers are FUNC's, for calls from that caller. A table of "
                   "direct callers comes first, then the tree. A recursive call's cost is already "
                   "in the outer call, so only --min-share 0 shows it." FUNCTION_TEXT,
    .operands = function_operands,
    .groups = tree_groups,
    .exit_codes = cli_report_exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf callers malloc app.wperf",
                                     "shows the calls and cost of malloc by caller"},
                                    {0}},
    .main = callers_main,
};

const cli_command cli_callees_command = {
    .name = "wasm-perf callees",
    .summary = "show what a function calls",
    .usages = (const char *const[]){"[OPTION]... FUNC FILE.wperf", NULL},
    .description = "Shows the callees of FUNC, for all calls of FUNC; '-' reads the profile from "
                   "standard input. The first line includes the cost of FUNC's recursive calls; "
                   "each place that makes them is a line with only their number." FUNCTION_TEXT,
    .operands = function_operands,
    .groups = tree_groups,
    .exit_codes = cli_report_exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf callees 'parse_*' app.wperf",
                                     "shows the callees of the one function that matches"},
                                    {0}},
    .main = callees_main,
};

const cli_command cli_memory_command = {
    .name = "wasm-perf memory",
    .summary = "show block sizes and memory over time",
    .usages = (const char *const[]){"[OPTION]... FILE.wperf", NULL},
    .description = "Shows the sizes of allocated blocks, and live bytes over time; '-' reads the "
                   "profile from standard input. Record the profile with --memory. wasm-perf top "
                   "and tree show who allocated.",
    .operands = file_operands,
    .groups = memory_groups,
    .exit_codes = cli_report_exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf record --memory app.wasm -o app.wperf\n"
                                     "wasm-perf memory app.wperf",
                                     "shows whether memory grows, and by which block sizes"},
                                    {0}},
    .main = memory_main,
};

const cli_command cli_annotate_command = {
    .name = "wasm-perf annotate",
    .summary = "show the source of a function with the cost of each line",
    .usages = (const char *const[]){"[OPTION]... FUNC FILE.wperf", NULL},
    .description =
        "Shows the source of FUNC with the instructions, executions and calls of each "
        "line, and with its total, which includes the functions that it calls; '-' "
        "reads the profile from standard input. Record the profile with "
        "--lines. The module must be next to the profile, in the current folder, or given "
        "with --symbols. Without line information, FUNC is shown as WebAssembly "
        "text." FUNCTION_TEXT,
    .operands = function_operands,
    .groups = annotate_groups,
    .exit_codes = cli_report_exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf record --lines app.wasm -o app.wperf\n"
                                     "wasm-perf annotate parse app.wperf",
                                     "shows how often each line of parse was executed"},
                                    {0}},
    .main = annotate_main,
};

/* ---- Options ------------------------------------------------------------- */

static int set_min_share(view_request *request) {
  uint32_t share = 0;
  if (request->min_share && !cli_parse_share(request->min_share, &share))
    return cli_usage_error(request->command->name, CLI_SHARE_WANTED, request->min_share);
  if (request->min_share)
    request->options.min_share = share == 0 ? WASM_PERF_ANY_SHARE : share;
  return CLI_PROCEED;
}

static void set_color(view_request *request, size_t choice) {
  request->has_color = choice != COLOR_AUTO;
  request->options.uses_color = choice == COLOR_ALWAYS;
}

static void take_option(view_request *request, const cli_parser *parser, int option) {
  switch (option) {
  case 'n': request->options.row_limit = parser->number; break;
  case 'o': request->output = parser->value; break;
  case OPTION_SORT: request->options.sort = (wasm_perf_sort)parser->choice; break;
  case OPTION_DEPTH: request->options.depth_limit = parser->number; break;
  case OPTION_MIN_SHARE: request->min_share = parser->value; break;
  case OPTION_WIDTH:
    request->has_width = true;
    request->options.width = parser->number;
    break;
  case OPTION_COLOR: set_color(request, parser->choice); break;
  case OPTION_TEXT: request->wants_text = true; break;
  case OPTION_SOURCE: request->options.source_folder = parser->value; break;
  default: cli_view_option(&request->view, parser, option); break;
  }
}

/* Whether paths may be opened for source text: not for a file, which may be passed on. */
static bool is_shown(const view_request *request) {
  struct stat status;
  return strcmp(request->output, "-") == 0 &&
         !(fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode));
}

static void adapt_to_terminal(view_request *request) {
  request->options.opens_paths = is_shown(request);
  if (strcmp(request->output, "-") != 0)
    return;
  if (!request->has_width)
    request->options.width = cli_terminal_width();
  if (!request->has_color)
    request->options.uses_color = cli_terminal_has_color();
}

static int parse(view_request *request, const wasm_perf_report_format *format, int argc,
                 char **argv) {
  bool needs_function = (format->traits & WASM_PERF_FORMAT_NEEDS_FUNCTION) != 0;
  cli_parser parser;
  cli_parser_init(&parser, request->command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END)
    take_option(request, &parser, option);
  if (parser.status != CLI_PROCEED)
    return parser.status;
  if (parser.operand_count != (needs_function ? 2u : 1u))
    return cli_usage_error(request->command->name, "%s needed, not %zu arguments",
                           needs_function ? "a function and a profile are" : "one profile is",
                           parser.operand_count);
  if (needs_function && cli_has_extension(parser.operands[0], "wperf") &&
      !cli_has_extension(parser.operands[1], "wperf"))
    return cli_usage_error(request->command->name, "FUNC comes before the profile: %s %s",
                           parser.operands[1], parser.operands[0]);
  request->pattern = needs_function ? parser.operands[0] : NULL;
  request->input = parser.operands[parser.operand_count - 1];
  adapt_to_terminal(request);
  return set_min_share(request);
}

/* ---- The function -------------------------------------------------------- */

/* Orders names by their distance from the pattern, then by length. */
static bool is_nearer(const char *pattern, const char *left, const char *right) {
  uint32_t a = wi_part_distance(pattern, left), b = wi_part_distance(pattern, right);
  return a != b ? a < b : strlen(left) < strlen(right);
}

/* Prints that no function matches, and similar names. */
static void refuse_none(const view_request *request, const wasm_perf_profile *profile) {
  uint32_t count;
  const char *nearest = NULL;
  char **names = wasm_perf_find_functions(profile, "*", &count);
  for (uint32_t i = 0; names && i < count; i++)
    if (wi_part_distance(request->pattern, names[i]) != WI_FAR &&
        (!nearest || is_nearer(request->pattern, names[i], nearest)))
      nearest = names[i];
  if (nearest)
    cli_error(request->input, "no function that was called matches '%s'; did you mean '%s'?",
              request->pattern, nearest);
  else
    cli_error(request->input,
              "no function that was called matches '%s'; wasm-perf functions lists them",
              request->pattern);
  free(names);
}

/* Prints that the pattern matches several functions, and their names. */
static void refuse(const view_request *request, char *const *names, uint32_t count) {
  cli_error(request->input,
            "'%s' matches %u functions; give the whole name of one, in quotes:", request->pattern,
            count);
  for (uint32_t i = 0; i < count && i < MAX_LISTED; i++)
    cli_message("  %s", names[i]);
  if (count > MAX_LISTED)
    cli_message("  and %u more", count - MAX_LISTED);
}

/* The name that the pattern matches; the caller frees it. NULL, with a message, if none does. */
static char *find_function(const view_request *request, const wasm_perf_profile *profile) {
  char readable[WI_READABLE_MAX_SIZE];
  const char *pattern = request->pattern;
  if (!request->view.raw_names && wi_demangle(pattern, readable, sizeof readable))
    pattern = readable;
  uint32_t count;
  char **names = wasm_perf_find_functions(profile, pattern, &count);
  char *name = NULL;
  if (!names)
    cli_error(NULL, "out of memory");
  else if (count == 1)
    name = cli_text("%s", names[0]);
  else if (count == 0)
    refuse_none(request, profile);
  else
    refuse(request, names, count);
  free(names);
  return name;
}

/* ---- Lines --------------------------------------------------------------- */

/* Whether a function with that label has lines; if several do, any of them. */
static bool has_lines_of(const wasm_perf_profile *profile, const char *label) {
  size_t size = wi_label_name_size(label);
  for (uint32_t i = 0; i < profile->lines.count; i++) {
    const char *function = wasm_perf_profile_name(profile, profile->lines.items[i].function);
    if (function && strlen(function) == size && memcmp(function, label, size) == 0)
      return true;
  }
  return false;
}

/* Whether there is something to annotate; prints what is missing. */
static bool check_lines(view_request *request, wasm_perf_profile *profile, const char *function) {
  if (!request->wants_text && has_lines_of(profile, function))
    return true;
  if (request->wants_text)
    profile->lines.count = profile->lines.call_count = 0;
  if (cli_text_add(profile, request->input, &request->view.symbols, function))
    return true;
  if (profile->block_function_count == 0)
    cli_error(request->input, "lines were not counted: record it with --lines");
  else if (profile->lines.count > 0)
    cli_error(request->input, "no counts for '%s': it has no instructions, or was not selected",
              function);
  else
    cli_error(
        request->input,
        "its module, %s, is neither next to it nor in this folder: give the recorded file, or "
        "its folder, with --symbols",
        profile->facts.module ? profile->facts.module : "whose name is unknown");
  return false;
}

/* ---- The commands -------------------------------------------------------- */

static bool show(view_request *request, const wasm_perf_report_format *format,
                 wasm_perf_profile *profile) {
  if ((format->traits & WASM_PERF_FORMAT_NEEDS_MEMORY) && !profile->follows_memory) {
    cli_error(request->input, "it has no memory data: record it with --memory");
    return false;
  }
  char *function = request->pattern ? find_function(request, profile) : NULL;
  bool is_complete = !request->pattern || function;
  if (function && (format->traits & WASM_PERF_FORMAT_NEEDS_LINES))
    is_complete = check_lines(request, profile, function);
  if (!is_complete) {
    free(function);
    return false;
  }
  request->options.function = function;
  bool done = cli_profile_write(profile, format, &request->options, request->output, NULL);
  free(function);
  return done;
}

static bool load_and_show(view_request *request, const wasm_perf_report_format *format) {
  signal(SIGPIPE, SIG_DFL); /* end silently in `| head`, even if the parent ignores the signal */
  request->options.title = wi_path_name(request->input);
  wasm_perf_profile *profile =
      cli_profile_load(request->input, &request->view, &request->options.value);
  bool done = profile && show(request, format, profile);
  wasm_perf_profile_free(profile);
  return done;
}

static int view_main(const cli_command *command, const wasm_perf_report_format *format, int argc,
                     char **argv) {
  view_request request = {.command = command, .output = "-"};
  int status = parse(&request, format, argc, argv);
  if (status == CLI_PROCEED)
    status = load_and_show(&request, format) ? 0 : CLI_EXIT_FAILURE;
  cli_view_clear(&request.view);
  return status;
}

static int top_main(int argc, char **argv) {
  return view_main(&cli_top_command, wasm_perf_report_format_find("top"), argc, argv);
}

static int tree_main(int argc, char **argv) {
  return view_main(&cli_tree_command, wasm_perf_report_format_find("tree"), argc, argv);
}

static int callers_main(int argc, char **argv) {
  return view_main(&cli_callers_command, &wasm_perf_callers, argc, argv);
}

static int callees_main(int argc, char **argv) {
  return view_main(&cli_callees_command, &wasm_perf_callees, argc, argv);
}

static int memory_main(int argc, char **argv) {
  return view_main(&cli_memory_command, wasm_perf_report_format_find("memory"), argc, argv);
}

static int annotate_main(int argc, char **argv) {
  return view_main(&cli_annotate_command, &wasm_perf_annotated, argc, argv);
}
