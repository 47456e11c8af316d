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
#include "cli/common/process.h"
#include "cli/perf/common.h"
#include "cli/perf/http.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/progress.h"
#include "report/formats/html/page.h"

enum {
  TOKEN_SIZE = 16, /* random bytes in the URL */
  STEP_MS = 100,
  SENDING_SECONDS = 60,
  URL_SIZE = 1024,
};

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
static void show(const cli_open_request *request, const char *address) {
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

static bool show_file(const cli_open_request *request, const char *path) {
  if (strcmp(path, "-") == 0)
    return true; /* it is on stdout */
  char *absolute = realpath(path, NULL);
  if (absolute)
    show(request, absolute);
  else
    cli_error(path, "%s", strerror(errno));
  free(absolute);
  return absolute != NULL;
}

static bool open_file(const cli_open_request *request, wasm_perf_profile *profile,
                      const wasm_perf_report_options *options) {
  const wasm_perf_report_format *format = wasm_perf_report_format_find(request->target->format);
  char *path = request->output ? cli_text("%s", request->output) : html_path(request->input);
  bool written = cli_profile_write(profile, format, options, path, NULL);
  bool shown = written && show_file(request, path);
  free(path);
  return shown;
}

/* Opens the page without a profile: files are dropped on it. */
static bool open_empty(const cli_open_request *request) {
  const char *path = request->output ? request->output : CLI_OPEN_EMPTY;
  wi_file_output output;
  if (wi_file_output_open(&output, path) &&
      wi_file_output_close(&output, wi_html_viewer_write(output.stream)))
    return show_file(request, path);
  cli_message_unwritten("wasm-perf", wi_file_output_name(path));
  return false;
}

/* Whether the input is a report that a browser can show itself. */
static bool is_shown_as_is(const cli_open_request *request) {
  const char *input = request->input;
  return !request->target->origin && !request->output &&
         (cli_has_extension(input, "html") || cli_has_extension(input, "svg"));
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

static bool make_offer(const cli_open_request *request, const wasm_perf_profile *profile,
                       const wasm_perf_report_options *options, offer *offered) {
  FILE *stream = open_memstream(&offered->bytes, &offered->size);
  bool done =
      stream && make_path(offered) &&
      wasm_perf_report_format_find(request->target->format)->write(profile, options, stream);
  if (stream && fclose(stream) != 0)
    done = false;
  if (!done)
    cli_error(NULL, "out of memory");
  return done;
}

/* Waits for the page; whether it fetched the profile in time. */
static bool await_fetch(const cli_open_request *request, cli_http *http, const offer *offered) {
  uint64_t end = cli_progress_now() + request->wait;
  while (offered->bytes && cli_progress_now() < end)
    cli_http_step(http, STEP_MS);
  if (offered->bytes)
    cli_error(request->input, "no page fetched it within %" PRIu64 " s",
              request->wait / CLI_SECOND);
  return !offered->bytes;
}

static bool serve(const cli_open_request *request, offer *offered) {
  cli_http *http = cli_http_listen("0", request->target->origin, handle, offered, NULL);
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

static bool open_page(const cli_open_request *request, wasm_perf_profile *profile,
                      const wasm_perf_report_options *options) {
  offer offered = {.bytes = NULL};
  bool done = make_offer(request, profile, options, &offered) && serve(request, &offered);
  free(offered.bytes);
  return done;
}

/* ---- The command ---------------------------------------------------------- */

static bool open_profile(const cli_open_request *request) {
  wasm_perf_report_options options = {.title = wi_path_name(request->input)};
  wasm_perf_profile *profile = cli_profile_load(request->input, &request->view, &options.value);
  bool done =
      profile && (request->target->origin ? open_page : open_file)(request, profile, &options);
  wasm_perf_profile_free(profile);
  return done;
}

bool cli_open_show(const cli_open_request *request) {
  if (!request->input)
    return open_empty(request);
  return is_shown_as_is(request) ? show_file(request, request->input) : open_profile(request);
}
