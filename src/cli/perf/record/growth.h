/* The alarm of --memory --every: which line of JavaScript holds more in each snapshot. */
#ifndef WI_CLI_PERF_RECORD_GROWTH_H_
#define WI_CLI_PERF_RECORD_GROWTH_H_

#include "report/model/holdings.h"

typedef struct cli_growth {
  wi_holdings last; /* of the snapshot before; owned */
} cli_growth;

/*
 * Looks at the next snapshot of the run, and tells what has grown in at least three of them, one
 * after the other. Does nothing if the profile does not follow memory.
 */
void cli_growth_look(cli_growth *growth, const wasm_perf_profile *profile);
void cli_growth_clear(cli_growth *growth);

#endif /* WI_CLI_PERF_RECORD_GROWTH_H_ */
