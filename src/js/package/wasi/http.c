/* cli/perf/http.h for the npm package, which has no server. */
#include "cli/perf/http.h"

/* Accepts any address, as run.c refuses the option. */
bool cli_http_address_is_valid(const char *address) {
  return *address != '\0';
}
