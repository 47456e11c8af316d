/*
 * The exit codes of the commands. Help, man pages and the JavaScript host are generated from them.
 */
#ifndef WI_CLI_COMMON_EXIT_CODES_H_
#define WI_CLI_COMMON_EXIT_CODES_H_

/* A program run by a command has its own exit codes. */
#define CLI_EXIT_SUCCESS     0
#define CLI_EXIT_FAILURE     1
#define CLI_EXIT_USAGE       2
#define CLI_EXIT_GREW        3   /* a limit: diff --fail-above, record --fail-under */
#define CLI_EXIT_SIGNAL_BASE 128 /* plus the number of the signal that ended the program */

/* X(ID) for each. */
#define CLI_EXIT_CODES(X)                                                                          \
  X(SUCCESS)                                                                                       \
  X(FAILURE)                                                                                       \
  X(USAGE)                                                                                         \
  X(GREW)                                                                                          \
  X(SIGNAL_BASE)

/* The number as text, for tables: CLI_EXIT_TEXT(CLI_EXIT_USAGE) is "2". */
#define CLI_EXIT_TEXT(code)   CLI_EXIT_STRING(code)
#define CLI_EXIT_STRING(code) #code

#endif /* WI_CLI_COMMON_EXIT_CODES_H_ */
