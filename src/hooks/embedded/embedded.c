/* The embedded form's interface to the pipeline: its additions to each section, and their names. */
#include "hooks/embedded/embedded.h"

#include "hooks/embedded/body.h"
#include "hooks/embedded/config.h"
#include "hooks/embedded/survey.h"
#include "rewrite/opcodes.h"
#include "runtime/embedded/embed.h"

#define MAX_PAGE_COUNT (EMBED_PARENT_BIT / 65536)

static bool init(wi_plan *plan, const wi_options *options, wi_scan *scan, wi_error *error) {
  return wi_embed_init(plan, options, scan, error) && wi_embed_place(plan, options, error);
}

static void clear(wi_plan *plan) {
  wi_embed_free(plan->embed);
}

/* ---- Items of sections ------------------------------------------------------------------ */

static uint32_t count(const wi_plan *plan, wi_section_id id) {
  uint32_t merged = wi_merge_count(&plan->embed->runtime, id);
  uint32_t stand_in_count = wi_followings_function_count(&plan->embed->following);
  switch (id) {
  case WI_SECTION_MEMORY: return 1;
  case WI_SECTION_FUNCTION:
  case WI_SECTION_CODE: return merged + stand_in_count + plan->embed->returns.functions_count;
  case WI_SECTION_GLOBAL: return merged + 1; /* callee_slot */
  case WI_SECTION_DATA: return merged + 1;   /* the configuration */
  case WI_SECTION_DATA_COUNT: return count(plan, WI_SECTION_DATA);
  default: return merged;
  }
}

static void put_slot_global(const wi_embed *embed, wi_buffer *out) {
  wi_buffer_u8(out, TYPE_I32);
  wi_buffer_u8(out, MUTABLE);
  wi_put_i32(out, wi_embed_root_slot(embed));
  wi_buffer_u8(out, END);
}

static void put_memory(const wi_embed *embed, wi_buffer *out) {
  enum { HAS_MAXIMUM = 1 };
  wi_buffer_u8(out, HAS_MAXIMUM);
  wi_buffer_u32(out, embed->page_count);
  wi_buffer_u32(out, MAX_PAGE_COUNT);
}

static void put_config(const wi_embed *embed, wi_buffer *out) {
  wi_buffer_u8(out, DATA_HAS_MEMORY);
  wi_buffer_u32(out, embed->memory_index);
  wi_put_i32(out, embed->config_address);
  wi_buffer_u8(out, END);
  wi_buffer_u32(out, (uint32_t)embed->config.size);
  wi_buffer_append(out, embed->config.data, embed->config.size);
}

static void put(wi_plan *plan, wi_section_id id, wi_buffer *out) {
  wi_embed *embed = plan->embed;
  if (id == WI_SECTION_MEMORY)
    put_memory(embed, out);
  if (id == WI_SECTION_GLOBAL)
    put_slot_global(embed, out);
  wi_merge_put(&embed->runtime, id, out);
  wi_followings_put_section(&embed->following, plan, id, out);
  wi_returns_put(&embed->returns, plan, id, out);
  if (id == WI_SECTION_DATA)
    put_config(embed, out);
}

/* The section of exports, if some of them write the profile. */
static bool replace(const wi_plan *plan, const wi_section *section, wi_buffer *out) {
  wi_embed *embed = plan->embed;
  wi_error ignored;
  if (section->id != WI_SECTION_EXPORT || embed->returns.functions_count == 0)
    return false;
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(plan->module->bytes, section->payload, &ignored);
  uint32_t own = wi_cursor_u32(&cursor);
  wi_buffer_u32(out, own + count(plan, WI_SECTION_EXPORT));
  wi_returns_put_exports(&embed->returns, plan, &cursor, own, out);
  wi_merge_put(&embed->runtime, WI_SECTION_EXPORT, out);
  return true;
}

/* ---- Names ---------------------------------------------------------------------------------- */

/*
 * All functions of the runtime are named alike. So a sampling profiler charges them to no function
 * of the program, and a reader of the code recognises them.
 */
#define RUNTIME_NAME "wasm_perf.runtime"

static uint32_t name_count(const wi_plan *plan) {
  return count(plan, WI_SECTION_FUNCTION);
}

static void put_name(wi_buffer *out, uint32_t function, const void *name, size_t size) {
  wi_buffer_u32(out, function);
  wi_buffer_u32(out, (uint32_t)size);
  wi_buffer_append(out, name, size);
}

static void put_runtime_names(wi_buffer *out, uint32_t first, uint32_t function_count) {
  for (uint32_t i = 0; i < function_count; i++) {
    wi_buffer_u32(out, first + i);
    wi_buffer_name(out, RUNTIME_NAME);
  }
}

static void put_names(const wi_plan *plan, wi_buffer *out) {
  const wi_embed *embed = plan->embed;
  uint32_t first = embed->function_count + plan->import_count;
  put_runtime_names(out, first, wi_merge_count(&embed->runtime, WI_SECTION_FUNCTION));
  wi_followings_put_names(&embed->following, plan->module, put_name, out);
  put_runtime_names(out, embed->returns.first, embed->returns.functions_count);
}

const wi_form wi_embedded_form = {.init = init,
                                  .clear = clear,
                                  .plan_body = wi_embed_body,
                                  .count = count,
                                  .put = put,
                                  .replace = replace,
                                  .name_count = name_count,
                                  .put_names = put_names};
