/*
 * Any bytes as two modules: what can be read of them is matched, and pairs are one to one. What is
 * learnt from one can be read again, and names the other.
 */
#include "fuzz.h"
#include "module/names.h"
#include "module/read.h"
#include "symbols/learn.h"
#include "symbols/match_modules.h"
#include "symbols/signatures.h"

static void check_matches(const wi_matches *matches, const wi_module *in, const wi_module *from) {
  uint32_t count = wi_module_function_count(from), matched = 0;
  bool *seen = calloc(count + (size_t)1, sizeof *seen);
  CHECK(seen && matches->count == wi_module_function_count(in));
  for (uint32_t i = 0; i < matches->count; i++) {
    wi_match match = matches->items[i];
    if (match.from == WI_NO_FUNCTION)
      continue;
    CHECK(i >= in->imports_count && match.from >= from->imports_count && match.from < count);
    CHECK(!seen[match.from] && match.confidence > 0 && match.confidence <= 1);
    seen[match.from] = true;
    matched++;
  }
  CHECK(matched == matches->matched_count);
  free(seen);
}

static void match(const wi_module *in, const wi_module *from) {
  wi_namings namings = {.module = in};
  wi_matches matches = {0};
  wi_error in_error, from_error;
  wi_error_reset(&in_error);
  wi_error_reset(&from_error);
  wi_names *names = wi_names_of_module(from);
  CHECK(names != NULL);
  if (wi_namings_add(&namings, from, names, &matches, &in_error, &from_error))
    check_matches(&matches, in, from);
  else
    CHECK(in_error.message[0] || from_error.message[0]);
  wi_matches_clear(&matches);
  wi_namings_clear(&namings);
  wi_names_free(names);
}

static void name_learnt(const wi_buffer *file, const uint8_t *bytes, size_t size) {
  wi_signatures signatures = {0};
  wi_build build;
  wi_error error;
  wi_error_reset(&error);
  CHECK(wi_signatures_read(&signatures, file->data, file->size, &error));
  if (wi_build_open(&build, bytes, size, &error)) {
    wi_namings namings = {.module = &build.module};
    if (wi_signatures_name(&signatures, &namings, build.names, &error))
      CHECK(namings.named_count <= build.module.bodies_count);
    wi_namings_clear(&namings);
    wi_build_close(&build);
  }
  wi_signatures_clear(&signatures);
}

static void learn(const uint8_t *in, size_t in_size, const uint8_t *from, size_t from_size) {
  wi_learner learner = {0};
  wi_buffer file = {0};
  wi_build build;
  wi_error error;
  wi_error_reset(&error);
  if (!wi_build_open(&build, from, from_size, &error))
    return;
  if (wi_learner_add(&learner, &build, &error)) {
    wi_learner_write(&learner, &file);
    name_learnt(&file, in, in_size);
  }
  wi_buffer_clear(&file);
  wi_learner_clear(&learner);
  wi_build_close(&build);
}

/* The first two bytes are the size of the first module. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  size_t first = (size_t)data[0] | (size_t)data[1] << 8;
  data += 2;
  size -= 2;
  if (first > size)
    return 0;
  wi_module in, from;
  wi_error ignored;
  wi_error_reset(&ignored);
  if (!wi_module_read(&in, data, first, &ignored))
    return 0;
  if (wi_module_read(&from, data + first, size - first, &ignored)) {
    match(&in, &from);
    match(&from, &in);
    wi_module_clear(&from);
    learn(data, first, data + first, size - first);
  }
  wi_module_clear(&in);
  return 0;
}
