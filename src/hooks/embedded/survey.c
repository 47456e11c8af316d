/* Surveys all functions before any is changed, and derives slots, flags and leaves from that. */
#include "hooks/embedded/survey.h"

#include <stdlib.h>
#include <string.h>

#include "code/scan_body.h"
#include "code/scan_items.h"
#include "hooks/embedded/fixed_host.h"
#include "hooks/embedded/outlet.h"
#include "hooks/follow/asyncify.h"
#include "hooks/surroundings.h"
#include "module/exports.h"
#include "rewrite/additions.h"
#include "rewrite/opcodes.h"
#include "rewrite/unhookable.h"
#include "rewrite/warn.h"
#include "runtime/embedded/embed.h"

/* The runtime's image, generated from src/runtime/embedded. */
extern const uint8_t wi_embed_image[];
extern const size_t wi_embed_image_size;

/* ---- Survey ----------------------------------------------------------------- */

/* State of the survey that is not part of its result. */
typedef struct survey {
  const wi_module *module;
  wi_plan *plan;
  wi_embed *embed;
  wi_scan *scan;
  WI_ARRAY(uint32_t, callees); /* distinct direct callees of each chosen function, then
                                  WI_NO_FUNCTION */
  uint32_t *seen_by;           /* per function: the last body that calls it, plus 1 */
  wi_error *error;
} survey;

static void set_flag(survey *s, uint32_t function, wi_callee_flag flag) {
  s->embed->flags[function] |= (uint16_t)flag;
}

static bool has_flag(const wi_embed *embed, uint32_t function, unsigned flags) {
  return (embed->flags[function] & flags) != 0;
}

static bool add_callee(survey *s, uint32_t callee) {
  uint32_t *added = WI_ARRAY_PUSH(s, callees);
  if (!added)
    return wi_error_memory(s->error);
  *added = callee;
  return true;
}

/* A direct call; `is_chosen`: the caller gets hooks. */
static bool note_callee(survey *s, uint32_t caller, uint32_t callee, bool is_chosen) {
  set_flag(s, caller, WI_CALLEE_CALLS);
  if (!is_chosen)
    set_flag(s, callee, WI_CALLEE_CALLED_UNHOOKED);
  if (has_flag(s->embed, caller, WI_CALLEE_INTERPRETS))
    set_flag(s, callee, WI_CALLEE_IN_COMMON_SLOT);
  if (!is_chosen || s->seen_by[callee] == caller + 1)
    return true;
  s->seen_by[callee] = caller + 1;
  if (s->embed->host_calls && callee < s->module->imports_count)
    s->embed->slots[callee].count[WI_SLOT_PAIR] = 1; /* for functions that the import calls back */
  return add_callee(s, callee);
}

static bool note_indirect(survey *s, uint32_t caller, bool is_chosen) {
  set_flag(s, caller, WI_CALLEE_CALLS);
  s->embed->unhooked_indirect |= !is_chosen;
  if (is_chosen)
    s->embed->slots[caller].count[WI_SLOT_PAIR]++;
  return true;
}

static bool note_tail_call(survey *s, uint32_t caller, uint32_t callee, bool is_chosen) {
  set_flag(s, caller, WI_CALLEE_CALLS);
  set_flag(s, caller, WI_CALLEE_TAIL_CALLS);
  s->embed->unhooked_indirect |= !is_chosen && callee == WI_NO_FUNCTION;
  s->embed->tail_calls_by_reference |= callee == WI_NO_FUNCTION;
  if (callee != WI_NO_FUNCTION)
    set_flag(s, callee, is_chosen ? WI_CALLEE_TAIL_CALLED : WI_CALLEE_CALLED_UNHOOKED);
  return true;
}

static bool note_site(survey *s, uint32_t function, const wi_site *site, bool is_chosen) {
  switch ((wi_site_kind)site->kind) {
  case WI_SITE_BEFORE_CALL:
    if (site->value == WI_NO_FUNCTION)
      return note_indirect(s, function, is_chosen);
    return note_callee(s, function, site->value, is_chosen);
  case WI_SITE_IMPORT_CALL: return note_callee(s, function, site->value, is_chosen);
  case WI_SITE_TAIL_CALL: return note_tail_call(s, function, site->value, is_chosen);
  case WI_SITE_REFERENCE:
    set_flag(s, site->value, WI_CALLEE_REFERENCED);
    s->embed->references_leave = true;
    return true;
  case WI_SITE_LANDING_PAD: set_flag(s, function, WI_CALLEE_CATCHES); return true;
  case WI_SITE_OPCODE:
    s->embed->slots[function].count[WI_SLOT_OWN] +=
        is_chosen && wi_followings_need_slot(&s->embed->following, site);
    return wi_followings_note(&s->embed->following, s->plan, function, site, s->error);
  default: return true;
  }
}

/*
 * Whether the function with body `index`, which `scan` holds, stays within engine limits with
 * hooks, and its slots can be counted. Estimated; only huge functions fail.
 */
static bool fits(const wi_plan *plan, const wi_scan *scan, uint32_t index) {
  enum { ENTRY_SIZE = 192, SITE_SIZE = 96, LABEL_SIZE = 48, ADDED_LOCAL_COUNT = 20 };
  const wi_module *module = plan->module;
  const wi_type *type = wi_module_function_type(module, module->imports_count + index);
  uint64_t locals = (uint64_t)scan->local_count + (type ? type->param_count : 0);
  /* An edit may be needed per basic block, and per end of an arm of a structured instruction. */
  uint64_t size = module->bodies[index].size + ENTRY_SIZE +
                  (uint64_t)SITE_SIZE * (scan->sites_count + (uint64_t)scan->basic_block_count) +
                  (uint64_t)LABEL_SIZE * scan->structured_count;
  return locals + ADDED_LOCAL_COUNT <= WI_LIMIT_LOCAL_COUNT && size <= WI_LIMIT_BODY_SIZE &&
         2u * scan->call_count + scan->opcode_count + 4u <= EMBED_MAX_SLOT_WORDS;
}

static void choose(survey *s, uint32_t index, bool is_chosen) {
  s->plan->chosen_count += is_chosen;
  s->plan->chosen_count -= s->plan->chosen[index];
  s->plan->chosen[index] = is_chosen;
}

static bool look_for_leaf(survey *s, uint32_t function, unsigned traits) {
  wi_embed *embed = s->embed;
  if (traits != 0 || !wi_followings_keep_leaves(&embed->following))
    return true;
  return wi_leaves_look_at(&embed->leaves, s->module, function, s->scan,
                           embed->counts ? &embed->scratch->tallies : NULL) ||
         wi_error_memory(s->error);
}

/* Notes what followers require of the function. */
static unsigned note_traits(survey *s, uint32_t function, uint32_t *account_count) {
  unsigned traits =
      wi_followings_traits(&s->embed->following, s->module, s->scan, function, account_count);
  if (traits & WI_FOLLOW_INTERPRETS)
    set_flag(s, function, WI_CALLEE_INTERPRETS);
  if (traits & WI_FOLLOW_SETS_SLOT)
    set_flag(s, function, WI_CALLEE_IN_COMMON_SLOT);
  return traits;
}

static bool note_sites(survey *s, uint32_t function, bool is_chosen) {
  if (s->scan->catch_to_function)
    set_flag(s, function, WI_CALLEE_CATCHES);
  s->embed->references_leave |= s->scan->reads_references;
  for (uint32_t i = 0; i < s->scan->sites_count; i++)
    if (!note_site(s, function, &s->scan->sites[i], is_chosen))
      return false;
  return true;
}

static bool survey_body(survey *s, uint32_t index) {
  wi_embed *embed = s->embed;
  uint32_t function = s->module->imports_count + index;
  if (!wi_scan_body(s->scan, s->module, index, &s->plan->wants, s->error))
    return false;
  uint32_t account_count;
  unsigned traits = note_traits(s, function, &account_count);
  bool is_wanted = s->plan->chosen[index] && !(embed->excludes_others && !embed->counts);
  is_wanted |= (traits & WI_FOLLOW_HOOKED) != 0;
  bool is_hookable = fits(s->plan, s->scan, index);
  if (is_wanted && !is_hookable && !wi_unhookable_add(s->plan, function))
    return wi_error_memory(s->error);
  choose(s, index, is_wanted && is_hookable);
  bool interprets = has_flag(embed, function, WI_CALLEE_INTERPRETS);
  bool is_chosen = s->plan->chosen[index] && (interprets || !embed->excludes_others);
  if (is_chosen)
    set_flag(s, function, WI_CALLEE_CHOSEN);
  else if (embed->counts && is_hookable)
    set_flag(s, function, WI_CALLEE_BORROWS);
  if (embed->first_blocks)
    embed->first_blocks[function + 1] =
        embed->first_blocks[function] + (is_chosen ? s->scan->basic_block_count : 0);
  embed->slots[function].count[WI_SLOT_OWN] += is_chosen ? account_count : 0;
  if (!wi_plan_need_block_type(s->plan, s->scan, function))
    return wi_error_memory(s->error);
  return note_sites(s, function, is_chosen) &&
         (!is_chosen || (look_for_leaf(s, function, traits) && add_callee(s, WI_NO_FUNCTION)));
}

/*
 * Notes the functions that items of other sections name: exports, the start function, references.
 */
static bool survey_items(survey *s, const wi_section *section) {
  wi_cursor cursor = wi_cursor_at(s->module->bytes, section->payload, s->error);
  bool is_start = section->id == WI_SECTION_START;
  bool is_read = section->id == WI_SECTION_GLOBAL || section->id == WI_SECTION_TABLE;
  bool is_called = is_start || section->id == WI_SECTION_EXPORT;
  for (uint32_t count = is_start ? 1 : wi_cursor_count(&cursor, 1, "items");
       count > 0 && !cursor.failed; count--) {
    if (!wi_scan_item(s->scan, s->module, section->id, &cursor))
      return false;
    for (uint32_t i = 0; i < s->scan->sites_count; i++)
      if (s->scan->sites[i].kind == WI_SITE_FUNCTION_INDEX ||
          s->scan->sites[i].kind == WI_SITE_REFERENCE)
        set_flag(s, s->scan->sites[i].value, is_called ? WI_CALLEE_EXPORTED : WI_CALLEE_REFERENCED);
    s->embed->references_leave |= is_read && s->scan->sites_count > 0;
  }
  return !cursor.failed;
}

static bool survey_module(survey *s) {
  for (uint32_t i = 0; i < s->module->bodies_count; i++)
    if (!survey_body(s, i))
      return false;
  for (uint32_t i = 0; i < s->module->sections_count; i++)
    if (wi_scan_has_items(s->module->sections[i].id) && !survey_items(s, &s->module->sections[i]))
      return false;
  return true;
}

static bool note_leaf(survey *s, uint32_t caller, uint32_t leaf) {
  uint32_t *added = WI_ARRAY_PUSH(&s->embed->leaves, callees);
  if (!added)
    return wi_error_memory(s->error);
  *added = leaf;
  s->embed->leaves.first[caller + 1]++;
  return true;
}

/* Adds a slot for a direct callee, and a single one for all imports. */
static void count_slot(survey *s, uint32_t function, uint32_t callee, bool *has_import_slot) {
  wi_slots *slots = &s->embed->slots[function];
  bool is_import = callee < s->module->imports_count && !s->embed->host_calls;
  wi_slot_kind kind = is_import ? WI_SLOT_PAIR : wi_embed_callee_slot(s->embed, callee);
  if (kind == WI_SLOT_NONE || (is_import && *has_import_slot))
    return;
  *has_import_slot |= is_import;
  slots->count[kind]++;
}

/* Call when all slots of a function are counted. See runtime/embedded/embed.h. */
static void finish_slots(survey *s, uint32_t function) {
  uint32_t *count = s->embed->slots[function].count;
  if (has_flag(s->embed, function, WI_CALLEE_INTERPRETS))
    s->embed->slots[function] = (wi_slots){{[WI_SLOT_PAIR] = EMBED_INTERPRETER_PAIRS}};
  else if (count[WI_SLOT_PAIR] == 0 && count[WI_SLOT_SHARED] + count[WI_SLOT_OWN] > 0)
    count[WI_SLOT_OWN]++;
}

/* Adds the slots of direct calls. All flags of the callees must be known. */
static bool count_slots(survey *s) {
  uint32_t function = s->module->imports_count;
  bool has_import_slot = false;
  for (uint32_t i = 0; i < s->callees_count; i++) {
    while (!(s->embed->flags[function] & WI_CALLEE_CHOSEN))
      function++;
    uint32_t callee = s->callees[i];
    if (callee == WI_NO_FUNCTION) {
      has_import_slot = false;
      finish_slots(s, function++);
    } else if (wi_embed_is_leaf(s->embed, callee)) {
      if (!note_leaf(s, function, callee))
        return false;
    } else {
      count_slot(s, function, callee, &has_import_slot);
    }
  }
  for (uint32_t i = 0; i < s->embed->function_count; i++)
    s->embed->leaves.first[i + 1] += s->embed->leaves.first[i];
  return true;
}

/* ---- Queries ------------------------------------------------------------------- */

bool wi_embed_shares_slot(const wi_embed *embed, uint32_t function) {
  return has_flag(embed, function,
                  WI_CALLEE_EXPORTED | WI_CALLEE_REFERENCED | WI_CALLEE_IN_COMMON_SLOT |
                      WI_CALLEE_TAIL_CALLS | WI_CALLEE_CALLED_UNHOOKED | WI_CALLEE_TAIL_CALLED);
}

bool wi_embed_restores_slot(const wi_embed *embed, uint32_t function) {
  bool by_reference =
      embed->references_leave || embed->unhooked_indirect || embed->tail_calls_by_reference;
  return has_flag(embed, function,
                  WI_CALLEE_EXPORTED | WI_CALLEE_CALLED_UNHOOKED | WI_CALLEE_TAIL_CALLED |
                      WI_CALLEE_TAIL_CALLS) ||
         (by_reference && has_flag(embed, function, WI_CALLEE_REFERENCED));
}

/* Whether the function itself may be a leaf, whatever it calls. */
static bool may_be_leaf(const wi_embed *embed, uint32_t function) {
  return embed->leaves.costs[function] != WI_NO_COST &&
         has_flag(embed, function, WI_CALLEE_CHOSEN) &&
         !has_flag(embed, function, WI_CALLEE_CATCHES) && !wi_embed_shares_slot(embed, function);
}

/* Forwarders may call each other endlessly; in real programs, chains are short. */
bool wi_embed_is_leaf(const wi_embed *embed, uint32_t function) {
  enum { MAX_FORWARDER_COUNT = 8 };
  for (uint32_t i = 0; i <= MAX_FORWARDER_COUNT && may_be_leaf(embed, function); i++) {
    if (!has_flag(embed, function, WI_CALLEE_CALLS))
      return true;
    function = embed->leaves.forwards[function];
  }
  return false;
}

uint32_t wi_embed_leaves_offset(const wi_embed *embed, uint32_t function) {
  uint32_t end = wi_embed_first_slot(embed, function, WI_SLOT_NONE);
  return (end + EMBED_ALIGNMENT - 1) / EMBED_ALIGNMENT * EMBED_ALIGNMENT;
}

wi_slot_kind wi_embed_callee_slot(const wi_embed *embed, uint32_t callee) {
  if (wi_embed_is_leaf(embed, callee))
    return WI_SLOT_NONE;
  if (has_flag(embed, callee, WI_CALLEE_CHOSEN)) {
    if (has_flag(embed, callee, WI_CALLEE_TAIL_CALLS))
      return WI_SLOT_PAIR;
    return wi_embed_shares_slot(embed, callee) ? WI_SLOT_SHARED : WI_SLOT_OWN;
  }
  if (embed->host_calls && callee < embed->import_count)
    return WI_SLOT_OWN;
  return has_flag(embed, callee, WI_CALLEE_CALLS | WI_CALLEE_BORROWS) ? WI_SLOT_PAIR : WI_SLOT_NONE;
}

uint32_t wi_embed_first_slot(const wi_embed *embed, uint32_t function, wi_slot_kind kind) {
  const uint32_t *count = embed->slots[function].count;
  uint32_t words = kind > WI_SLOT_SHARED ? count[WI_SLOT_SHARED] : 0;
  words += kind > WI_SLOT_OWN ? count[WI_SLOT_OWN] : 0;
  words += kind > WI_SLOT_PAIR ? 2 * count[WI_SLOT_PAIR] : 0;
  return wi_embed_slots_offset(embed) + 4 * words;
}

uint32_t wi_embed_first_block(const wi_embed *embed, uint32_t function) {
  return embed->first_blocks ? embed->blocks_address + 8 * embed->first_blocks[function] : 0;
}

uint32_t wi_embed_root_address(const wi_embed *embed) {
  uint32_t end = embed->config_address + (uint32_t)sizeof(embed_config);
  return (end + EMBED_ALIGNMENT - 1) / EMBED_ALIGNMENT * EMBED_ALIGNMENT;
}

uint32_t wi_embed_slots_offset(const wi_embed *embed) {
  return embed->counts ? EMBED_NODE_SELF + 8 : EMBED_NODE_SELF;
}

uint32_t wi_embed_root_slot(const wi_embed *embed) {
  return wi_embed_root_address(embed) + wi_embed_slots_offset(embed);
}

/* ---- Checks and preparations --------------------------------------------- */

static bool is_ours(const wi_module *module, wi_span name, uint8_t kind, uint32_t index,
                    void *context) {
  (void)kind, (void)index, (void)context;
  return wi_module_span_begins(module, name, "wasm_perf_");
}

static bool is_table(const wi_module *module, wi_span name, uint8_t kind, uint32_t index,
                     void *context) {
  (void)module, (void)name, (void)index, (void)context;
  return kind == WI_EXTERN_TABLE;
}

/* ---- Entry points --------------------------------------------------------------------- */

static bool check_module(const wi_module *module, wi_error *error) {
  if (wi_module_find_any_export(module, is_ours, NULL))
    return wi_error_set(error, WI_ERROR_INSTRUMENTED, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "the module exports wasm_perf_*, names that the embedded runtime needs");
  return true;
}

static void init_references(wi_embed *embed, const wi_module *module) {
  embed->references_leave = module->import_counts[WI_EXTERN_TABLE] > 0 ||
                            wi_module_find_any_export(module, is_table, NULL);
}

static bool choose_runtime(wi_plan *plan, const wi_options *options, wi_error *error) {
  wi_embed *embed = plan->embed;
  return wi_merge_read(&embed->runtime, wi_embed_image, wi_embed_image_size, error) &&
         wi_outlet_choose(&embed->outlet, plan->module, options,
                          plan->beside && plan->beside->is_part, &embed->runtime.image, error) &&
         (!options->write_at || !embed->outlet.writer_at ||
          wi_returns_find(&embed->returns, plan, options, error)) &&
         wi_fixed_host_choose(plan, options, &embed->runtime.image, &embed->outlet.memory, error);
}

/* The sites that both the survey and the edits of bodies need. */
static wi_scan_wants wants_of(const wi_embed *embed, const wi_module *module, bool edges) {
  wi_scan_wants wants = {.calls = true,
                         .basic_blocks = embed->counts || embed->first_blocks,
                         .edges = edges,
                         .flow = embed->counts};
  wi_followings_want(&embed->following, module, &wants);
  return wants;
}

static void free_scratch(wi_body_scratch *scratch) {
  if (!scratch)
    return;
  wi_tallies_clear(&scratch->tallies);
  free(scratch->places);
  free(scratch);
}

/* For a module with that many functions. Returns NULL if out of memory. */
static wi_body_scratch *new_scratch(uint32_t count) {
  wi_body_scratch *scratch = calloc(1, sizeof *scratch);
  if (!scratch)
    return NULL;
  scratch->places = calloc(count + 1u, sizeof *scratch->places);
  if (scratch->places)
    return scratch;
  free_scratch(scratch);
  return NULL;
}

bool wi_embed_init(wi_plan *plan, const wi_options *options, wi_scan *scan, wi_error *error) {
  const wi_module *module = plan->module;
  if (!check_module(module, error))
    return false;
  wi_embed *embed = calloc(1, sizeof *embed);
  uint32_t count = wi_module_function_count(module);
  survey s = {.module = module, .plan = plan, .embed = embed, .scan = scan, .error = error};
  bool done = embed != NULL;
  if (done) {
    plan->embed = embed;
    embed->function_count = count;
    embed->import_count = module->imports_count;
    embed->counts = wasm_perf_clock_is_counted(options->clock);
    embed->asyncify_state = wi_asyncify_find(module).state;
    embed->host_calls = plan->host_calls;
    embed->flags = calloc(count + 1u, sizeof *embed->flags);
    embed->slots = calloc(count + 1u, sizeof *embed->slots);
    embed->scratch = new_scratch(count);
    if (options->count_blocks)
      embed->first_blocks = calloc(count + 2u, sizeof *embed->first_blocks);
    s.seen_by = calloc(count + 1u, sizeof *s.seen_by);
    init_references(embed, module);
    done = embed->flags && embed->slots && embed->scratch && s.seen_by &&
           wi_leaves_init(&embed->leaves, count) && (embed->first_blocks || !options->count_blocks);
  }
  if (!done)
    wi_error_memory(error);
  done = done && wi_followings_find(&embed->following, plan, options, scan, error) &&
         choose_runtime(plan, options, error);
  if (done) {
    embed->excludes_others = wi_followings_exclude_others(&embed->following);
    plan->wants = wants_of(embed, module, options->count_branches);
  }
  done = done && survey_module(&s);
  done = done && count_slots(&s);
  free(s.seen_by);
  free(s.callees);
  return done;
}

void wi_embed_free(wi_embed *embed) {
  if (!embed)
    return;
  wi_merge_clear(&embed->runtime);
  wi_followings_clear(&embed->following);
  wi_buffer_clear(&embed->config);
  free_scratch(embed->scratch);
  wi_leaves_clear(&embed->leaves);
  wi_returns_clear(&embed->returns);
  free(embed->flags);
  free(embed->slots);
  free(embed->first_blocks);
  free(embed);
}
