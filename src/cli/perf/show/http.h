/*
 * A small HTTP server in the thread that steps it, by libmicrohttpd. It answers GET and HEAD, one
 * request a connection, a bounded number at a time.
 *
 * What it has is for this machine's user: a request whose Host is a name that the server was not
 * told of (which an attacker's name server may have led here), or that a page of another origin
 * makes, is refused.
 */
#ifndef WI_CLI_PERF_SHOW_HTTP_H_
#define WI_CLI_PERF_SHOW_HTTP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_http cli_http;
typedef struct cli_http_request cli_http_request;

#define CLI_HTTP_OK          200u
#define CLI_HTTP_BAD_REQUEST 400u
#define CLI_HTTP_NOT_FOUND   404u
#define CLI_HTTP_UNAVAILABLE 503u

typedef struct cli_http_answer {
  unsigned status;
  const char *type;      /* Content-Type */
  const char *file_name; /* of Content-Disposition, for what is to be saved; NULL: none */
  char *bytes;           /* from malloc; the server frees them */
  size_t size;
} cli_http_answer;

/*
 * A request for `path`, decoded and without arguments. It may be answered at once or later; until
 * then it stays valid, also where the client has gone.
 */
typedef void cli_http_handler(void *user, cli_http_request *request, const char *path);

/*
 * Listens at `address`: PORT or :PORT (of 127.0.0.1), HOST:PORT or [HOST]:PORT; port 0 is any that
 * is free. Pages of `origin`, NULL for none, may read the answers, by GET alone. NULL on failure,
 * which it has printed on stderr. Strings are borrowed.
 */
cli_http *cli_http_listen(const char *address, const char *origin, cli_http_handler *handle,
                          void *user);

/* Whether `address` is of that form. */
bool cli_http_address_is_valid(const char *address);

/* Where it listens, as in a URL: "127.0.0.1:6060". Valid as long as the server. */
const char *cli_http_place(const cli_http *http);

/* Whether only programs on this machine reach it. */
bool cli_http_is_local(const cli_http *http);

/* Does what there is to do, waiting for that at most so long. */
void cli_http_step(cli_http *http, unsigned milliseconds);

/*
 * Ends the server, with all connections, once what was answered has been read, or after so many
 * seconds. Requests that are not answered must not be there any more. NULL is allowed.
 */
void cli_http_close(cli_http *http, unsigned seconds);

/* Whether the client of a request that waits has closed its connection. */
bool cli_http_is_abandoned(const cli_http_request *request);

/* The argument of that name; NULL: not given. Valid as long as the request. */
const char *cli_http_argument(const cli_http_request *request, const char *name);

/* To be called once for each request, which is gone then. */
void cli_http_answer_with(cli_http_request *request, const cli_http_answer *answer);

/* The same with a line of text, as for printf; go tool pprof shows it where it is an error. */
void cli_http_answer_text(cli_http_request *request, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif /* WI_CLI_PERF_SHOW_HTTP_H_ */
