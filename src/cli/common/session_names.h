/*
 * The files of a session's folder, through which the commands and the JavaScript host speak:
 * wasm-perf makes the requests, each process and thread of the program answers. The JavaScript
 * host's names are made from these.
 */
#ifndef WI_CLI_COMMON_SESSION_NAMES_H_
#define WI_CLI_COMMON_SESSION_NAMES_H_

/* Requests. */
#define CLI_SESSION_STOP     "stop"      /* has a signal's number, which is to end the program */
#define CLI_SESSION_SNAPSHOT "snapshot-" /* and a number: all threads write their profiles */
#define CLI_SESSION_COUNT    "count"     /* all processes write their counts */

/* What follows the name of a request, once the program handles SIGINT itself. */
#define CLI_SESSION_HANDLED ".handled"

/* What follows a process's id, or a process's and a thread's. */
#define CLI_SESSION_RUNNING ".running" /* it has not written its last profile */
#define CLI_SESSION_PART    ".wperf"   /* a profile */
#define CLI_SESSION_COUNTS  ".count"   /* "CALLS NODES HAS_THREADS" */
#define CLI_SESSION_TAKEN   ".taken-"  /* and the number of a snapshot: its profiles are written */
#define CLI_SESSION_TIME    ".time"    /* how long the thread ran, in nanoseconds */
#define CLI_SESSION_SKIPPED ".skipped" /* the names of modules that --module leaves out */
#define CLI_SESSION_SEEN    ".seen"    /* the names of modules that came to the engine */
#define CLI_SESSION_REFUSED ".refused" /* stderr has the reason why a module has no profile */

/* What follows a module's key, by which a part is named, too. */
#define CLI_SESSION_MODULE ".wasm" /* as it was rewritten */
#define CLI_SESSION_PATH   ".path" /* of the file it was read from; empty: not known */

/* Node's option for the stack that a program with hooks needs; js/node/loader.mjs takes it back. */
#define CLI_SESSION_STACK "--stack-size=2048"

/* X(ID) of each. */
#define CLI_SESSION_NAMES(X)                                                                       \
  X(STOP)                                                                                          \
  X(SNAPSHOT)                                                                                      \
  X(COUNT)                                                                                         \
  X(HANDLED)                                                                                       \
  X(RUNNING)                                                                                       \
  X(PART)                                                                                          \
  X(COUNTS)                                                                                        \
  X(TAKEN)                                                                                         \
  X(TIME)                                                                                          \
  X(SKIPPED)                                                                                       \
  X(SEEN)                                                                                          \
  X(REFUSED)                                                                                       \
  X(MODULE)                                                                                        \
  X(PATH)                                                                                          \
  X(STACK)

#endif /* WI_CLI_COMMON_SESSION_NAMES_H_ */
