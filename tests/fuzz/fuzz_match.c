/*
 * Any bytes as two modules or components: what can be read of them is matched, and pairs are one to
 * one. What is learnt from one can be read again, and names the other.
 */
#include "component/container.h"
#include "fuzz.h"
#include "match/modules.h"
#include "module/identity.h"
#include "module/names.h"
#include "module/read.h"
#include "symbols/learn.h"
#include "symbols/name_module.h"
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

/* ---- Components ----------------------------------------------------------------------------- */

/* The file that read_from reads. */
static const uint8_t *from_bytes;
static size_t from_size;

static bool read_from(const char *path, uint64_t limit, uint8_t **bytes, size_t *size) {
  (void)path, (void)limit;
  *bytes = malloc(from_size + 1);
  CHECK(*bytes != NULL);
  memcpy(*bytes, from_bytes, from_size);
  *size = from_size;
  return true;
}

static void ignore_note(void *user, const char *path, const char *message) {
  (void)user, (void)path, (void)message;
}

/* A component with names has the same modules with the same code. */
static void check_component(const uint8_t *bytes, size_t size, const wi_buffer *named) {
  wi_component before, after;
  wi_error error;
  CHECK(wi_component_read(&before, bytes, size, &error));
  CHECK(wi_component_read(&after, named->data, named->size, &error));
  CHECK(before.parts_count == after.parts_count && before.module_count == after.module_count);
  for (uint32_t i = 0; i < before.parts_count; i++) {
    char identities[2][WI_IDENTITY_SIZE] = {{0}};
    wi_module module;
    const wi_component *components[] = {&before, &after};
    for (int k = 0; k < 2 && before.parts[i].is_module; k++) {
      wi_span part = components[k]->parts[i].bytes;
      CHECK(wi_module_read(&module, components[k]->bytes + part.offset, part.size, &error));
      wi_module_identity(&module, identities[k]);
      wi_module_clear(&module);
    }
    CHECK(strcmp(identities[0], identities[1]) == 0);
  }
  wi_component_clear(&before);
  wi_component_clear(&after);
}

static void name_component(const uint8_t *bytes, size_t size) {
  const char *path = "from";
  const wi_name_sources sources = {"app.wasm", "caller.js", &path,       1,   false,
                                   true,       read_from,   ignore_note, NULL};
  wi_buffer named;
  wi_error error;
  const char *failed;
  if (!wi_name_module(bytes, size, &sources, &named, &error, &failed))
    CHECK(error.message[0] && named.size == 0);
  else if (named.size > 0 && wi_component_is(bytes, size))
    check_component(bytes, size, &named);
  wi_buffer_clear(&named);
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
  from_bytes = data + first;
  from_size = size - first;
  name_component(data, first);
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
