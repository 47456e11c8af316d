#include "symbols/confidences.h"

#include <stdlib.h>
#include <string.h>

#include "module/read.h"
#include "names/label.h"
#include "support/search.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { RECORD_SIZE = 8 };

uint32_t wi_naming_thousandths(const wi_naming *naming) {
  uint32_t rounded = (uint32_t)(naming->confidence * 1000 + 0.5f);
  return naming->kind == WI_NAMING_HINT ? 0 : rounded < 1 ? 1 : rounded;
}

static void push(wi_confidences *confidences, uint32_t hash, uint32_t thousandths) {
  uint64_t *record = WI_ARRAY_PUSH(confidences, records);
  if (record)
    *record = (uint64_t)hash << 32 | thousandths;
  confidences->failed |= !record;
}

void wi_confidences_add(wi_confidences *confidences, const char *name, size_t size,
                        uint32_t thousandths) {
  push(confidences, XXH32(name, size, 0), thousandths);
}

static uint32_t read_word(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Adds the records of the module's section, if it has one. */
static void read_section(wi_confidences *confidences, const wi_module *module) {
  const wi_section *section = wi_module_custom_section(module, WI_CONFIDENCES_SECTION);
  if (!section)
    return;
  wi_span contents = wi_section_contents(section);
  for (uint32_t i = 0; i + RECORD_SIZE <= contents.size; i += RECORD_SIZE) {
    const uint8_t *record = module->bytes + contents.offset + i;
    push(confidences, read_word(record), read_word(record + 4));
  }
}

static int compare_records(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static void sort(wi_confidences *confidences) {
  if (confidences->records_count > 0)
    qsort(confidences->records, confidences->records_count, sizeof *confidences->records,
          compare_records);
}

void wi_confidences_write(wi_confidences *confidences, wi_buffer *out) {
  wi_buffer section = {0};
  sort(confidences);
  wi_buffer_name(&section, WI_CONFIDENCES_SECTION);
  for (uint32_t i = 0; i < confidences->records_count; i++) {
    wi_buffer_word(&section, (uint32_t)(confidences->records[i] >> 32));
    wi_buffer_word(&section, (uint32_t)confidences->records[i]);
  }
  if (confidences->records_count > 0) {
    wi_buffer_u8(out, WI_SECTION_CUSTOM);
    wi_buffer_u32(out, (uint32_t)section.size);
    wi_buffer_append(out, section.data, section.size);
  }
  out->failed |= section.failed || confidences->failed;
  wi_buffer_clear(&section);
}

void wi_confidences_clear(wi_confidences *confidences) {
  free(confidences->records);
  *confidences = (wi_confidences){0};
}

/* ---- Profiles ------------------------------------------------------------------------------ */

/* Of several functions with the name, the least confidence. */
static void set_confidence(wasm_perf_profile *profile, const wasm_perf_name *name,
                           const wi_confidences *confidences) {
  uint64_t wanted = (uint64_t)XXH32(name->text, strlen(name->text), 0) << 32;
  uint32_t at = wi_lower_bound(&wanted, confidences->records, confidences->records_count,
                               sizeof wanted, compare_records);
  if (at < confidences->records_count && confidences->records[at] >> 32 == wanted >> 32)
    wasm_perf_profile_set_confidence(profile, name->function, (uint32_t)confidences->records[at]);
}

bool wi_confidences_matter(const wasm_perf_profile *profile) {
  for (uint32_t i = 0; i < profile->header.name_count; i++)
    if (profile->names[i].text[0] == WI_MATCHED_MARK)
      return true;
  return false;
}

bool wi_confidences_apply(wasm_perf_profile *profile, const wi_module *module) {
  wi_confidences confidences = {0};
  read_section(&confidences, module);
  sort(&confidences);
  for (uint32_t i = 0; i < profile->header.name_count && confidences.records_count > 0; i++)
    if (profile->names[i].text[0] == WI_MATCHED_MARK)
      set_confidence(profile, &profile->names[i], &confidences);
  bool done = !confidences.failed;
  wi_confidences_clear(&confidences);
  return done;
}

bool wi_confidences_take(wasm_perf_profile *profile, const uint8_t *bytes, size_t size) {
  wi_module module;
  wi_error ignored;
  wi_error_reset(&ignored);
  if (!wi_module_read(&module, bytes, size, &ignored))
    return true;
  bool done = wi_confidences_apply(profile, &module);
  wi_module_clear(&module);
  return done;
}
