/*
 * A small HTTP server on libmicrohttpd that runs in the caller's thread. It answers GET and HEAD,
 * one request per connection and a bounded number at a time.
 *
 * Only this machine's user may read the profiles. Requests from pages of other origins are refused,
 * and so are requests whose Host header is an unknown name (DNS rebinding).
 */
#ifndef WI_CLI_PERF_HTTP_H_
#define WI_CLI_PERF_HTTP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/perf/common.h"

typedef struct cli_http cli_http;
typedef struct cli_http_request cli_http_request;

#define CLI_HTTP_OK          200u
#define CLI_HTTP_BAD_REQUEST 400u
#define CLI_HTTP_NOT_FOUND   404u
#define CLI_HTTP_UNAVAILABLE 503u

typedef struct cli_http_answer {
  unsigned status;
  const char *type;      /* Content-Type */
  const char *file_name; /* of Content-Disposition, if the browser should save it; else NULL */
  char *bytes;           /* from malloc; the server frees it */
  size_t size;
} cli_http_answer;

/*
 * Handles a request for `path`, which is decoded and has no arguments. It may be answered now or
 * later, and is valid until then, even if the client disconnects.
 */
typedef void cli_http_handler(void *user, cli_http_request *request, const char *path);

/*
 * Listens at `address`: PORT or :PORT (on 127.0.0.1), HOST:PORT or [HOST]:PORT. Port 0 picks a free
 * one. Pages of `origin`, if not NULL, may read answers to GET. Returns NULL on failure; `failure`
 * says why (cli_fail). Strings are borrowed.
 */
cli_http *cli_http_listen(const char *address, const char *origin, cli_http_handler *handle,
                          void *user, cli_failure *failure);

/* Whether `address` is of that form. */
bool cli_http_address_is_valid(const char *address);

/* Host and port as in a URL: "127.0.0.1:6060". Valid as long as the server. */
const char *cli_http_place(const cli_http *http);

/* Whether only programs on this machine can connect. */
bool cli_http_is_local(const cli_http *http);

/* Handles pending events, after waiting for one for at most that long. */
void cli_http_step(cli_http *http, unsigned milliseconds);

/*
 * Closes the server once clients have read their answers, or after that many seconds. All requests
 * must have been answered; later ones are refused. NULL is allowed.
 */
void cli_http_close(cli_http *http, unsigned seconds);

/* Whether the client of an unanswered request has disconnected. */
bool cli_http_is_abandoned(const cli_http_request *request);

/* The value of a query argument; NULL if absent. Valid as long as the request. */
const char *cli_http_argument(const cli_http_request *request, const char *name);

/* Answers and frees the request. To be called once for each. */
void cli_http_answer_with(cli_http_request *request, const cli_http_answer *answer);

/* The same with a line of text, as for printf; go tool pprof shows it if it is an error. */
void cli_http_answer_text(cli_http_request *request, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif /* WI_CLI_PERF_HTTP_H_ */
