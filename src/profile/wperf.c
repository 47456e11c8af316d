/* Reading and writing .wperf files, see wasm_perf/format.h. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "support/utf8.h"
#include "wasm_perf/profile.h"

#define MAGIC_SIZE       sizeof((wasm_perf_header){0}.magic)
#define NAME_PREFIX_SIZE 8u /* function and length */
#define OFFSET_OF(field) offsetof(wasm_perf_header, field)

/* The header's fields behind the magic, with their types in the file. */
#define HEADER_FIELDS(X)                                                                           \
  X(version, u32)                                                                                  \
  X(header_size, u32)                                                                              \
  X(node_size, u32)                                                                                \
  X(node_count, u32)                                                                               \
  X(name_count, u32)                                                                               \
  X(clock, u32)                                                                                    \
  X(ticks_per_second, u64)                                                                         \
  X(folded_call_count, u64)                                                                        \
  X(unbalanced_count, u64)                                                                         \
  X(open_frame_count, u32)                                                                         \
  X(node_limit, u32)                                                                               \
  X(recursion, u32)                                                                                \
  X(host_function_count, u32)                                                                      \
  X(clock_read_count, u64)                                                                         \
  X(measured_time, u64)                                                                            \
  X(deviation, u64)                                                                                \
  X(host_time, u64)                                                                                \
  X(inner_hook_cost, u64)                                                                          \
  X(outer_hook_cost, u64)                                                                          \
  X(hook_cost_error, u64)                                                                          \
  X(function_count, u32)                                                                           \
  X(hooked_function_count, u32)

/* Bytes under inspection. What is read from them has been checked to be there. */
typedef struct input {
  const uint8_t *bytes;
  size_t size;
  wasm_perf_error *error;
} input;

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static bool
fail(const input *in, size_t offset, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  in->error->offset = offset;
  vsnprintf(in->error->message, sizeof in->error->message, format, arguments);
  va_end(arguments);
  return false;
}

static uint32_t read_u32(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

static uint64_t read_u64(const uint8_t *bytes) {
  return read_u32(bytes) | (uint64_t)read_u32(bytes + 4) << 32;
}

/* ---- Checking ----------------------------------------------------------- */

static bool check_start(const input *in) {
  if (in->size < MAGIC_SIZE || memcmp(in->bytes, WASM_PERF_MAGIC, MAGIC_SIZE) != 0)
    return fail(in, 0, "this is no .wperf file");
  if (in->size < OFFSET_OF(header_size))
    return fail(in, in->size, "the file ends inside the header");
  uint32_t version = read_u32(in->bytes + OFFSET_OF(version));
  if (version != WASM_PERF_VERSION)
    return fail(in, OFFSET_OF(version), "version %u is not supported, only %u", version,
                WASM_PERF_VERSION);
  if (in->size < sizeof(wasm_perf_header))
    return fail(in, in->size, "the file ends inside the header");
  return true;
}

static wasm_perf_header read_header(const uint8_t *bytes) {
  wasm_perf_header header;
  memcpy(header.magic, WASM_PERF_MAGIC, MAGIC_SIZE);
#define READ_FIELD(name, type) header.name = read_##type(bytes + OFFSET_OF(name));
  HEADER_FIELDS(READ_FIELD)
#undef READ_FIELD
  return header;
}

static bool check_header(const input *in, const wasm_perf_header *header) {
  if (header->header_size < sizeof(wasm_perf_header))
    return fail(in, OFFSET_OF(header_size), "the header has %u bytes, at least %zu are needed",
                header->header_size, sizeof(wasm_perf_header));
  if (header->header_size > in->size)
    return fail(in, in->size, "the file ends inside the header");
  if (header->node_size < sizeof(wasm_perf_node))
    return fail(in, OFFSET_OF(node_size), "a node has %u bytes, at least %zu are needed",
                header->node_size, sizeof(wasm_perf_node));
  if (header->node_count == 0)
    return fail(in, OFFSET_OF(node_count), "there are no nodes, not even the root");
  if (header->node_count > (in->size - header->header_size) / header->node_size)
    return fail(in, in->size, "the file ends inside the nodes, of which there are %u",
                header->node_count);
  if (wasm_perf_clock_is_time(header->clock) && header->ticks_per_second == 0)
    return fail(in, OFFSET_OF(ticks_per_second), "the clock has no ticks");
  return true;
}

static wasm_perf_node read_node(const uint8_t *bytes) {
  return (wasm_perf_node){
      .function = read_u32(bytes + offsetof(wasm_perf_node, function)),
      .parent = read_u32(bytes + offsetof(wasm_perf_node, parent)),
      .call_count = read_u64(bytes + offsetof(wasm_perf_node, call_count)),
      .self = read_u64(bytes + offsetof(wasm_perf_node, self)),
  };
}

static size_t node_offset(const wasm_perf_header *header, uint32_t index) {
  return header->header_size + (size_t)index * header->node_size;
}

static bool check_nodes(const input *in, const wasm_perf_header *header) {
  for (uint32_t i = 0; i < header->node_count; i++) {
    size_t offset = node_offset(header, i);
    wasm_perf_node node = read_node(in->bytes + offset);
    if ((node.function == WASM_PERF_FUNCTION_ROOT) != (i == 0))
      return fail(in, offset + offsetof(wasm_perf_node, function),
                  i == 0 ? "node %u is not the root" : "node %u is a second root", i);
    if (i == 0 ? node.parent != 0 : node.parent >= i)
      return fail(in, offset + offsetof(wasm_perf_node, parent),
                  "node %u has node %u as its parent", i, node.parent);
  }
  return true;
}

static bool check_name_text(const input *in, size_t offset, size_t size) {
  const uint8_t *text = in->bytes + offset;
  size_t bad = wi_utf8_check(text, size);
  if (bad < size)
    return fail(in, offset + bad, "a name is not valid UTF-8");
  const uint8_t *zero = memchr(text, 0, size);
  if (zero)
    return fail(in, (size_t)(zero - in->bytes), "a name has a zero byte");
  return true;
}

static bool check_names(const input *in, const wasm_perf_header *header) {
  size_t offset = node_offset(header, header->node_count);
  uint32_t previous = 0;
  for (uint32_t i = 0; i < header->name_count; i++) {
    if (in->size - offset < NAME_PREFIX_SIZE)
      return fail(in, in->size, "the file ends inside the names, of which there are %u",
                  header->name_count);
    uint32_t function = read_u32(in->bytes + offset);
    uint32_t size = read_u32(in->bytes + offset + 4);
    if (i > 0 && function <= previous)
      return fail(in, offset, "the name of function %u follows that of function %u", function,
                  previous);
    if (size > in->size - offset - NAME_PREFIX_SIZE)
      return fail(in, in->size, "the file ends inside the name of function %u", function);
    if (!check_name_text(in, offset + NAME_PREFIX_SIZE, size))
      return false;
    previous = function;
    offset += NAME_PREFIX_SIZE + size;
  }
  return offset == in->size || fail(in, offset, "something follows the names");
}

/* ---- Reading what has been checked -------------------------------------- */

static bool read_nodes(wasm_perf_profile *profile, const input *in,
                       const wasm_perf_header *header) {
  profile->nodes = malloc(header->node_count * sizeof *profile->nodes);
  if (!profile->nodes)
    return false;
  for (uint32_t i = 0; i < header->node_count; i++)
    profile->nodes[i] = read_node(in->bytes + node_offset(header, i));
  return true;
}

static bool read_names(wasm_perf_profile *profile, const input *in,
                       const wasm_perf_header *header) {
  const uint8_t *bytes = in->bytes + node_offset(header, header->node_count);
  for (uint32_t i = 0; i < header->name_count; i++) {
    uint32_t size = read_u32(bytes + 4);
    const char *text = (const char *)bytes + NAME_PREFIX_SIZE;
    if (!wasm_perf_profile_set_name_n(profile, read_u32(bytes), text, size))
      return false;
    bytes += NAME_PREFIX_SIZE + size;
  }
  return true;
}

static wasm_perf_profile *read_profile(const input *in, const wasm_perf_header *header) {
  wasm_perf_profile *profile = calloc(1, sizeof *profile);
  if (profile) {
    profile->header = *header;
    profile->header.header_size = sizeof(wasm_perf_header);
    profile->header.node_size = sizeof(wasm_perf_node);
    profile->header.name_count = 0; /* grows with the names */
    if (read_nodes(profile, in, header) && read_names(profile, in, header))
      return profile;
  }
  wasm_perf_profile_free(profile);
  fail(in, 0, "memory ran out");
  return NULL;
}

wasm_perf_profile *wasm_perf_profile_parse(const uint8_t *bytes, size_t size,
                                           wasm_perf_error *error) {
  input in = {bytes, size, error};
  if (!check_start(&in))
    return NULL;
  wasm_perf_header header = read_header(bytes);
  if (!check_header(&in, &header) || !check_nodes(&in, &header) || !check_names(&in, &header))
    return NULL;
  return read_profile(&in, &header);
}

/* ---- Writing ------------------------------------------------------------ */

static void put_u32(uint8_t *bytes, uint32_t value) {
  for (int i = 0; i < 4; i++)
    bytes[i] = (uint8_t)(value >> 8 * i);
}

static void put_u64(uint8_t *bytes, uint64_t value) {
  put_u32(bytes, (uint32_t)value);
  put_u32(bytes + 4, (uint32_t)(value >> 32));
}

/* In this version's form, whatever the one was that the header was read in. */
static void write_header(const wasm_perf_header *own, FILE *stream) {
  uint8_t bytes[sizeof(wasm_perf_header)];
  wasm_perf_header header = *own;
  header.version = WASM_PERF_VERSION;
  header.header_size = sizeof(wasm_perf_header);
  header.node_size = sizeof(wasm_perf_node);
  memcpy(bytes, WASM_PERF_MAGIC, MAGIC_SIZE);
#define WRITE_FIELD(name, type) put_##type(bytes + OFFSET_OF(name), header.name);
  HEADER_FIELDS(WRITE_FIELD)
#undef WRITE_FIELD
  fwrite(bytes, sizeof bytes, 1, stream);
}

static void write_node(const wasm_perf_node *node, FILE *stream) {
  uint8_t bytes[sizeof(wasm_perf_node)] = {0};
  put_u32(bytes + offsetof(wasm_perf_node, function), node->function);
  put_u32(bytes + offsetof(wasm_perf_node, parent), node->parent);
  put_u64(bytes + offsetof(wasm_perf_node, call_count), node->call_count);
  put_u64(bytes + offsetof(wasm_perf_node, self), node->self);
  fwrite(bytes, sizeof bytes, 1, stream);
}

static void write_name(const wasm_perf_name *name, FILE *stream) {
  uint8_t prefix[NAME_PREFIX_SIZE];
  size_t size = strlen(name->text);
  put_u32(prefix, name->function);
  put_u32(prefix + 4, (uint32_t)size);
  fwrite(prefix, sizeof prefix, 1, stream);
  fwrite(name->text, 1, size, stream);
}

bool wasm_perf_profile_write(const wasm_perf_profile *profile, FILE *stream) {
  write_header(&profile->header, stream);
  for (uint32_t i = 0; i < profile->header.node_count; i++)
    write_node(&profile->nodes[i], stream);
  for (uint32_t i = 0; i < profile->header.name_count; i++)
    write_name(&profile->names[i], stream);
  return fflush(stream) == 0 && !ferror(stream);
}
