#define _GNU_SOURCE /* memmem */

#include "hooks/follow/guest.h"

#include <string.h>

#include "code/scan_body.h"
#include "rewrite/opcodes.h"
#include "rewrite/warn.h"

/* ---- CPython's table of offsets --------------------------------------------- */

#define COOKIE "xdebugpy"
enum { COOKIE_SIZE = 8, NUMBER_COUNT = 96, MAX_OFFSET = 1 << 20, WORD_SIZE = 4 };
enum { MAX_COOKIES = 16 }; /* looked behind, each of which takes going through all segments */

/* The numbers that follow the cookie, each a u64: where those that are read stand, by layout. */
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
  X(code_flags, 39, 44, 52)   /* that of co_argcount, which follows co_flags */                    \
  X(code_version, 40, 45, 53) /* that of co_localsplusnames, which follows co_version */           \
  X(text_state, 67, 77, 89)                                                                        \
  X(text_length, 68, 78, 90)                                                                       \
  X(text_ascii, 69, 79, 91)

enum { IN_3_13, IN_3_14, IN_3_15, LAYOUT_COUNT };
enum { FIRST_MINOR = 13 }; /* of the layouts; later versions are read as the last one */

static bool is_offset(uint64_t number) {
  return number < MAX_OFFSET;
}

static uint64_t number_at(const uint8_t *bytes, uint32_t index) {
  uint64_t number = 0;
  for (uint32_t i = 8; i-- > 0;)
    number = number << 8 | bytes[8 * (size_t)index + i];
  return number;
}

/* What is not in the table is the same in all versions of CPython so far. */
static const embed_guest constants = {.owner_generator = 1,
                                      .owner_none = 3,
                                      .flags_generator = 0x20 | 0x80 | 0x200,
                                      .flags_hidden = 0x2000000};

/* The numbers stand behind the cookie at that address. */
static bool describe(embed_guest *to, const uint8_t *numbers) {
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
  to->text_wide = to->text_ascii + 2 * WORD_SIZE; /* utf8_length, utf8 */
  return fits && to->current_frame > 0 && to->text_ascii > 0 && to->frame_owner > 0;
}

static const uint8_t *find_cookie(const uint8_t *from, const uint8_t *end) {
  return memmem(from, (size_t)(end - from), COOKIE, COOKIE_SIZE);
}

/* The cookie also stands in code that looks for it: then no table follows. */
static bool find_table(wi_guest *guest, const wi_module *module, wi_scan *scan) {
  wi_data_segments all = {.module = module, .scan = scan};
  uint32_t left = MAX_COOKIES;
  while (!guest->is_known && wi_data_segments_next(&all)) {
    const uint8_t *at = module->bytes + all.bytes.offset, *end = at + all.bytes.size;
    for (; !guest->is_known && left > 0 && (at = find_cookie(at, end)); ++at, --left) {
      uint8_t numbers[8 * NUMBER_COUNT] = {0};
      wi_data_address address = all.address;
      address.offset += (uint32_t)(at - module->bytes) - all.bytes.offset;
      guest->root = address;
      address.offset += COOKIE_SIZE;
      wi_data_segments_read(module, scan, address, numbers, sizeof numbers);
      guest->is_known = describe(&guest->description, numbers);
    }
  }
  return guest->is_known;
}

/* ---- The interpreter ---------------------------------------------------------- */

static bool ends_with(const uint8_t *end, const uint8_t *code, size_t size) {
  return memcmp(end - size, code, size) == 0;
}

/*
 * Whether an i32.load from that offset ends there. Clang from 20 on adds the offset to the address
 * instead, in what is compiled with -fwrapv, as CPython is.
 */
static bool loads(const uint8_t *end, uint32_t offset) {
  const uint8_t load[] = {I32_LOAD, 2, (uint8_t)offset};
  const uint8_t sum[] = {I32_CONST, (uint8_t)offset, I32_ADD, I32_LOAD, 2, 0};
  bool is_short = offset < 1 << 6; /* the constant has one byte */
  return is_short && (ends_with(end, load, sizeof load) || ends_with(end, sum, sizeof sum));
}

/* Whether that is before the instruction at `end`, but for a local.tee. */
static bool loads_before(const wi_module *module, uint32_t end, uint32_t offset) {
  const uint8_t *code = module->bytes + end;
  for (uint32_t tee = 0; tee <= 3; tee += tee == 0 ? 2 : 1)
    if ((tee == 0 || code[-(int)tee] == LOCAL_TEE) && loads(code - tee, offset))
      return true;
  return false;
}

static uint32_t count_returns(const wi_module *module, const wi_scan *scan, uint32_t previous) {
  enum { MIN_DISTANCE = 9 }; /* from the module's start, where the code begins later */
  uint32_t count = 0;
  for (uint32_t i = 0; i < scan->sites_count; ++i)
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
  for (uint32_t i = 0; i < module->bodies_count; ++i) {
    if (!wi_scan_body(scan, module, i, &wants, error))
      return false;
    uint32_t count = count_returns(module, scan, guest->description.frame_previous);
    if (count > most) {
      most = count;
      guest->interpreter = module->imports_count + i;
    }
  }
  guest->is_known = most >= MIN_COUNT;
  guest->interpreter_body = guest->interpreter - module->imports_count;
  return true;
}

void wi_guest_want(const wi_guest *guest, wi_scan_wants *wants) {
  if (!guest->is_known)
    return;
  wants->stored_offset = guest->description.current_frame;
  wants->stored_by = guest->interpreter_body;
}

/* ---- The whole ------------------------------------------------------------------ */

static bool has_memory(const wi_module *module) {
  return wi_module_index_count(module, WI_EXTERN_MEMORY, WI_SECTION_MEMORY) > 0 &&
         !wi_module_memory_is_64(module, 0);
}

static bool imports_memory(const wi_module *module) {
  return has_memory(module) && module->import_counts[WI_EXTERN_MEMORY] > 0;
}

/* Few would look for the option. */
static void tell_of_guest(const wi_module *module, const wi_options *options, wi_scan *scan) {
  wi_guest guest = {0};
  if (has_memory(module) && find_table(&guest, module, scan))
    wi_warn(options, "this is Python: --guest python shows the functions of what it runs");
}

bool wi_guest_find_table(wi_guest *guest, const wi_module *module, wi_scan *scan) {
  *guest = (wi_guest){0};
  guest->is_there =
      has_memory(module) && find_table(guest, module, scan) && !guest->root.is_relative;
  guest->is_known = false;
  return guest->is_there;
}

bool wi_guest_init(wi_guest *guest, const wi_module *module, const wi_options *options,
                   wi_scan *scan, wi_error *error) {
  *guest = (wi_guest){0};
  if (options->guest == WI_GUEST_OFF) {
    tell_of_guest(module, options, scan);
    return true;
  }
  guest->is_there = has_memory(module) && find_table(guest, module, scan);
  if (!guest->is_there && options->guest_elsewhere && imports_memory(module))
    *guest = *options->guest_elsewhere;
  if (guest->is_there && !find_interpreter(guest, module, scan, error))
    return false;
  guest->is_alone = options->guest == WI_GUEST_PYTHON;
  guest->description.is_alone = guest->is_alone;
  if (guest->is_there && !guest->is_known && !options->guest_elsewhere)
    wi_warn(options, "no guest: this is Python, but no function looks like its interpreter");
  guest->is_there &= guest->is_known || !options->guest_elsewhere;
  return true;
}
