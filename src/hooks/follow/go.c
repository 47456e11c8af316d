#define _GNU_SOURCE /* memmem */

#include "hooks/follow/go.h"

#include <stdlib.h>
#include <string.h>

#include "code/scan_body.h"
#include "code/scan_items.h"
#include "module/names.h"
#include "rewrite/opcodes.h"
#include "rewrite/warn.h"

/* ---- The shape of the module ----------------------------------------------- */

static const wi_section *find_section(const wi_module *module, wi_section_id id) {
  for (uint32_t i = 0; i < module->sections_count; i++)
    if (module->sections[i].id == id)
      return &module->sections[i];
  return NULL;
}

/* Whether the module's globals begin with SP, CTXT, g, RET0 to RET3 and PAUSE. */
static bool has_registers(const wi_module *module, wi_scan *scan) {
  static const uint8_t types[] = {TYPE_I32, TYPE_I64, TYPE_I64, TYPE_I64,
                                  TYPE_I64, TYPE_I64, TYPE_I64, TYPE_I32};
  const wi_section *section = find_section(module, WI_SECTION_GLOBAL);
  if (!section || module->import_counts[WI_EXTERN_GLOBAL] > 0)
    return false;
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(module->bytes, section->payload, &ignored);
  bool fits = wi_cursor_count(&cursor, 2, "globals") >= sizeof types;
  for (size_t i = 0; fits && i < sizeof types; i++) {
    fits = !cursor.failed && wi_cursor_left(&cursor) >= 2 &&
           module->bytes[cursor.offset] == types[i] && module->bytes[cursor.offset + 1] == MUTABLE;
    fits = fits && wi_scan_item(scan, module, WI_SECTION_GLOBAL, &cursor);
  }
  return fits;
}

/* Reads the segment's functions into go->table. False unless all of them have bodies. */
static bool read_table(wi_go *go, const wi_module *module, wi_cursor *cursor) {
  uint32_t count = wi_cursor_count(cursor, 1, "elements"), first = module->imports_count;
  if (count == 0 || !WI_ARRAY_RESERVE(go, table, count))
    return false;
  bool fits = true;
  for (uint32_t i = 0; fits && i < count; i++) {
    uint32_t function = wi_cursor_u32(cursor);
    fits = !cursor->failed && function - first < module->bodies_count;
    go->table[go->table_count++] = function;
    go->is_moved |= function != first + i;
  }
  return fits;
}

/*
 * Whether the only element segment begins at Go's first address. Go's linker lists all functions in
 * order there; an optimiser may have moved or merged some since.
 */
static bool has_table(wi_go *go, const wi_module *module) {
  const wi_section *section = find_section(module, WI_SECTION_ELEMENT);
  if (!section || module->import_counts[WI_EXTERN_TABLE] > 0)
    return false;
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(module->bytes, section->payload, &ignored);
  bool fits = wi_cursor_count(&cursor, 2, "segments") == 1 && wi_cursor_u32(&cursor) == 0;
  fits = fits && wi_cursor_u8(&cursor) == I32_CONST;
  fits = fits && wi_cursor_signed(&cursor, 32) == WI_GO_TABLE_OFFSET;
  fits = fits && wi_cursor_u8(&cursor) == END;
  return fits && read_table(go, module, &cursor);
}

/* Whether there is a 32-bit memory, which holds the goroutines' stacks. */
static bool has_memory(const wi_module *module) {
  return wi_module_index_count(module, WI_EXTERN_MEMORY, WI_SECTION_MEMORY) > 0 &&
         !wi_module_memory_is_64(module, 0);
}

/* ---- The shape of functions ------------------------------------------------ */

/* The number of times that the scanned body sets this global. */
static uint32_t count_sets(const wi_module *module, const wi_scan *scan, uint32_t global) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < scan->sites_count; i++) {
    const wi_site *site = &scan->sites[i];
    count += site->kind == WI_SITE_GLOBAL_INDEX && site->value == global &&
             module->bytes[site->offset - 1] == GLOBAL_SET;
  }
  return count;
}

bool wi_go_calls_by_table(const wi_module *module, uint32_t offset) {
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_span rest = {offset, module->size - offset};
  wi_cursor cursor = wi_cursor_at(module->bytes, rest, &ignored);
  bool is_indirect = wi_cursor_u8(&cursor) == CALL_INDIRECT;
  uint32_t index = wi_cursor_u32(&cursor), table = wi_cursor_u32(&cursor);
  if (!is_indirect || cursor.failed || table != 0 || index >= module->types_count)
    return false;
  const wi_type *type = &module->types[index];
  return type->is_function && type->param_count == 1 &&
         module->bytes[type->params.offset] == TYPE_I32;
}

/*
 * Number of calls in the scanned body whose callee is unknown. Sets *others if one is not by table.
 */
static uint32_t count_indirect_calls(const wi_module *module, const wi_scan *scan, bool *others) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < scan->sites_count; i++) {
    const wi_site *site = &scan->sites[i];
    if (site->kind != WI_SITE_BEFORE_CALL || site->value != WI_NO_FUNCTION)
      continue;
    count++;
    *others |= !wi_go_calls_by_table(module, site->offset);
  }
  return count;
}

/*
 * runtime.mcall and runtime.morestack set g once, to the scheduler's, and then call a function:
 * mcall a function value, morestack always the same function. runtime.systemstack sets g back, and
 * runtime.gogo calls nothing.
 */
static unsigned roles_by_shape(const wi_module *module, const wi_scan *scan) {
  bool others = false;
  bool is_indirect = count_indirect_calls(module, scan, &others) > 0;
  if (is_indirect && !others && count_sets(module, scan, WI_GO_PAUSE) > 0)
    return WI_GO_RESUMES;
  if (scan->call_count == 0 || count_sets(module, scan, WI_GO_G) != 1)
    return 0;
  return is_indirect ? WI_GO_LEAVES : WI_GO_LEAVES | WI_GO_RESTARTS;
}

/*
 * Whether the body contains the bytes of a global.set of this global. Most bodies set neither g nor
 * PAUSE and need not be scanned. Go's linker encodes indices in as few bytes as possible.
 */
static bool may_set(const wi_module *module, uint32_t index, uint8_t global) {
  const uint8_t set[] = {GLOBAL_SET, global};
  wi_span body = module->bodies[index];
  return memmem(module->bytes + body.offset, body.size, set, sizeof set);
}

static bool find_shapes(wi_go *go, const wi_module *module, wi_scan *scan, wi_error *error) {
  unsigned all = 0;
  bool done = true;
  static const wi_scan_wants wants = {.calls = true, .indices = true};
  for (uint32_t i = 0; done && i < module->bodies_count; i++) {
    if (!may_set(module, i, WI_GO_G) && !may_set(module, i, WI_GO_PAUSE))
      continue;
    done = wi_scan_body(scan, module, i, &wants, error);
    go->roles[i] = done ? (uint8_t)roles_by_shape(module, scan) : 0;
    all |= go->roles[i];
  }
  if (all != (WI_GO_RESUMES | WI_GO_LEAVES | WI_GO_RESTARTS))
    wi_go_clear(go);
  return done;
}

/* ---- Names and version ----------------------------------------------------- */

static const struct {
  const char *name;
  uint8_t role;
} named[] = {
    {"runtime.newproc", WI_GO_STARTS},
    {"runtime.newcoro", WI_GO_STARTS},
    {"runtime.newproc1", WI_GO_CREATES},
};

static unsigned roles_by_name(const wi_module *module, wi_span name) {
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    if (wi_module_span_equals(module, name, named[i].name))
      return named[i].role;
  return 0;
}

/* Whether the function belongs to Go's runtime, except for the one that starts main. */
static bool is_system(const wi_module *module, wi_span name) {
  return wi_module_span_begins(module, name, "runtime.") &&
         !wi_module_span_equals(module, name, "runtime.rt0_go");
}

static bool find_names(wi_go *go, const wi_module *module, unsigned *found, wi_error *error) {
  wi_names *names = wi_names_of_module(module);
  if (!names)
    return wi_error_memory(error);
  for (uint32_t i = 0; i < module->bodies_count; i++) {
    wi_span name;
    if (!wi_names_raw(names, module->imports_count + i, &name))
      continue;
    unsigned roles = roles_by_name(module, name);
    *found |= roles;
    go->roles[i] |= (uint8_t)(roles | (is_system(module, name) ? WI_GO_SYSTEM : 0));
  }
  wi_names_free(names);
  return true;
}

/* N for Go 1.N, from the producers section; 0 if unknown. */
static unsigned find_minor_version(const wi_module *module) {
  const wi_section *section = wi_module_custom_section(module, "producers");
  if (!section)
    return 0;
  static const char begin[] = "go1.";
  wi_span text = wi_section_contents(section);
  const uint8_t *at = module->bytes + text.offset, *end = at + text.size;
  for (; end - at > (ptrdiff_t)strlen(begin); at++) {
    if (memcmp(at, begin, strlen(begin)) != 0)
      continue;
    unsigned minor = 0;
    for (at += strlen(begin); at < end && *at >= '0' && *at <= '9' && minor < 1000; at++)
      minor = 10 * minor + (*at - (unsigned)'0');
    return minor;
  }
  return 0;
}

/* runtime.newproc1 has two more parameters from Go 1.23 on; its result follows them. */
static uint32_t goroutine_offset(unsigned minor_version) {
  enum { WITH_RESULT = 17, WITH_PARKED = 23 };
  return minor_version >= WITH_PARKED ? 32 : minor_version >= WITH_RESULT ? 24 : 0;
}

/* ---- Entry points ---------------------------------------------------------- */

static bool find_starts(wi_go *go, const wi_module *module, const wi_options *options,
                        wi_error *error) {
  unsigned found = 0;
  if (!find_names(go, module, &found, error))
    return false;
  bool is_named = (found & WI_GO_STARTS) && (found & WI_GO_CREATES);
  uint32_t offset = goroutine_offset(find_minor_version(module));
  go->goroutine_offset = is_named ? offset : 0;
  if (go->goroutine_offset == 0)
    wi_warn(options,
            "Go program without %s: goroutines are shown under the scheduler, not under the "
            "function that started them",
            is_named ? "its version" : "function names");
  return true;
}

bool wi_go_init(wi_go *go, const wi_module *module, const wi_options *options, wi_scan *scan,
                wi_error *error) {
  if (!has_memory(module) || !has_registers(module, scan) || !has_table(go, module)) {
    wi_go_clear(go);
    return true;
  }
  go->roles = calloc((size_t)module->bodies_count + 1, sizeof *go->roles);
  if (!go->roles)
    return wi_error_memory(error);
  return find_shapes(go, module, scan, error) &&
         (!go->roles || find_starts(go, module, options, error));
}

void wi_go_clear(wi_go *go) {
  free(go->roles);
  free(go->table);
  *go = (wi_go){0};
}

unsigned wi_go_roles(const wi_go *go, const wi_module *module, uint32_t function) {
  return go->roles && function >= module->imports_count
             ? go->roles[function - module->imports_count]
             : 0;
}
