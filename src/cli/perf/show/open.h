/* Showing something in a browser. */
#ifndef WI_CLI_PERF_SHOW_OPEN_H_
#define WI_CLI_PERF_SHOW_OPEN_H_

/* Has the desktop open an address or a file; says where nothing can, which is no error. */
void cli_browser_open(const char *address);

#endif /* WI_CLI_PERF_SHOW_OPEN_H_ */
