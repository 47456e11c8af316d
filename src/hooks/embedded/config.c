/* Places the runtime in the output and writes its configuration into a data segment. */
#include "hooks/embedded/config.h"

#include <stdio.h>
#include <string.h>

#include "hooks/embedded/fixed_host.h"
#include "hooks/embedded/outlet.h"
#include "hooks/follow/value_record.h"
#include "module/identity.h"
#include "rewrite/unhookable.h"
#include "runtime/embedded/embed.h"
#include "wasm_perf/format.h"

#define PAGE_SIZE 65536u

static void put_alignment(wi_buffer *out) {
  wi_buffer_align(out, EMBED_ALIGNMENT);
}

static void put_fact(wi_buffer *out, uint32_t key, const void *bytes, size_t size) {
  wi_buffer_word(out, key);
  wi_buffer_word(out, (uint32_t)size);
  wi_buffer_append(out, bytes, size);
  put_alignment(out);
}

static void put_number(wi_buffer *out, uint32_t key, uint64_t value) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; i++)
    bytes[i] = (uint8_t)(value >> 8 * i);
  put_fact(out, key, bytes, sizeof bytes);
}

static void put_text(wi_buffer *out, uint32_t key, const char *text) {
  put_fact(out, key, text, strlen(text));
}

static void put_unhookable(const wi_plan *plan, wi_buffer *out) {
  wi_buffer names = {0};
  wi_unhookable_put_names(plan, &names);
  if (names.size > 0)
    put_fact(out, WASM_PERF_FACT_unhookable, names.data, names.size);
  out->failed |= names.failed;
  wi_buffer_clear(&names);
}

/* Facts that are known before the program runs. */
static void put_facts(const wi_plan *plan, const wi_options *options, wi_buffer *out) {
  char identity[WI_IDENTITY_SIZE], build_id[WI_BUILD_ID_SIZE];
  char tool[64];
  wi_module_identity(plan->module, identity);
  snprintf(tool, sizeof tool, "wasm-instrument %s", wi_version());
  /* The host samples, and records the clock itself. */
  bool has_time = wasm_perf_clock_is_time(options->clock);
  put_number(out, WASM_PERF_FACT_clock, has_time ? WASM_PERF_CLOCK_NONE : options->clock);
  put_number(out, WASM_PERF_FACT_node_limit, options->node_limit);
  put_number(out, WASM_PERF_FACT_recursion, options->recursion);
  put_number(out, WASM_PERF_FACT_host_function_count,
             plan->module->imports_count + plan->import_count);
  put_number(out, WASM_PERF_FACT_added_import_count, plan->import_count);
  put_number(out, WASM_PERF_FACT_function_count, plan->module->bodies_count);
  put_number(out, WASM_PERF_FACT_hooked_function_count, plan->chosen_count);
  if (options->count_branches)
    put_number(out, WASM_PERF_FACT_counts_edges, 1);
  static const wi_fact_put put = {put_number, put_fact};
  wi_followings_put_facts(&plan->embed->following, plan, &put, out);
  if (plan->embed->outlet.writer && wi_outlet_is_start_only(plan->module) &&
      plan->embed->returns.functions_count == 0)
    put_number(out, WASM_PERF_FACT_start_only, 1);
  if (options->module_name)
    put_text(out, WASM_PERF_FACT_module, options->module_name);
  put_text(out, WASM_PERF_FACT_identity, identity);
  put_unhookable(plan, out);
  if (wi_module_build_id(plan->module, build_id))
    put_text(out, WASM_PERF_FACT_build_id, build_id);
  put_text(out, WASM_PERF_FACT_tool, tool);
}

/* A record of the file's names section. */
static void put_name(wi_buffer *out, uint32_t function, const void *name, size_t size) {
  wi_buffer_word(out, function);
  wi_buffer_word(out, (uint32_t)size);
  wi_buffer_append(out, name, size);
}

/* Size of a node with `slot_words` words of slots and no leaves. */
static uint32_t node_size(const wi_embed *embed, uint32_t slot_words) {
  uint32_t size = wi_embed_slots_offset(embed) + 4 * slot_words;
  return (size + EMBED_ALIGNMENT - 1) / EMBED_ALIGNMENT * EMBED_ALIGNMENT;
}

static bool has_nodes(const wi_embed *embed, uint32_t function) {
  return wi_embed_first_slot(embed, function, WI_SLOT_NONE) > wi_embed_slots_offset(embed) ||
         (embed->flags[function] & WI_CALLEE_CHOSEN);
}

/* Room for one node per function and stand-in that may have nodes, and for their parent. */
static uint64_t flat_size(const wi_embed *embed) {
  uint64_t size = node_size(embed, 0);
  for (uint32_t i = 0; i < WI_FOLLOWER_COUNT; i++) {
    wi_stand_ins own = wi_following_stand_ins(&embed->following.items[i]);
    size += (uint64_t)own.count * node_size(embed, own.own + 2 * own.pairs);
  }
  for (uint32_t i = 0; i < embed->function_count; i++)
    if (has_nodes(embed, i))
      size += wi_embed_leaves_offset(embed, i);
  return size + 8ull * embed->leaves.callees_count;
}

static uint64_t block_size(const wi_embed *embed) {
  return embed->first_blocks ? 8ull * embed->first_blocks[embed->function_count] : 0;
}

/* The root's node: calls from the host enter through its only slot, a pair. */
static void put_root(const wi_embed *embed, uint32_t address, wi_buffer *out) {
  wi_buffer_word(out, WASM_PERF_FUNCTION_ROOT);
  wi_buffer_word(out, EMBED_PARENT_BIT | address);
  for (uint32_t i = EMBED_NODE_CALLS; i < wi_embed_slots_offset(embed); i += 4)
    wi_buffer_word(out, 0);
  wi_buffer_word(out, address + EMBED_EMPTY_SHARED);
  wi_buffer_word(out, address + EMBED_OWNER);
  put_alignment(out);
}

static void put_half(wi_buffer *out, uint32_t value) {
  wi_buffer_u8(out, (uint8_t)value);
  wi_buffer_u8(out, (uint8_t)(value >> 8));
}

/* Writes an embed_slots. */
static void put_function_slots(const wi_slots *slots, bool has_nodes, wi_buffer *out) {
  put_half(out, has_nodes ? slots->count[WI_SLOT_SHARED] : EMBED_NO_NODES);
  put_half(out, slots->count[WI_SLOT_OWN]);
  put_half(out, slots->count[WI_SLOT_PAIR]);
}

/* Indexed by output function, because instrumented functions pass output indices. */
static void put_slots(const wi_plan *plan, wi_buffer *out) {
  const wi_embed *embed = plan->embed;
  static const wi_slots none = {0};
  for (uint32_t i = 0; i < embed->function_count; i++) {
    for (uint32_t n = 0; i == plan->module->imports_count && n < plan->import_count; n++)
      put_function_slots(&none, false, out);
    put_function_slots(&embed->slots[i], has_nodes(embed, i), out);
  }
  put_alignment(out);
}

/* Indexed by output function, as above. */
static void put_block_counts(const wi_plan *plan, wi_buffer *out) {
  const wi_embed *embed = plan->embed;
  for (uint32_t i = 0; i < embed->function_count; i++) {
    for (uint32_t n = 0; i == plan->module->imports_count && n < plan->import_count; n++)
      wi_buffer_word(out, 0);
    wi_buffer_word(out, embed->first_blocks[i + 1] - embed->first_blocks[i]);
  }
  put_alignment(out);
}

/* Indexed by output function, as above. */
static void put_first_leaves(const wi_plan *plan, wi_buffer *out) {
  const wi_embed *embed = plan->embed;
  for (uint32_t i = 0; i <= embed->function_count; i++) {
    for (uint32_t n = 0; i == plan->module->imports_count && n < plan->import_count; n++)
      wi_buffer_word(out, 0);
    wi_buffer_word(out, embed->leaves.first[i]);
  }
  put_alignment(out);
}

static void put_leaves(const wi_plan *plan, uint32_t at, embed_config *config, wi_buffer *out) {
  const wi_leaves *leaves = &plan->embed->leaves;
  if (leaves->callees_count == 0)
    return;
  config->first_leaf = at + (uint32_t)out->size;
  put_first_leaves(plan, out);
  config->leaves = at + (uint32_t)out->size;
  for (uint32_t i = 0; i < leaves->callees_count; i++) {
    wi_buffer_word(out, wi_plan_function_index(plan, leaves->callees[i]));
    wi_buffer_word(out, leaves->costs[leaves->callees[i]]);
  }
}

static void put_values(const wi_embed *embed, wi_buffer *out) {
  wi_put_value(out, "calls", "calls");
  if (embed->counts)
    wi_put_value(out, "self", "instructions");
}

/* Bytes needed to write a file with flat nodes only, including working memory. */
static uint64_t file_room(const wi_embed *embed, const embed_config *config, uint64_t flat_count) {
  enum { BORROWED_SIZE = 2 * 65536, BLOCKS_HEAD_SIZE = 8, PARENT_COUNT = 2 };
  uint64_t size = EMBED_FILE_MARGIN + config->facts_size + config->values_size;
  size += (uint64_t)config->names_size + block_size(embed);
  size += embed->first_blocks ? (uint64_t)BLOCKS_HEAD_SIZE * config->function_count : 0;
  size += EMBED_RECORD_ROOM * (flat_count + PARENT_COUNT);
  return size + (embed->outlet.writer ? BORROWED_SIZE : 0);
}

/*
 * Places the data that the runtime creates behind the data known before it runs, and computes the
 * memory size for both.
 */
static uint64_t place_nodes(wi_embed *embed, embed_config *config) {
  uint64_t flat_count = config->function_count;
  for (uint32_t i = 0; i < WI_FOLLOWER_COUNT; i++)
    flat_count += wi_following_stand_ins(&embed->following.items[i]).count;
  uint64_t flat = (uint64_t)config->flat_index + 4 * flat_count;
  flat = (flat + EMBED_ALIGNMENT - 1) / EMBED_ALIGNMENT * EMBED_ALIGNMENT;
  uint64_t blocks = flat + flat_size(embed);
  uint64_t arena = blocks + block_size(embed);
  uint64_t end = arena + file_room(embed, config, flat_count);
  embed->page_count = (uint32_t)((end + PAGE_SIZE - 1) / PAGE_SIZE);
  config->flat = (uint32_t)flat;
  config->blocks = embed->blocks_address = (uint32_t)blocks;
  config->arena = (uint32_t)arena;
  config->file_room = (uint32_t)(end - arena);
  return end;
}

/* Writes the struct, followed by the data that it refers to. */
static void put_config(wi_embed *embed, const embed_config *config, const wi_buffer *rest) {
  const uint32_t *words = (const uint32_t *)config;
  for (size_t i = 0; i < sizeof *config / sizeof *words; i++)
    wi_buffer_word(&embed->config, words[i]);
  put_alignment(&embed->config); /* the root follows */
  wi_buffer_append(&embed->config, rest->data, rest->size);
}

static void put_stand_ins(const wi_embed *embed, uint32_t at, embed_config *config,
                          wi_buffer *out) {
  config->stand_ins = at + (uint32_t)out->size;
  for (uint32_t i = 0; i < WI_FOLLOWER_COUNT; i++) {
    const wi_following *f = &embed->following.items[i];
    wi_stand_ins own = wi_following_stand_ins(f);
    if (own.count == 0)
      continue;
    config->stand_in_kinds++;
    const wi_slots slots = {.count = {[WI_SLOT_OWN] = own.own, [WI_SLOT_PAIR] = own.pairs}};
    wi_buffer_word(out, f->first_stand_in);
    wi_buffer_word(out, own.count);
    put_function_slots(&slots, true, out);
    put_half(out, 0);
    wi_buffer_word(out, own.bounds_recursion);
  }
  put_alignment(out);
}

/* The data of each follower for its part of the runtime. */
static void put_followers(const wi_plan *plan, uint32_t at, embed_config *config, wi_buffer *out) {
  put_stand_ins(plan->embed, at, config, out);
  config->names = at + (uint32_t)out->size;
  wi_followings_put_names(&plan->embed->following, plan->module, put_name, out);
  config->names_size = at + (uint32_t)out->size - config->names;
  put_alignment(out);
  for (uint32_t i = 0; i < WI_FOLLOWER_COUNT; i++) {
    wi_following *f = &plan->embed->following.items[i];
    if (!f->is_active || !f->follower->describe)
      continue;
    config->described[i] = f->description = at + (uint32_t)out->size;
    f->follower->describe(f, plan, out);
    put_alignment(out);
  }
}

static void put_file_name(const wi_options *options, uint32_t at, embed_config *config,
                          wi_buffer *out) {
  const char *name = options->module_name ? options->module_name : "profile";
  config->file_name = at + (uint32_t)out->size;
  config->file_name_size = (uint32_t)strlen(name);
  wi_buffer_append(out, name, config->file_name_size);
  put_alignment(out);
}

/* The struct is written last, when all addresses are known. */
static bool configure(wi_plan *plan, const wi_options *options) {
  wi_embed *embed = plan->embed;
  wi_buffer rest = {0};
  uint32_t at = wi_embed_root_address(embed);
  put_root(embed, at, &rest);
  embed_config config = {.function_count = embed->function_count + plan->import_count,
                         .node_limit = options->node_limit,
                         .recursion = options->recursion,
                         .slots_offset = wi_embed_slots_offset(embed),
                         .value_count = embed->counts ? 2 : 1,
                         .root = at};
  config.shadow_size = wi_followings_need_shadows(&embed->following) ? EMBED_SHADOW_SIZE : 0;
  config.write_every = options->write_every > 0 ? options->write_every : 1;
  config.slots = at + (uint32_t)rest.size;
  put_slots(plan, &rest);
  config.facts = at + (uint32_t)rest.size;
  put_facts(plan, options, &rest);
  config.facts_size = at + (uint32_t)rest.size - config.facts;
  config.values = at + (uint32_t)rest.size;
  put_values(embed, &rest);
  config.values_size = at + (uint32_t)rest.size - config.values;
  put_followers(plan, at, &config, &rest);
  put_file_name(options, at, &config, &rest);
  if (embed->first_blocks) {
    config.block_counts = at + (uint32_t)rest.size;
    put_block_counts(plan, &rest);
  }
  put_leaves(plan, at, &config, &rest);
  config.flat_index = at + (uint32_t)rest.size;
  uint64_t end = place_nodes(embed, &config);
  put_config(embed, &config, &rest);
  bool fits = !rest.failed && !embed->config.failed && end < EMBED_PARENT_BIT / 2;
  wi_buffer_clear(&rest);
  return fits;
}

/* Keeps the runtime functions that the program calls, and those that report to the profile. */
static bool keep_runtime(const wi_plan *plan, wi_error *error) {
  wi_embed *embed = plan->embed;
  wi_image *image = &embed->runtime.image;
  bool has_fixed_host = plan->replaced != NULL; /* with the state of one program's files */
  if (has_fixed_host || wi_followings_keep_state(&embed->following))
    wi_image_drop(image, "wasm_perf_share");
  if (!embed->following.items[WI_FOLLOWER_calls].is_active)
    wi_image_drop(image, "wasm_perf_clock");
  if (!embed->following.items[WI_FOLLOWER_memory].is_active) {
    wi_image_drop(image, "wasm_perf_enter");
    wi_image_drop(image, "wasm_perf_leave");
  }
  wi_image_keep(image, "enter");
  if (embed->host_calls)
    wi_image_keep(image, "enter_host");
  if (embed->outlet.writer)
    wi_image_keep(image, embed->outlet.writer);
  if (embed->returns.functions_count > 0)
    wi_image_keep(image, embed->outlet.writer_at);
  return (wi_followings_keep(&embed->following, plan, image) || wi_error_memory(error)) &&
         wi_image_shake(image, error);
}

/* The image's imports follow the program's; its functions follow all others. */
bool wi_embed_place(wi_plan *plan, const wi_options *options, wi_error *error) {
  const wi_module *module = plan->module;
  wi_embed *embed = plan->embed;
  if (!keep_runtime(plan, error))
    return false;
  plan->import_count += wi_merge_count(&embed->runtime, WI_SECTION_IMPORT);
  embed->memory_index = wi_module_index_count(module, WI_EXTERN_MEMORY, WI_SECTION_MEMORY);
  embed->slot_global = wi_module_index_count(module, WI_EXTERN_GLOBAL, WI_SECTION_GLOBAL);
  const wi_merge_base base = {.type = module->types_count + plan->type_count,
                              .global = embed->slot_global,
                              .memory_index = embed->memory_index,
                              .table =
                                  wi_module_index_count(module, WI_EXTERN_TABLE, WI_SECTION_TABLE),
                              .function = embed->function_count + plan->import_count,
                              .import = module->imports_count,
                              .program_memory = embed->outlet.memory};
  wi_merge_place(&embed->runtime, &base);
  wi_fixed_host_place(plan, &embed->runtime);
  bool keeps_sum = embed->counts && wi_followings_need_shadows(&embed->following);
  embed->executed_global = keeps_sum ? wi_merge_global(&embed->runtime, "executed") : WI_NO_GLOBAL;
  embed->enter = wi_merge_function(&embed->runtime, "enter");
  embed->enter_host = wi_merge_function(&embed->runtime, "enter_host");
  embed->write_profile = embed->outlet.writer
                             ? wi_merge_function(&embed->runtime, embed->outlet.writer)
                             : WI_NO_FUNCTION;
  uint32_t behind = base.function + wi_merge_count(&embed->runtime, WI_SECTION_FUNCTION);
  wi_followings_place(&embed->following, &embed->runtime, behind);
  if (embed->returns.functions_count > 0)
    wi_returns_place(&embed->returns, behind + wi_followings_function_count(&embed->following),
                     wi_merge_function(&embed->runtime, embed->outlet.writer_at));
  uint32_t heap_base = wi_merge_constant(&embed->runtime, "__heap_base");
  embed->config_address = (heap_base + EMBED_ALIGNMENT - 1) / EMBED_ALIGNMENT * EMBED_ALIGNMENT;
  if (configure(plan, options))
    return true;
  if (embed->config.failed)
    return wi_error_memory(error);
  return wi_error_set(error, WI_ERROR_LIMIT, WI_NO_OFFSET, WI_NO_FUNCTION,
                      "too many functions: one node for each of them exceeds the memory limit");
}
