#define _GNU_SOURCE /* memmem */

#include "hooks/follow/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "code/scan_body.h"
#include "module/names.h"
#include "rewrite/opcodes.h"
#include "rewrite/warn.h"
#include "support/buffer.h"

/* ---- The shape of the scheduler ---------------------------------------------- */

static bool is_call(const wi_site *site) {
  return site->kind == WI_SITE_BEFORE_CALL || site->kind == WI_SITE_IMPORT_CALL ||
         site->kind == WI_SITE_TAIL_CALL;
}

static bool is_stop(const wi_go *go, const wi_site *site) {
  return site && site->kind == WI_SITE_BEFORE_CALL && site->value == go->stop_unwind;
}

/* The next call in code order, or the previous one if `step` is -1; NULL if there is none. */
static const wi_site *find_call(const wi_scan *scan, const wi_site *from, int step) {
  const wi_site *end = scan->sites + scan->sites_count;
  for (const wi_site *site = from + step; site >= scan->sites && site < end; site += step)
    if (is_call(site))
      return site;
  return NULL;
}

bool wi_tasks_is_switch(const wi_go *go, const wi_module *module, const wi_scan *scan,
                        const wi_site *site) {
  return site->kind == WI_SITE_BEFORE_CALL && site->value == WI_NO_FUNCTION &&
         is_stop(go, find_call(scan, site, 1)) && wi_go_calls_by_table(module, site->offset);
}

bool wi_tasks_is_return(const wi_go *go, const wi_module *module, const wi_scan *scan,
                        const wi_site *site) {
  const wi_site *before = is_stop(go, site) ? find_call(scan, site, -1) : NULL;
  return before && wi_tasks_is_switch(go, module, scan, before);
}

static bool switches(const wi_go *go, const wi_module *module, const wi_scan *scan) {
  for (uint32_t i = 0; i < scan->sites_count; i++)
    if (wi_tasks_is_return(go, module, scan, &scan->sites[i]))
      return true;
  return false;
}

/* ---- Entry points -------------------------------------------------------------- */

/* Whether it has the first parameters of internal/task.start: a function, and its argument. */
static bool takes_task(const wi_module *module, uint32_t function) {
  const wi_type *type = wi_module_function_type(module, function);
  const uint8_t *params = type ? module->bytes + type->params.offset : NULL;
  return type && type->param_count >= 2 && params[0] == TYPE_I32 && params[1] == TYPE_I32;
}

static bool find_names(wi_go *go, const wi_module *module, const wi_options *options,
                       wi_error *error) {
  wi_names *names = wi_names_of_module(module);
  if (!names)
    return wi_error_memory(error);
  bool found = false;
  for (uint32_t i = 0; i < module->bodies_count; i++) {
    uint32_t function = module->imports_count + i;
    wi_span name;
    if (!wi_names_raw(names, function, &name) ||
        !wi_module_span_equals(module, name, "internal/task.start") ||
        !takes_task(module, function))
      continue;
    go->roles[i] |= WI_GO_QUEUES;
    found = true;
  }
  wi_names_free(names);
  if (!found)
    wi_warn(options, "TinyGo program without the name of internal/task.start: goroutines are shown "
                     "under the scheduler, not under the function that started them");
  return true;
}

/*
 * Whether the body contains the bytes of a call of asyncify_stop_unwind. Most bodies do not, and
 * need not be scanned. Binaryen, which adds that function, encodes indices in as few bytes as
 * possible.
 */
static bool may_switch(const wi_module *module, uint32_t index, const wi_buffer *call) {
  wi_span body = module->bodies[index];
  return memmem(module->bytes + body.offset, body.size, call->data, call->size);
}

/* Marks the bodies that belong to the scheduler. */
static bool find_switches(wi_go *go, const wi_module *module, wi_scan *scan, bool *found,
                          wi_error *error) {
  static const wi_scan_wants wants = {.calls = true};
  wi_buffer call = {0};
  wi_buffer_u8(&call, CALL);
  wi_buffer_u32(&call, go->stop_unwind);
  bool done = !call.failed || wi_error_memory(error);
  for (uint32_t i = 0; done && i < module->bodies_count; i++) {
    if (!may_switch(module, i, &call))
      continue;
    done = wi_scan_body(scan, module, i, &wants, error);
    bool is_scheduler = done && switches(go, module, scan);
    go->roles[i] = is_scheduler ? WI_GO_SWITCHES : 0;
    *found |= is_scheduler;
  }
  wi_buffer_clear(&call);
  return done;
}

bool wi_tasks_find(wi_go *go, const wi_module *module, const wi_options *options, wi_scan *scan,
                   wi_error *error) {
  if (go->roles)
    return true;
  go->asyncify = wi_asyncify_find(module);
  go->stop_unwind = wi_module_find_export(module, "asyncify_stop_unwind");
  if (go->asyncify.data == WI_NO_GLOBAL || go->stop_unwind == WI_NO_FUNCTION)
    return true;
  go->roles = calloc((size_t)module->bodies_count + 1, sizeof *go->roles);
  if (!go->roles)
    return wi_error_memory(error);
  bool found = false;
  bool done = find_switches(go, module, scan, &found, error);
  if (found)
    return done && find_names(go, module, options, error);
  wi_go_clear(go);
  return done;
}
