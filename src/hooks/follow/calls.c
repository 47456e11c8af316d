/*
 * Single calls of chosen functions: inserts calls of runtime/embedded/calls.c at their entries and exits.
 */
#include <stdlib.h>
#include <string.h>

#include "hooks/embedded/survey.h"
#include "hooks/follow/follower.h"
#include "hooks/follow/value_record.h"
#include "hooks/select.h"
#include "hooks/selection.h"
#include "rewrite/opcodes.h"
#include "wasm_perf/format.h"

enum { NOW, ENTER, LEAVE };
static const char *const exports[] = {
    [NOW] = "calls_now", [ENTER] = "calls_enter", [LEAVE] = "calls_leave", NULL};

typedef struct measured_calls {
  bool *chosen; /* per function with a body; owned */
  uint32_t kept_limit;
} measured_calls;

static void clear(void *state) {
  measured_calls *all = state;
  free(all->chosen);
  free(all);
}

/* The exported functions with bodies. */
static bool *find_exported(const wi_module *module) {
  bool *chosen = calloc(module->bodies_count + (size_t)1, sizeof *chosen);
  for (uint32_t i = 0; chosen && i < module->exports_count; i++)
    if (module->exports[i].function >= module->imports_count)
      chosen[module->exports[i].function - module->imports_count] = true;
  return chosen;
}

/* A module alone must have such functions; one of a program's modules need not. */
static bool *choose(const wi_module *module, const wi_options *options, wi_scan *scan,
                    wi_error *error) {
  const wi_selection *calls = wi_selection_calls(options->selection);
  if (calls) {
    const wi_options only = {.selection = calls, .strict = !options->no_file};
    return wi_select_functions(module, &only, scan, error);
  }
  bool *chosen = find_exported(module);
  if (!chosen)
    wi_error_memory(error);
  return chosen;
}

static bool find(wi_following *following, const wi_plan *plan, const wi_options *options,
                 wi_scan *scan, wi_error *error) {
  enum { USUAL_LIMIT = 10 };
  if (!options->measure_calls)
    return true;
  measured_calls *all = following->state = calloc(1, sizeof *all);
  if (!all)
    return wi_error_memory(error);
  all->kept_limit = options->kept_calls > 0 ? options->kept_calls : USUAL_LIMIT;
  all->chosen = choose(plan->module, options, scan, error);
  following->is_active = all->chosen && memchr(all->chosen, true, plan->module->bodies_count);
  return all->chosen != NULL;
}

static bool is_chosen(const wi_following *following, const wi_module *module, uint32_t function) {
  const measured_calls *all = following->state;
  return all->chosen[function - module->imports_count];
}

static unsigned traits(const wi_following *following, const wi_module *module, const wi_scan *scan,
                       uint32_t function) {
  (void)scan;
  return is_chosen(following, module, function) ? WI_FOLLOW_HOOKED | WI_FOLLOW_ACCOUNT : 0;
}

/* A WASI program has a clock of its own; other hosts supply one. */
static bool link(const wi_following *following, const wi_plan *plan, wi_image *image) {
  (void)following;
  return wi_image_link(image, "clock_now", plan->embed->outlet.has_clock ? "now_wasi" : "now_host");
}

/* See calls_description in runtime/embedded/calls.c. */
static void describe(const wi_following *following, const wi_plan *plan, wi_buffer *out) {
  static const char *const measures[][2] = {{"time", "nanoseconds"},
                                            {"instructions", "instructions"}};
  enum { COUNT = sizeof measures / sizeof *measures };
  (void)plan;
  wi_buffer records = {0};
  wi_buffer_word(out, ((const measured_calls *)following->state)->kept_limit);
  for (size_t i = 0; i < COUNT; i++) {
    size_t before = records.size;
    wi_put_value(&records, measures[i][0], measures[i][1]);
    wi_buffer_word(out, (uint32_t)(records.size - before));
  }
  wi_buffer_append(out, records.data, records.size);
  out->failed |= records.failed;
  wi_buffer_clear(&records);
}

/* ---- Bodies ----------------------------------------------------------------- */

enum { LOCAL_NUMBER, I32_COUNT };
enum { LOCAL_START, LOCAL_EXECUTED, I64_COUNT };

/* An interpreter's nodes have no slots to spare. */
static bool begin(wi_follow_body *body) {
  if (!body->hooked || body->interprets ||
      !is_chosen(body->following, body->module, body->function))
    return false;
  body->i32_count = I32_COUNT;
  body->i64_count = I64_COUNT;
  body->acts_at_exit = body->needs_account = true;
  return true;
}

static uint32_t function_of(const wi_follow_body *body, uint32_t index) {
  return body->following->functions[index];
}

static void put_executed(const wi_follow_body *body, wi_buffer *out) {
  if (body->executed_global == WI_NO_GLOBAL)
    wi_put_i64(out, 0);
  else
    wi_put_index(out, GLOBAL_GET, body->executed_global);
}

/* The clock is read last, and at exits first, so that the hooks' own time is outside. */
static uint32_t put_start(const wi_follow_body *body, wi_buffer *out) {
  wi_put_index(out, LOCAL_GET, body->node_local);
  wi_put_index(out, CALL, function_of(body, ENTER));
  wi_put_index(out, LOCAL_SET, body->i32_locals + LOCAL_NUMBER);
  put_executed(body, out);
  wi_put_index(out, LOCAL_SET, body->i64_locals + LOCAL_EXECUTED);
  wi_put_index(out, CALL, function_of(body, NOW));
  wi_put_index(out, LOCAL_SET, body->i64_locals + LOCAL_START);
  return 0;
}

static void put_exit(const wi_follow_body *body, bool is_tail_call, wi_buffer *out) {
  (void)is_tail_call;
  wi_put_index(out, LOCAL_GET, body->node_local);
  wi_put_index(out, LOCAL_GET, body->node_local);
  wi_put_i32(out, body->account);
  wi_buffer_u8(out, I32_ADD);
  wi_put_index(out, LOCAL_GET, body->i32_locals + LOCAL_NUMBER);
  wi_put_index(out, LOCAL_GET, body->i64_locals + LOCAL_START);
  wi_put_index(out, LOCAL_GET, body->i64_locals + LOCAL_EXECUTED);
  wi_put_index(out, CALL, function_of(body, LEAVE));
}

const wi_follower wi_follow_calls = {.name = "calls",
                                     .exports = exports,
                                     .keeps_state = true,
                                     .needs_shadows = true,
                                     .find = find,
                                     .clear = clear,
                                     .traits = traits,
                                     .link = link,
                                     .describe = describe,
                                     .begin = begin,
                                     .put_start = put_start,
                                     .put_exit = put_exit};
