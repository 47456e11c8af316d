/* wasm-perf calls: single calls of the functions that were measured, and why one was slow. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/common/parser.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/show/terminal.h"
#include "cli/perf/show/view.h"
#include "profile/call_tree.h"
#include "report/model/measured.h"
#include "wasm_perf/diff.h"

#define WORST  "worst"
#define MEDIAN "median"

static const wasm_perf_report_format *const forms[] = {&wasm_perf_measured,
                                                       &wasm_perf_measured_json};

enum { OPTION_BY = CLI_OPTIONS_OWN, OPTION_CALLERS, OPTION_CALL, OPTION_AGAINST };

static int calls_main(int argc, char **argv);

static bool form_choice(size_t index, cli_choice *choice) {
  return index < sizeof forms / sizeof *forms &&
         cli_choice_set(choice, forms[index]->name, forms[index]->summary);
}

static bool measure_choice(size_t index, cli_choice *choice) {
  static const char *const texts[WASM_PERF_CALL_MEASURE_COUNT] = {
      [WASM_PERF_CALL_MEASURE_TIME] = "the default, if it was measured",
      [WASM_PERF_CALL_MEASURE_INSTRUCTIONS] = "executed instructions"};
  return index < WASM_PERF_CALL_MEASURE_COUNT &&
         cli_choice_set(choice, wi_call_measure_name((wasm_perf_call_measure)index), texts[index]);
}

static const cli_option calls_options[] = {
    {OPTION_CALL, "call", CLI_TEXT("N"),
     "show one call as a tree: its number in the list, " WORST " for the slowest, or " MEDIAN
     " for a typical call of the same function"},
    {OPTION_AGAINST, "against", CLI_TEXT("N"),
     "with --call: show why it cost more than call N, a number or " MEDIAN},
    {OPTION_BY, "by", CLI_CHOICE(NULL, measure_choice), "what is shown of each call:"},
    {OPTION_CALLERS, "callers", CLI_NO_VALUE, "add a row for each caller of a function"},
    {'n', "limit", CLI_NUMBER("ROWS", 1), "how many rows to show; default: 20"},
    {'f', "format", CLI_CHOICE("FORMAT", form_choice), "format; default: text"},
    {'o', "output", CLI_FILE("FILE", NULL), "write to FILE instead of stdout"},
    {0}};

static const cli_option_group calls_group = {NULL, calls_options};

const cli_command cli_calls_command = {
    .name = "wasm-perf calls",
    .summary = "show how long single calls took, and why one was slow",
    .usages = (const char *const[]){"[OPTION]... FILE.wperf", NULL},
    .description =
        "Shows the functions whose calls were measured one by one, and the slowest calls; '-' "
        "reads "
        "the profile from standard input. Record the profile with --calls. A percentile is that of "
        "the call with this rank. It is interpolated within a bucket of the histogram, which is at "
        "most 1/16 of the value wide. The maximum is exact if that call was kept; otherwise it is "
        "the upper bound of its bucket, marked as such.",
    .operands = (const cli_operand[]){{.value = CLI_FILE("FILE.wperf", "wperf")}, {0}},
    .groups =
        (const cli_option_group *const[]){&calls_group, &cli_view_options, &cli_help_options, NULL},
    .exit_codes = cli_report_exit_codes,
    .examples =
        (const cli_entry[]){{"wasm-perf record --calls-of render -o app.wperf -- node server.mjs\n"
                             "wasm-perf calls app.wperf",
                             "shows the percentiles of render, and its slowest calls"},
                            {"wasm-perf calls app.wperf --call worst --against median",
                             "says what the slowest call did more of than a typical one"},
                            {0}},
    .main = calls_main,
};

/* Strings are borrowed from argv. */
typedef struct calls_request {
  const char *input;   /* "-": stdin */
  const char *output;  /* "-": stdout */
  const char *call;    /* NULL: all */
  const char *against; /* NULL: none */
  const wasm_perf_report_format *form;
  cli_view view;
  wasm_perf_report_options options;
} calls_request;

static void take_option(calls_request *request, const cli_parser *parser, int option) {
  switch (option) {
  case OPTION_CALL: request->call = parser->value; break;
  case OPTION_AGAINST: request->against = parser->value; break;
  case OPTION_BY: request->options.call_measure = (wasm_perf_call_measure)parser->choice; break;
  case OPTION_CALLERS: request->options.by_caller = true; break;
  case 'n': request->options.row_limit = parser->number; break;
  case 'f': request->form = forms[parser->choice]; break;
  case 'o': request->output = parser->value; break;
  default: cli_view_option(&request->view, parser, option); break;
  }
}

/* Whether the text names a call, as far as that is known without the profile. */
static bool is_choice(const char *text, const char *word) {
  uint32_t number;
  return !text || strcmp(text, MEDIAN) == 0 || strcmp(text, word) == 0 ||
         (cli_parse_number(text, &number) && number > 0);
}

static int parse(calls_request *request, int argc, char **argv) {
  const char *name = cli_calls_command.name;
  cli_parser parser;
  cli_parser_init(&parser, &cli_calls_command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END)
    take_option(request, &parser, option);
  if (parser.status != CLI_PROCEED)
    return parser.status;
  if (parser.operand_count != 1)
    return cli_usage_error(name, "one profile is needed, not %zu arguments", parser.operand_count);
  request->input = request->options.title = parser.operands[0];
  request->options.min_share = WASM_PERF_ANY_SHARE;
  if (!is_choice(request->call, WORST))
    return cli_usage_error(name, "--call wants a number, worst or median, not '%s'", request->call);
  if (!is_choice(request->against, MEDIAN))
    return cli_usage_error(name, "--against wants a number or median, not '%s'", request->against);
  if (request->against && !request->call)
    return cli_usage_error(name, "--against needs --call");
  if (request->against && request->form != forms[0])
    return cli_usage_error(name, "--against is only written as text");
  if (strcmp(request->output, "-") == 0)
    request->options.width = cli_terminal_width();
  return CLI_PROCEED;
}

/* ---- Choosing calls ---------------------------------------------------------- */

/*
 * The call that `text` names; `median` is that of the function of `other`. NULL, with a message, if
 * there is none, or if its rows were not kept.
 */
static const wasm_perf_call *find_call(const calls_request *request,
                                       const wasm_perf_profile *profile, const char *text,
                                       const wasm_perf_call *other) {
  const wasm_perf_calls *calls = &profile->calls;
  const wasm_perf_call *found = NULL;
  uint32_t number = 1;
  if (calls->kept_count == 0)
    cli_error(request->input, "no single calls were kept");
  else if (strcmp(text, MEDIAN) == 0)
    found = wi_typical_call(profile, other);
  else if (strcmp(text, WORST) == 0 || cli_parse_number(text, &number))
    found = number <= calls->kept_count ? &calls->kept[number - 1] : NULL;
  if (calls->kept_count > 0 && !found && strcmp(text, MEDIAN) == 0)
    cli_error(request->input, "no typical call of that function was kept: give a number");
  else if (calls->kept_count > 0 && !found)
    cli_error(request->input, "there is no call %s: %u were kept", text, calls->kept_count);
  if (!found || found->row_count > 0)
    return found;
  cli_error(request->input, "what call %u called is not known: %s",
            (unsigned)(found - calls->kept) + 1,
            (found->why & WASM_PERF_KEPT_MIXED) != 0 ? "other measured calls ran in between"
                                                     : "there was no space to keep it");
  return NULL;
}

/* ---- One call ---------------------------------------------------------------- */

/* A call, and how it is written. */
typedef struct single {
  const calls_request *request;
  const wasm_perf_profile *profile;
  const wasm_perf_call *call;
  const wasm_perf_call *against; /* NULL: none */
  const wasm_perf_profile *tree; /* of the call; NULL if it is compared */
} single;

/* "call 1: 212 ms, 111 times the median, 3.20 s after the first one" */
static void write_caption(const single *of, FILE *stream) {
  const wasm_perf_call *call = of->call;
  fprintf(stream, "call %u", (unsigned)(call - of->profile->calls.kept) + 1);
  for (unsigned i = 0; i < WASM_PERF_CALL_MEASURE_COUNT; i++)
    if (call->values[i] > 0)
      fprintf(
          stream, "%s%s", i == 0 ? ": " : ", ",
          wi_format_value(wi_call_measure_unit((wasm_perf_call_measure)i), call->values[i]).text);
  if (call->start > 0)
    fprintf(stream, ", %s after the first one",
            wi_format_value(WI_UNIT_NANOSECONDS, call->start).text);
  fputc('\n', stream);
}

static bool write_single(const void *what, FILE *stream) {
  const single *of = what;
  const wasm_perf_report_options *options = &of->request->options;
  const wasm_perf_diff_options diff = {.row_limit = options->row_limit, .width = options->width};
  if (of->against)
    return wasm_perf_calls_compare(of->profile, of->call, of->against, &diff, stream);
  write_caption(of, stream);
  return wasm_perf_report_format_find("tree")->write(of->tree, options, stream);
}

static bool fill(const single *of) {
  const char *output = of->request->output;
  bool done = cli_file_fill(output, write_single, of);
  if (!done)
    cli_message_unwritten("wasm-perf", wi_file_output_name(output));
  return done;
}

static bool show_tree(single *of) {
  bool has_instructions = wi_call_has_instructions(of->call);
  wasm_perf_profile *tree =
      wi_call_profile(of->profile, of->call,
                      has_instructions ? WASM_PERF_CLOCK_INSTRUCTIONS : WASM_PERF_CLOCK_NONE);
  if (!tree)
    return cli_fail_memory(NULL);
  of->tree = tree;
  bool done = of->request->form == forms[0]
                  ? fill(of)
                  : cli_profile_write(tree, wasm_perf_report_format_find("json"),
                                      &of->request->options, of->request->output, NULL);
  wasm_perf_profile_free(tree);
  return done;
}

static bool show_call(const calls_request *request, const wasm_perf_profile *profile) {
  single of = {.request = request, .profile = profile};
  const wasm_perf_call *slowest = profile->calls.kept;
  of.call = find_call(request, profile, request->call, slowest);
  if (!of.call)
    return false;
  if (!request->against)
    return show_tree(&of);
  of.against = find_call(request, profile, request->against, of.call);
  return of.against && fill(&of);
}

/* ---- The command --------------------------------------------------------------- */

static bool show(const calls_request *request, wasm_perf_profile *profile) {
  if (profile->calls.measures == 0)
    return cli_fail(NULL, request->input,
                    "no calls were measured: record it with --calls or --calls-of");
  if (request->call)
    return show_call(request, profile);
  return cli_profile_write(profile, request->form, &request->options, request->output, NULL);
}

static int calls_main(int argc, char **argv) {
  calls_request request = {.output = "-", .form = forms[0]};
  int status = parse(&request, argc, argv);
  if (status == CLI_PROCEED) {
    signal(SIGPIPE, SIG_DFL); /* end silently in `| head`, even if the parent ignores the signal */
    wasm_perf_value value = WASM_PERF_VALUE_SELF;
    wasm_perf_profile *profile = cli_profile_load(request.input, &request.view, &value);
    if (value == WASM_PERF_VALUE_CALLS)
      request.options.value = value;
    status = profile && show(&request, profile) ? 0 : CLI_EXIT_FAILURE;
    wasm_perf_profile_free(profile);
  }
  cli_view_clear(&request.view);
  return status;
}
