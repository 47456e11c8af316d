/*
 * Any bytes as a module or a component: readers, scanner and the whole rewrite.
 *
 * What is accepted must come through a rewrite without edits unchanged, be instrumented alike
 * twice, and give a module that reads and scans again, with all its functions, and is
 * valid if the input was.
 */
#include <stdlib.h>
#include <string.h>

#include "code/scan_body.h"
#include "component/container.h"
#include "fuzz.h"
#include "module/read.h"
#include "module/read_sections.h"
#include "rewrite/linked.h"
#include "rewrite/rewriter.h"

static void check_identity(const wi_module *module) {
  static const wi_options options = {0};
  wi_error error;
  wi_error_reset(&error);
  wi_rewriter r = {.module = module, .options = &options, .import_module = "", .error = &error};
  bool *chosen = calloc((size_t)module->bodies_count + 1, sizeof *chosen);
  if (wi_plan_init(&r.plan, module, &wi_linked_form, chosen, r.options, (wi_span){0}, &r.scan,
                   &error) &&
      wi_rewriter_module(&r))
    CHECK(r.out.size == module->size && memcmp(r.out.data, module->bytes, module->size) == 0);
  wi_rewriter_clear(&r);
}

/* Where WABT's reader and ours can both read it, they must agree on the indices that matter. */
static void check_readers(const wi_module *by_one) {
  wi_error error;
  wi_error_reset(&error);
  wi_module other = {.bytes = by_one->bytes, .size = by_one->size};
  CHECK(wi_module_read_sections(&other, &error)); /* ours reads all that WABT's does */
  CHECK(other.types_count == by_one->types_count && other.imports_count == by_one->imports_count &&
        other.bodies_count == by_one->bodies_count &&
        other.exports_count == by_one->exports_count &&
        other.sections_count == by_one->sections_count);
  for (uint32_t i = 0; i < other.bodies_count; ++i)
    CHECK(other.bodies[i].offset == by_one->bodies[i].offset &&
          other.bodies[i].size == by_one->bodies[i].size);
  wi_module_clear(&other);
}

static void check_output(const wi_output *output, const wi_module *input) {
  wi_module module;
  wi_error error;
  wi_error_reset(&error);
  CHECK(wi_module_read(&module, output->bytes, output->size, &error));
  CHECK(module.bodies_count >= input->bodies_count); /* more where the runtime is embedded */
  CHECK(module.imports_count == input->imports_count + output->import_count);
  wi_scan scan = {0};
  for (uint32_t i = 0; i < module.bodies_count; ++i)
    CHECK(wi_scan_body(&scan, &module, i, &error));
  wi_scan_clear(&scan);
  wi_module_clear(&module);
}

static void check_instrumenting(const uint8_t *data, size_t size, const wi_module *module,
                                const wi_options *options) {
  wi_output first, second;
  wi_error error;
  if (!wi_instrument(data, size, options, &first, &error)) {
    CHECK(first.bytes == NULL && error.code != WI_ERROR_NONE && error.message[0] != '\0');
    CHECK(error.offset == WI_NO_OFFSET || error.offset <= size);
    return;
  }
  CHECK(wi_instrument(data, size, options, &second, &error));
  CHECK(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
  check_output(&first, module);
  if (fuzz_is_valid(data, size))
    CHECK(fuzz_is_valid(first.bytes, first.size));
  wi_output_clear(&first);
  wi_output_clear(&second);
}

/* The linked form with any clock, and the embedded form with each of its own. */
static void check_forms(const uint8_t *data, size_t size, const wi_module *module) {
  wi_options options = {.force = true, .min_instructions = (uint32_t)(size % 3)};
  options.host_calls = size / 2 % 2;
  options.skip_leaves = (uint32_t)(size % 7);
  options.embed = true;
  options.clock = WASM_PERF_CLOCK_NONE;
  check_instrumenting(data, size, module, &options);
  options.clock = WASM_PERF_CLOCK_INSTRUCTIONS;
  check_instrumenting(data, size, module, &options);
  options.embed = false;
  options.flush = size % 2;
  options.clock = (wasm_perf_clock)(size % 5 % (WASM_PERF_CLOCK_INSTRUCTIONS + 1));
  check_instrumenting(data, size, module, &options);
}

/* What is accepted is instrumented alike twice, and has the same modules and components. */
static void check_component(const uint8_t *data, size_t size) {
  wi_output first, second;
  wi_error error;
  wi_component before, after;
  wi_options options = {.force = true, .embed = true, .clock = WASM_PERF_CLOCK_INSTRUCTIONS};
  options.host_calls = size % 2;
  if (!wi_instrument(data, size, &options, &first, &error)) {
    CHECK(first.bytes == NULL && error.code != WI_ERROR_NONE && error.message[0] != '\0');
    CHECK(error.offset == WI_NO_OFFSET || error.offset <= size);
    return;
  }
  CHECK(wi_instrument(data, size, &options, &second, &error));
  CHECK(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
  CHECK(wi_component_read(&before, data, size, &error) &&
        wi_component_read(&after, first.bytes, first.size, &error));
  CHECK(before.parts_count == after.parts_count);
  for (uint32_t i = 0; i < before.parts_count; ++i)
    CHECK(before.parts[i].is_module == after.parts[i].is_module &&
          before.parts[i].parent == after.parts[i].parent);
  wi_component_clear(&before);
  wi_component_clear(&after);
  wi_output_clear(&first);
  wi_output_clear(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wi_module module;
  wi_error error;
  wi_error_reset(&error);
  if (wi_component_is(data, size)) {
    check_component(data, size);
    return 0;
  }
  if (!wi_module_read(&module, data, size, &error)) {
    CHECK(error.code != WI_ERROR_NONE && error.message[0] != '\0');
    return 0;
  }
  check_readers(&module);
  check_identity(&module);
  check_forms(data, size, &module);
  wi_module_clear(&module);
  return 0;
}
