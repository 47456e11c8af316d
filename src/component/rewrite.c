#include "component/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "component/container.h"
#include "component/lift.h"
#include "component/splice.h"
#include "hooks/follow/python.h"
#include "hooks/instrument.h"
#include "hooks/single/single.h"
#include "hooks/surroundings.h"
#include "module/exports.h"
#include "module/read.h"
#include "rewrite/warn.h"
#include "support/buffer.h"
#include "support/error.h"
#include "support/glob.h"

/* State of one pass over the modules of a component. */
typedef struct component_run {
  wi_component component;
  const wi_options *options; /* from the caller */
  bool *chosen;              /* per part */
  wi_output *modules;        /* per part: the instrumented module; no bytes if it is unchanged */
  bool *silent;              /* per part: an instrumented module that does not write its profile */
  uint32_t chosen_count;
  wi_buffer out;
  uint32_t part; /* the current module; the fields below describe it */
  wi_options module_options;
  wi_guest guest; /* as found in the modules read so far */
  char name[WI_COMPONENT_NAME_SIZE];
  char module_name[2 * WI_COMPONENT_NAME_SIZE + 2];
  wi_error *error;
} component_run;

static const wi_component_part *part_at(const component_run *run, uint32_t part) {
  return &run->component.parts[part];
}

static const uint8_t *bytes_of(const component_run *run, uint32_t part) {
  return run->component.bytes + part_at(run, part)->bytes.offset;
}

/* ---- Choosing ----------------------------------------------------------------------- */

static bool is_shim_table(const wi_module *module, wi_span name, uint8_t kind, uint32_t index,
                          void *context) {
  (void)index, (void)context;
  return kind == WI_EXTERN_TABLE && wi_module_span_equals(module, name, "$imports");
}

/*
 * Whether wit-component generated the module to connect the program's module with the world. The
 * shim exports a table, which identifies it even without names.
 */
static bool is_glue(const component_run *run, const wi_module *module) {
  static const char prefix[] = "wit-component";
  return strncmp(run->name, prefix, sizeof prefix - 1) == 0 ||
         wi_module_find_any_export(module, is_shim_table, NULL);
}

static bool matches_any(const char *const *globs, const char *name) {
  for (; *globs; globs++)
    if (wi_glob_matches(*globs, name))
      return true;
  return false;
}

/*
 * Looks for a guest in the module. If shared libraries were linked into a component, one module has
 * the memory and all data, and another, which imports that memory, has the interpreter.
 */
static void look_for_guest(component_run *run, const wi_module *module) {
  wi_scan scan = {0};
  if (run->options->guest != WI_GUEST_OFF && !run->guest.has_table)
    wi_guest_find_table(&run->guest, module, &scan);
  wi_scan_clear(&scan);
}

/*
 * Whether pages of a memory may come from elsewhere than its module, as the adapter of WASI preview 1 gets some where a
 * program has no cabi_realloc. The profile would keep the program from growing past them.
 */
static bool check_growth(component_run *run, const wi_module *module) {
  bool grows = false;
  if (!run->options->single_memory || module->import_counts[WI_EXTERN_MEMORY] == 0)
    return true;
  return wi_single_grows(module, &grows, run->error) &&
         (!grows ||
          wi_error_set(run->error, WI_ERROR_UNSUPPORTED, WI_NO_OFFSET, WI_NO_FUNCTION,
                       "--single-memory is impossible: it grows another module's memory"));
}

/* Chooses the module or not. Modules without functions are never chosen. */
static bool choose(component_run *run, uint32_t part) {
  wi_module module;
  if (!wi_module_read(&module, bytes_of(run, part), part_at(run, part)->bytes.size, run->error))
    return false;
  const char *const *globs = run->options->modules;
  run->chosen[part] =
      module.bodies_count > 0 && (globs ? matches_any(globs, run->name) : !is_glue(run, &module));
  run->chosen_count += run->chosen[part];
  look_for_guest(run, &module);
  bool fits = check_growth(run, &module);
  wi_module_clear(&module);
  return fits;
}

/* ---- A module's errors and warnings ----------------------------------------------------- */

/* Makes an error's offset relative to the component, and adds the module's name. Returns false. */
static bool fail_in(component_run *run, uint32_t part) {
  wi_error *error = run->error;
  char message[sizeof error->message];
  snprintf(message, sizeof message, "core module %s: %.*s", run->name,
           (int)(sizeof message - sizeof run->name - 16), error->message);
  memcpy(error->message, message, sizeof message);
  if (error->offset != WI_NO_OFFSET)
    error->offset += part_at(run, part)->bytes.offset;
  return false;
}

static void warn_of_module(void *user, const char *message) {
  const component_run *run = user;
  if (!run->chosen[run->part]) /* it is only listed */
    return;
  wi_warn(run->options, "core module %s: %s", run->name, message);
}

/* ---- All modules ------------------------------------------------------------------------- */

typedef bool module_action(component_run *run, uint32_t part, void *context);

static bool for_each_module(component_run *run, module_action *act, void *context) {
  for (uint32_t i = 0; i < run->component.parts_count; i++) {
    if (!part_at(run, i)->is_module)
      continue;
    run->part = i;
    wi_component_module_name(&run->component, part_at(run, i), run->name);
    if (!act(run, i, context))
      return fail_in(run, i);
  }
  return true;
}

static bool choose_part(component_run *run, uint32_t part, void *context) {
  (void)context;
  return choose(run, part);
}

/* When modules write their profiles: commands when they end, handlers of requests when they return. */
static void choose_moments(component_run *run) {
  static const char *const handlers[] = {WI_COMPONENT_HANDLER "*#handle", NULL};
  wi_options *options = &run->module_options;
  if (!options->write_at && wi_component_exports(&run->component, WI_COMPONENT_HANDLER, false))
    options->write_at = handlers;
  options->no_file |=
      !options->write_at && !wi_component_exports(&run->component, WI_COMPONENT_COMMAND, true);
}

/* Reads the component and chooses modules. The caller must clear *run even on failure. */
static bool begin(component_run *run, const uint8_t *input, size_t size, const wi_options *options,
                  wi_error *error) {
  *run = (component_run){.options = options, .module_options = *options, .error = error};
  if (!wi_component_read(&run->component, input, size, error))
    return false;
  size_t count = run->component.parts_count + (size_t)1;
  run->chosen = calloc(count, sizeof *run->chosen);
  run->silent = calloc(count, sizeof *run->silent);
  run->modules = calloc(count, sizeof *run->modules);
  if (!run->chosen || !run->silent || !run->modules)
    return wi_error_memory(error);
  run->module_options.pass = NULL;
  run->module_options.to_stderr = true; /* a component's imports cannot be extended, so profiles go
                                           through existing ones */
  choose_moments(run);
  run->module_options.warn = options->warn ? warn_of_module : NULL;
  run->module_options.user = run;
  bool done = for_each_module(run, choose_part, NULL);
  run->module_options.strict = options->strict && run->chosen_count == 1;
  return done;
}

static void clear(component_run *run) {
  for (uint32_t i = 0; run->modules && i < run->component.parts_count; i++)
    wi_output_clear(&run->modules[i]);
  free(run->chosen);
  free(run->silent);
  free(run->modules);
  wi_buffer_clear(&run->out);
  wi_component_clear(&run->component);
}

/* ---- Instrumenting -------------------------------------------------------------------------- */

/*
 * Sets the module's name in profiles: the component's, plus its own if several modules are chosen.
 */
static void name_module(component_run *run) {
  const char *name = run->options->module_name ? run->options->module_name : "component";
  if (run->chosen_count > 1)
    snprintf(run->module_name, sizeof run->module_name, "%.*s:%s", WI_COMPONENT_NAME_SIZE, name,
             run->name);
  else
    snprintf(run->module_name, sizeof run->module_name, "%s", name);
  run->module_options.module_name = run->module_name;
}

static bool instrument_part(component_run *run, uint32_t part, void *context) {
  wi_output *total = context;
  wi_output *output = &run->modules[part];
  if (!run->chosen[part])
    return true;
  name_module(run);
  const wi_surroundings around = {.guest_elsewhere = run->guest.has_table ? &run->guest : NULL,
                                  .is_part = true};
  if (!wi_module_instrument(bytes_of(run, part), part_at(run, part)->bytes.size,
                            &run->module_options, &around, output, run->error))
    return false;
  bool stays = run->guest.has_table && output->shows_nothing;
  total->function_count += output->function_count;
  total->instrumented_count += output->instrumented_count;
  total->import_count += output->import_count;
  total->reader = output->reader;
  total->has_guest |= output->has_guest;
  total->has_single_memory |= output->has_single_memory;
  if (stays) {
    wi_output_clear(output);
    return true;
  }
  run->silent[part] = !output->writes_profile;
  return true;
}

/* Writes the component with its instrumented modules. */
static bool put_component(component_run *run) {
  wi_splice *modules = calloc(run->component.parts_count + (size_t)1, sizeof *modules);
  if (!modules)
    return wi_error_memory(run->error);
  for (uint32_t i = 0; i < run->component.parts_count; i++)
    modules[i] = (wi_splice){run->modules[i].bytes, run->modules[i].size};
  wi_component_splice(&run->component, modules, &run->out);
  free(modules);
  return true;
}

static bool warn_no_file(component_run *run, uint32_t part, void *context) {
  const uint32_t *numbers = context;
  char number[16] = "";
  if (!run->silent[part])
    return true;
  if (numbers[part] > 1)
    snprintf(number, sizeof number, "%u", numbers[part]);
  if (numbers[part] > 0)
    wi_warn(run->options,
            "core module %s cannot write its profile, as it is not a command: call the "
            "exports " WI_LIFT_PREFIX "profile%s and " WI_LIFT_PREFIX "read%s to get it",
            run->name, number, number);
  else
    wi_warn(run->options,
            "core module %s cannot write its profile, as it is not a command, and no export can be "
            "added to read it",
            run->name);
  return true;
}

/* Exports the profiles of modules that cannot write them themselves. */
static bool put_exports(component_run *run) {
  uint32_t *numbers = calloc(run->component.parts_count + (size_t)1, sizeof *numbers);
  if (!numbers)
    return wi_error_memory(run->error);
  wi_component_lift(&run->component, run->silent, numbers, &run->out);
  for_each_module(run, warn_no_file, numbers);
  if (!run->options->single_memory &&
      wi_component_exports(&run->component, WI_COMPONENT_HANDLER, false))
    wi_warn(run->options, "wasmtime serve allows modules one memory: use --single-memory, or run "
                          "this component with -O pooling-max-memories-per-module=2");
  free(numbers);
  return true;
}

static bool write_component(component_run *run, wi_output *output) {
  if (!for_each_module(run, instrument_part, output))
    return false;
  if (run->options->strict && output->instrumented_count == 0)
    return wi_error_set(run->error, WI_ERROR_PATTERN, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "no function is selected");
  if (run->chosen_count == 0)
    wi_warn(run->options, "no core module is selected");
  if (!put_component(run) || !put_exports(run))
    return false;
  if (run->out.failed)
    return wi_error_memory(run->error);
  output->bytes = run->out.data;
  output->size = run->out.size;
  run->out = (wi_buffer){0};
  return true;
}

static bool check_options(const wi_options *options, wi_error *error) {
  if (!options->embed)
    return wi_error_set(
        error, WI_ERROR_COMPONENT, 4, WI_NO_FUNCTION,
        "this is a component, whose modules cannot be linked with hooks: use --embed");
  if (options->source_map)
    return wi_error_set(error, WI_ERROR_OPTION, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "a source map describes one module, not a component");
  return true;
}

bool wi_component_instrument(const uint8_t *input, size_t size, const wi_options *options,
                             wi_output *output, wi_error *error) {
  component_run run = {0};
  *output = (wi_output){0};
  bool done = check_options(options, error) && begin(&run, input, size, options, error) &&
              write_component(&run, output);
  if (!done)
    *output = (wi_output){0};
  clear(&run);
  return done;
}

/* ---- Listing ------------------------------------------------------------- */

typedef struct listing {
  const component_run *run;
  uint32_t part;
  void (*visit)(void *user, const wi_function_info *info);
  void *user;
} listing;

static void visit_function(void *user, const wi_function_info *info) {
  const listing *list = user;
  wi_function_info told = *info;
  told.module_name = list->run->name;
  told.chosen = info->chosen && list->run->chosen[list->part];
  list->visit(list->user, &told);
}

static bool list_part(component_run *run, uint32_t part, void *context) {
  listing *list = context;
  list->run = run;
  list->part = part;
  return wi_module_list_functions(bytes_of(run, part), part_at(run, part)->bytes.size,
                                  &run->module_options, visit_function, list, run->error);
}

bool wi_component_list_functions(const uint8_t *input, size_t size, const wi_options *options,
                                 void (*visit)(void *user, const wi_function_info *info),
                                 void *user, wi_error *error) {
  component_run run;
  listing list = {.visit = visit, .user = user};
  bool done = begin(&run, input, size, options, error) && for_each_module(&run, list_part, &list);
  clear(&run);
  return done;
}
