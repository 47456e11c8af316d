/* wasm-perf report: shows a profile. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/common/parser.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/input/private_paths.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/input/texts.h"
#include "cli/perf/input/times.h"
#include "cli/perf/show/coverage.h"
#include "cli/perf/show/terminal.h"
#include "cli/perf/show/view.h"
#include "support/utf8.h"

enum {
  OPTION_MAX_STACKS = CLI_OPTIONS_OWN,
  OPTION_MIN_SHARE,
  OPTION_SOURCE_URL,
  OPTION_SOURCE,
  OPTION_TIMES
};

static int report_main(int argc, char **argv);

CLI_FORMAT_CHOICES(wasm_perf_report_formats)

static const cli_option report_options[] = {
    CLI_FORMAT_OPTION("top"),
    {'o', "output", CLI_FILE("FILE", NULL), "write to FILE instead of stdout"},
    {OPTION_MAX_STACKS, "max-stacks", CLI_NUMBER("COUNT", 1),
     "merge the smallest stacks into frames [small] until at most COUNT are left: some servers "
     "refuse "
     "larger profiles"},
    {OPTION_MIN_SHARE, "min-share", CLI_TEXT("PERCENT"),
     "merge stacks with less than PERCENT of the whole into frames [small]; default: 0.01 for "
     "folded, speedscope, chrome and cpuprofile with more than 100,000 stacks, else 0, which keeps "
     "all"},
    {OPTION_SOURCE_URL, "source-url", CLI_TEXT("TEMPLATE"),
     "in html, link functions to their source: {path} stands for a file's whole path, {file} for "
     "its path from this folder on, {line} for the line"},
    {OPTION_SOURCE, "source", CLI_FOLDER("FOLDER"),
     "in pages, for a profile recorded with --lines or --coverage: add the source text, from files "
     "in FOLDER whose paths end alike; default: line numbers only"},
    {OPTION_TIMES, "times", CLI_FILE("FILE", NULL),
     "show the profile's calls with the times of FILE, of the same program: a trace of the "
     "Performance panel of DevTools, a .cpuprofile, or what record --times reads"},
    {0}};

static const cli_entry exit_codes[] = {
    {CLI_EXIT_TEXT(CLI_EXIT_SUCCESS), "success"},
    {CLI_EXIT_TEXT(CLI_EXIT_FAILURE), "a file could not be read or written"},
    {CLI_EXIT_TEXT(CLI_EXIT_USAGE), "wrong usage"},
    {CLI_EXIT_TEXT(CLI_EXIT_GREW), "coverage is below --fail-under"},
    {0}};

static const cli_option_group report_group = {NULL, report_options};

const cli_command cli_report_command = {
    .name = "wasm-perf report",
    .summary = "show a profile",
    .usages = (const char *const[]){"[OPTION]... FILE.wperf [FILE.wperf]...", NULL},
    .description =
        "Shows a profile; '-' reads it from standard input. With html, several profiles, or all "
        ".wperf files in a folder, become one page that shows, adds up and compares them.",
    .operands =
        (const cli_operand[]){{.repeats = true, .value = CLI_FILE("FILE.wperf", "wperf")}, {0}},
    .groups = (const cli_option_group *const[]){&report_group, &cli_coverage_options,
                                                &cli_view_options, &cli_help_options, NULL},
    .exit_codes = exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf report app.wperf", "a table of functions"},
                                    {"wasm-perf report app.wperf -o app.svg",
                                     "a flame graph; the name of the output chooses the format"},
                                    {"wasm-perf report one.wperf two.wperf -o both.html",
                                     "a page with a switch between the two"},
                                    {"wasm-perf report --format folded app.wperf | sort",
                                     "one line for each stack"},
                                    {"wasm-perf report --source-url 'vscode://file{path}:{line}' "
                                     "a.wperf -o a.html",
                                     "functions lead to their lines in an editor"},
                                    {0}},
    .main = report_main,
};

/* Strings are borrowed from argv, except the inputs. */
typedef struct report_request {
  cli_list inputs;    /* "-": stdin */
  const char *output; /* "-": stdout */
  cli_view view;
  cli_coverage coverage;
  const wasm_perf_report_format *format; /* NULL until chosen by the output's name */
  const char *min_share;                 /* as typed; NULL for the default */
  uint32_t share;                        /* min_share in millionths */
  uint32_t max_stacks;                   /* 0: any number */
  const char *source_url;                /* NULL for no links */
  const char *source_folder;             /* NULL for no source text */
  const char *times_path;                /* NULL for the profile's own */
  char folder[PATH_MAX];                 /* working directory, for links; "" if unknown */
} report_request;

static int choose_format(report_request *request) {
  if (request->format)
    return CLI_PROCEED;
  if (strcmp(request->output, "-") == 0)
    request->format = wasm_perf_report_format_find("top");
  else
    request->format = cli_format_for_path(request->output);
  return request->format ? CLI_PROCEED : cli_format_unknown(&cli_report_command, request->output);
}

/* ---- Options -------------------------------------------------------------- */

/* Whether the URL leads to a place, rather than running code in the page. */
static bool is_link(const char *url) {
  static const char *const refused[] = {"javascript:", "data:", "vbscript:"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (strncasecmp(url, refused[i], strlen(refused[i])) == 0)
      return false;
  return isalpha((unsigned char)*url) && wi_utf8_is_valid((const uint8_t *)url, strlen(url));
}

static int check_source_url(report_request *request) {
  const char *url = request->source_url;
  if (!url)
    return CLI_PROCEED;
  if (!is_link(url) || (!strstr(url, "{file}") && !strstr(url, "{path}")))
    return cli_usage_error(cli_report_command.name,
                           "--source-url needs a URL with {file} or {path} in it, not '%s'", url);
  if (!getcwd(request->folder, sizeof request->folder))
    request->folder[0] = '\0';
  return CLI_PROCEED;
}

static wasm_perf_report_options options_of(const report_request *request, const char *title) {
  wasm_perf_report_options options = {.title = title,
                                      .source_url = request->source_url,
                                      .source_root = request->folder,
                                      .source_folder = request->source_folder};
  cli_coverage_choose(&request->coverage, &options);
  return options;
}

/* ---- Profiles ------------------------------------------------------------- */

#ifdef __wasi__ /* the npm package cannot read folders */

static bool add_input(cli_list *inputs, const char *path) {
  cli_list_add(inputs, cli_text("%s", path));
  return true;
}

#else

static int compare_texts(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Adds the profiles in a folder, sorted by name. False, with a message, if there are none. */
static bool add_folder(cli_list *inputs, const char *path, DIR *folder) {
  size_t first = inputs->count;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
    if (cli_has_extension(entry->d_name, "wperf"))
      cli_list_add(inputs, cli_text("%s/%s", path, entry->d_name));
  if (inputs->count == first)
    return cli_error(path, "no .wperf file in this folder") == CLI_PROCEED;
  qsort(inputs->items + first, inputs->count - first, sizeof *inputs->items, compare_texts);
  return true;
}

static bool add_input(cli_list *inputs, const char *path) {
  DIR *folder = strcmp(path, "-") == 0 ? NULL : opendir(path);
  if (!folder) {
    cli_list_add(inputs, cli_text("%s", path));
    return true;
  }
  bool ok = add_folder(inputs, path, folder);
  closedir(folder);
  return ok;
}

#endif

static int take_option(report_request *request, const cli_parser *parser, int option) {
  int status;
  if (cli_coverage_option(&request->coverage, parser, option, cli_report_command.name, &status))
    return status;
  switch (option) {
  case 'f': request->format = &wasm_perf_report_formats[parser->choice]; break;
  case 'o': request->output = parser->value; break;
  case OPTION_MAX_STACKS: request->max_stacks = parser->number; break;
  case OPTION_MIN_SHARE: request->min_share = parser->value; break;
  case OPTION_SOURCE_URL: request->source_url = parser->value; break;
  case OPTION_SOURCE: request->source_folder = parser->value; break;
  case OPTION_TIMES: request->times_path = parser->value; break;
  default: cli_view_option(&request->view, parser, option); break;
  }
  return CLI_PROCEED;
}

static int parse(report_request *request, int argc, char **argv) {
  cli_parser parser;
  cli_parser_init(&parser, &cli_report_command, argc, argv);
  int option, status = CLI_PROCEED;
  while (status == CLI_PROCEED && (option = cli_parser_next(&parser)) != CLI_OPTIONS_END)
    status = take_option(request, &parser, option);
  if (status != CLI_PROCEED)
    return status;
  if (parser.status != CLI_PROCEED)
    return parser.status;
  if (parser.operand_count == 0)
    return cli_usage_error(cli_report_command.name, "a profile is needed");
  if (request->min_share && !cli_parse_share(request->min_share, &request->share))
    return cli_usage_error(cli_report_command.name, CLI_SHARE_WANTED, request->min_share);
  status = check_source_url(request);
  if (status == CLI_PROCEED)
    status = choose_format(request);
  if (status == CLI_PROCEED && request->view.shows_inlined &&
      (request->format->traits & WASM_PERF_FORMAT_KEEPS_INLINED))
    return cli_usage_error(cli_report_command.name, "callgrind shows inlined code by its files and "
                                                    "lines, without --inlined");
  for (size_t i = 0; status == CLI_PROCEED && i < parser.operand_count; i++)
    if (!add_input(&request->inputs, parser.operands[i]))
      return CLI_EXIT_FAILURE;
  if (status == CLI_PROCEED && request->inputs.count > 1 &&
      !(request->format->traits & WASM_PERF_FORMAT_IS_PAGE))
    return cli_usage_error(cli_report_command.name,
                           "only html shows several profiles; wasm-perf merge adds them up");
  if (status == CLI_PROCEED && request->inputs.count > 1 && request->times_path)
    return cli_usage_error(cli_report_command.name, "--times needs a single profile");
  return status;
}

/* ---- The command ---------------------------------------------------------- */

/* Merges small stacks, by options or because the format would become too large. */
static bool prune(const report_request *request, wasm_perf_profile *profile,
                  wasm_perf_value value) {
  uint32_t left_out_count;
  if (!request->min_share && request->max_stacks == 0)
    return cli_profile_merge_small(profile, value, request->format, request->inputs.items[0], NULL);
  if ((request->share == 0 && request->max_stacks == 0) ||
      wasm_perf_profile_prune(profile, value, request->share, request->max_stacks, &left_out_count))
    return true;
  cli_error(NULL, "out of memory");
  return false;
}

/* Only profiles of one module have its indices, and its identity. The times bring kinds to hide. */
static bool attribute_times(const report_request *request, wasm_perf_profile *profile) {
  cli_times times = {0};
  bool done = !request->times_path ||
              (cli_times_read(&times, request->times_path, NULL) &&
               cli_times_attribute(&times, profile, profile->facts.identity, NULL) &&
               cli_profile_hide(profile, &request->view, NULL));
  cli_times_clear(&times);
  return done;
}

static int write_one(const report_request *request) {
  const char *input = request->inputs.items[0];
  wasm_perf_report_options options = options_of(request, wi_path_name(input));
  if (strcmp(request->output, "-") == 0) {
    options.width = cli_terminal_width();
    options.uses_color = cli_terminal_has_color();
  }
  wasm_perf_profile *profile = cli_profile_load(input, &request->view, &options.value);
  if (profile && (request->format->traits & WASM_PERF_FORMAT_IS_PAGE))
    cli_texts_add(profile, input, &request->view.symbols);
  bool done = profile && attribute_times(request, profile) &&
              prune(request, profile, options.value) &&
              cli_profile_write(profile, request->format, &options, request->output, NULL);
  int exit_code = !done                          ? CLI_EXIT_FAILURE
                  : request->coverage.limit_text ? cli_coverage_judge(&request->coverage, profile)
                                                 : CLI_EXIT_SUCCESS;
  wasm_perf_profile_free(profile);
  return exit_code;
}

/* Several profiles, and how they are written. */
typedef struct runs {
  const wasm_perf_profile *const *profiles;
  const char *const *names;
  size_t count;
  wasm_perf_report_options options;
  wasm_perf_mismatch *mismatch;
} runs;

static bool fill_with_runs(const void *what, FILE *stream) {
  const runs *of = what;
  return wasm_perf_report_write_runs(of->profiles, of->names, of->count, &of->options, stream,
                                     of->mismatch);
}

static bool write_runs(const report_request *request, const wasm_perf_profile *const *profiles,
                       wasm_perf_value value) {
  char title[32];
  wasm_perf_mismatch mismatch = {.index = request->inputs.count};
  runs of = {.profiles = profiles,
             .names = (const char *const *)request->inputs.items,
             .count = request->inputs.count,
             .mismatch = &mismatch};
  snprintf(title, sizeof title, "%zu profiles", of.count);
  of.options = options_of(request, title);
  of.options.value = value;
  if (cli_file_fill(request->output, fill_with_runs, &of))
    return true;
  if (mismatch.index < of.count)
    cli_error(of.names[mismatch.index], "%s", mismatch.message);
  else
    cli_message_unwritten("wasm-perf", wi_file_output_name(request->output));
  return false;
}

static int write_several(const report_request *request) {
  size_t count = request->inputs.count, loaded = 0;
  wasm_perf_profile **profiles = calloc(count, sizeof *profiles);
  bool ok = profiles != NULL;
  cli_shown first = {0};
  for (; ok && loaded < count; loaded++) {
    cli_shown shown = {.path = request->inputs.items[loaded]};
    profiles[loaded] = cli_profile_load(shown.path, &request->view, &shown.value);
    shown.profile = profiles[loaded];
    if (loaded == 0)
      first = shown;
    ok = shown.profile && cli_values_match(&first, &shown);
    if (ok)
      cli_private_paths_shorten(profiles[loaded]);
  }
  ok = ok && write_runs(request, (const wasm_perf_profile *const *)profiles, first.value);
  for (size_t i = 0; i < loaded; i++)
    wasm_perf_profile_free(profiles[i]);
  free(profiles);
  return ok ? CLI_EXIT_SUCCESS : CLI_EXIT_FAILURE;
}

static int report_main(int argc, char **argv) {
  report_request request = {.output = "-"};
  int status = parse(&request, argc, argv);
  if (status == CLI_PROCEED)
    status = request.inputs.count > 1 ? write_several(&request) : write_one(&request);
  cli_coverage_clear(&request.coverage);
  cli_list_clear(&request.inputs);
  cli_view_clear(&request.view);
  return status;
}
