#include "report/model/units.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/arithmetic.h"

static const unsigned powers_of_ten[] = {1, 10, 100, 1000};

wi_short_text wi_format_count(uint64_t count) {
  char digits[24];
  size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, count);
  wi_short_text result;
  char *out = result.text;
  for (size_t i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0)
      *out++ = ',';
    *out++ = digits[i];
  }
  *out = 0;
  return result;
}

wi_short_text wi_format_quantity(uint64_t count, const char *noun) {
  wi_short_text result = wi_format_count(count);
  size_t length = strlen(result.text);
  snprintf(result.text + length, sizeof result.text - length, " %s%s", noun, count == 1 ? "" : "s");
  return result;
}

wi_short_text wi_format_calls(uint64_t count, bool is_counted) {
  return is_counted ? wi_format_quantity(count, "call") : (wi_short_text){"calls not counted"};
}

wi_short_text wi_format_quotient(uint64_t count, uint64_t divisor, unsigned decimals) {
  unsigned fractions = powers_of_ten[decimals];
  uint64_t whole = count / divisor;
  uint64_t fraction = (wi_scale(count % divisor, divisor, fractions * UINT64_C(2)) + 1) / 2;
  if (fraction == fractions) {
    fraction = 0;
    whole++; /* cannot overflow: a remainder needs a divisor above 1 */
  }
  wi_short_text result = wi_format_count(whole);
  if (decimals > 0) {
    size_t length = strlen(result.text);
    snprintf(result.text + length, sizeof result.text - length, ".%0*" PRIu64, (int)decimals,
             fraction);
  }
  return result;
}

wi_short_text wi_format_percentage(uint64_t part, uint64_t whole, unsigned decimals) {
  uint64_t fractions = UINT64_C(100) * powers_of_ten[decimals];
  if (whole == 0)
    fractions = 0;
  else if (part < whole)
    fractions = (wi_scale(part, whole, 2 * fractions) + 1) / 2;
  return wi_format_quotient(fractions, powers_of_ten[decimals], decimals);
}

/* Formats three digits, in one of four units, each a thousand times the one before. */
static wi_short_text format_thousands(uint64_t value, const char *const units[4]) {
  wi_short_text result;
  if (value < 1000) {
    snprintf(result.text, sizeof result.text, "%" PRIu64 " %s", value, units[0]);
    return result;
  }
  /* Drop digits until three are left: their number determines the unit and its decimals. */
  unsigned dropped = 1;
  uint64_t step = 10;
  while (dropped < 9 && value / step + (value % step >= step / 2) >= 1000) {
    dropped++;
    step *= 10;
  }
  unsigned unit = (dropped - 1) / 3 + 1;
  unsigned decimals = 2 - (dropped - 1) % 3;
  result = wi_format_quotient(value, step * powers_of_ten[decimals], decimals);
  size_t length = strlen(result.text);
  snprintf(result.text + length, sizeof result.text - length, " %s", units[unit]);
  return result;
}

static const char *const time_units[] = {"ns", "\xC2\xB5s", "ms", "s"};
static const char *const byte_units[] = {"B", "KB", "MB", "GB"};

wi_short_text wi_format_value(wi_unit unit, uint64_t value) {
  switch (unit) {
  case WI_UNIT_NANOSECONDS: return format_thousands(value, time_units);
  case WI_UNIT_BYTES: return format_thousands(value, byte_units);
  default: break;
  }
  wi_short_text result = wi_format_count(value);
  size_t length = strlen(result.text);
  snprintf(result.text + length, sizeof result.text - length, " %s",
           value == 1 ? wi_unit_one(unit) : wi_unit_name(unit));
  return result;
}

wi_short_text wi_format_short(wi_unit unit, uint64_t value) {
  static const char *const count_units[] = {"", "k", "M", "G"};
  wi_short_text text;
  if (unit == WI_UNIT_NANOSECONDS || unit == WI_UNIT_BYTES || value < 100000)
    return wi_format_value(unit, value);
  snprintf(text.text, sizeof text.text, "%.40s %.20s", format_thousands(value, count_units).text,
           wi_unit_name(unit));
  return text;
}

/* Below a microsecond, tenths of a nanosecond matter. */
wi_short_text wi_format_mean(wi_unit unit, uint64_t value, uint64_t count) {
  bool is_time = unit == WI_UNIT_NANOSECONDS;
  if (count == 0)
    return (wi_short_text){"-"};
  if (is_time && value / count >= 1000)
    return wi_format_value(unit, value / count);
  wi_short_text mean = wi_format_quotient(value, count, 1);
  if (is_time)
    strcat(mean.text, " ns");
  return mean;
}

wi_display_unit wi_display_unit_of(wi_unit unit, uint64_t largest) {
  static const wi_display_unit times[] = {
      {WI_UNIT_NANOSECONDS, "s", 1000000000, 3},
      {WI_UNIT_NANOSECONDS, "ms", 1000000, 3},
      {WI_UNIT_NANOSECONDS, "\xC2\xB5s", 1000, 3},
      {WI_UNIT_NANOSECONDS, "ns", 1, 0},
  };
  static const wi_display_unit bytes[] = {
      {WI_UNIT_BYTES, "GB", 1000000000, 3},
      {WI_UNIT_BYTES, "MB", 1000000, 3},
      {WI_UNIT_BYTES, "KB", 1000, 3},
      {WI_UNIT_BYTES, "bytes", 1, 0},
  };
  if (unit != WI_UNIT_NANOSECONDS && unit != WI_UNIT_BYTES) {
    const char *text = unit == WI_UNIT_INSTRUCTIONS ? "instr." : wi_unit_name(unit);
    return (wi_display_unit){unit, text, 1, 0};
  }
  const wi_display_unit *units = unit == WI_UNIT_BYTES ? bytes : times;
  size_t i = 0;
  while (units[i].divisor > 1 && largest / 10 < units[i].divisor)
    i++;
  return units[i];
}

wi_short_text wi_format_in(wi_display_unit unit, uint64_t value) {
  return wi_format_quotient(value, unit.divisor, unit.decimals);
}

const char *wi_measure_words(wasm_perf_measure measure) {
  static const char *const words[] = {
#define MEASURE_WORDS(id, name, unit, owner, sum, text) [WASM_PERF_MEASURE_##id] = text,
      WASM_PERF_MEASURES(MEASURE_WORDS)
#undef MEASURE_WORDS
  };
  return words[measure];
}
