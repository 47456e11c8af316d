/*
 * Any bytes as the memory of a program that is interpreted, and what happens in it: frames become
 * current, words change, memory is short. The runtime's own source is compiled here, with a tree in
 * its place.
 *
 * Whatever it reads, the frame that is current is on top of its stack, it asks for nodes of its own
 * functions alone, and what it says of them in the file has the size that it said, and is UTF-8.
 */
#include <string.h>
#include <sys/mman.h>

#include "fuzz.h"
#include "runtime/embedded/python.c"
#include "runtime/embedded/table.c"
#include "support/utf8.h"

enum { PROGRAM_SIZE = 1 << 16, ARENA_SIZE = 1 << 22, NODE_COUNT = 4096, FIRST_FUNCTION = 100 };

/* ---- What the runtime has around it -------------------------------------------- */

/* At addresses of 32 bits. */
typedef struct arena {
  embed_config config;
  embed_guest guest;
  embed_node nodes[NODE_COUNT];
  uint32_t node_count;
  unsigned char gaps[ARENA_SIZE];
} arena;

static arena *own;
static uint32_t used, room; /* of the gaps, in bytes */
static unsigned char program[PROGRAM_SIZE];
static unsigned char written[ARENA_SIZE];
static uint32_t written_size;

uint32_t program_u32(uint32_t address) {
  uint32_t word = 0;
  if (address <= PROGRAM_SIZE - sizeof word)
    memcpy(&word, program + address, sizeof word);
  return word;
}

static void set_program_u32(uint32_t address, uint32_t word) {
  if (address <= PROGRAM_SIZE - sizeof word)
    memcpy(program + address, &word, sizeof word);
}

const embed_config *embed_configuration(void) {
  return &own->config;
}

static uint32_t address_of(const void *at) {
  return (uint32_t)(uintptr_t)at;
}

uint32_t embed_allocate_gap(uint32_t size, uint32_t in_file) {
  (void)in_file;
  uint32_t at = used;
  if (size > room - used)
    return 0;
  used += embed_aligned(size);
  return address_of(own->gaps + at);
}

static bool is_node(uint32_t address) {
  uint32_t first = address_of(own->nodes), offset = address - first;
  return address >= first && offset % sizeof *own->nodes == 0 &&
         offset / sizeof *own->nodes < own->node_count;
}

static bool is_function(uint32_t function) {
  return function >= FIRST_FUNCTION && function < FIRST_FUNCTION + EMBED_GUEST_FUNCTION_COUNT;
}

/* Past the limit all is one node, as it is in the tree. */
uint32_t embed_child(uint32_t parent, uint32_t function) {
  CHECK(is_node(parent) && is_function(function));
  uint32_t last = own->node_count == NODE_COUNT;
  for (uint32_t i = own->node_count - last; i < own->node_count; i++)
    if (last || (own->nodes[i].parent == parent && own->nodes[i].function == function))
      return address_of(&own->nodes[i]);
  own->nodes[own->node_count] = (embed_node){function, parent, 0};
  return address_of(&own->nodes[own->node_count++]);
}

uint32_t embed_find_outwards(uint32_t from, uint32_t function) {
  CHECK(is_node(from) && is_function(function));
  for (; from != 0; from = embed_parent_of(from))
    if (embed_node_at(from)->function == function)
      return from;
  return 0;
}

void embed_set_callee_slot(uint32_t slot) {
  CHECK(is_node(slot - own->config.slots_offset));
}

void embed_put_text(const void *bytes, uint32_t size) {
  CHECK(size <= MAX_TEXT_SIZE && wi_utf8_check(bytes, size) == size);
  memcpy(written + written_size, bytes, size);
  written_size += size;
}

void embed_put_u32(uint32_t value) {
  memcpy(written + written_size, &value, sizeof value);
  written_size += (uint32_t)sizeof value;
}

void embed_put_section(uint32_t id, uint32_t size) {
  CHECK(id == WASM_PERF_SECTION_PLACES && size == places_size);
  written_size += SECTION_HEAD_SIZE;
}

void embed_put_padding(void) {
  written_size = embed_aligned(written_size);
}

/* ---- A run ------------------------------------------------------------------------- */

typedef struct input {
  const uint8_t *at, *end;
} input;

static uint8_t next(input *in) {
  return in->at < in->end ? *in->at++ : 0;
}

static uint32_t next_address(input *in) {
  uint32_t low = next(in);
  return (low | (uint32_t)next(in) << 8) % PROGRAM_SIZE;
}

/* Where fields are, unless the input moves them. */
static void describe(input *in) {
  static const embed_guest usual = {.current_frame = 4,
                                    .frame_code = 4,
                                    .frame_owner = 8,
                                    .code_version = 4,
                                    .code_name = 8,
                                    .code_file = 12,
                                    .code_line = 16,
                                    .text_length = 4,
                                    .text_ascii = 8,
                                    .text_wide = 12,
                                    .owner_generator = 1,
                                    .owner_none = 3,
                                    .flags_generator = 0x20,
                                    .flags_hidden = 0x2000000,
                                    .first_function = FIRST_FUNCTION};
  own->guest = usual;
  uint32_t *words = (uint32_t *)&own->guest;
  for (uint32_t moved = next(in) % 4; moved > 0; moved--)
    words[next(in) % (offsetof(embed_guest, first_function) / sizeof *words)] = next_address(in);
  own->guest.is_alone = next(in) % 2;
}

static void begin(input *in) {
  if (!own)
    own = mmap(NULL, sizeof *own, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT,
               -1, 0);
  CHECK(own != MAP_FAILED);
  own->config = (embed_config){.slots_offset = 16,
                               .described = {[EMBED_FOLLOWER_python] = address_of(&own->guest)}};
  own->nodes[0] = (embed_node){0};
  own->node_count = 1;
  used = written_size = 0;
  functions = codes = (embed_table){0};
  first_function = last_function = names_size = places_size = stack = stack_capacity = depth = 0;
  memset(program, 0, sizeof program);
  describe(in);
  room = next(in) % 4 ? ARENA_SIZE : 1024u * next(in);
}

/* The interpreter makes a frame the current one, where it runs in that node. */
static uint32_t make_current(uint32_t address, uint32_t node) {
  uint32_t cell = own->guest.cell, before = program_u32(cell);
  if (cell > PROGRAM_SIZE - sizeof before)
    return node;
  set_program_u32(cell, address);
  node = embed_guest_switch(before, node);
  CHECK(is_node(node) && depth <= stack_capacity);
  CHECK(stack == 0 || (depth > 0 && frame_at(depth - 1)->address == address &&
                       frame_at(depth - 1)->node == node));
  return node;
}

/* A function's code, its name and its file. */
static void put_code(input *in, uint32_t at) {
  const embed_guest *guest = &own->guest;
  uint32_t words = next_address(in), state = next(in);
  set_program_u32(at + guest->code_flags, next(in));
  set_program_u32(at + guest->code_version, next(in));
  set_program_u32(at + guest->code_line, next(in));
  set_program_u32(at + guest->code_name, words);
  set_program_u32(at + guest->code_file, next(in) % 2 ? words : at);
  set_program_u32(words + guest->text_state, 0x20 | (state & 0x40) | 4u << state % 3);
  set_program_u32(words + guest->text_length, state & 0x80 ? next_address(in) : next(in));
}

/* A frame that is entered from the current one. */
static uint32_t enter_frame(uint32_t at, uint32_t runs, uint32_t owner, uint32_t node) {
  const embed_guest *guest = &own->guest;
  set_program_u32(at + guest->frame_previous, program_u32(guest->cell));
  set_program_u32(at + guest->frame_code, runs);
  set_program_u32(at + guest->frame_owner, owner);
  return make_current(at, node);
}

/* So many of them, in turn at some places. */
static uint32_t enter_frames(input *in, uint32_t at, uint32_t node) {
  uint32_t runs = next_address(in), owner = next(in);
  uint32_t count = 1 + next(in) * (owner & 0x80 ? 4u : 0u);
  for (uint32_t i = 0; i < count; i++)
    node = enter_frame(at + i % 5 * 16, runs, owner % 5, node);
  return node;
}

static void run(input *in) {
  uint32_t node = address_of(&own->nodes[0]);
  embed_guest_begin(next_address(in));
  while (in->at < in->end) {
    uint8_t what = next(in);
    uint32_t address = next_address(in);
    switch (what % 8) {
    case 0: node = enter_frames(in, address, node); break;
    case 1: put_code(in, address); break;
    case 2:
      node =
          make_current(program_u32(program_u32(own->guest.cell) + own->guest.frame_previous), node);
      break;
    case 3: node = make_current(address, node); break;
    case 4: node = address_of(&own->nodes[address % own->node_count]); break;
    case 5: embed_guest_begin(address); break;
    case 6: memset(program + address, next(in), (PROGRAM_SIZE - address) / (1 + next(in))); break;
    default:
      set_program_u32(address, next_address(in) | (what & 0x80 ? next_address(in) << 16 : 0));
    }
  }
}

static void check_file(void) {
  CHECK(functions.count <= EMBED_GUEST_FUNCTION_COUNT);
  written_size = 0;
  embed_python_put_names();
  CHECK(written_size == embed_python_names_size());
  written_size = 0;
  embed_python_put_sections();
  CHECK(written_size == 0 || written_size == embed_python_sections_size());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {data, data + size};
  begin(&in);
  uint32_t bytes = next(&in);
  for (uint32_t i = 0; i < bytes; i++)
    program[i] = next(&in);
  run(&in);
  check_file();
  return 0;
}
