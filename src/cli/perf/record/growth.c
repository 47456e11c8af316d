#include "cli/perf/record/growth.h"

#include "cli/common/message.h"
#include "report/model/units.h"

#define LEAST 3u /* snapshots */

static void warn(const wi_holding *most) {
  uint64_t growth = most->byte_count - most->first_byte_count;
  cli_message("wasm-perf: grew in each of the last %s, by %s on average: %s, called in %s",
              wi_format_quantity(most->growth_count + UINT64_C(1), "snapshot").text,
              wi_format_value(WI_UNIT_BYTES, growth / most->growth_count).text, most->text,
              most->name);
}

void cli_growth_look(cli_growth *growth, const wasm_perf_profile *profile) {
  const wasm_perf_report_options options = {.value = WASM_PERF_VALUE_CALLS};
  wi_report report;
  wi_holdings now;
  if (!profile->follows_memory || !wi_report_init(&report, profile, &options, WI_STACKS_WHOLE))
    return;
  if (wi_holdings_init(&now, &report)) {
    const wi_holding *most = wi_holdings_follow(&growth->last, &now, LEAST);
    if (most)
      warn(most);
    wi_holdings_clear(&growth->last);
    growth->last = now;
  }
  wi_report_clear(&report);
}

void cli_growth_clear(cli_growth *growth) {
  wi_holdings_clear(&growth->last);
}
