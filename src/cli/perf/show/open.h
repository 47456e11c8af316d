/* Showing something in a browser. */
#ifndef WI_CLI_PERF_SHOW_OPEN_H_
#define WI_CLI_PERF_SHOW_OPEN_H_

/* Opens an address or a file in the browser. If there is none, prints that, which is not an error. */
void cli_browser_open(const char *address);

#endif /* WI_CLI_PERF_SHOW_OPEN_H_ */
