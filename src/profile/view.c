#include "profile/view.h"

#include <stdio.h>

#include "profile/measures.h"

wi_view wi_view_of(const wasm_perf_profile *profile, wasm_perf_value value) {
  wi_view view = {.profile = profile, .value = value, .clock = WASM_PERF_CLOCK_NONE};
  wasm_perf_measure measure;
  if (value == WASM_PERF_VALUE_SELF) {
    view.clock = profile->header.clock;
    view.unit = wi_unit_of(&profile->header);
  } else {
    view.unit = wi_view_has_measure(&view, &measure) ? wi_measure_unit(measure) : WI_UNIT_CALLS;
  }
  return view;
}

bool wi_view_has_measure(const wi_view *view, wasm_perf_measure *measure) {
  bool has = view->value >= WASM_PERF_VALUE_MEASURES;
  if (has && measure)
    *measure = (wasm_perf_measure)(view->value - WASM_PERF_VALUE_MEASURES);
  return has;
}

const char *wi_view_name(const wi_view *view) {
  wasm_perf_measure measure;
  if (wi_view_has_measure(view, &measure))
    return wasm_perf_measure_name(measure);
  bool is_chosen =
      view->value == WASM_PERF_VALUE_CALLS && view->profile->header.clock != WASM_PERF_CLOCK_NONE;
  return is_chosen ? wi_unit_name(WI_UNIT_CALLS) : NULL;
}

wi_clock_text wi_view_words(const wi_view *view) {
  wi_clock_text words;
  if (view->value == WASM_PERF_VALUE_SELF)
    return wi_clock_words(view->clock);
  snprintf(words.text, sizeof words.text, "%s", wi_unit_name(view->unit));
  return words;
}

bool wi_view_has_time(const wi_view *view) {
  return view->unit == WI_UNIT_NANOSECONDS;
}

void wi_view_values(const wi_view *view, uint64_t *values) {
  const wasm_perf_profile *profile = view->profile;
  wasm_perf_measure measure;
  if (wi_view_has_measure(view, &measure)) {
    wi_measure_values(profile, measure, values);
  } else if (view->unit == WI_UNIT_NANOSECONDS && !wi_self_is_value(&profile->header)) {
    values[0] = 0;
    wi_node_times(profile, values);
  } else {
    for (uint32_t i = 0; i < profile->header.node_count; i++)
      values[i] =
          view->unit == WI_UNIT_CALLS ? profile->nodes[i].call_count : profile->nodes[i].self;
  }
}

uint64_t wi_view_hook_time(const wi_view *view) {
  const wasm_perf_profile *profile = view->profile;
  return view->value == WASM_PERF_VALUE_SELF ? wi_value(&profile->header, profile->hook_time) : 0;
}

uint64_t wi_view_hidden(const wi_view *view, wasm_perf_kind kind) {
  const wasm_perf_profile *profile = view->profile;
  return view->value == WASM_PERF_VALUE_SELF
             ? wi_value(&profile->header, profile->hidden_self[kind])
             : 0;
}

bool wi_views_match(const wi_view *before, const wi_view *view, size_t index,
                    wasm_perf_mismatch *mismatch) {
  return view->value != WASM_PERF_VALUE_SELF ||
         wi_clocks_match(&before->profile->header, &view->profile->header, index, mismatch);
}
