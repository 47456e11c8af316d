#include "profile/mismatch.h"

#include <stdarg.h>
#include <stdio.h>

#include "profile/values.h"

bool wi_mismatch_set(wasm_perf_mismatch *mismatch, size_t index, const char *format, ...) {
  va_list arguments;
  mismatch->index = index;
  va_start(arguments, format);
  vsnprintf(mismatch->message, sizeof mismatch->message, format, arguments);
  va_end(arguments);
  return false;
}

/* Name of what is counted instead of a clock; NULL: a clock. */
static const char *quantity_name(uint32_t clock) {
  wi_unit unit = wi_unit_of_quantity(clock);
  return unit != WI_UNIT_COUNT ? wi_unit_name(unit) : NULL;
}

/* An unknown one is shown with its number. */
wi_clock_text wi_clock_words(uint32_t clock) {
  const char *quantity = quantity_name(clock);
  const char *name = quantity ? quantity : wasm_perf_clock_name(clock);
  wi_clock_text result;
  if (name)
    snprintf(result.text, sizeof result.text, "%s", name);
  else
    snprintf(result.text, sizeof result.text, "unknown (%u)", clock);
  return result;
}

bool wi_clocks_match(const wasm_perf_header *before, const wasm_perf_header *header, size_t index,
                     wasm_perf_mismatch *mismatch) {
  if (header->clock != before->clock &&
      (quantity_name(header->clock) || quantity_name(before->clock)))
    return wi_mismatch_set(
        mismatch, index, "it shows %s, not %s as before; choose a value that all have with --value",
        wi_clock_words(header->clock).text, wi_clock_words(before->clock).text);
  if (header->clock != before->clock)
    return wi_mismatch_set(mismatch, index, "its clock is %s, not %s as before",
                           wi_clock_words(header->clock).text, wi_clock_words(before->clock).text);
  if (wi_unit_of(header) != wi_unit_of(before))
    return wi_mismatch_set(mismatch, index, "its values have a different unit");
  return true;
}
