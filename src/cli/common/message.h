/* What the commands say on stderr. */
#ifndef WI_CLI_COMMON_MESSAGE_H_
#define WI_CLI_COMMON_MESSAGE_H_

/*
 * Prints one line, cleaned: file names, names in modules and values of options may hold anything
 * (support/clean.h).
 */
void cli_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* WI_CLI_COMMON_MESSAGE_H_ */
