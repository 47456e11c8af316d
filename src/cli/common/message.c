#define _GNU_SOURCE /* vasprintf, asprintf */

#include "cli/common/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/clean.h"

static FILE *messages; /* NULL: stderr */

FILE *cli_messages_to(FILE *stream) {
  FILE *before = messages;
  messages = stream;
  return before;
}

bool cli_messages_on_terminal(void) {
  return isatty(fileno(messages ? messages : stderr));
}

/* Prints a text as one line and frees it. NULL: there was not enough memory for it. */
static void print_line(char *text) {
  size_t size = text ? wi_text_clean(text, strlen(text), NULL, 0) + 1 : 0;
  char *clean = text ? malloc(size) : NULL;
  if (clean)
    wi_text_clean(text, strlen(text), clean, size);
  fprintf(messages ? messages : stderr, "%s\n", clean ? clean : "out of memory");
  free(clean);
  free(text);
}

void cli_message_list(const char *program, const char *path, const char *format,
                      va_list arguments) {
  char *message, *line;
  if (vasprintf(&message, format, arguments) < 0)
    message = NULL;
  if (!message || asprintf(&line, "%s%s%s%s%s", program ? program : "", program ? ": " : "",
                           path ? path : "", path ? ": " : "", message) < 0)
    line = NULL;
  free(message);
  print_line(line);
}

void cli_message(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  cli_message_list(NULL, NULL, format, arguments);
  va_end(arguments);
}

void cli_message_unwritten(const char *program, const char *name) {
  if (errno != EPIPE)
    cli_message("%s: %s: %s", program, name, errno ? strerror(errno) : "cannot be written");
}
