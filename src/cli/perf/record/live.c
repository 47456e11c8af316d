#define _GNU_SOURCE /* open_memstream */

#include "cli/perf/record/live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/perf/http.h"
#include "cli/perf/input/private_paths.h"
#include "cli/perf/input/profiles.h"
#include "cli/perf/progress.h"
#include "cli/perf/record/output.h"
#include "cli/perf/record/session_files.h"
#include "cli/perf/show/view.h"

enum {
  MAX_WAITS = 8, /* each can hold a whole profile while it is sent */
  MAX_SECONDS = 3600,
  DEFAULT_SECONDS = 30, /* as in Go */
  LAST_SECONDS = 1      /* for sending the last answers */
};

/* The kinds of profiles. */
typedef enum profile_kind { KIND_PAGE, KIND_PROFILE, KIND_HEAP, KIND_ALLOCS } profile_kind;

static const struct {
  const char *path;
  const char *name;      /* of the file, for pprof; NULL for the HTML page */
  const char *delta;     /* of the file of a difference */
  unsigned seconds;      /* default interval; 0 for the whole run */
  bool is_memory;        /* requires --memory */
  bool takes_difference; /* accepts ?seconds=N */
  wasm_perf_measure measure;
  const char *summary;
} kinds[] = {
    [KIND_PAGE] = {.path = "/", .summary = "the flame graph of the run so far"},
    [KIND_PROFILE] = {.path = "/debug/pprof/profile",
                      .name = "profile",
                      .delta = "profile",
                      .seconds = DEFAULT_SECONDS,
                      .takes_difference = true,
                      .summary = "the calls of the next ?seconds=30, and their cost"},
    [KIND_HEAP] = {.path = "/debug/pprof/heap",
                   .name = "heap",
                   .delta = "heap-delta",
                   .is_memory = true,
                   .takes_difference = true,
                   .measure = WASM_PERF_MEASURE_LIVE_BYTES,
                   .summary =
                       "live memory (--memory); with ?seconds=N, its change in the next N seconds"},
    [KIND_ALLOCS] = {.path = "/debug/pprof/allocs",
                     .name = "allocs",
                     .delta = "allocs-delta",
                     .is_memory = true,
                     .takes_difference = true,
                     .measure = WASM_PERF_MEASURE_ALLOCATED_BYTES,
                     .summary =
                         "allocated memory (--memory); with ?seconds=N, in the next N seconds"},
};
static const unsigned kind_count = sizeof kinds / sizeof *kinds;

/* A request that waits for one snapshot or two. */
typedef struct pending {
  struct pending *next;
  cli_http_request *request;
  profile_kind kind;
  bool as_text;
  unsigned seconds; /* between two snapshots; 0 if it needs one */
  unsigned mark;    /* of the first of two snapshots; 0 until it was taken */
  uint64_t due;     /* time of its next snapshot */
  bool is_asked;    /* its next snapshot has been asked for */
} pending;

struct cli_live {
  const cli_request *request;
  const char *folder;
  cli_http *http;
  pending *waits; /* owned */
  unsigned wait_count;
  unsigned last_mark;
};

/* ---- Answers without a snapshot ---------------------------------------------- */

typedef void text_writer(const cli_live *live, FILE *stream);

static void answer_text(const cli_live *live, cli_http_request *request, const char *type,
                        text_writer *write) {
  cli_http_answer answer = {.status = CLI_HTTP_OK, .type = type};
  FILE *stream = open_memstream(&answer.bytes, &answer.size);
  if (stream)
    write(live, stream);
  if (stream && fclose(stream) == 0)
    cli_http_answer_with(request, &answer);
  else
    cli_http_answer_text(request, CLI_HTTP_UNAVAILABLE, "out of memory");
}

static void write_index(const cli_live *live, FILE *stream) {
  (void)live;
  fputs("<!DOCTYPE html><html lang=\"en\"><title>/debug/pprof/</title><h1>/debug/pprof/</h1><ul>",
        stream);
  for (unsigned i = 0; i < kind_count; i++)
    fprintf(stream, "<li><a href=\"%s\">%s</a>: %s", kinds[i].path, kinds[i].path,
            kinds[i].summary);
  fputs("<li><a href=\"/debug/pprof/cmdline\">/debug/pprof/cmdline</a>: the command</ul>\n",
        stream);
}

/* The words of the command, separated by NUL bytes. */
static void write_command(const cli_live *live, FILE *stream) {
  const cli_request *run = live->request;
  fputs(run->command_words ? run->command_words[0] : run->module_path, stream);
  for (size_t i = 1; run->command_words && run->command_words[i]; i++)
    fprintf(stream, "%c%s", 0, run->command_words[i]);
  for (size_t i = 0; i < run->arg_count; i++)
    fprintf(stream, "%c%s", 0, run->args[i]);
}

/* ---- Pending requests -------------------------------------------------- */

/* Reads ?seconds=N, or sets the default. False if it is not valid. */
static bool parse_seconds(const cli_http_request *request, profile_kind kind, unsigned *seconds) {
  const char *text = cli_http_argument(request, "seconds");
  uint32_t number;
  *seconds = kinds[kind].seconds;
  if (!text || !kinds[kind].takes_difference)
    return true;
  if (!cli_parse_number(text, &number) || number < 1 || number > MAX_SECONDS)
    return false;
  *seconds = number;
  return true;
}

static bool asks_for_text(const cli_http_request *request) {
  const char *debug = cli_http_argument(request, "debug");
  return debug && strcmp(debug, "0") != 0;
}

static void add_wait(cli_live *live, cli_http_request *request, profile_kind kind,
                     unsigned seconds) {
  pending *added = live->wait_count < MAX_WAITS ? calloc(1, sizeof *added) : NULL;
  if (!added) {
    cli_http_answer_text(request, CLI_HTTP_UNAVAILABLE,
                         "%u profiles are being taken: try again later", live->wait_count);
    return;
  }
  *added = (pending){.next = live->waits, .request = request, .kind = kind, .seconds = seconds};
  added->as_text = kinds[kind].name && asks_for_text(request);
  live->waits = added;
  live->wait_count++;
}

static void handle_profile(cli_live *live, cli_http_request *request, profile_kind kind) {
  unsigned seconds;
  if (parse_seconds(request, kind, &seconds) && seconds > 0 && kinds[kind].is_memory &&
      asks_for_text(request))
    cli_http_answer_text(request, CLI_HTTP_BAD_REQUEST,
                         "seconds and debug cannot be used together");
  else if (parse_seconds(request, kind, &seconds))
    add_wait(live, request, kind, seconds);
  else
    cli_http_answer_text(request, CLI_HTTP_BAD_REQUEST,
                         "seconds must be a whole number from 1 to %d", MAX_SECONDS);
}

static void handle(void *user, cli_http_request *request, const char *path) {
  unsigned kind = 0;
  while (kind < kind_count && strcmp(path, kinds[kind].path) != 0)
    kind++;
  if (kind < kind_count)
    handle_profile(user, request, (profile_kind)kind);
  else if (strcmp(path, "/debug/pprof/") == 0)
    answer_text(user, request, "text/html; charset=utf-8", write_index);
  else if (strcmp(path, "/debug/pprof/cmdline") == 0)
    answer_text(user, request, "text/plain; charset=utf-8", write_command);
  else
    cli_http_answer_text(request, CLI_HTTP_NOT_FOUND, "no such profile");
}

/* ---- Profiles ------------------------------------------------------------ */

static wasm_perf_value value_of(const wasm_perf_profile *profile, profile_kind kind) {
  if (kinds[kind].is_memory)
    return WASM_PERF_VALUE_MEASURES + kinds[kind].measure;
  return kind == KIND_PAGE ? cli_default_value(profile) : WASM_PERF_VALUE_SELF;
}

static const wasm_perf_report_format *format_of(const pending *waiting) {
  const char *name = waiting->as_text ? "top" : kinds[waiting->kind].name ? "pprof" : "html";
  return wasm_perf_report_format_find(name);
}

static const char *type_of(const pending *waiting) {
  return waiting->as_text            ? "text/plain; charset=utf-8"
         : kinds[waiting->kind].name ? "application/octet-stream"
                                     : "text/html; charset=utf-8";
}

/* False if memory ran out. */
static bool write_profile(const cli_live *live, const pending *waiting, wasm_perf_profile *profile,
                          cli_http_answer *answer) {
  FILE *stream = open_memstream(&answer->bytes, &answer->size);
  if (!stream)
    return false;
  char *title = cli_output_title(live->request, profile);
  const wasm_perf_report_options options = {.title = title,
                                            .value = value_of(profile, waiting->kind)};
  wasm_perf_profile_compensate(profile);
  bool done = cli_profile_demangle(profile, NULL);
  cli_private_paths_shorten(profile);
  done = done && format_of(waiting)->write(profile, &options, stream);
  free(title);
  return fclose(stream) == 0 && done;
}

static void answer_profile(const cli_live *live, const pending *waiting,
                           wasm_perf_profile *profile) {
  cli_http_answer answer = {.status = CLI_HTTP_OK, .type = type_of(waiting)};
  if (!waiting->as_text)
    answer.file_name = waiting->seconds ? kinds[waiting->kind].delta : kinds[waiting->kind].name;
  if (write_profile(live, waiting, profile, &answer)) {
    cli_http_answer_with(waiting->request, &answer);
    return;
  }
  free(answer.bytes);
  cli_http_answer_text(waiting->request, CLI_HTTP_UNAVAILABLE, "out of memory");
}

/* The profile for the request; NULL, after answering with the reason, if there is none. */
static wasm_perf_profile *take_profile(const cli_live *live, const pending *waiting) {
  const cli_request *run = live->request;
  wasm_perf_profile *profile = NULL;
  if (!cli_session_has_parts(live->folder))
    cli_http_answer_text(waiting->request, CLI_HTTP_UNAVAILABLE,
                         "the program has run no instrumented WebAssembly yet");
  else if (!(profile =
                 cli_session_difference(live->folder, waiting->mark, run->per_instance, NULL)))
    cli_http_answer_text(waiting->request, CLI_HTTP_UNAVAILABLE, "the profile cannot be read");
  if (!profile || !kinds[waiting->kind].is_memory || profile->follows_memory)
    return profile;
  cli_http_answer_text(
      waiting->request, CLI_HTTP_NOT_FOUND,
      "allocations are not followed: use --memory of wasm-perf record or wasm-instrument");
  wasm_perf_profile_free(profile);
  return NULL;
}

static void answer_wait(const cli_live *live, const pending *waiting) {
  wasm_perf_profile *profile = take_profile(live, waiting);
  if (profile)
    answer_profile(live, waiting, profile);
  wasm_perf_profile_free(profile);
}

/* ---- The run ------------------------------------------------------------- */

static void remove_wait(cli_live *live, pending **link) {
  pending *waiting = *link;
  if (waiting->mark > 0)
    cli_session_unmark(live->folder, waiting->mark);
  *link = waiting->next;
  live->wait_count--;
  free(waiting);
}

cli_live *cli_live_begin(const cli_request *request, const char *folder) {
  cli_live *live = calloc(1, sizeof *live);
  if (!live) {
    cli_fail_memory(request->failure);
    return NULL;
  }
  *live = (cli_live){.request = request, .folder = folder};
  live->http = cli_http_listen(request->listen, NULL, handle, live, request->failure);
  if (!live->http) {
    free(live);
    return NULL;
  }
  const char *place = cli_http_place(live->http);
  cli_message("wasm-perf: http://%s/ shows the run so far; go tool pprof "
              "http://%s/debug/pprof/profile?seconds=5",
              place, place);
  if (!cli_http_is_local(live->http))
    cli_message("wasm-perf: %s is open to other machines, which can read what the program does",
                place);
  return live;
}

/* Removes requests whose clients have disconnected, to make room for others. */
static void drop_abandoned(cli_live *live) {
  for (pending **link = &live->waits; *link;) {
    if (cli_http_is_abandoned((*link)->request)) {
      cli_http_answer_text((*link)->request, CLI_HTTP_UNAVAILABLE, "nobody is there");
      remove_wait(live, link);
    } else {
      link = &(*link)->next;
    }
  }
}

void cli_live_step(cli_live *live) {
  drop_abandoned(live);
  cli_http_step(live->http, 0);
}

bool cli_live_wants_snapshot(cli_live *live, uint64_t now) {
  bool wants = false;
  for (pending *waiting = live->waits; waiting; waiting = waiting->next)
    if (waiting->due <= now)
      wants = waiting->is_asked = true;
  return wants;
}

void cli_live_take_snapshot(cli_live *live, uint64_t now) {
  for (pending **link = &live->waits; *link;) {
    pending *waiting = *link;
    if (!waiting->is_asked) {
      link = &waiting->next;
    } else if (waiting->seconds > 0 && waiting->mark == 0) {
      waiting->mark = ++live->last_mark;
      cli_session_mark(live->folder, waiting->mark);
      waiting->due = now + waiting->seconds * CLI_SECOND;
      waiting->is_asked = false;
      link = &waiting->next;
    } else {
      answer_wait(live, waiting);
      remove_wait(live, link);
    }
  }
}

void cli_live_end(cli_live *live) {
  if (!live)
    return;
  while (live->waits) {
    if (live->waits->seconds > 0 && live->waits->mark == 0)
      cli_http_answer_text(live->waits->request, CLI_HTTP_UNAVAILABLE, "the program has ended");
    else
      answer_wait(live, live->waits);
    remove_wait(live, &live->waits);
  }
  cli_http_close(live->http, LAST_SECONDS);
  free(live);
}
