/* Runs other programs. */
#ifndef WI_CLI_COMMON_PROCESS_H_
#define WI_CLI_COMMON_PROCESS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Descriptors for the streams of a program. */
typedef struct wi_process_streams {
  int input, output, errors;
} wi_process_streams;

/*
 * Runs the program in the file `executable` with these words, the first its name, the last NULL,
 * and waits until it ends. It gets the streams, or ours if that is NULL, inherits our environment,
 * receives the signals that would end us, and is killed if we are. Returns its exit code, 128+n if
 * signal n killed it; -1 with errno set if it could not be run.
 */
int wi_process_run(const char *executable, char *const *words, const wi_process_streams *streams);

/* The signal that killed the last program; 0 if it exited, or if a forwarded signal ended it. */
int wi_process_ending_signal(void);

/* As wi_process_run with our streams, but passes what the program prints on stderr to `take`. */
typedef void wi_process_output(void *user, const uint8_t *bytes, size_t size);
int wi_process_run_reading(const char *executable, char *const *words, wi_process_output *take,
                           void *user);

/* As wi_process_run with our streams, but discards the program's stdout and stderr. */
int wi_process_run_silently(const char *executable, char *const *words);

/*
 * Starts a program in the background: it outlives us, and its streams are /dev/null. Returns false
 * with errno set.
 */
bool wi_process_start(const char *executable, char *const *words);

/*
 * Calls `tick` about fifty times a second while a program runs, from outside signal handlers, until
 * called with NULL. It is not called while a program's output is being read.
 */
void wi_process_on_tick(void (*tick)(void *user), void *user);

#endif /* WI_CLI_COMMON_PROCESS_H_ */
