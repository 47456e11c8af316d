/*
 * Guests: programs whose functions are interpreted, as Python's are. An interpreter keeps frames of
 * its own, in the program's memory; each has a node below that of the interpreter's function, as if
 * the interpreter had been compiled once for each function that it runs. Where frames are says
 * python.h.
 *
 * The interpreter's function calls guest_switch after each store of which frame is the current one,
 * where no other store can follow unseen, and goes on with the node that this returns: what it
 * calls from then on stands below.
 *
 * Where only the guest's functions are to be seen, the module's own have no nodes: callee_slot is
 * always the only slot of the node of the guest's function that runs, which says whose it is, and
 * what others count they count in that node.
 *
 * What is read of the program's memory may be anything: reads past its end give 0, chains are
 * followed for a bounded number of steps, and texts are cut.
 */
#include "runtime/embedded/python.h"

#include "runtime/embedded/file.h"
#include "runtime/embedded/table.h"
#include "runtime/embedded/tree.h"
#include "wasm_perf/format.h"

#define FIRST_CAPACITY 256u /* of tables and of the stack: powers of two */
#define MAX_CAPACITY   (1u << 20)
#define MAX_CHAIN      8u   /* frames that become current at once: the interpreter's, then one */
#define MAX_TEXT_SIZE  512u /* bytes of a name, or of a file's path */
#define NO_FUNCTION    0u

static embed_guest *described(void) {
  return (embed_guest *)embed_described(EMBED_FOLLOWER_python);
}

/* Made by the rewriter: a word of the program's first memory; 0 where that is not so large. */
uint32_t program_u32(uint32_t address);

static uint32_t program_u8(uint32_t address) {
  return program_u32(address & ~3u) >> 8 * (address & 3) & 0xff;
}

/* ---- Texts ----------------------------------------------------------------- */

typedef struct text {
  uint32_t size;
  unsigned char bytes[MAX_TEXT_SIZE];
} text;

static text name, file; /* of the function that is being looked up */

/* Appends a character as UTF-8. False: there is no room for it, or the text ends with it. */
static bool put_character(text *to, uint32_t character) {
  bool is_valid = character < 0x110000 && (character < 0xD800 || character > 0xDFFF);
  uint32_t c = is_valid ? character : 0xFFFD;
  uint32_t more = (uint32_t)((c >= 0x80) + (c >= 0x800) + (c >= 0x10000));
  static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
  if (c == 0 || to->size + more >= MAX_TEXT_SIZE)
    return false;
  to->bytes[to->size++] = (unsigned char)(leads[more] | c >> 6 * more);
  while (more-- > 0)
    to->bytes[to->size++] = (unsigned char)(0x80 | (c >> 6 * more & 0x3F));
  return true;
}

/* A character of 1, 2 or 4 bytes. */
static uint32_t read_character(uint32_t address, uint32_t width) {
  uint32_t word = program_u32(address & ~3u) >> 8 * (address & 3);
  return width == 4 ? word : word & ((1u << 8 * width) - 1);
}

/* Python's str: bits 2 to 4 of its state are the width, 5 that characters follow, 6 that all are
 * ASCII. */
static void read_text(text *to, uint32_t address) {
  const embed_guest *guest = described();
  uint32_t state = program_u32(address + guest->text_state);
  uint32_t length = program_u32(address + guest->text_length);
  uint32_t width = state >> 2 & 7;
  bool is_compact = state >> 5 & 1, is_ascii = state >> 6 & 1;
  to->size = 0;
  if (!is_compact || (width != 1 && width != 2 && width != 4))
    return;
  uint32_t at = address + (is_ascii ? guest->text_ascii : guest->text_wide);
  for (uint32_t i = 0; i < length; i++)
    if (!put_character(to, read_character(at + i * width, width)))
      return;
}

/* ---- The guest's functions, by name and place -------------------------------- */

typedef struct guest_function {
  uint32_t hash;
  uint32_t next; /* address of the one found after it; 0: it is the last */
  uint32_t line;
  uint32_t name_size;
  uint32_t file_size; /* the two texts follow */
} guest_function;

static uint32_t first_function, last_function; /* addresses */
static uint32_t names_size, places_size;       /* of the sections */

static unsigned char *texts_of(uint32_t address) {
  return (unsigned char *)(address + sizeof(guest_function));
}

static uint32_t hash_bytes(uint32_t hash, const text *of) {
  for (uint32_t i = 0; i < of->size; i++)
    hash = (hash ^ of->bytes[i]) * UINT32_C(0x01000193);
  return hash;
}

static bool is_same_text(const unsigned char *bytes, const text *of) {
  for (uint32_t i = 0; i < of->size; i++)
    if (bytes[i] != of->bytes[i])
      return false;
  return true;
}

/* In the table: a function that was found. */
typedef struct found_function {
  uint32_t address; /* 0: a free place */
  uint32_t function;
} found_function;

static uint32_t function_hash(const void *entry) {
  return ((const guest_function *)((const found_function *)entry)->address)->hash;
}

/* The texts looked for are those above. */
typedef struct function_key {
  uint32_t hash, line;
} function_key;

static bool is_found(const void *entry, const void *wanted) {
  const function_key *key = wanted;
  uint32_t address = ((const found_function *)entry)->address;
  const guest_function *of = (const guest_function *)address;
  return of->hash == key->hash && of->line == key->line && of->name_size == name.size &&
         of->file_size == file.size && is_same_text(texts_of(address), &name) &&
         is_same_text(texts_of(address) + name.size, &file);
}

static const embed_table_kind function_kind = {.entry_size = sizeof(found_function),
                                               .first_capacity = FIRST_CAPACITY,
                                               .max_capacity = MAX_CAPACITY,
                                               .hash = function_hash,
                                               .is = is_found};
static embed_table functions;

static void copy_text(unsigned char *to, const text *from) {
  for (uint32_t i = 0; i < from->size; i++)
    to[i] = from->bytes[i];
}

/* Keeps the function of name and file; 0: there is no room. */
static uint32_t keep_function(uint32_t hash, uint32_t line) {
  uint32_t size = (uint32_t)sizeof(guest_function) + name.size + file.size;
  uint32_t in_names = 2 * (uint32_t)sizeof(uint32_t) + name.size;
  uint32_t in_places = 3 * (uint32_t)sizeof(uint32_t) + file.size;
  uint32_t address = embed_allocate_gap(size, in_names + in_places);
  if (address == 0)
    return 0;
  *(guest_function *)address = (guest_function){hash, 0, line, name.size, file.size};
  copy_text(texts_of(address), &name);
  copy_text(texts_of(address) + name.size, &file);
  if (last_function != 0)
    ((guest_function *)last_function)->next = address;
  else
    first_function = address;
  last_function = address;
  names_size += in_names;
  places_size += file.size > 0 ? in_places : 0;
  return address;
}

static void set_text(text *to, const char *from) {
  for (to->size = 0; from[to->size] != 0; to->size++)
    to->bytes[to->size] = (unsigned char)from[to->size];
}

/* Which of the guest's functions has that name, file and line; the last where all are in use. */
static uint32_t find_function(uint32_t line) {
  const uint32_t last = EMBED_GUEST_FUNCTION_COUNT - 1;
  uint32_t number = described()->first_function;
  if (!embed_table_reserve(&functions, &function_kind))
    return number + last;
  const function_key key = {hash_bytes(hash_bytes(line, &name), &file), line};
  found_function *place = embed_table_place(&functions, &function_kind, key.hash, &key);
  if (place->address != 0)
    return place->function;
  if (functions.count > last)
    return number + last;
  if (functions.count == last) {
    set_text(&name, "(other functions)");
    file.size = 0;
  }
  uint32_t address = keep_function(key.hash, line);
  if (address == 0)
    return number + last;
  *place = (found_function){address, number + functions.count++};
  return place->function;
}

/* ---- Code ------------------------------------------------------------------ */

/* What stood at an address: another may come to stand there once it is freed. */
typedef struct code {
  uint32_t address; /* 0: a free place */
  uint32_t version;
  uint32_t name;
  uint32_t file;
  uint32_t line;
  uint32_t function;
} code;

static uint32_t code_hash(const void *entry) {
  uint32_t mixed = ((const code *)entry)->address * UINT32_C(0x9E3779B1);
  return mixed ^ mixed >> 16;
}

static bool is_at(const void *entry, const void *key) {
  return ((const code *)entry)->address == ((const code *)key)->address;
}

static const embed_table_kind code_kind = {.entry_size = sizeof(code),
                                           .first_capacity = FIRST_CAPACITY,
                                           .max_capacity = MAX_CAPACITY,
                                           .hash = code_hash,
                                           .is = is_at};
static embed_table codes;

static bool is_same_code(const code *a, const code *b) {
  return a->address == b->address && a->version == b->version && a->name == b->name &&
         a->file == b->file && a->line == b->line;
}

static uint32_t function_of_code(uint32_t address) {
  const embed_guest *guest = described();
  code now = {.address = address,
              .version = program_u32(address + guest->code_version),
              .name = program_u32(address + guest->code_name),
              .file = program_u32(address + guest->code_file),
              .line = program_u32(address + guest->code_line)};
  bool has_room = embed_table_reserve(&codes, &code_kind);
  code *place = has_room ? embed_table_place(&codes, &code_kind, code_hash(&now), &now) : NULL;
  if (place && is_same_code(place, &now))
    return place->function;
  read_text(&name, now.name);
  read_text(&file, now.file);
  now.function = find_function(now.line);
  if (place) {
    codes.count += place->address == 0;
    *place = now;
  }
  return now.function;
}

/* ---- Frames ---------------------------------------------------------------- */

/* The current frame, and those that it will return to; `node` is that in which it runs. */
typedef struct frame {
  uint32_t address;
  uint32_t node;
} frame;

static uint32_t stack; /* address of the outermost, 0: none yet */
static uint32_t stack_capacity, depth;

static frame *frame_at(uint32_t index) {
  return (frame *)stack + index;
}

/*
 * The function that runs in the frame. NO_FUNCTION: it is the interpreter's own, or a generator is
 * only made there.
 */
static uint32_t function_of_frame(uint32_t address) {
  const embed_guest *guest = described();
  uint32_t owner = program_u8(address + guest->frame_owner);
  uint32_t runs = program_u32(address + guest->frame_code) & ~3u;
  if (address == 0 || runs == 0 || owner >= guest->owner_none)
    return NO_FUNCTION;
  uint32_t flags = program_u32(runs + guest->code_flags);
  bool makes_generator = (flags & guest->flags_generator) && owner != guest->owner_generator;
  return (flags & guest->flags_hidden) || makes_generator ? NO_FUNCTION : function_of_code(runs);
}

static bool grow_stack(void) {
  uint32_t capacity = stack_capacity == 0 ? FIRST_CAPACITY : 2 * stack_capacity;
  uint32_t size = capacity * (uint32_t)sizeof(frame);
  uint32_t larger = capacity <= MAX_CAPACITY ? embed_allocate_gap(size, 0) : 0;
  if (larger == 0)
    return false;
  for (uint32_t i = 0; i < depth; i++)
    ((frame *)larger)[i] = *frame_at(i);
  stack = larger;
  stack_capacity = capacity;
  return true;
}

/* Where there is no room the outer ones are forgotten, to be found again by settle. */
static void push(uint32_t address, uint32_t node) {
  if (depth == stack_capacity && !grow_stack())
    depth = 0;
  if (stack != 0)
    *frame_at(depth++) = (frame){address, node};
}

/*
 * Makes the frame the current one, though how it became that was not seen: control is back on
 * another stack. Nothing was called; `node` is where the interpreter is.
 */
static void settle(uint32_t address, uint32_t node) {
  for (uint32_t i = depth; i-- > 0;) {
    if (frame_at(i)->address == address) {
      depth = i + 1;
      return;
    }
  }
  depth = 0;
  uint32_t function = function_of_frame(address);
  uint32_t known = function != NO_FUNCTION ? embed_find_outwards(node, function) : 0;
  push(address, known != 0 ? known : node);
}

/*
 * Pushes the frames from the current one to that of `address`, which is called unless it only goes
 * on; false: it does not lead back to the current one.
 */
static bool enter(uint32_t address, uint32_t node, bool is_call) {
  const embed_guest *guest = described();
  if (depth == 0)
    return false;
  uint32_t chain[MAX_CHAIN], count = 0, caller = frame_at(depth - 1)->address;
  uint32_t at = address;
  for (; at != caller && at != 0 && count < MAX_CHAIN; count++) {
    chain[count] = at;
    at = program_u32(at + guest->frame_previous);
  }
  if (at != caller)
    return false;
  while (count-- > 0) {
    uint32_t function = function_of_frame(chain[count]);
    if (function != NO_FUNCTION)
      node = embed_child(node, function, true);
    if (function != NO_FUNCTION && count == 0 && is_call)
      embed_node_at(node)->calls++;
    push(chain[count], node);
  }
  return true;
}

/*
 * The frame is the current one, which was not seen: the program has another stack, or made a
 * generator that delegates current, to throw into the one that it delegates to. Returns the node of
 * who calls.
 */
static uint32_t catch_up(uint32_t address, uint32_t node) {
  if (enter(address, node, false))
    return frame_at(depth - 1)->node;
  settle(address, node);
  return node;
}

/*
 * After another frame became the current one than `before`, while the interpreter runs in `node`.
 * Returns the node in which it goes on.
 */
EMBED_EXPORT(guest_switch) uint32_t embed_guest_switch(uint32_t before, uint32_t node) {
  const embed_guest *guest = described();
  uint32_t address = program_u32(guest->cell);
  if (depth == 0 || frame_at(depth - 1)->address != before)
    node = catch_up(before, node);
  if (depth >= 2 && frame_at(depth - 2)->address == address)
    depth--;
  else if (!enter(address, node, true))
    settle(address, node);
  if (depth > 0)
    node = frame_at(depth - 1)->node;
  if (guest->is_alone)
    embed_set_callee_slot(node + embed_configuration()->slots_offset);
  return node;
}

/* The interpreter, which has its state there, is entered while its thread is not known. */
EMBED_EXPORT(guest_begin) void embed_guest_begin(uint32_t root) {
  embed_guest *guest = described();
  uint32_t interpreter = program_u32(root + guest->first_interpreter);
  if (interpreter != 0)
    guest->thread = program_u32(interpreter + guest->first_thread);
  if (guest->thread != 0)
    guest->cell = guest->thread + guest->current_frame;
}

/* ---- The file ---------------------------------------------------------------- */

EMBED_EXPORT(python_names_size) uint32_t embed_python_names_size(void) {
  return names_size;
}

EMBED_EXPORT(python_sections_size) uint64_t embed_python_sections_size(void) {
  return SECTION_HEAD_SIZE + embed_aligned(places_size);
}

EMBED_EXPORT(python_put_names) void embed_python_put_names(void) {
  uint32_t number = described()->first_function;
  for (uint32_t at = first_function; at != 0; at = ((const guest_function *)at)->next) {
    const guest_function *of = (const guest_function *)at;
    embed_put_u32(number++);
    embed_put_u32(of->name_size);
    embed_put_text(texts_of(at), of->name_size);
  }
}

EMBED_EXPORT(python_put_sections) void embed_python_put_sections(void) {
  if (places_size == 0)
    return;
  embed_put_section(WASM_PERF_SECTION_PLACES, places_size);
  uint32_t number = described()->first_function;
  for (uint32_t at = first_function; at != 0; at = ((const guest_function *)at)->next, number++) {
    const guest_function *of = (const guest_function *)at;
    if (of->file_size == 0)
      continue;
    embed_put_u32(number);
    embed_put_u32(of->line);
    embed_put_u32(of->file_size);
    embed_put_text(texts_of(at) + of->name_size, of->file_size);
  }
  embed_put_padding();
}
