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
#include "hooks/linked/linked.h"
#include "module/read.h"
#include "module/read_sections.h"
#include "rewrite/rewriter.h"

static void check_identity(const wi_module *module) {
  static const wi_options options = {0};
  wi_error error;
  wi_error_reset(&error);
  wi_rewriter r = {.module = module, .options = &options, .import_module = "", .error = &error};
  bool *chosen = calloc((size_t)module->bodies_count + 1, sizeof *chosen);
  if (wi_plan_init(&r.plan, module, &wi_linked_form, chosen, r.options, NULL, &r.scan, &error) &&
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
  for (uint32_t i = 0; i < other.bodies_count; i++)
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
  for (uint32_t i = 0; i < module.bodies_count; i++)
    CHECK(wi_scan_body(&scan, &module, i, NULL, &error));
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

/* ---- Options ---------------------------------------------------------------- */

/* What the input chooses: any change of it changes them all. */
typedef struct choices {
  uint64_t state;
} choices;

static choices choices_of(const uint8_t *data, size_t size) {
  choices made = {UINT64_C(14695981039346656037)};
  for (size_t i = 0; i < size; i++)
    made.state = (made.state ^ data[i]) * UINT64_C(1099511628211);
  return made;
}

static uint32_t below(choices *made, uint32_t limit) {
  made->state = made->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(made->state >> 33) % limit;
}

/* An allocator of each kind of name, a glob, a regular expression, a range; any kind of
 * allocator. */
static wi_selection *make_selection(choices *made) {
  static const char *const patterns[] = {"*", "!f*", "/^[a-m]/", "@0-3", "!@1"};
  static const char *const allocators[] = {"f=malloc", "*a*=free", "g*=realloc", "run=none"};
  wi_selection *selection = wi_selection_new();
  wi_error error;
  CHECK(selection != NULL);
  for (uint32_t i = below(made, 4); i > 0; i--) {
    CHECK(wi_selection_add(selection, patterns[below(made, 5)], below(made, 2), &error));
    CHECK(wi_selection_add_allocator(selection, allocators[below(made, 4)], &error));
  }
  return selection;
}

/* What the forms share, each by chance. */
static wi_options some_options(choices *made, const wi_selection *selection, const uint8_t *data,
                               size_t size) {
  wi_options options = {.force = true, .selection = selection};
  options.min_instructions = below(made, 3);
  options.skip_leaves = below(made, 7);
  options.host_calls = below(made, 2);
  options.module_name = below(made, 2) ? "a b.wasm" : NULL;
  options.import_module = below(made, 2) ? "hooks" : NULL;
  if (below(made, 4) == 0) {
    options.debug_file = options.source_map = data;
    options.debug_file_size = options.source_map_size = size;
    options.debug_file_url = options.source_map_url = below(made, 2) ? "beside" : NULL;
  }
  return options;
}

static wi_options embedded_options(choices *made, wi_options options) {
  options.embed = true;
  options.recursion = (wasm_perf_recursion)below(made, 3);
  options.node_limit = below(made, 2) ? 1 + below(made, 1000) : 0;
  options.count_blocks = below(made, 2);
  options.no_file = below(made, 2);
  options.to_stderr = below(made, 2);
  return options;
}

/* The embedded form with and without memory, and the linked form with any clock. */
static void check_forms(const uint8_t *data, size_t size, const wi_module *module) {
  choices made = choices_of(data, size);
  wi_selection *selection = make_selection(&made);
  wi_options shared = some_options(&made, below(&made, 2) ? selection : NULL, data, size);
  wi_options options = embedded_options(&made, shared);
  options.memory = true;
  options.guest = below(&made, 2) ? WI_GUEST_BOTH : WI_GUEST_OFF;
  options.clock = below(&made, 2) ? WASM_PERF_CLOCK_NONE : WASM_PERF_CLOCK_INSTRUCTIONS;
  check_instrumenting(data, size, module, &options);
  options = embedded_options(&made, shared);
  options.guest = (wi_guest_mode)below(&made, 3);
  options.clock = WASM_PERF_CLOCK_INSTRUCTIONS;
  check_instrumenting(data, size, module, &options);
  options = shared;
  options.flush = below(&made, 2);
  options.clock = (wasm_perf_clock)below(&made, WASM_PERF_CLOCK_INSTRUCTIONS + 1);
  check_instrumenting(data, size, module, &options);
  wi_selection_free(selection);
}

/* ---- The target -------------------------------------------------------------- */

/* What is accepted is instrumented alike twice, and has the same modules and components. */
static void check_component(const uint8_t *data, size_t size) {
  wi_output first, second;
  wi_error error;
  wi_component before, after;
  static const char *const modules[] = {"*", NULL};
  choices made = choices_of(data, size);
  wi_options options = embedded_options(&made, some_options(&made, NULL, data, size));
  options.clock = below(&made, 2) ? WASM_PERF_CLOCK_NONE : WASM_PERF_CLOCK_INSTRUCTIONS;
  options.memory = below(&made, 2);
  options.guest = (wi_guest_mode)below(&made, 3);
  options.modules = below(&made, 2) ? modules : NULL;
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
  for (uint32_t i = 0; i < before.parts_count; i++)
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
