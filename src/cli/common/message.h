/* The commands' messages on stderr. */
#ifndef WI_CLI_COMMON_MESSAGE_H_
#define WI_CLI_COMMON_MESSAGE_H_

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Prints one line, with unsafe characters cleaned (support/clean.h): file names, names in modules
 * and option values may contain any.
 */
void cli_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Likewise, with a list of arguments, after "PROGRAM: PATH: "; either may be NULL. */
void cli_message_list(const char *program, const char *path, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/*
 * Messages go to `stream` from now on, in place of stderr; NULL is stderr. Returns where they went.
 */
FILE *cli_messages_to(FILE *stream);

/* Whether somebody reads them at a terminal. */
bool cli_messages_on_terminal(void);

/*
 * Reports that the output NAME of PROGRAM could not be written: errno is the reason, or 0 if
 * unknown. Prints nothing for EPIPE: a reader such as `| head` has exited.
 */
void cli_message_unwritten(const char *program, const char *name);

#endif /* WI_CLI_COMMON_MESSAGE_H_ */
