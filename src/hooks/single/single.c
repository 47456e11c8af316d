/* What the form adds to each section and replaces there, and which modules it refuses. */
#include "hooks/single/single.h"

#include <stdlib.h>

#include "code/expression.h"
#include "code/scan_body.h"
#include "hooks/single/layout.h"
#include "hooks/single/single_body.h"
#include "hooks/single/single_code.h"
#include "hooks/surroundings.h"
#include "module/exports.h"
#include "rewrite/additions.h"
#include "rewrite/opcodes.h"

/* Without the last page of 32 bits, an access of the last address always traps. */
#define MAX_PAGES_32 UINT64_C(65535)
#define MAX_PAGES_64 UINT64_C(262144) /* V8 accepts no larger maximum */

#define FIXED_ROOM 256u /* pages, 16 MB, for a runtime that cannot get more later */

static uint64_t bytes_of_pages(uint64_t pages) {
  return pages << WI_SINGLE_PAGE_BITS;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* The maximum of the output's memory, in pages, where the program and the runtime need no less. */
static uint64_t max_pages(const wi_limits *program) {
  if (!(program->flags & WI_LIMITS_64_BITS))
    return MAX_PAGES_32;
  bool is_larger = (program->flags & WI_LIMITS_MAXIMUM) && program->maximum > MAX_PAGES_64;
  return is_larger ? smaller(program->maximum, UINT32_MAX) : MAX_PAGES_64;
}

/* ---- Refusals ---------------------------------------------------------------------------- */

static bool refuse(wi_error *error, const char *reason) {
  return wi_error_set(error, WI_ERROR_UNSUPPORTED, WI_NO_OFFSET, WI_NO_FUNCTION,
                      "--single-memory is impossible: %s", reason);
}

static bool is_memory(const wi_module *module, wi_span name, uint8_t kind, uint32_t index,
                      void *context) {
  (void)module, (void)name, (void)index, (void)context;
  return kind == WI_EXTERN_MEMORY;
}

/* Whether the body scanned last grows the first memory. */
static bool has_grow(const wi_module *module, const wi_scan *scan) {
  for (uint32_t i = 0; i < scan->sites_count; i++) {
    const wi_site *site = &scan->sites[i];
    bool is_grow = site->kind == WI_SITE_OPCODE && site->value == MEMORY_GROW;
    if (is_grow && module->bytes[site->offset + 1] == 0)
      return true;
  }
  return false;
}

bool wi_single_grows(const wi_module *module, bool *grows, wi_error *error) {
  static const wi_scan_wants wants = {.accesses = true};
  wi_scan scan = {0};
  bool done = true;
  *grows = false;
  for (uint32_t i = 0; i < module->bodies_count && done && !*grows; i++) {
    done = wi_scan_body(&scan, module, i, &wants, error);
    *grows = done && has_grow(module, &scan);
  }
  wi_scan_clear(&scan);
  return done;
}

/*
 * As Emscripten builds programs whose memory grows: it is exported, may grow, and no code grows it, so
 * an import does. The host would give the program pages that it cannot see.
 */
static bool check_growth(const wi_plan *plan, bool has_maximum, wi_error *error) {
  const wi_module *module = plan->module;
  bool may_grow = has_maximum && plan->single->maximum > plan->single->minimum;
  bool grows;
  if (!may_grow || module->imports_count == 0 || plan->beside->is_part ||
      !wi_module_find_any_export(module, is_memory, NULL))
    return true;
  if (!wi_single_grows(module, &grows, error))
    return false;
  return grows ||
         refuse(error, "the host grows the memory, which it would not do for the profiler");
}

static bool check_memories(const wi_module *module, wi_limits limits[2], wi_error *error) {
  if (module->import_counts[WI_EXTERN_MEMORY] > 0)
    return refuse(error, "the module imports its memory, which its host made without room");
  wi_limits third;
  if (!wi_module_own_memory(module, 0, &limits[0]) ||
      !wi_module_own_memory(module, 1, &limits[1]) || wi_module_own_memory(module, 2, &third))
    return refuse(error, "the module itself has several memories");
  if (limits[0].flags & WI_LIMITS_SHARED)
    return refuse(error, "threads share the memory");
  if (limits[0].flags & WI_LIMITS_PAGE_SIZE)
    return refuse(error, "the memory's page size is not the usual one");
  return true;
}

/*
 * Whether a host may keep views of the memory: of one that it gets, unless it is a host of WASI, which
 * serves any program.
 */
static bool keeps_views(const wi_module *module) {
  bool is_wasi = module->imports_count > 0;
  for (uint32_t i = 0; i < module->imports_count; i++)
    is_wasi &= wi_module_span_begins(module, module->imports[i].module, "wasi_");
  return !is_wasi && wi_module_find_any_export(module, is_memory, NULL);
}

/* ---- Data segments ----------------------------------------------------------------------- */

typedef struct segment {
  bool is_passive;
  uint32_t memory;
  bool is_known; /* the address is a constant */
  uint64_t address;
  wi_span bytes;
} segment;

static segment read_segment(const wi_module *module, wi_scan *scan, wi_cursor *cursor) {
  enum { PASSIVE = 1 };
  segment s = {0};
  uint32_t flags = wi_cursor_u32(cursor);
  s.is_passive = flags == PASSIVE;
  s.memory = flags & DATA_HAS_MEMORY ? wi_cursor_u32(cursor) : 0;
  if (!s.is_passive) {
    wi_cursor constant = *cursor;
    uint8_t opcode = wi_cursor_u8(&constant);
    s.is_known = opcode == I32_CONST || opcode == I64_CONST;
    if (s.is_known)
      s.address = (uint64_t)wi_cursor_signed(&constant, opcode == I32_CONST ? 32 : 64);
    if (opcode == I32_CONST)
      s.address = (uint32_t)s.address;
    wi_scan_reset(scan);
    wi_scan_expression(scan, module, cursor);
    s.is_known = s.is_known && constant.offset + 1 == cursor->offset;
  }
  s.bytes = wi_cursor_sized(cursor);
  return s;
}

static bool check_segments(const wi_module *module, wi_scan *scan, wi_error *error) {
  for (uint32_t i = 0; i < module->sections_count; i++) {
    if (module->sections[i].id != WI_SECTION_DATA)
      continue;
    wi_cursor cursor = wi_cursor_at(module->bytes, module->sections[i].payload, error);
    for (uint32_t n = wi_cursor_count(&cursor, 2, "data segments"); n > 0 && !cursor.failed; n--) {
      segment s = read_segment(module, scan, &cursor);
      if (!cursor.failed && !s.is_passive && !s.is_known)
        return refuse(error, "the address of a data segment is known only when it is instantiated");
    }
    if (cursor.failed)
      return false;
  }
  return true;
}

/* A segment behind the program's end lets the instantiation fail, as before. */
static uint64_t new_address(const wi_single *single, const segment *s) {
  uint64_t end = bytes_of_pages(single->minimum);
  if (s->memory > 0)
    return end + s->address;
  return s->address <= end && s->bytes.size <= end - s->address ? s->address : UINT64_MAX;
}

static void put_segment(const wi_plan *plan, const segment *s, wi_buffer *out) {
  wi_buffer_u8(out, s->is_passive);
  if (!s->is_passive) {
    wi_single_put_constant(plan->single, new_address(plan->single, s), out);
    wi_buffer_u8(out, END);
  }
  wi_buffer_u32(out, s->bytes.size);
  wi_buffer_append(out, plan->module->bytes + s->bytes.offset, s->bytes.size);
}

static void put_segments(const wi_plan *plan, const wi_section *section, wi_buffer *out) {
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_scan scan = {0};
  wi_cursor cursor = wi_cursor_at(plan->module->bytes, section->payload, &ignored);
  uint32_t count = wi_cursor_u32(&cursor);
  wi_buffer_u32(out, count);
  for (; count > 0; count--) {
    segment s = read_segment(plan->module, &scan, &cursor);
    put_segment(plan, &s, out);
  }
  out->failed |= cursor.failed;
  wi_scan_clear(&scan);
}

/* ---- The form ------------------------------------------------------------------------------ */

static void set_limits(wi_single *single, const wi_limits limits[2]) {
  single->is_64 = (limits[0].flags & WI_LIMITS_64_BITS) != 0;
  single->minimum = limits[0].minimum;
  single->all_maximum = max_pages(&limits[0]);
  single->maximum = smaller(limits[0].maximum, max_pages(&limits[0]));
  single->own_minimum = limits[1].minimum;
}

static void place(wi_plan *plan) {
  wi_single *single = plan->single;
  uint32_t globals = wi_module_index_count(plan->module, WI_EXTERN_GLOBAL, WI_SECTION_GLOBAL);
  single->end = globals;
  single->base = globals + 1;
  single->own_pages = globals + 2;
  single->own_room = globals + 3;
  single->first_function = wi_module_function_count(plan->module);
}

/* Type of each added function. */
static wi_signature signature_of(const wi_single *single, wi_single_function function) {
  switch (function) {
  case WI_SINGLE_GROW: return single->is_64 ? WI_SIGNATURE_I64_TO_I64 : WI_SIGNATURE_I32_TO_I32;
  case WI_SINGLE_GROW_OWN: return WI_SIGNATURE_I32_TO_I32;
  default: return single->is_64 ? WI_SIGNATURE_I64_I64_TO_NONE : WI_SIGNATURE_I32_I32_TO_NONE;
  }
}

static bool init(wi_plan *plan, const wi_options *options, wi_scan *scan, wi_error *error) {
  (void)options;
  wi_limits limits[2];
  plan->wants = (wi_scan_wants){.accesses = true, .instructions = true, .flow = true};
  plan->single = calloc(1, sizeof *plan->single);
  if (!plan->single)
    return wi_error_memory(error);
  if (!check_memories(plan->module, limits, error))
    return false;
  set_limits(plan->single, limits);
  plan->single->may_add = plan->beside->is_part || !keeps_views(plan->module);
  plan->single->room = limits[1].minimum + (plan->single->may_add ? 0 : FIXED_ROOM);
  if (limits[0].minimum + plan->single->room > max_pages(&limits[0]))
    return refuse(error, "the memory has no room for the profiler");
  bool has_maximum = limits[0].maximum != UINT64_MAX;
  if (!check_segments(plan->module, scan, error) || !check_growth(plan, has_maximum, error))
    return false;
  place(plan);
  for (wi_single_function i = 0; i < WI_SINGLE_FUNCTION_COUNT; i++)
    wi_plan_need_type(plan, signature_of(plan->single, i));
  return true;
}

static uint32_t labels_before(const wi_plan *plan, uint32_t offset) {
  uint32_t count = 0;
  while (count < plan->single->branches_count && plan->single->branches[count] < offset)
    count++;
  return count;
}

static void clear(wi_plan *plan) {
  if (plan->single)
    free(plan->single->branches);
  free(plan->single);
}

static uint32_t count(const wi_plan *plan, wi_section_id id) {
  (void)plan;
  switch (id) {
  case WI_SECTION_FUNCTION:
  case WI_SECTION_CODE: return WI_SINGLE_FUNCTION_COUNT;
  case WI_SECTION_GLOBAL: return 4;
  default: return 0;
  }
}

static void put_globals(const wi_single *single, wi_buffer *out) {
  for (uint32_t i = 0; i < 2; i++) { /* end and base begin at the same address */
    wi_buffer_u8(out, wi_single_address_type(single));
    wi_buffer_u8(out, MUTABLE);
    wi_single_put_constant(single, bytes_of_pages(single->minimum), out);
    wi_buffer_u8(out, END);
  }
  const uint64_t pages[] = {single->own_minimum, single->room};
  for (uint32_t i = 0; i < 2; i++) {
    wi_buffer_u8(out, TYPE_I32);
    wi_buffer_u8(out, MUTABLE);
    wi_put_i32(out, (uint32_t)pages[i]);
    wi_buffer_u8(out, END);
  }
}

static void put(wi_plan *plan, wi_section_id id, wi_buffer *out) {
  if (id == WI_SECTION_GLOBAL)
    put_globals(plan->single, out);
  for (wi_single_function i = 0; i < WI_SINGLE_FUNCTION_COUNT; i++)
    if (id == WI_SECTION_FUNCTION)
      wi_buffer_u32(out, plan->signature_types[signature_of(plan->single, i)]);
    else if (id == WI_SECTION_CODE)
      wi_single_put_function(plan->single, i, out);
}

/* The runtime's part can become as large as its own memory could. */
static void put_memory(const wi_plan *plan, wi_buffer *out) {
  const wi_single *single = plan->single;
  enum { OWN_MAX_PAGES = 32768, ONE = 1 };
  wi_buffer_u32(out, ONE);
  wi_buffer_u8(out, WI_LIMITS_MAXIMUM | (single->is_64 ? WI_LIMITS_64_BITS : 0));
  wi_buffer_u32(out, (uint32_t)(single->minimum + single->room));
  wi_buffer_u32(out, (uint32_t)smaller(single->maximum + 2 * OWN_MAX_PAGES, single->all_maximum));
}

static bool replace(const wi_plan *plan, const wi_section *section, wi_buffer *out) {
  if (section->id == WI_SECTION_MEMORY)
    put_memory(plan, out);
  else if (section->id == WI_SECTION_DATA)
    put_segments(plan, section, out);
  return section->id == WI_SECTION_MEMORY || section->id == WI_SECTION_DATA;
}

static uint32_t name_count(const wi_plan *plan) {
  (void)plan;
  return WI_SINGLE_FUNCTION_COUNT;
}

static void put_names(const wi_plan *plan, wi_buffer *out) {
  for (uint32_t i = 0; i < WI_SINGLE_FUNCTION_COUNT; i++) {
    wi_buffer_u32(out, plan->single->first_function + i);
    wi_buffer_name(out, "wasm_perf.runtime");
  }
}

const wi_form wi_single_form = {.init = init,
                                .clear = clear,
                                .plan_body = wi_single_body,
                                .labels_before = labels_before,
                                .count = count,
                                .put = put,
                                .replace = replace,
                                .name_count = name_count,
                                .put_names = put_names};
