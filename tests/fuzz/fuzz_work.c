/*
 * Any bytes as what a module repeats: twice as often, twice the work. The input is a list of parts,
 * each a place, a size and so many bytes, which stand in that place again and again. The work is
 * counted, so the answer is the same on every machine.
 */
#include <string.h>

#include "fuzz.h"
#include "hostile/counter.h"
#include "support/buffer.h"
#include "wasm_instrument/wasm_instrument.h"

enum { MAX_PARTS = 4, REPEATS = 256, DOUBLINGS = 3 };

/*
 * By how much each doubling adds more than the one before it: sorting a little more than twice,
 * what is wrong about four times. Of what is added, because a part may swallow its first repeats.
 */
#define GROWTH_IN_EIGHTHS 22u
#define WORK_PER_BYTE     16u /* of what is added; less is not worth a word, however it grows */

/* Where a part may stand: X(ID, the section's number or 0, the custom section's name). */
#define PLACES(X)                                                                                  \
  X(IMPORTS, 2, "")                                                                                \
  X(TABLES, 4, "")                                                                                 \
  X(MEMORIES, 5, "")                                                                               \
  X(GLOBALS, 6, "")                                                                                \
  X(EXPORTS, 7, "")                                                                                \
  X(ELEMENTS, 9, "")                                                                               \
  X(DATA, 11, "")                                                                                  \
  X(HINTS, 0, "metadata.code.branch_hint")                                                         \
  X(ANNOTATIONS, 0, "llvm.func_attr.annotate.a")                                                   \
  X(PRODUCERS, 0, "producers")                                                                     \
  X(NAMES, 0, "name")                                                                              \
  X(DEBUG_INFO, 0, ".debug_info")                                                                  \
  X(DEBUG_ABBREV, 0, ".debug_abbrev")                                                              \
  X(DEBUG_LINE, 0, ".debug_line")                                                                  \
  X(DEBUG_RANGES, 0, ".debug_ranges")                                                              \
  X(DEBUG_LOC, 0, ".debug_loc")                                                                    \
  X(SOURCE_MAP, 0, "sourceMappingURL")

typedef enum place {
  PLACE_TYPES, /* after the one that all functions here have */
#define PLACE_ENUM(id, number, name) PLACE_##id,
  PLACES(PLACE_ENUM)
#undef PLACE_ENUM
      PLACE_FUNCTION_NAMES,
  PLACE_CODE,      /* instructions of one body */
  PLACE_FUNCTIONS, /* bodies */
  PLACE_SECTIONS,  /* whole custom sections, the name in front */
  PLACE_COUNT
} place;

typedef struct part {
  place where;
  const uint8_t *bytes;
  size_t size;
} part;

static const struct {
  uint8_t number;
  const char *name;
} sections[] = {{1, ""},
#define SECTION(id, number, name) {number, name},
                PLACES(SECTION)
#undef SECTION
};

static void repeat(wi_buffer *out, const part *one, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    wi_buffer_append(out, one->bytes, one->size);
}

/* A vector of the part's bytes, but where a section has no count. */
static void put_section(wi_buffer *out, const part *one, uint32_t count) {
  const char *name = sections[one->where].name;
  bool is_vector = sections[one->where].number != 0 || one->where == PLACE_HINTS ||
                   one->where == PLACE_PRODUCERS;
  wi_buffer_u8(out, sections[one->where].number);
  size_t start = wi_buffer_sized_begin(out, 0);
  if (sections[one->where].number == 0) {
    wi_buffer_u32(out, (uint32_t)strlen(name));
    wi_buffer_append(out, name, strlen(name));
  }
  if (is_vector)
    wi_buffer_u32(out, count);
  repeat(out, one, count);
  wi_buffer_sized_end(out, start, 0);
}

static void put_types(wi_buffer *out, const part *one, uint32_t count) {
  static const uint8_t nothing_to_nothing[] = {0x60, 0, 0};
  wi_buffer_u8(out, 1);
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_u32(out, one ? count + 1 : 1);
  wi_buffer_append(out, nothing_to_nothing, sizeof nothing_to_nothing);
  if (one)
    repeat(out, one, count);
  wi_buffer_sized_end(out, start, 0);
}

static void put_function_names(wi_buffer *out, const part *one, uint32_t count) {
  static const uint8_t name[] = {4, 'n', 'a', 'm', 'e', 1};
  wi_buffer_u8(out, 0);
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_append(out, name, sizeof name);
  size_t names = wi_buffer_sized_begin(out, 0);
  wi_buffer_u32(out, count);
  repeat(out, one, count);
  wi_buffer_sized_end(out, names, 0);
  wi_buffer_sized_end(out, start, 0);
}

static void put_custom_sections(wi_buffer *out, const part *one, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    wi_buffer_u8(out, 0);
    size_t start = wi_buffer_sized_begin(out, 0);
    wi_buffer_append(out, one->bytes, one->size);
    wi_buffer_sized_end(out, start, 0);
  }
}

static void put_body(wi_buffer *out, const part *one, uint32_t count) {
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_u8(out, 0); /* no locals */
  if (one)
    repeat(out, one, count);
  wi_buffer_u8(out, 0x0B);
  wi_buffer_sized_end(out, start, 0);
}

static void put_functions(wi_buffer *out, uint32_t count) {
  wi_buffer_u8(out, 3);
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_u32(out, count);
  for (uint32_t i = 0; i < count; i++)
    wi_buffer_u8(out, 0);
  wi_buffer_sized_end(out, start, 0);
}

static void put_code(wi_buffer *out, const part *code, const part *body, uint32_t count) {
  wi_buffer_u8(out, 10);
  size_t start = wi_buffer_sized_begin(out, 0);
  wi_buffer_u32(out, body ? count + 1 : 1);
  put_body(out, code, count);
  for (uint32_t i = 0; body && i < count; i++)
    put_body(out, body, 1);
  wi_buffer_sized_end(out, start, 0);
}

/* `parts`: by place; what is not there has no bytes. */
static void make_module(wi_buffer *out, const part *const parts[PLACE_COUNT], uint32_t count) {
  static const uint8_t header[] = {0, 'a', 's', 'm', 1, 0, 0, 0};
  const part *bodies = parts[PLACE_FUNCTIONS];
  wi_buffer_append(out, header, sizeof header);
  put_types(out, parts[PLACE_TYPES], count);
  for (int where = PLACE_TYPES + 1; where <= PLACE_HINTS; where++) {
    if (where == PLACE_TABLES)
      put_functions(out, bodies ? count + 1 : 1);
    if (parts[where] && where != PLACE_DATA)
      put_section(out, parts[where], count);
  }
  put_code(out, parts[PLACE_CODE], bodies, count);
  if (parts[PLACE_DATA])
    put_section(out, parts[PLACE_DATA], count);
  for (int where = PLACE_HINTS + 1; where <= PLACE_SOURCE_MAP; where++)
    if (parts[where])
      put_section(out, parts[where], count);
  if (parts[PLACE_FUNCTION_NAMES])
    put_function_names(out, parts[PLACE_FUNCTION_NAMES], count);
  if (parts[PLACE_SECTIONS])
    put_custom_sections(out, parts[PLACE_SECTIONS], count);
}

/* Parts as place, size, bytes; a later one of the same place takes it. */
static size_t take_parts(const uint8_t *data, size_t size, part parts[MAX_PARTS]) {
  size_t count = 0;
  while (count < MAX_PARTS && size > 2) {
    size_t part_size = data[1] % 64u + 1;
    part_size = part_size < size - 2 ? part_size : size - 2;
    parts[count++] = (part){(place)(data[0] % PLACE_COUNT), data + 2, part_size};
    data += 2 + part_size;
    size -= 2 + part_size;
  }
  return count;
}

static void check_growth(const char *how, const part *const parts[PLACE_COUNT]) {
  uint64_t work[DOUBLINGS + 1];
  bool done[DOUBLINGS + 1];
  size_t size = 0;
  for (unsigned i = 0; i <= DOUBLINGS; i++) {
    wi_buffer module = {0};
    make_module(&module, parts, (uint32_t)REPEATS << i);
    CHECK(!module.failed);
    work[i] = counted_work(how, module.data, module.size, &done[i]);
    size = module.size;
    wi_buffer_clear(&module);
    if (i > 0 && done[i] != done[i - 1]) /* past a limit it is refused at once */
      return;
  }
  uint64_t more = work[DOUBLINGS] > work[0] ? work[DOUBLINGS] - work[0] : 0;
  bool grows_too_fast = more / WORK_PER_BYTE > size;
  for (unsigned i = 1; i < DOUBLINGS; i++) {
    uint64_t before = work[i] > work[i - 1] ? work[i] - work[i - 1] : 0;
    uint64_t added = work[i + 1] > work[i] ? work[i + 1] - work[i] : 0;
    grows_too_fast = grows_too_fast && added > before / 8 * GROWTH_IN_EIGHTHS + REPEATS;
  }
  CHECK(!grows_too_fast);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const hows[] = {"plain", "embed instructions", "embed memory lines guest",
                                     "list", "host"};
  part list[MAX_PARTS];
  const part *parts[PLACE_COUNT] = {NULL};
  size_t count = take_parts(data, size, list);
  for (size_t i = 0; i < count; i++)
    parts[list[i].where] = &list[i];
  for (size_t i = 0; count > 0 && i < sizeof hows / sizeof *hows; i++)
    check_growth(hows[i], parts);
  return 0;
}
