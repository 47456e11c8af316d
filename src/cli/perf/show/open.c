/* wasm-perf open: shows a profile in a browser. */
#define _GNU_SOURCE /* open_memstream, getrandom, realpath */

#include "cli/perf/show/open.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/common/parser.h"
#include "cli/common/process.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/progress.h"
#include "cli/perf/show/http.h"
#include "cli/perf/show/view.h"

#define DEFAULT_WAIT (120 * CLI_SECOND)

enum {
  TOKEN_SIZE = 16, /* random bytes in the URL */
  STEP_MS = 100,
  SENDING_SECONDS = 60,
  URL_SIZE = 1024,
};

enum { OPTION_IN = CLI_OPTIONS_OWN, OPTION_NO_BROWSER, OPTION_WAIT };

/* ---- Where to ------------------------------------------------------------- */

/* A page that shows profiles. A page on the web fetches the profile from this machine. */
typedef struct target {
  const char *name;
  const char *help;
  const char *format;
  const char *origin; /* of a page on the web; NULL for our own file */
  const char *prefix; /* the page's URL up to the profile's URL */
} target;

static const target targets[] = {
    {"html", "a file with flame graph and table, NAME.html in the current folder", "html", NULL,
     NULL},
    {"firefox", "the Firefox Profiler, profiler.firefox.com", "firefox",
     "https://profiler.firefox.com", "https://profiler.firefox.com/from-url/"},
    {"speedscope", "speedscope, www.speedscope.app", "speedscope", "https://www.speedscope.app",
     "https://www.speedscope.app/#profileURL="},
};
static const size_t target_count = sizeof targets / sizeof *targets;

static bool target_choice(size_t index, cli_choice *choice) {
  if (index >= target_count)
    return false;
  snprintf(choice->name, sizeof choice->name, "%s", targets[index].name);
  choice->help = targets[index].help;
  return true;
}

/* ---- The table ------------------------------------------------------------ */

static int open_main(int argc, char **argv);

static const cli_option open_options[] = {
    {OPTION_IN, "in", CLI_CHOICE("PAGE", target_choice), "where to show it; default: html"},
    {'o', "output", CLI_FILE("FILE.html", "html"), "write the page to FILE.html, with --in html"},
    {OPTION_NO_BROWSER, "no-browser", CLI_NO_VALUE, "start no browser, only print the address"},
    {OPTION_WAIT, "wait", CLI_TEXT("TIME"),
     "wait this long for the page to fetch the profile; default: 2m"},
    {0}};

static const cli_option_group open_group = {NULL, open_options};

const cli_command cli_open_command = {
    .name = "wasm-perf open",
    .summary = "show a profile in a browser",
    .usages = (const char *const[]){"[OPTION]... FILE.wperf|FILE.html", NULL},
    .description =
        "Opens a profile, or a page that was made of one, in a browser, and prints the address. A "
        "page on the web fetches it from "
        "this machine, once, at an address that cannot be guessed and that answers that page only; "
        "then, or after two minutes, the command ends. Nothing is uploaded.",
    .operands = (const cli_operand[]){{.value = CLI_FILE("FILE.wperf", "wperf")}, {0}},
    .groups =
        (const cli_option_group *const[]){&open_group, &cli_view_options, &cli_help_options, NULL},
    .exit_codes = cli_report_exit_codes,
    .examples =
        (const cli_entry[]){{"wasm-perf open app.wperf", "flame graph and table"},
                            {"wasm-perf open app.html", "opens a page that wasm-perf record wrote"},
                            {"wasm-perf open --in firefox app.wperf",
                             "opens the profile in the Firefox Profiler on the web"},
                            {0}},
    .main = open_main,
};

/* Strings are borrowed from argv. */
typedef struct open_request {
  const char *input; /* "-": stdin */
  const target *target;
  const char *output; /* NULL if named after the input */
  bool no_browser;
  uint64_t wait; /* nanoseconds */
  cli_view view;
} open_request;

static int parse(open_request *request, int argc, char **argv) {
  cli_parser parser;
  cli_parser_init(&parser, &cli_open_command, argc, argv);
  int option;
  while ((option = cli_parser_next(&parser)) != CLI_OPTIONS_END) {
    switch (option) {
    case OPTION_IN: request->target = &targets[parser.choice]; break;
    case 'o': request->output = parser.value; break;
    case OPTION_NO_BROWSER: request->no_browser = true; break;
    case OPTION_WAIT:
      if (!cli_parse_time(parser.value, &request->wait))
        return cli_usage_error(cli_open_command.name, CLI_TIME_WANTED, "wait", parser.value);
      break;
    default: cli_view_option(&request->view, &parser, option); break;
    }
  }
  if (parser.status != CLI_PROCEED)
    return parser.status;
  if (parser.operand_count != 1)
    return cli_usage_error(cli_open_command.name, "one profile, not %zu", parser.operand_count);
  if (request->output && request->target->origin)
    return cli_usage_error(cli_open_command.name, "-o needs --in html");
  request->input = parser.operands[0];
  return CLI_PROCEED;
}

/* ---- The browser ---------------------------------------------------------- */

void cli_browser_open(const char *address) {
  static const char *const openers[] = {"xdg-open", "open"};
  char *opener = NULL;
  for (size_t i = 0; i < sizeof openers / sizeof *openers && !opener; i++)
    opener = cli_executable_find(openers[i]);
  if (!opener)
    cli_message("wasm-perf: no browser was found: open that address in one");
  else if (!wi_process_start(opener, (char *const[]){opener, (char *)address, NULL}))
    cli_error(opener, "%s", strerror(errno));
  free(opener);
}

/* Prints the address and starts a browser if possible. */
static void show(const open_request *request, const char *address) {
  puts(address);
  fflush(stdout);
  if (!request->no_browser)
    cli_browser_open(address);
}

/* Appends `text`, percent-encoded. */
static void add_encoded(char address[URL_SIZE], const char *text) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
  size_t size = strlen(address);
  for (; *text && size + 4 < URL_SIZE; text++) {
    bool is_plain = strchr(plain, *text) != NULL;
    size += (size_t)snprintf(address + size, URL_SIZE - size, is_plain ? "%c" : "%%%02X",
                             (unsigned char)*text);
  }
}

/* ---- A file ---------------------------------------------------------------- */

/* dir/app.wperf -> app.html */
static char *html_path(const char *input) {
  const char *name = strcmp(input, "-") == 0 ? "profile" : wi_path_name(input);
  const char *dot = strrchr(name, '.');
  int size = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
  return cli_text("%.*s.html", size, name);
}

static bool open_file(const open_request *request, const wasm_perf_profile *profile) {
  const wasm_perf_report_options options = {.title = wi_path_name(request->input)};
  const wasm_perf_report_format *format = wasm_perf_report_format_find(request->target->format);
  char *path = request->output ? cli_text("%s", request->output) : html_path(request->input);
  bool written = cli_profile_write(profile, format, &options, path);
  char *absolute = written ? realpath(path, NULL) : NULL;
  if (absolute)
    show(request, absolute);
  free(absolute);
  free(path);
  return written;
}

/* Whether the input is a report that a browser can show itself. */
static bool is_shown_as_is(const open_request *request) {
  const char *input = request->input;
  return !request->target->origin && !request->output &&
         (cli_has_extension(input, "html") || cli_has_extension(input, "svg"));
}

static bool open_report(const open_request *request) {
  char *absolute = realpath(request->input, NULL);
  if (absolute)
    show(request, absolute);
  else
    cli_error(request->input, "%s", strerror(errno));
  free(absolute);
  return absolute != NULL;
}

/* ---- A page on the web ----------------------------------------------------- */

/* The profile that the page fetches, once. */
typedef struct offer {
  char path[2 * TOKEN_SIZE + 2];
  char *bytes; /* NULL once fetched */
  size_t size;
} offer;

static void handle(void *user, cli_http_request *request, const char *path) {
  offer *offered = user;
  if (!offered->bytes || strcmp(path, offered->path) != 0) {
    cli_http_answer_text(request, CLI_HTTP_NOT_FOUND, "not found");
    return;
  }
  cli_http_answer_with(request, &(cli_http_answer){.status = CLI_HTTP_OK,
                                                   .type = "application/json",
                                                   .bytes = offered->bytes,
                                                   .size = offered->size});
  offered->bytes = NULL; /* now owned by the answer */
}

static bool make_path(offer *offered) {
  uint8_t token[TOKEN_SIZE];
  if (getrandom(token, sizeof token, 0) != (ssize_t)sizeof token)
    return false;
  offered->path[0] = '/';
  for (size_t i = 0; i < sizeof token; i++)
    snprintf(offered->path + 1 + 2 * i, 3, "%02x", token[i]);
  return true;
}

static bool make_offer(const open_request *request, const wasm_perf_profile *profile,
                       offer *offered) {
  const wasm_perf_report_options options = {.title = wi_path_name(request->input)};
  FILE *stream = open_memstream(&offered->bytes, &offered->size);
  bool done =
      stream && make_path(offered) &&
      wasm_perf_report_format_find(request->target->format)->write(profile, &options, stream);
  if (stream && fclose(stream) != 0)
    done = false;
  if (!done)
    cli_error(NULL, "out of memory");
  return done;
}

/* Waits for the page; whether it fetched the profile in time. */
static bool await_fetch(const open_request *request, cli_http *http, const offer *offered) {
  uint64_t end = cli_progress_now() + request->wait;
  while (offered->bytes && cli_progress_now() < end)
    cli_http_step(http, STEP_MS);
  if (offered->bytes)
    cli_error(request->input, "no page fetched it within %" PRIu64 " s",
              request->wait / CLI_SECOND);
  return !offered->bytes;
}

static bool serve(const open_request *request, offer *offered) {
  cli_http *http = cli_http_listen("0", request->target->origin, handle, offered);
  if (!http)
    return false;
  char source[URL_SIZE], address[URL_SIZE];
  snprintf(source, sizeof source, "http://%s%s", cli_http_place(http), offered->path);
  snprintf(address, sizeof address, "%s", request->target->prefix);
  add_encoded(address, source);
  show(request, address);
  bool fetched = await_fetch(request, http, offered);
  cli_http_close(http, SENDING_SECONDS);
  return fetched;
}

static bool open_page(const open_request *request, const wasm_perf_profile *profile) {
  offer offered = {.bytes = NULL};
  bool done = make_offer(request, profile, &offered) && serve(request, &offered);
  free(offered.bytes);
  return done;
}

/* ---- The command ---------------------------------------------------------- */

static bool open_profile(const open_request *request) {
  wasm_perf_profile *profile = cli_profile_load(request->input, &request->view);
  bool done = profile && (request->target->origin ? open_page : open_file)(request, profile);
  wasm_perf_profile_free(profile);
  return done;
}

static int open_main(int argc, char **argv) {
  open_request request = {.target = &targets[0], .wait = DEFAULT_WAIT};
  int status = parse(&request, argc, argv);
  if (status == CLI_PROCEED) {
    bool done = is_shown_as_is(&request) ? open_report(&request) : open_profile(&request);
    status = done ? 0 : CLI_EXIT_FAILURE;
  }
  cli_view_clear(&request.view);
  return status;
}
