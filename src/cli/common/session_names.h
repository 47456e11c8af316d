/*
 * The files of a session's folder, through which the commands and the JavaScript host communicate:
 * wasm-perf makes requests, and each process and thread of the program answers. The JavaScript
 * host's names are generated from these.
 */
#ifndef WI_CLI_COMMON_SESSION_NAMES_H_
#define WI_CLI_COMMON_SESSION_NAMES_H_

/* Requests. */
/* The number of the signal that is to end the program. Negative: only the first process got it. */
#define CLI_SESSION_STOP "stop"

#define CLI_SESSION_SNAPSHOT "snapshot-" /* plus a number: all threads write their profiles */
#define CLI_SESSION_COUNT    "count"     /* all processes write their counts */

/* Suffix of the file that exists once the program handles SIGINT itself. */
#define CLI_SESSION_HANDLED ".handled"

/* Suffixes of a process's id, or of a process's and a thread's. */
#define CLI_SESSION_RUNNING ".running" /* it has not written its last profile */
#define CLI_SESSION_RAN     ".ran"     /* it has */
#define CLI_SESSION_PART    ".wperf"   /* profiles of instances, one after another */
#define CLI_SESSION_THREAD  ".thread"  /* a thread's samples, see cli/perf/input/thread_file.h */
#define CLI_SESSION_SAMPLES ".samples" /* V8's profiles of the thread */
#define CLI_SESSION_COUNTS  ".count"   /* "CALLS NODES HAS_THREADS" */
#define CLI_SESSION_TAKEN   ".taken-"  /* plus the number of a snapshot: its profiles are written */
#define CLI_SESSION_TIME    ".time"    /* how long the thread ran, in nanoseconds */
#define CLI_SESSION_SKIPPED ".skipped" /* names of the modules that --module excludes */
#define CLI_SESSION_SEEN    ".seen"    /* names of the modules that reached the engine */
#define CLI_SESSION_REFUSED ".refused" /* stderr has the reason why a module has no profile */

/* Suffixes of a process's and a thread's id, for each measure of the User Timing API. */
#define CLI_SESSION_MEASURE ".measure" /* its name, and on a second line why it has no counts */

/* Profiles of a module's instances: at each end of the measure, and where it began. */
#define CLI_SESSION_ENDED ".ended"
#define CLI_SESSION_BEGUN ".begun"

/* Suffixes of a module's key, which also names parts. */
#define CLI_SESSION_MODULE ".wasm" /* the rewritten module */
#define CLI_SESSION_PATH   ".path" /* the file that it was read from; empty: unknown */
#define CLI_SESSION_KNOWN  ".json" /* what other threads of the program must know of it */

/*
 * Node's option for the stack that a program with hooks needs; js/node/loader.mjs removes it again.
 */
#define CLI_SESSION_STACK "--stack-size=2048"

/*
 * Milliseconds. Wrappers repeat signals: npx forwards those that the terminal has sent to all
 * processes, and timeout signals its child and then its group. Within this time, a second signal
 * is taken for such a repetition.
 */
#define CLI_SAME_SIGNAL_MS 500

/* X(ID) for each. */
#define CLI_SESSION_NAMES(X)                                                                       \
  X(STOP)                                                                                          \
  X(SNAPSHOT)                                                                                      \
  X(COUNT)                                                                                         \
  X(HANDLED)                                                                                       \
  X(RUNNING)                                                                                       \
  X(RAN)                                                                                           \
  X(PART)                                                                                          \
  X(THREAD)                                                                                        \
  X(SAMPLES)                                                                                       \
  X(COUNTS)                                                                                        \
  X(TAKEN)                                                                                         \
  X(TIME)                                                                                          \
  X(SKIPPED)                                                                                       \
  X(SEEN)                                                                                          \
  X(REFUSED)                                                                                       \
  X(MEASURE)                                                                                       \
  X(ENDED)                                                                                         \
  X(BEGUN)                                                                                         \
  X(MODULE)                                                                                        \
  X(PATH)                                                                                          \
  X(KNOWN)                                                                                         \
  X(STACK)

#endif /* WI_CLI_COMMON_SESSION_NAMES_H_ */
