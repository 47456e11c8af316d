/* wi_go_names_complete: names out of the table of functions that Go's runtime has. */
#include "unit.h"

#include "module/go_names.h"
#include "module/go_table.h"
#include "module/read.h"
#include "wasm_instrument/wasm_instrument.h"

enum { BODY_COUNT = 4, ADDRESS = 0x400, NAMES = 96, UNITS = 160, FUNCTIONS = 168, SIZE = 256 };

/* One import and four functions. */
static const uint8_t BEGIN[] = {
    0x00, 'a',  's', 'm',  0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0, 0, 0x02, 0x07,
    0x01, 0x01, 'e', 0x01, 'f',  0x00, 0x00, 3,    5,    4,    0,    0,    0, 0, 5,    3,
    1,    0,    1,   9,    11,   1,    0,    0x41, 0x80, 0x20, 0x0B, 4,    1, 2, 3,    4,
    10,   13,   4,   2,    0,    0x0B, 2,    0,    0x0B, 2,    0,    11,   2, 0, 11};

/* Where it lists the functions that are called indirectly. */
enum { ELEMENTS = sizeof BEGIN - 19 };

/* What a table looks like. The record of a function stands behind the table, 8 bytes each. */
typedef struct layout {
  unsigned shift;
  bool is_backwards; /* the segments */
  size_t cut;        /* where one ends that goes on in the next; 0: nowhere */
  uint8_t image[SIZE];
} layout;

static void put(layout *out, size_t at, uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; i++)
    out->image[at + i] = (uint8_t)(value >> (8 * i));
}

static void put_function(layout *out, unsigned place, unsigned body, uint32_t name) {
  size_t record = 8 * (BODY_COUNT + (size_t)place);
  uint32_t address = (WI_GO_TABLE_OFFSET + body) << out->shift;
  put(out, FUNCTIONS + 8 * (size_t)place, address, 4);
  put(out, FUNCTIONS + 8 * (size_t)place + 4, record, 4);
  put(out, FUNCTIONS + record, address, 4);
  put(out, FUNCTIONS + record + 4, name, 4);
}

/* Of functions 0, 1 and 3. The last name ends in zeros that no segment has. */
static layout make(unsigned shift) {
  static const char names[] = "main.main\0main.(*\xC3\xA9t[int]).F\0a.b_1";
  layout out = {.shift = shift};
  put(&out, 0, 0x08010000FFFFFFF1, 8);
  put(&out, 8, 3, 8);
  put(&out, 32, NAMES, 8);
  put(&out, 40, UNITS, 8);
  put(&out, 64, FUNCTIONS, 8);
  memcpy(out.image + NAMES, names, sizeof names - 1);
  put_function(&out, 0, 0, 0);
  put_function(&out, 1, 1, 10);
  put_function(&out, 2, 3, 29);
  return out;
}

/* ---- The module ------------------------------------------------------------------ */

static void put_segment(wi_buffer *out, const uint8_t *image, size_t start, size_t end) {
  wi_buffer_u8(out, 0);
  wi_buffer_u8(out, 0x41);
  wi_buffer_s32(out, (int32_t)(ADDRESS + start));
  wi_buffer_u8(out, 0x0B);
  wi_buffer_u32(out, (uint32_t)(end - start));
  wi_buffer_append(out, image + start, end - start);
}

/* Leaves out eight zeros and more, as Go's linker does: `starts` and `ends` of what is left. */
static size_t part(const layout *in, size_t *starts, size_t *ends) {
  size_t count = 0, zeros = 8;
  for (size_t i = 0; i < SIZE; i++) {
    if (i == in->cut && i > 0 && zeros < 8) {
      ends[count - 1] = i;
      zeros = 8;
    }
    if (in->image[i] == 0 && i != in->cut) {
      zeros++;
      continue;
    }
    if (zeros >= 8)
      starts[count++] = i;
    zeros = 0;
    ends[count - 1] = i + 1;
  }
  return count;
}

static wi_buffer module_of(const layout *in) {
  size_t starts[SIZE], ends[SIZE], count = part(in, starts, ends);
  wi_buffer out = {0};
  wi_buffer_append(&out, BEGIN, sizeof BEGIN);
  wi_buffer_u8(&out, WI_SECTION_DATA);
  size_t section = wi_buffer_sized_begin(&out, SIZE);
  wi_buffer_u32(&out, (uint32_t)count);
  for (size_t i = 0; i < count; i++) {
    size_t at = in->is_backwards ? count - 1 - i : i;
    put_segment(&out, in->image, starts[at], ends[at]);
  }
  wi_buffer_sized_end(&out, section, SIZE);
  return out;
}

/* Whether names are found at all. They are those that are expected, where `all` is set. */
static bool has_names(wi_buffer bytes, bool all) {
  static const char *const expected[] = {"main.main", "main.(*\xC3\xA9t[int]).F", "func[3]",
                                         "a.b_1"};
  wi_module module;
  wi_buffer named;
  wi_error error;
  wi_error_reset(&error);
  assert_true(wi_module_read(&module, bytes.data, bytes.size, &error));
  assert_true(wi_go_names_complete(&module, &named, &error));
  bool found = wi_module_custom_section(&module, "name") != NULL;
  assert_int_equal(found, named.size > bytes.size);
  assert_ptr_equal(module.bytes, found ? named.data : bytes.data);
  wi_names *names = wi_names_read(bytes.data, bytes.size, &error);
  for (uint32_t i = 0; found && all && i < BODY_COUNT; i++)
    assert_string_equal(wi_names_get(names, 1 + i), expected[i]);
  wi_names_free(names);
  wi_module_clear(&module);
  wi_buffer_clear(&named);
  wi_buffer_clear(&bytes);
  return found;
}

static void all_forms(void **state) {
  for (unsigned i = 0; i < 4; i++) {
    layout table = make(i % 2 ? 16 : 0);
    table.is_backwards = i / 2;
    assert_true(has_names(module_of(&table), true));
  }
}

/* Numbers may be in two segments; names, which Go's linker never parts, are not put together. */
static void cut_anywhere(void **state) {
  for (size_t cut = 1; cut < SIZE; cut++) {
    layout table = make(0);
    table.cut = cut;
    bool in_names = cut > NAMES && cut < UNITS, in_magic = cut < 8;
    if (has_names(module_of(&table), true) == in_magic && !in_names)
      fail_msg("cut at %zu", cut);
  }
}

/* ---- What is damaged --------------------------------------------------------------- */

static void damaged(void **state) {
  static const struct {
    size_t at;
    uint64_t value;
    unsigned size;
  } cases[] = {
      {0, 0x08010000FFFFFFF0, 8},      /* of an older Go */
      {8, 0, 8},                       /* no function */
      {8, BODY_COUNT + 1, 8},          /* too many */
      {8, (uint64_t)1 << 32 | 3, 8},   /* the same */
      {32, UNITS, 8},                  /* no names */
      {40, FUNCTIONS, 8},              /* not before the table */
      {64, UINT32_MAX, 8},             /* behind all memory */
      {FUNCTIONS, 0x1001, 4},          /* begins with another */
      {FUNCTIONS + 4, 8, 4},           /* another's record */
      {FUNCTIONS + 12, UINT32_MAX, 4}, /* a record that is nowhere */
      {FUNCTIONS + 8 * 5 + 4, 64, 4},  /* a name behind the names */
      {FUNCTIONS + 8 * 5 + 4, UINT32_MAX, 4} /* a name before them */,
      {FUNCTIONS + 8 * 5 + 4, 9, 4},  /* a name that is empty */
      {FUNCTIONS + 8 * 5 + 4, 60, 4}, /* the same, where no segment is */
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    layout table = make(0);
    put(&table, cases[i].at, cases[i].value, cases[i].size);
    if (has_names(module_of(&table), false))
      fail_msg("names in spite of damage %zu", i);
  }
}

/* The same function twice, and one that the module has not. */
static void not_in_order(void **state) {
  for (unsigned body = 0; body <= BODY_COUNT; body += BODY_COUNT) {
    layout table = make(16);
    put_function(&table, 2, body, 29);
    assert_false(has_names(module_of(&table), false));
  }
}

/* An optimiser moves functions, or merges equal ones: Go's addresses are still indices of the table. */
static void moved(void **state) {
  static const struct {
    uint8_t elements[BODY_COUNT];
    const char *expected[BODY_COUNT];
  } cases[] = {
      {{4, 1, 3, 2}, {"main.(*\xC3\xA9t[int]).F", "a.b_1", "func[3]", "main.main"}},
      {{2, 1, 3, 2}, {"main.(*\xC3\xA9t[int]).F", "main.main", "func[3]", "func[4]"}},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    layout table = make(0);
    wi_buffer bytes = module_of(&table);
    memcpy(bytes.data + ELEMENTS, cases[i].elements, BODY_COUNT);
    wi_error error;
    wi_names *names = wi_names_read(bytes.data, bytes.size, &error);
    for (uint32_t k = 0; k < BODY_COUNT; k++)
      assert_string_equal(wi_names_get(names, 1 + k), cases[i].expected[k]);
    wi_names_free(names);
    wi_buffer_clear(&bytes);
  }
}

static void every_byte(void **state) {
  layout table = make(0);
  for (size_t i = 0; i < SIZE; i++)
    for (unsigned value = 0; value < 256; value += 15) {
      layout damaged = table;
      damaged.image[i] = (uint8_t)value;
      has_names(module_of(&damaged), false);
    }
}

/* Names of the linker's are replaced, those of what is not in the table stay, and without its mark nothing does. */
static void named_by_linker(void **state) {
  static const uint8_t mark[] = {
      WI_SECTION_CUSTOM, 11, 10, 'g', 'o', ':', 'b', 'u', 'i', 'l', 'd', 'i', 'd'};
  static const uint8_t section[] = {WI_SECTION_CUSTOM,
                                    20,
                                    4,
                                    'n',
                                    'a',
                                    'm',
                                    'e',
                                    1,
                                    13,
                                    3,
                                    1,
                                    1,
                                    'm',
                                    3,
                                    3,
                                    'a',
                                    's',
                                    'm',
                                    4,
                                    2,
                                    'a',
                                    'b'};
  layout table = make(0);
  for (unsigned is_marked = 0; is_marked < 2; is_marked++) {
    wi_buffer bytes = module_of(&table);
    wi_buffer_append(&bytes, section, sizeof section);
    if (is_marked)
      wi_buffer_append(&bytes, mark, sizeof mark);
    wi_error error;
    wi_names *names = wi_names_read(bytes.data, bytes.size, &error);
    assert_non_null(names);
    assert_string_equal(wi_names_get(names, 1), is_marked ? "main.main" : "m");
    assert_string_equal(wi_names_get(names, 3), "asm");
    assert_string_equal(wi_names_get(names, 4), is_marked ? "a.b_1" : "ab");
    wi_names_free(names);
    wi_buffer_clear(&bytes);
  }
}

static uint32_t line_of(const layout *table, char path[16]) {
  wi_buffer bytes = module_of(table);
  wi_error error;
  wi_places *places = wi_places_read(bytes.data, bytes.size, &error);
  assert_non_null(places);
  uint32_t line = 0;
  const char *found = wi_places_find(places, 1, &line);
  snprintf(path, 16, "%s", found ? found : "");
  wi_places_free(places);
  wi_buffer_clear(&bytes);
  return line;
}

/* Of one function, whose record has room behind it. */
static void places(void **state) {
  enum { UNIT_LIST = 160, FILES = 166, VALUES = 174, TABLE = 176, RECORD = 192 };
  char path[16];
  layout table = make(0);
  memset(table.image + UNITS, 0, SIZE - UNITS);
  put(&table, 8, 1, 8);
  put(&table, 48, FILES, 8);
  put(&table, 56, VALUES, 8);
  put(&table, 64, TABLE, 8);
  memcpy(table.image + FILES, "\0a/b.go", 7);
  put(&table, UNIT_LIST, 1, 4); /* the unit's first file */
  put(&table, VALUES, 2, 1);    /* from -1 to 0, as zigzag */
  put(&table, TABLE, WI_GO_TABLE_OFFSET, 4);
  put(&table, TABLE + 4, RECORD - TABLE, 4);
  put(&table, RECORD, WI_GO_TABLE_OFFSET, 4);
  put(&table, RECORD + 36, 1234, 4);
  assert_int_equal(line_of(&table, path), 1234);
  assert_string_equal(path, "a/b.go");
  put(&table, VALUES, 4, 1); /* the second file, whose place has no offset of a file */
  put(&table, UNIT_LIST + 4, UINT32_MAX, 4);
  assert_int_equal(line_of(&table, path), 0);
}

/* A module with two segments at one address, and one whose names are there already. */
static void other_modules(void **state) {
  layout table = make(0);
  wi_buffer twice = module_of(&table);
  static const uint8_t section[] = {WI_SECTION_CUSTOM, 5, 4, 'n', 'a', 'm', 'e'};
  wi_buffer named = module_of(&table);
  wi_buffer_append(&named, section, sizeof section);
  wi_module module;
  wi_error error;
  wi_error_reset(&error);
  assert_true(wi_module_read(&module, named.data, named.size, &error));
  wi_buffer added;
  assert_true(wi_go_names_complete(&module, &added, &error));
  assert_int_equal(added.size, 0);
  wi_module_clear(&module);
  wi_buffer_clear(&named);
  size_t count_at = sizeof BEGIN + 3; /* a section of more than 127 bytes */
  wi_buffer overlapping = {0};
  wi_buffer_append(&overlapping, BEGIN, sizeof BEGIN);
  wi_buffer_u8(&overlapping, WI_SECTION_DATA);
  size_t start = wi_buffer_sized_begin(&overlapping, SIZE);
  wi_buffer_u8(&overlapping, (uint8_t)(twice.data[count_at] + 1));
  put_segment(&overlapping, table.image, 0, 8);
  wi_buffer_append(&overlapping, twice.data + count_at + 1, twice.size - count_at - 1);
  wi_buffer_sized_end(&overlapping, start, SIZE);
  assert_false(has_names(overlapping, false));
  wi_buffer_clear(&twice);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_forms),       cmocka_unit_test(cut_anywhere),
      cmocka_unit_test(damaged),         cmocka_unit_test(not_in_order),
      cmocka_unit_test(every_byte),      cmocka_unit_test(other_modules),
      cmocka_unit_test(named_by_linker), cmocka_unit_test(places),
      cmocka_unit_test(moved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
