#include "report/model/size_classes.h"

#include <stdio.h>

/* Class 0 is for 0 bytes; class n for sizes of n bits. */
static wi_size_class class_at(const wasm_perf_profile *profile, unsigned index) {
  uint64_t first = index == 0 ? 0 : UINT64_C(1) << (index - 1);
  uint64_t last = index == 0 ? 0 : first + (first - 1);
  return (wi_size_class){first, last, profile->size_counts[index]};
}

unsigned wi_size_classes(const wasm_perf_profile *profile,
                         wi_size_class classes[WASM_PERF_SIZE_CLASSES]) {
  unsigned count = 0, used = 0;
  for (unsigned i = 0; i < WASM_PERF_SIZE_CLASSES; i++) {
    if (count == 0 && profile->size_counts[i] == 0)
      continue;
    classes[count++] = class_at(profile, i);
    used = profile->size_counts[i] > 0 ? count : used;
  }
  return used;
}

wi_short_text wi_size_class_text(const wi_size_class *of) {
  wi_short_text text;
  wi_short_text first = wi_format_count(of->first), last = wi_format_count(of->last);
  if (of->first == of->last)
    snprintf(text.text, sizeof text.text, "%.28s B", first.text);
  else
    snprintf(text.text, sizeof text.text, "%.28s\xE2\x80\x93%.28s B", first.text, last.text);
  return text;
}
