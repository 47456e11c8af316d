/* Instruments and lists one core module: checks options, chooses a form, runs the pipeline. */
#include "hooks/instrument.h"

#include <stdlib.h>
#include <string.h>

#include "code/scan_body.h"
#include "hooks/embedded/embedded.h"
#include "hooks/embedded/outlet.h"
#include "hooks/embedded/survey.h"
#include "hooks/ends.h"
#include "hooks/linked/linked.h"
#include "hooks/select.h"
#include "hooks/single/single.h"
#include "hooks/surroundings.h"
#include "module/go_names.h"
#include "module/names.h"
#include "module/read.h"
#include "rewrite/metadata.h"
#include "rewrite/rewriter.h"
#include "rewrite/unhookable.h"

#define DEFAULT_IMPORT_MODULE "wasm_perf"
#define DEFAULT_NODE_LIMIT    (1u << 20)

/* ---- The run ------------------------------------------------------------ */

static bool check_not_instrumented(const wi_module *module, const wi_options *options,
                                   wi_marker *marker, wi_error *error) {
  const wi_section *section = wi_module_custom_section(module, "wasm_instrument");
  if (!section)
    return true;
  wi_marker_of_module(module, marker);
  if (options->force)
    return true;
  return wi_error_set(error, WI_ERROR_INSTRUMENTED, section->payload.offset, WI_NO_FUNCTION,
                      "already instrumented by wasm-instrument %s", marker->version);
}

/*
 * If the program imported something under the name of one of our imports, it would get the profiler
 * instead. Imports added by an earlier instrumentation are ours.
 */
static bool check_import_names(const wi_rewriter *r, wi_span old_hooks, wi_error *error) {
  const wi_module *module = r->module;
  for (uint32_t i = 0; i < module->imports_count; i++)
    if (i - old_hooks.offset >= old_hooks.size && !r->options->embed &&
        wi_module_span_equals(module, module->imports[i].module, r->import_module))
      return wi_error_set(error, WI_ERROR_INSTRUMENTED, WI_NO_OFFSET, WI_NO_FUNCTION,
                          "it already imports %s.%.*s; choose another module name for the imports "
                          "of hooks with wasm-instrument --import-module",
                          r->import_module, (int)module->imports[i].field.size,
                          (const char *)module->bytes + module->imports[i].field.offset);
  return true;
}

static bool check_embed(const wi_options *options, wi_error *error) {
  if (options->embed && !(wasm_perf_clock_forms(options->clock) & WASM_PERF_FORM_EMBEDDED))
    return wi_error_set(error, WI_ERROR_OPTION, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "the embedded runtime has no %s clock",
                        wasm_perf_clock_name(options->clock));
  if (options->memory && !options->embed)
    return wi_error_set(error, WI_ERROR_OPTION, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "--memory needs the embedded runtime: --embed");
  if (options->guest != WI_GUEST_OFF &&
      (!options->embed || wasm_perf_clock_is_time(options->clock)))
    return wi_error_set(error, WI_ERROR_OPTION, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "--guest needs the embedded runtime, and the clock instructions or none: "
                        "--embed");
  if (options->embed && options->flush)
    return wi_error_set(
        error, WI_ERROR_OPTION, WI_NO_OFFSET, WI_NO_FUNCTION,
        "--flush cannot be used with --embed: the embedded runtime writes its file itself");
  if (options->single_memory && !options->embed)
    return wi_error_set(error, WI_ERROR_OPTION, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "--single-memory needs the embedded runtime: --embed");
  if (options->measure_calls && !options->embed)
    return wi_error_set(error, WI_ERROR_OPTION, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "--calls needs the embedded runtime: --embed");
  if (options->write_at && !options->embed)
    return wi_error_set(error, WI_ERROR_OPTION, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "--write-at needs the embedded runtime: --embed");
  if (options->count_blocks && !options->embed)
    return wi_error_set(error, WI_ERROR_OPTION, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "--%s needs the embedded runtime: --embed",
                        options->count_branches ? "coverage" : "lines");
  return true;
}

static bool run(wi_rewriter *r, const wi_surroundings *around, wi_error *error) {
  wi_marker marker = {0};
  if (!check_not_instrumented(r->module, r->options, &marker, error))
    return false;
  if (!check_embed(r->options, error))
    return false;
  bool *chosen = wi_select_functions(r->module, r->options, &r->scan, error);
  if (!chosen)
    return false;
  wi_surroundings beside = *around;
  beside.old_hooks = (wi_span){marker.first_import, marker.import_count};
  if (!check_import_names(r, beside.old_hooks, error)) {
    free(chosen);
    return false;
  }
  const wi_form *form = r->options->embed ? &wi_embedded_form : &wi_linked_form;
  if (!wi_plan_init(&r->plan, r->module, form, chosen, r->options, &beside, &r->scan, error))
    return false;
  /* Hooks add about a fifth. Memory that is reserved but never written costs nothing. */
  wi_buffer_reserve(&r->out, (size_t)r->module->size + r->module->size / 2 + 4096);
  if (!wi_rewriter_module(r))
    return false;
  wi_rewriter_marker(r);
  if (r->out.failed)
    return wi_error_memory(error);
  wi_unhookable_warn(&r->plan, r->options);
  if (r->unclean_name_count > 0)
    wi_warn(r->options, "%u function name%s with NUL or invalid UTF-8: kept, but shown cleaned",
            r->unclean_name_count, r->unclean_name_count == 1 ? "" : "s");
  if (r->dropped.size > 0)
    wi_warn(r->options, "dropped, because the code moved: %.*s", (int)r->dropped.size,
            (const char *)r->dropped.data);
  return true;
}

/* ---- A single memory ------------------------------------------------------ */

/* Rewrites the output with two memories; takes the place of *out and *source_map. */
static bool rewrite_single(const wi_module *module, const wi_options *options,
                           const wi_surroundings *around, wi_buffer *out, wi_buffer *source_map,
                           wi_error *error) {
  bool *none = calloc(module->bodies_count + (size_t)1, sizeof *none);
  wi_rewriter r = {.module = module, .options = options, .error = error};
  if (!none)
    return wi_error_memory(error);
  bool done = wi_plan_init(&r.plan, module, &wi_single_form, none, options, around, &r.scan, error);
  done = done && wi_rewriter_module(&r);
  if (done) {
    wi_buffer_clear(out);
    wi_buffer_clear(source_map);
    *out = r.out;
    *source_map = r.source_map;
    r.out = r.source_map = (wi_buffer){0};
  }
  wi_rewriter_clear(&r);
  return done;
}

/* The program's memory takes in the runtime's. The first rewriting has given all warnings. */
static bool make_single(wi_rewriter *r, const wi_surroundings *around, wi_error *error) {
  wi_module module;
  wi_options options = *r->options;
  options.warn = NULL;
  options.pass = NULL;
  if (options.source_map) {
    options.source_map = r->source_map.data;
    options.source_map_size = r->source_map.size;
  }
  if (!wi_module_read(&module, r->out.data, r->out.size, error))
    return false;
  bool done = rewrite_single(&module, &options, around, &r->out, &r->source_map, error);
  wi_module_clear(&module);
  return done;
}

static bool needs_single(const wi_rewriter *r) {
  return r->options->single_memory && r->plan.embed->memory_index > 0;
}

/* Reads the module, with its function names if any part of it has them. */
static bool read_named(wi_module *module, wi_buffer *named, const uint8_t *input, size_t size,
                       wi_error *error) {
  wi_error_reset(error);
  return wi_module_read(module, input, size, error) && wi_go_names_complete(module, named, error);
}

/* Sets the name of the function in which the error is, if the module's names can be read. */
static void name_function(const wi_module *module, wi_error *error) {
  if (error->function == WI_NO_FUNCTION)
    return;
  wi_names *names = wi_names_of_module(module);
  wi_span span;
  if (names && wi_names_raw(names, error->function, &span)) {
    size_t size = sizeof error->function_name - 1;
    if (span.size < size)
      size = span.size;
    memcpy(error->function_name, module->bytes + span.offset, size);
    error->function_name[size] = '\0';
  }
  wi_names_free(names);
}

/* Whether the output writes its profile, and where it would lose profiles without a word. */
static void find_writer(const wi_rewriter *r, wi_output *output) {
  const wi_plan *plan = &r->plan;
  const wi_ends ends = wi_ends_find(plan->module);
  bool has_entry = ends.entry != WI_NO_FUNCTION;
  bool has_end = has_entry || ends.exits[0] != WI_NO_FUNCTION;
  output->writes_profile = plan->embed && plan->embed->outlet.writer;
  output->lacks_writer =
      plan->embed && has_entry && !output->writes_profile && !r->options->no_file;
  output->is_start_only = output->writes_profile && wi_outlet_is_start_only(plan->module) &&
                          plan->embed->returns.functions_count == 0;
  output->never_flushes = !plan->embed && r->options->flush && !has_end;
}

/* Whether only functions of a guest would be shown, and there is none. */
static bool shows_nothing(const wi_followings *all) {
  return wi_followings_exclude_others(all) && !wi_followings_have_guest(all);
}

/* Moves the results to *output. */
static void fill_output(wi_rewriter *r, wi_output *output) {
  *output =
      (wi_output){.bytes = r->out.data,
                  .size = r->out.size,
                  .source_map = r->source_map.data,
                  .source_map_size = r->source_map.size,
                  .function_count = r->module->bodies_count,
                  .instrumented_count = r->hooked_count,
                  .import_count = r->plan.import_count,
                  .has_single_memory = needs_single(r),
                  .has_guest = r->plan.embed && wi_followings_have_guest(&r->plan.embed->following),
                  .shows_nothing = r->plan.embed && shows_nothing(&r->plan.embed->following),
                  .reader = r->module->reader};
  find_writer(r, output);
  r->out = r->source_map = (wi_buffer){0};
}

bool wi_module_instrument(const uint8_t *input, size_t size, const wi_options *options,
                          const wi_surroundings *around, wi_output *output, wi_error *error) {
  static const wi_surroundings alone = {0};
  wi_module module;
  wi_buffer named;
  *output = (wi_output){0};
  if (!read_named(&module, &named, input, size, error))
    return false;
  wi_options complete = *options;
  complete.embed |= wasm_perf_clock_forms(complete.clock) == WASM_PERF_FORM_EMBEDDED;
  if (complete.clock == WASM_PERF_CLOCK_AUTO)
    complete.clock = wi_options_replace_clock(&complete) ? WASM_PERF_CLOCK_NONE
                     : complete.embed                    ? WASM_PERF_CLOCK_INSTRUCTIONS
                                                         : WASM_PERF_CLOCK_WALL;
  if (complete.node_limit == 0)
    complete.node_limit = DEFAULT_NODE_LIMIT;
  wi_rewriter r = {.module = &module, .options = &complete, .error = error};
  r.import_module = r.options->import_module ? r.options->import_module : DEFAULT_IMPORT_MODULE;
  if (!around)
    around = &alone;
  bool done = run(&r, around, error) && (!needs_single(&r) || make_single(&r, around, error));
  if (done) {
    fill_output(&r, output);
  } else {
    name_function(&module, error);
  }
  wi_rewriter_clear(&r);
  wi_module_clear(&module);
  wi_buffer_clear(&named);
  return done;
}

void wi_output_clear(wi_output *output) {
  free(output->bytes);
  free(output->source_map);
  free(output->debug_file);
  *output = (wi_output){0};
}

/* ---- Listing ------------------------------------------------------------ */

static bool visit_functions(const wi_module *module, const wi_options *options,
                            void (*visit)(void *user, const wi_function_info *info), void *user,
                            wi_error *error) {
  wi_scan scan = {0};
  wi_names *names = wi_names_of_module(module);
  if (!names)
    return wi_error_memory(error);
  bool *chosen = wi_select_functions(module, options, &scan, error);
  bool done = chosen != NULL;
  for (uint32_t i = 0; done && i < module->bodies_count; i++) {
    done = wi_scan_body(&scan, module, i, NULL, error);
    wi_function_info info = {.index = module->imports_count + i,
                             .instruction_count = scan.instruction_count,
                             .name = wi_names_get(names, module->imports_count + i),
                             .chosen = chosen[i]};
    if (done)
      visit(user, &info);
  }
  wi_names_free(names);
  wi_scan_clear(&scan);
  free(chosen);
  return done;
}

bool wi_module_list_functions(const uint8_t *input, size_t size, const wi_options *options,
                              void (*visit)(void *user, const wi_function_info *info), void *user,
                              wi_error *error) {
  wi_module module;
  wi_buffer named;
  if (!read_named(&module, &named, input, size, error))
    return false;
  bool done = visit_functions(&module, options, visit, user, error);
  if (!done)
    name_function(&module, error);
  wi_module_clear(&module);
  wi_buffer_clear(&named);
  return done;
}
