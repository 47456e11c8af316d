/* What the commands say on stderr. */
#ifndef WI_CLI_COMMON_MESSAGE_H_
#define WI_CLI_COMMON_MESSAGE_H_

#include <stdarg.h>

/*
 * Prints one line, cleaned: file names, names in modules and values of options may hold anything
 * (support/clean.h).
 */
void cli_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same of a list of arguments, after "PROGRAM: PATH: "; either may be NULL. */
void cli_message_list(const char *program, const char *path, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/*
 * Says that the output NAME of PROGRAM could not be written, by errno, or if that is 0 without a
 * reason; nothing where the reader of a pipe has gone, which is how `| head` ends.
 */
void cli_message_unwritten(const char *program, const char *name);

#endif /* WI_CLI_COMMON_MESSAGE_H_ */
