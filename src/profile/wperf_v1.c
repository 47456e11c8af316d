/* Reads .wperf files of version 1: a header, nodes and names. */
#include "profile/wperf_v1.h"

#include <stdlib.h>
#include <string.h>

#include "profile/wperf.h"

#define OFFSET_OF(field) offsetof(wasm_perf_header, field)

/* The header's fields after the magic, with their types in the file. */
#define HEADER_FIELDS(X)                                                                           \
  X(version, u32, 0)                                                                               \
  X(header_size, u32, 0)                                                                           \
  X(node_size, u32, 0)                                                                             \
  X(node_count, u32, 0)                                                                            \
  X(name_count, u32, 0)                                                                            \
  WASM_PERF_HEADER_FACTS(X)

static wasm_perf_header read_header(const uint8_t *bytes) {
  wasm_perf_header header;
  memcpy(header.magic, WASM_PERF_MAGIC, WI_WPERF_MAGIC_SIZE);
#define READ_FIELD(name, type, key) header.name = wi_wperf_##type(bytes + OFFSET_OF(name));
  HEADER_FIELDS(READ_FIELD)
#undef READ_FIELD
  return header;
}

static bool check_header(const wi_wperf_input *in, const wasm_perf_header *header) {
  if (header->header_size < sizeof(wasm_perf_header))
    return wi_wperf_fail(in, OFFSET_OF(header_size),
                         "the header has %u bytes, at least %zu are needed", header->header_size,
                         sizeof(wasm_perf_header));
  if (header->header_size > in->size)
    return wi_wperf_fail(in, in->size, "the file ends inside the header");
  if (header->node_size < sizeof(wasm_perf_node))
    return wi_wperf_fail(in, OFFSET_OF(node_size), "a node has %u bytes, at least %zu are needed",
                         header->node_size, sizeof(wasm_perf_node));
  if (header->node_count == 0)
    return wi_wperf_fail(in, OFFSET_OF(node_count), "there are no nodes: the root is missing");
  if (header->node_count > (in->size - header->header_size) / header->node_size)
    return wi_wperf_fail(in, in->size, "the file ends inside the nodes, of which there are %u",
                         header->node_count);
  if (wasm_perf_clock_is_time(header->clock) && header->ticks_per_second == 0)
    return wi_wperf_fail(in, OFFSET_OF(ticks_per_second), "the clock has no ticks");
  return true;
}

static size_t node_offset(const wasm_perf_header *header, uint32_t index) {
  return header->header_size + (size_t)index * header->node_size;
}

static bool check_nodes(const wi_wperf_input *in, const wasm_perf_header *header) {
  for (uint32_t i = 0; i < header->node_count; i++)
    if (!wi_wperf_check_node(in, node_offset(header, i), i))
      return false;
  return true;
}

/* Checks the names, which extend to the end of the file and must be as many as the header says. */
static bool check_names(const wi_wperf_input *in, const wasm_perf_header *header) {
  size_t offset = node_offset(header, header->node_count);
  uint32_t left = header->name_count;
  if (!wi_wperf_check_records(in, &offset, in->size, &left, 0, "name"))
    return false;
  if (left > 0)
    return wi_wperf_fail(in, in->size, "the file ends inside the names, of which there are %u",
                         header->name_count);
  return offset == in->size || wi_wperf_fail(in, offset, "there are bytes after the names");
}

static bool read_nodes(wasm_perf_profile *profile, const wi_wperf_input *in,
                       const wasm_perf_header *header) {
  profile->nodes = malloc(header->node_count * sizeof *profile->nodes);
  if (!profile->nodes)
    return false;
  for (uint32_t i = 0; i < header->node_count; i++) {
    const uint8_t *bytes = in->bytes + node_offset(header, i);
    profile->nodes[i] = (wasm_perf_node){
        .function = wi_wperf_u32(bytes + offsetof(wasm_perf_node, function)),
        .parent = wi_wperf_u32(bytes + offsetof(wasm_perf_node, parent)),
        .call_count = wi_wperf_u64(bytes + offsetof(wasm_perf_node, call_count)),
        .self = wi_wperf_u64(bytes + offsetof(wasm_perf_node, self)),
    };
  }
  return true;
}

static wasm_perf_profile *read_profile(const wi_wperf_input *in, const wasm_perf_header *header) {
  wasm_perf_profile *profile = calloc(1, sizeof *profile);
  size_t names = node_offset(header, header->node_count);
  if (profile) {
    profile->header = *header;
    profile->header.header_size = sizeof(wasm_perf_header);
    profile->header.node_size = sizeof(wasm_perf_node);
    profile->header.name_count = 0; /* names are added later */
    /* When such files were written, engines were always told not to inline. */
    profile->facts.uninlined = header->clock == WASM_PERF_CLOCK_SAMPLED;
    if (read_nodes(profile, in, header) &&
        wi_wperf_read_names(profile, in, (wi_wperf_span){names, in->size - names}))
      return profile;
  }
  wasm_perf_profile_free(profile);
  wi_wperf_fail(in, 0, "out of memory");
  return NULL;
}

wasm_perf_profile *wi_wperf_read_v1(const wi_wperf_input *in) {
  if (in->size < sizeof(wasm_perf_header)) {
    wi_wperf_fail(in, in->size, "the file ends inside the header");
    return NULL;
  }
  wasm_perf_header header = read_header(in->bytes);
  if (!check_header(in, &header) || !check_nodes(in, &header) || !check_names(in, &header))
    return NULL;
  return read_profile(in, &header);
}
