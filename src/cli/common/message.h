/* The commands' messages on stderr. */
#ifndef WI_CLI_COMMON_MESSAGE_H_
#define WI_CLI_COMMON_MESSAGE_H_

#include <stdarg.h>

/*
 * Prints one line, with unsafe characters cleaned (support/clean.h): file names, names in modules
 * and option values may contain any.
 */
void cli_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Likewise, with a list of arguments, after "PROGRAM: PATH: "; either may be NULL. */
void cli_message_list(const char *program, const char *path, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/*
 * Reports that the output NAME of PROGRAM could not be written: errno is the reason, or 0 if
 * unknown. Prints nothing for EPIPE: a reader such as `| head` has exited.
 */
void cli_message_unwritten(const char *program, const char *name);

#endif /* WI_CLI_COMMON_MESSAGE_H_ */
