#define _GNU_SOURCE /* memmem */

/*
 * Python: finds the function that interprets it, and its frames. The inserted code calls
 * runtime/embedded/python.c; python.h there describes frames.
 *
 * From 3.13 on, CPython describes itself: its state begins with a table of offsets for debuggers
 * (Include/internal/pycore_debug_offsets.h). The table is in the data segments even if the module
 * has no names. The interpreter is the function that leaves frames most often, that is, stores a
 * value just loaded from a frame's `previous` as the current frame.
 */
#include "hooks/follow/python.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "code/scan_body.h"
#include "hooks/follow/follower.h"
#include "hooks/surroundings.h"
#include "rewrite/opcodes.h"
#include "rewrite/warn.h"
#include "wasm_perf/format.h"

enum { BEGIN, SWITCH };
static const char *const exports[] = {[BEGIN] = "guest_begin", [SWITCH] = "guest_switch", NULL};

/* ---- CPython's table of offsets --------------------------------------------- */

#define COOKIE "xdebugpy"
enum { COOKIE_SIZE = 8, NUMBER_COUNT = 96, MAX_OFFSET = 1 << 20, WORD_SIZE = 4 };
enum { MAX_COOKIES = 16 }; /* candidates examined; each requires a pass over all segments */

/* The u64 numbers after the cookie that are read, with their index in each layout. */
#define NUMBERS(X)                                                                                 \
  X(first_interpreter, 4, 4, 4)                                                                    \
  X(first_thread, 8, 8, 8)                                                                         \
  X(current_frame, 22, 25, 25)                                                                     \
  X(frame_previous, 28, 31, 39)                                                                    \
  X(frame_code, 29, 32, 40)                                                                        \
  X(frame_owner, 32, 35, 43)                                                                       \
  X(code_file, 34, 39, 47)                                                                         \
  X(code_name, 36, 41, 49)                                                                         \
  X(code_line, 38, 43, 51)                                                                         \
  X(code_flags, 39, 44, 52)   /* index of co_argcount, which follows co_flags */                   \
  X(code_version, 40, 45, 53) /* index of co_localsplusnames, which follows co_version */          \
  X(text_state, 67, 77, 89)                                                                        \
  X(text_length, 68, 78, 90)                                                                       \
  X(text_ascii, 69, 79, 91)

enum { IN_3_13, IN_3_14, IN_3_15, LAYOUT_COUNT };
enum {
  FIRST_MINOR = 13
}; /* minor version of the first layout; versions after the last
      layout are read as the last */

static bool is_offset(uint64_t number) {
  return number < MAX_OFFSET;
}

static uint64_t number_at(const uint8_t *bytes, uint32_t index) {
  uint64_t number = 0;
  for (uint32_t i = 8; i-- > 0;)
    number = number << 8 | bytes[8 * (size_t)index + i];
  return number;
}

/* Values that the table does not contain. They are the same in all versions of CPython so far. */
static const embed_guest constants = {.owner_generator = 1,
                                      .owner_none = 3,
                                      .flags_generator = 0x20 | 0x80 | 0x200,
                                      .flags_hidden = 0x2000000};

/* Reads the numbers, which follow the cookie. */
static bool read_table(embed_guest *to, const uint8_t *numbers) {
  uint32_t version = (uint32_t)number_at(numbers, 0), minor = version >> 16 & 0xff;
  if (version >> 24 != 3 || minor < FIRST_MINOR)
    return false;
  uint32_t layout = minor - FIRST_MINOR < LAYOUT_COUNT ? minor - FIRST_MINOR : LAYOUT_COUNT - 1;
  *to = constants;
  bool fits = true;
#define NUMBER(field, in_3_13, in_3_14, in_3_15)                                                   \
  {                                                                                                \
    static const uint8_t places[LAYOUT_COUNT] = {in_3_13, in_3_14, in_3_15};                       \
    uint64_t number = number_at(numbers, places[layout]);                                          \
    fits = fits && is_offset(number);                                                              \
    to->field = (uint32_t)number;                                                                  \
  }
  NUMBERS(NUMBER)
#undef NUMBER
  to->code_flags -= WORD_SIZE;
  to->code_version -= WORD_SIZE;
  to->text_wide = to->text_ascii + 2 * WORD_SIZE; /* skips utf8_length and utf8 */
  return fits && to->current_frame > 0 && to->text_ascii > 0 && to->frame_owner > 0;
}

static const uint8_t *find_cookie(const uint8_t *from, const uint8_t *end) {
  return memmem(from, (size_t)(end - from), COOKIE, COOKIE_SIZE);
}

/* The cookie also occurs in code that searches for it; no table follows there. */
static bool find_table(wi_guest *guest, const wi_module *module, wi_scan *scan) {
  wi_data_segments all = {.module = module, .scan = scan};
  uint32_t left = MAX_COOKIES;
  bool found = false;
  while (!found && wi_data_segments_next(&all)) {
    const uint8_t *at = module->bytes + all.bytes.offset, *end = at + all.bytes.size;
    for (; !found && left > 0 && (at = find_cookie(at, end)); at++, left--) {
      uint8_t numbers[8 * NUMBER_COUNT] = {0};
      wi_data_address address = all.address;
      address.offset += (uint32_t)(at - module->bytes) - all.bytes.offset;
      guest->root = address;
      address.offset += COOKIE_SIZE;
      wi_data_segments_read(module, scan, address, numbers, sizeof numbers);
      found = read_table(&guest->description, numbers);
    }
  }
  return found;
}

/* ---- The interpreter ---------------------------------------------------------- */

static bool ends_with(const uint8_t *end, const uint8_t *code, size_t size) {
  return memcmp(end - size, code, size) == 0;
}

/*
 * Whether an i32.load from this offset ends at `end`. From 20 on, Clang adds the offset to the
 * address instead in code compiled with -fwrapv, such as CPython.
 */
static bool loads(const uint8_t *end, uint32_t offset) {
  const uint8_t load[] = {I32_LOAD, 2, (uint8_t)offset};
  const uint8_t sum[] = {I32_CONST, (uint8_t)offset, I32_ADD, I32_LOAD, 2, 0};
  bool is_short = offset < 1 << 6; /* the constant has one byte */
  return is_short && (ends_with(end, load, sizeof load) || ends_with(end, sum, sizeof sum));
}

/* Whether such a load precedes the instruction at `end`, apart from a local.tee. */
static bool loads_before(const wi_module *module, uint32_t end, uint32_t offset) {
  const uint8_t *code = module->bytes + end;
  for (uint32_t tee = 0; tee <= 3; tee += tee == 0 ? 2 : 1)
    if ((tee == 0 || code[-(int)tee] == LOCAL_TEE) && loads(code - tee, offset))
      return true;
  return false;
}

static uint32_t count_returns(const wi_module *module, const wi_scan *scan, uint32_t previous) {
  enum { MIN_DISTANCE = 9 }; /* from the module's start; code begins later than that */
  uint32_t count = 0;
  for (uint32_t i = 0; i < scan->sites_count; i++)
    count += scan->sites[i].kind == WI_SITE_STORE && scan->sites[i].offset >= MIN_DISTANCE &&
             loads_before(module, scan->sites[i].offset, previous);
  return count;
}

static bool find_interpreter(wi_guest *guest, const wi_module *module, wi_scan *scan,
                             wi_error *error) {
  enum { MIN_COUNT = 3 };
  uint32_t most = 0;
  const wi_scan_wants wants = {.stored_offset = guest->description.current_frame,
                               .stored_by = WI_NO_FUNCTION};
  for (uint32_t i = 0; i < module->bodies_count; i++) {
    if (!wi_scan_body(scan, module, i, &wants, error))
      return false;
    uint32_t count = count_returns(module, scan, guest->description.frame_previous);
    if (count > most) {
      most = count;
      guest->interpreter = module->imports_count + i;
    }
  }
  guest->has_interpreter = most >= MIN_COUNT;
  return true;
}

/* ---- Entry points --------------------------------------------------------------- */

static bool has_memory(const wi_module *module) {
  return wi_module_index_count(module, WI_EXTERN_MEMORY, WI_SECTION_MEMORY) > 0 &&
         !wi_module_memory_is_64(module, 0);
}

static bool imports_memory(const wi_module *module) {
  return has_memory(module) && module->import_counts[WI_EXTERN_MEMORY] > 0;
}

/* Hints at the option, which few would look for. */
static void suggest_guest(const wi_module *module, const wi_options *options, wi_scan *scan) {
  wi_guest guest = {0};
  if (has_memory(module) && find_table(&guest, module, scan))
    wi_warn(options,
            "this module is CPython: --guest python shows the Python functions that it runs");
}

bool wi_guest_find_table(wi_guest *guest, const wi_module *module, wi_scan *scan) {
  *guest = (wi_guest){0};
  guest->has_table =
      has_memory(module) && find_table(guest, module, scan) && !guest->root.is_relative;
  return guest->has_table;
}

static bool look(wi_guest *guest, const wi_plan *plan, const wi_options *options, wi_scan *scan,
                 wi_error *error) {
  const wi_module *module = plan->module;
  const wi_guest *elsewhere = plan->beside ? plan->beside->guest_elsewhere : NULL;
  guest->has_table = has_memory(module) && find_table(guest, module, scan);
  if (!guest->has_table && elsewhere && imports_memory(module))
    *guest = *elsewhere;
  if (guest->has_table && !find_interpreter(guest, module, scan, error))
    return false;
  guest->description.is_alone = options->guest == WI_GUEST_PYTHON;
  if (guest->has_table && !guest->has_interpreter && !elsewhere)
    wi_warn(options,
            "no guest found: this module is CPython, but no function looks like its interpreter");
  guest->has_table &= guest->has_interpreter || !elsewhere;
  return true;
}

static bool find(wi_following *following, const wi_plan *plan, const wi_options *options,
                 wi_scan *scan, wi_error *error) {
  if (options->guest == WI_GUEST_OFF) {
    suggest_guest(plan->module, options, scan);
    return true;
  }
  if (options->guest == WI_GUEST_PYTHON && options->memory)
    return wi_error_set(error, WI_ERROR_OPTION, WI_NO_OFFSET, WI_NO_FUNCTION,
                        "--memory needs the module's own functions: --guest both");
  wi_guest *guest = following->state = calloc(1, sizeof *guest);
  if (!guest)
    return wi_error_memory(error);
  bool done = look(guest, plan, options, scan, error);
  following->excludes_others = guest->description.is_alone;
  following->has_guest = guest->has_table;
  following->is_active = done && guest->has_interpreter;
  return done;
}

static bool is_interpreter(const wi_following *following, uint32_t function) {
  const wi_guest *guest = following->state;
  return function == guest->interpreter;
}

/* The stores that change the current frame. */
static void want(const wi_following *following, const wi_module *module, wi_scan_wants *wants) {
  const wi_guest *guest = following->state;
  wants->stored_offset = guest->description.current_frame;
  wants->stored_by = guest->interpreter - module->imports_count;
}

static unsigned traits(const wi_following *following, const wi_module *module, const wi_scan *scan,
                       uint32_t function) {
  (void)module, (void)scan;
  return is_interpreter(following, function) ? WI_FOLLOW_HOOKED | WI_FOLLOW_INTERPRETS : 0u;
}

static uint32_t pair_count(const wi_following *following) {
  const wi_guest *guest = following->state;
  return guest->description.is_alone ? 1 : EMBED_INTERPRETER_PAIRS;
}

/* One per function that Python runs. */
static wi_stand_ins stand_ins(const wi_following *following) {
  return (wi_stand_ins){.count = EMBED_GUEST_FUNCTION_COUNT,
                        .pairs = pair_count(following),
                        .bounds_recursion = true};
}

static void put_facts(const wi_following *following, const wi_plan *plan, const wi_fact_put *put,
                      wi_buffer *out) {
  (void)plan;
  put->number(out, WASM_PERF_FACT_first_guest, following->first_stand_in);
}

static void describe(const wi_following *following, const wi_plan *plan, wi_buffer *out) {
  (void)plan;
  const wi_guest *guest = following->state;
  embed_guest description = guest->description;
  description.first_function = following->first_stand_in;
  const uint32_t *words = (const uint32_t *)&description;
  for (size_t i = 0; i < sizeof description / sizeof *words; i++)
    wi_buffer_word(out, words[i]);
}

/* ---- The body --------------------------------------------------------------- */

/* Operands of a store; the frame that was current before, and whether it has changed since. */
enum { LOCAL_ADDRESS, LOCAL_FRAME, LOCAL_BEFORE, LOCAL_IS_CHANGED, I32_COUNT };

static bool begin(wi_follow_body *body) {
  body->i32_count = I32_COUNT;
  return body->hooked && is_interpreter(body->following, body->function);
}

/* ---- Instructions ----------------------------------------------------------- */

static void put_if(wi_buffer *out) {
  wi_buffer_u8(out, IF);
  wi_buffer_u8(out, BLOCK_VOID);
}

/* Pushes a word of the description. */
static void put_word(const wi_follow_body *body, size_t offset, wi_buffer *out) {
  wi_put_i32(out, 0);
  wi_put_load(out, I32_LOAD, body->memory_index, body->following->description + (uint32_t)offset);
}

static void put_root(const wi_data_address *root, wi_buffer *out) {
  wi_put_i32(out, root->offset);
  if (!root->is_relative)
    return;
  wi_put_index(out, GLOBAL_GET, root->global);
  wi_buffer_u8(out, I32_ADD);
}

static uint32_t put_entry(const wi_follow_body *body, wi_buffer *out) {
  const wi_guest *guest = body->following->state;
  put_word(body, offsetof(embed_guest, thread), out);
  wi_buffer_u8(out, I32_EQZ);
  put_if(out);
  put_root(&guest->root, out);
  wi_put_index(out, CALL, body->following->functions[BEGIN]);
  wi_buffer_u8(out, END);
  return 1;
}

static void put_local(const wi_follow_body *body, uint8_t opcode, uint32_t local, wi_buffer *out) {
  wi_put_index(out, opcode, body->i32_locals + local);
}

static void put_switch(const wi_follow_body *body, wi_buffer *out) {
  put_local(body, LOCAL_GET, LOCAL_IS_CHANGED, out);
  put_if(out);
  put_local(body, LOCAL_GET, LOCAL_BEFORE, out);
  wi_put_index(out, LOCAL_GET, body->node_local);
  wi_put_index(out, CALL, body->following->functions[SWITCH]);
  wi_put_index(out, LOCAL_SET, body->node_local);
}

/* The store adds either the offset of the current frame to the address, or nothing: see scan.h. */
static void put_before_store(const wi_follow_body *body, const wi_site *site, wi_buffer *out) {
  size_t base = site->value != 0 ? offsetof(embed_guest, thread) : offsetof(embed_guest, cell);
  put_local(body, LOCAL_SET, LOCAL_FRAME, out);
  put_local(body, LOCAL_TEE, LOCAL_ADDRESS, out);
  put_local(body, LOCAL_GET, LOCAL_FRAME, out);
  put_local(body, LOCAL_GET, LOCAL_ADDRESS, out);
  put_word(body, base, out);
  wi_buffer_u8(out, I32_EQ);
  put_if(out);
  put_switch(body, out);
  wi_buffer_u8(out, END);
  put_local(body, LOCAL_GET, LOCAL_ADDRESS, out);
  wi_put_load(out, I32_LOAD, WI_FIRST_MEMORY, site->value);
  put_local(body, LOCAL_SET, LOCAL_BEFORE, out);
  wi_put_i32(out, 1);
  put_local(body, LOCAL_SET, LOCAL_IS_CHANGED, out);
  wi_buffer_u8(out, END);
}

static void put_after_stores(const wi_follow_body *body, wi_buffer *out) {
  put_switch(body, out);
  wi_put_i32(out, 0);
  put_local(body, LOCAL_SET, LOCAL_IS_CHANGED, out);
  wi_buffer_u8(out, END);
}

/*
 * The operands of a store remain on the stack. The current frame is read after the last of several
 * stores, because compilers may store it before the frame's link to its caller.
 */
static void put_before(const wi_follow_body *body, const wi_site *site, wi_buffer *out) {
  if (site->kind == WI_SITE_STORE)
    put_before_store(body, site, out);
  else if (site->kind == WI_SITE_STORED)
    put_after_stores(body, out);
}

const wi_follower wi_follow_python = {.name = "python",
                                      .exports = exports,
                                      .keeps_state = true,
                                      .find = find,
                                      .clear = free,
                                      .want = want,
                                      .traits = traits,
                                      .stand_ins = stand_ins,
                                      .put_facts = put_facts,
                                      .describe = describe,
                                      .begin = begin,
                                      .put_entry = put_entry,
                                      .put_before = put_before};
