#define _GNU_SOURCE /* getaddrinfo, SOCK_CLOEXEC, strcasecmp */

#include "cli/perf/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "cli/perf/common.h"

enum {
  MAX_CONNECTIONS = 32,
  SPARE_CONNECTIONS = 8, /* clients beyond the limit, until make_room has closed others */
  IDLE_SECONDS = 10,     /* until a client that neither sends nor reads is disconnected */
  BACKLOG = 16,
  LAST_STEPS = 100, /* in the last second of closing, before connections are cut */
  MAX_HOST = 256,
  MAX_PORT = 8
};

/* A connected client. */
typedef struct http_client {
  struct http_client *next;
  struct MHD_Connection *handle;
  bool has_asked;  /* all headers have arrived */
  bool is_waiting; /* for its answer */
  bool is_cut;
} http_client;

struct cli_http {
  struct MHD_Daemon *daemon;
  http_client *clients; /* newest first; owned */
  const char *origin;
  cli_http_handler *handle;
  void *user;
  char host[MAX_HOST]; /* as the user wrote it */
  char place[MAX_HOST + MAX_PORT];
  bool is_local;
  bool is_closing;
};

struct cli_http_request {
  cli_http *http;
  struct MHD_Connection *connection;
  http_client *client;
  struct MHD_Response *response; /* NULL until it is answered */
  unsigned status;
  bool is_handled;
  bool waits; /* the connection is suspended until the answer */
};

/* ---- Addresses ----------------------------------------------------------- */

static bool is_port(const char *text) {
  size_t size = strspn(text, "0123456789");
  return size > 0 && size <= 5 && text[size] == '\0' && strtoul(text, NULL, 10) <= UINT16_MAX;
}

/* Splits an address; the default host is 127.0.0.1. False if the address is malformed. */
static bool split(const char *address, char host[MAX_HOST], char port[MAX_PORT]) {
  const char *colon = strrchr(address, ':');
  const char *text = colon ? colon + 1 : address;
  size_t size = colon ? (size_t)(colon - address) : 0;
  if (size >= 2 && address[0] == '[' && address[size - 1] == ']') {
    address++;
    size -= 2;
  } else if (memchr(address, ':', size)) {
    return false; /* an IPv6 address needs brackets */
  }
  if (!is_port(text) || size >= MAX_HOST)
    return false;
  snprintf(host, MAX_HOST, "%.*s", (int)size, address);
  if (size == 0)
    snprintf(host, MAX_HOST, "127.0.0.1");
  snprintf(port, MAX_PORT, "%s", text);
  return true;
}

bool cli_http_address_is_valid(const char *address) {
  char host[MAX_HOST], port[MAX_PORT];
  return split(address, host, port);
}

static bool is_loopback(const struct sockaddr *address) {
  if (address->sa_family == AF_INET6)
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
  return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
}

static void name_place(cli_http *http, int listener) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  char port[MAX_PORT] = "";
  getsockname(listener, (struct sockaddr *)&address, &size);
  getnameinfo((struct sockaddr *)&address, size, NULL, 0, port, sizeof port, NI_NUMERICSERV);
  bool has_colon = strchr(http->host, ':') != NULL;
  snprintf(http->place, sizeof http->place, has_colon ? "[%.240s]:%s" : "%.240s:%s", http->host,
           port);
  http->is_local = is_loopback((struct sockaddr *)&address);
}

/* Opens a listening socket; -1 with errno on failure. */
static int listen_at(const struct addrinfo *info) {
  int listener = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
  if (listener < 0)
    return -1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, info->ai_addr, info->ai_addrlen) == 0 && listen(listener, BACKLOG) == 0)
    return listener;
  int saved = errno;
  close(listener);
  errno = saved;
  return -1;
}

static int open_listener(cli_http *http, const char *address, cli_failure *failure) {
  char port[MAX_PORT];
  const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
  struct addrinfo *infos = NULL;
  if (!split(address, http->host, port)) {
    cli_fail(failure, address, "is not HOST:PORT");
    return -1;
  }
  int error = getaddrinfo(http->host, port, &hints, &infos);
  int listener = error == 0 ? listen_at(infos) : -1;
  if (error != 0)
    cli_fail(failure, address, "%s", gai_strerror(error));
  else if (listener < 0)
    cli_fail(failure, address, "%s", strerror(errno));
  else
    name_place(http, listener);
  if (infos)
    freeaddrinfo(infos);
  return listener;
}

/* ---- Who may ask --------------------------------------------------------- */

static const char *header(const cli_http_request *request, const char *name) {
  return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

/*
 * Whether a Host header names this server. IP addresses are safe from DNS rebinding; the only
 * accepted names are localhost and the one that the server listens at.
 */
static bool is_known_host(const cli_http *http, const char *host) {
  unsigned char binary[sizeof(struct in6_addr)];
  return inet_pton(AF_INET, host, binary) == 1 || inet_pton(AF_INET6, host, binary) == 1 ||
         strcasecmp(host, "localhost") == 0 || strcasecmp(host, http->host) == 0;
}

static bool has_known_host(const cli_http_request *request) {
  const char *given = header(request, MHD_HTTP_HEADER_HOST);
  char host[MAX_HOST], port[MAX_PORT], with_port[MAX_HOST + MAX_PORT];
  if (!given || !*given || strlen(given) >= MAX_HOST)
    return false;
  bool has_port = split(given, host, port) && given[0] != ':';
  snprintf(with_port, sizeof with_port, "%s:80", given);
  return (has_port || split(with_port, host, port)) && is_known_host(request->http, host);
}

/* Whether the request comes from this server's page, an allowed origin, or no page at all. */
static bool has_known_origin(const cli_http_request *request) {
  const char *origin = header(request, MHD_HTTP_HEADER_ORIGIN);
  const char *site = header(request, "Sec-Fetch-Site");
  const char *host = header(request, MHD_HTTP_HEADER_HOST);
  if (origin && request->http->origin && strcmp(origin, request->http->origin) == 0)
    return true;
  if (origin && (strncmp(origin, "http://", 7) != 0 || strcasecmp(origin + 7, host) != 0))
    return false;
  return !site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0;
}

/* ---- Clients ------------------------------------------------------------- */

static int socket_of(struct MHD_Connection *handle) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/*
 * Disconnects a client if all places are taken: the oldest one whose request is incomplete, else
 * the oldest one that does not read its answer. Otherwise clients that send or read a byte now and
 * then would lock the others out.
 */
static void make_room(cli_http *http) {
  http_client *silent = NULL, *slow = NULL;
  unsigned count = 0;
  for (http_client *item = http->clients; item; item = item->next) {
    count += !item->is_cut;
    if (item->is_cut || item->is_waiting)
      continue;
    *(item->has_asked ? &slow : &silent) = item;
  }
  http_client *chosen = silent ? silent : slow;
  if (count < MAX_CONNECTIONS || !chosen)
    return;
  chosen->is_cut = true;
  shutdown(socket_of(chosen->handle), SHUT_RDWR);
}

/* libmicrohttpd calls it when a client connects and when it has disconnected. */
static void on_connection(void *user, struct MHD_Connection *handle, void **context,
                          enum MHD_ConnectionNotificationCode code) {
  cli_http *http = user;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    make_room(http);
    http_client *added = calloc(1, sizeof *added);
    if (added)
      *added = (http_client){.next = http->clients, .handle = handle};
    http->clients = added ? added : http->clients;
    *context = added;
    return;
  }
  http_client **link = &http->clients;
  while (*link && *link != *context)
    link = &(*link)->next;
  if (*link)
    *link = (*link)->next;
  free(*context);
  *context = NULL;
}

static http_client *client_of(struct MHD_Connection *handle) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

bool cli_http_is_abandoned(const cli_http_request *request) {
  char byte;
  ssize_t got = recv(socket_of(request->connection), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

/* ---- Answers ------------------------------------------------------------- */

static void add_header(struct MHD_Response *response, const char *name, const char *value) {
  MHD_add_response_header(response, name, value);
}

static void add_origin(const cli_http *http, struct MHD_Response *response) {
  if (!http->origin)
    return;
  add_header(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, http->origin);
  add_header(response, "Access-Control-Allow-Private-Network", "true");
  add_header(response, MHD_HTTP_HEADER_VARY, "Origin");
}

static struct MHD_Response *make_response(const cli_http *http, const cli_http_answer *answer) {
  struct MHD_Response *response =
      MHD_create_response_from_buffer(answer->size, answer->bytes, MHD_RESPMEM_MUST_FREE);
  if (!response) {
    free(answer->bytes);
    return NULL;
  }
  add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer->type);
  add_header(response, "X-Content-Type-Options", "nosniff");
  add_header(response, "X-Frame-Options", "DENY");
  add_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
  add_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
  if (answer->status != CLI_HTTP_OK)
    add_header(response, "X-Go-Pprof", "1"); /* makes go tool pprof print the text */
  if (answer->file_name) {
    char *value = cli_text("attachment; filename=\"%s\"", answer->file_name);
    add_header(response, MHD_HTTP_HEADER_CONTENT_DISPOSITION, value);
    free(value);
  }
  add_origin(http, response);
  return response;
}

void cli_http_answer_with(cli_http_request *request, const cli_http_answer *answer) {
  request->status = answer->status;
  request->response = make_response(request->http, answer);
  request->client->is_waiting = false;
  if (request->waits)
    MHD_resume_connection(request->connection);
}

void cli_http_answer_text(cli_http_request *request, unsigned status, const char *format, ...) {
  va_list arguments;
  char text[512];
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  char *line = cli_text("%s\n", text);
  cli_http_answer_with(request, &(cli_http_answer){.status = status,
                                                   .type = "text/plain; charset=utf-8",
                                                   .bytes = line,
                                                   .size = strlen(line)});
}

const char *cli_http_argument(const cli_http_request *request, const char *name) {
  return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

/* ---- Requests ------------------------------------------------------------ */

static void handle(cli_http_request *request, const char *path, const char *method) {
  cli_http *http = request->http;
  bool reads = strcmp(method, MHD_HTTP_METHOD_GET) == 0 ||
               (!http->origin && strcmp(method, MHD_HTTP_METHOD_HEAD) == 0);
  if (http->is_closing) /* nobody would answer a request that waits */
    cli_http_answer_text(request, CLI_HTTP_UNAVAILABLE, "the server is closing");
  else if (!has_known_host(request))
    cli_http_answer_text(request, MHD_HTTP_FORBIDDEN, "wrong Host: this server is %s", http->place);
  else if (!has_known_origin(request))
    cli_http_answer_text(request, MHD_HTTP_FORBIDDEN, "requests from other origins are refused");
  else if (http->origin && strcmp(method, MHD_HTTP_METHOD_OPTIONS) == 0)
    cli_http_answer_text(request, CLI_HTTP_OK, "GET");
  else if (!reads)
    cli_http_answer_text(request, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET is supported");
  else
    http->handle(http->user, request, path);
}

/* libmicrohttpd calls it after the headers, at the end of the body, and when resumed. */
static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *body,
                                  size_t *body_size, void **state) {
  (void)version;
  (void)body;
  cli_http_request *request = *state;
  if (!request) {
    http_client *client = client_of(connection);
    *state = request = client ? calloc(1, sizeof *request) : NULL;
    if (request)
      *request = (cli_http_request){.http = user, .connection = connection, .client = client};
    return request ? MHD_YES : MHD_NO;
  }
  if (*body_size > 0)
    return MHD_NO; /* a body is not expected */
  if (!request->is_handled) {
    request->is_handled = true;
    request->client->has_asked = request->client->is_waiting = true;
    handle(request, path, method);
    request->waits = !request->response;
    if (request->waits) {
      MHD_suspend_connection(connection);
      return MHD_YES;
    }
  }
  return request->response ? MHD_queue_response(connection, request->status, request->response)
                           : MHD_NO;
}

static void on_completed(void *user, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code) {
  (void)user;
  (void)connection;
  (void)code;
  cli_http_request *request = *state;
  if (request && request->response)
    MHD_destroy_response(request->response);
  free(request);
  *state = NULL;
}

/* ---- The server ---------------------------------------------------------- */

static struct MHD_Daemon *start(cli_http *http, int listener) {
  return MHD_start_daemon(
      MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, http, MHD_OPTION_LISTEN_SOCKET, listener,
      MHD_OPTION_CONNECTION_LIMIT, (unsigned)(MAX_CONNECTIONS + SPARE_CONNECTIONS),
      MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_NOTIFY_COMPLETED,
      on_completed, NULL, MHD_OPTION_NOTIFY_CONNECTION, on_connection, http, MHD_OPTION_END);
}

cli_http *cli_http_listen(const char *address, const char *origin, cli_http_handler *handler,
                          void *user, cli_failure *failure) {
  cli_http *http = calloc(1, sizeof *http);
  if (!http) {
    cli_fail_memory(failure);
    return NULL;
  }
  *http = (cli_http){.origin = origin, .handle = handler, .user = user};
  int listener = open_listener(http, address, failure);
  if (listener >= 0)
    http->daemon = start(http, listener);
  if (http->daemon)
    return http;
  if (listener >= 0) {
    cli_fail(failure, address, "the server cannot be started");
    close(listener);
  }
  free(http);
  return NULL;
}

const char *cli_http_place(const cli_http *http) {
  return http->place;
}

bool cli_http_is_local(const cli_http *http) {
  return http->is_local;
}

void cli_http_step(cli_http *http, unsigned milliseconds) {
  MHD_run_wait(http->daemon, (int32_t)milliseconds);
}

static bool has_connections(const cli_http *http) {
  const union MHD_DaemonInfo *info =
      MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
  return info && info->num_connections > 0;
}

void cli_http_close(cli_http *http, unsigned seconds) {
  if (!http)
    return;
  http->is_closing = true;
  MHD_socket listener = MHD_quiesce_daemon(http->daemon);
  for (unsigned i = 0; i < seconds * LAST_STEPS && has_connections(http); i++)
    cli_http_step(http, 1000 / LAST_STEPS);
  MHD_stop_daemon(http->daemon);
  if (listener != MHD_INVALID_SOCKET)
    close(listener);
  free(http);
}
