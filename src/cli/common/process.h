/* Running another program. */
#ifndef WI_CLI_COMMON_PROCESS_H_
#define WI_CLI_COMMON_PROCESS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Runs the program in the file `executable` with these words, the first its name, the last NULL,
 * and waits for its end. It has our streams and environment, is sent the signals that would end us,
 * and is killed where we are. Returns its exit code, 128+n if signal n killed it; -1 with errno
 * set where it could not be run.
 */
int wi_process_run(const char *executable, char *const *words);

/* The signal that killed the last one; 0: it ended by itself, or by a signal that was sent on. */
int wi_process_ending_signal(void);

/* The same, but that what the program writes to stderr goes to `take`, as it comes. */
typedef void wi_process_output(void *user, const uint8_t *bytes, size_t size);
int wi_process_run_reading(const char *executable, char *const *words, wi_process_output *take,
                           void *user);

/* The same without a word: its standard output and error go nowhere. */
int wi_process_run_silently(const char *executable, char *const *words);

/*
 * Starts a program and leaves it to itself: it outlives us, and its streams go nowhere. False with
 * errno set.
 */
bool wi_process_start(const char *executable, char *const *words);

/*
 * While a program runs, some fifty times a second, from now until a call with NULL, `tick` is
 * called, not by a signal's handler. Where a program's output is read it is not.
 */
void wi_process_on_tick(void (*tick)(void *user), void *user);

#endif /* WI_CLI_COMMON_PROCESS_H_ */
