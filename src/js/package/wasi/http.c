/* cli/perf/show/http.h for a host in JavaScript, which serves nothing. */
#include "cli/perf/show/http.h"

/* Whoever gives an address is refused later. */
bool cli_http_address_is_valid(const char *address) {
  return *address != '\0';
}
