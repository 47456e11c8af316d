/*
 * What the commands print about a program of JavaScript, in the native tool and in the npm package.
 * The package's texts are generated from these.
 */
#ifndef WI_CLI_COMMON_SESSION_MESSAGES_H_
#define WI_CLI_COMMON_SESSION_MESSAGES_H_

/* Why there is no profile. %s: names of modules. */
#define CLI_SESSION_SAY_NO_NODE                                                                    \
  "no Node.js ran that can be profiled. Programs that clear the environment, such as env -i and "  \
  "sudo, hide it: start wasm-perf inside of them"
#define CLI_SESSION_SAY_SKIPPED "--module matches none of the program's modules: %s"
#define CLI_SESSION_SAY_STOPPED "the program was stopped before it wrote a profile"
#define CLI_SESSION_SAY_KILLED  "the program was killed before it wrote its profile of %s"
#define CLI_SESSION_SAY_SEEN    "the program compiled WebAssembly but instantiated none: %s"
#define CLI_SESSION_SAY_NOTHING                                                                    \
  "the program ended without instantiating a WebAssembly module in Node.js"

/* %s: the process's id. */
#define CLI_SESSION_SAY_RUNNING "process %s is still running: its later work is not in the profile"

/* X(ID) for each. */
#define CLI_SESSION_MESSAGES(X)                                                                    \
  X(NO_NODE)                                                                                       \
  X(SKIPPED)                                                                                       \
  X(STOPPED)                                                                                       \
  X(KILLED)                                                                                        \
  X(SEEN)                                                                                          \
  X(NOTHING)                                                                                       \
  X(RUNNING)

#endif /* WI_CLI_COMMON_SESSION_MESSAGES_H_ */
