#include "match/data_image.h"

#include <stdlib.h>
#include <string.h>

#include "code/data_segments.h"
#include "code/opcodes.h"
#include "code/scan_body.h"
#include "support/search.h"

/* Lower addresses are common as flags and small numbers, and linkers place no data there. */
enum { FIRST_ADDRESS = 256 };

static int compare_parts(const void *left, const void *right) {
  const wi_data_part *a = left, *b = right;
  return (a->address > b->address) - (a->address < b->address);
}

/* Zeroed data follows the segments; programs have at most half as much of it. */
static void set_bounds(wi_data_image *image) {
  if (image->parts_count == 0)
    return;
  wi_data_part last = image->parts[image->parts_count - 1];
  uint64_t end = (uint64_t)last.address + last.bytes.size;
  end += end / 2;
  image->start = image->parts[0].address > FIRST_ADDRESS ? image->parts[0].address : FIRST_ADDRESS;
  image->end = end < UINT32_MAX ? (uint32_t)end : UINT32_MAX;
}

/* ---- Passive segments -------------------------------------------------------------------- */

/* Passive segments by index, in the field `address`. */
typedef struct passive_segments {
  WI_ARRAY(wi_data_part, items);
} passive_segments;

/* The body of the start function; false if there is none. */
static bool find_start(const wi_module *module, uint32_t *body) {
  wi_error ignored;
  wi_error_reset(&ignored);
  for (uint32_t i = 0; i < module->sections_count; i++)
    if (module->sections[i].id == WI_SECTION_START) {
      wi_cursor cursor = wi_cursor_at(module->bytes, module->sections[i].payload, &ignored);
      *body = wi_cursor_u32(&cursor) - module->imports_count;
      return *body < module->bodies_count;
    }
  return false;
}

/* Whether the site is a memory.init whose three operands are constants right before it. */
static bool is_constant_copy(const wi_scan *scan, uint32_t index) {
  enum { OPERANDS = 3 };
  const wi_site *site = &scan->sites[index];
  if (index < OPERANDS || site->kind != WI_SITE_OPCODE ||
      site->value != WI_PREFIXED(PREFIX_FC, MEMORY_INIT))
    return false;
  for (const wi_site *operand = site - OPERANDS; operand < site; operand++)
    if (operand->kind != WI_SITE_OPCODE || operand->value != I32_CONST ||
        operand->offset + operand->size != operand[1].offset)
      return false;
  return true;
}

static uint32_t read_operand(const wi_module *module, const wi_site *site) {
  wi_error ignored;
  wi_cursor cursor = wi_site_operands(module, site, &ignored);
  return (uint32_t)wi_cursor_signed(&cursor, 32);
}

/* Adds what a constant memory.init copies to the first memory. */
static bool add_copy(wi_data_image *image, const wi_site *site, const passive_segments *passive) {
  wi_error ignored;
  wi_cursor cursor = wi_site_operands(image->module, site, &ignored);
  uint32_t index = wi_cursor_u32(&cursor), memory = wi_cursor_u32(&cursor);
  uint32_t at = WI_LOWER_BOUND(wi_data_part, passive->items, passive->items_count, address, index);
  bool is_known = at < passive->items_count && passive->items[at].address == index;
  uint32_t from = read_operand(image->module, site - 2);
  if (memory != 0 || !is_known || from > passive->items[at].bytes.size)
    return true;
  wi_span segment = passive->items[at].bytes;
  uint32_t size = read_operand(image->module, site - 1), left = segment.size - from;
  wi_data_part *part = WI_ARRAY_PUSH(image, parts);
  if (part)
    *part = (wi_data_part){read_operand(image->module, site - 3),
                           {segment.offset + from, size < left ? size : left}};
  return part != NULL;
}

/*
 * Modules with threads have passive segments, which the first thread copies: linkers make a start
 * function for that.
 */
static bool add_copies(wi_data_image *image, wi_scan *scan, const passive_segments *passive) {
  wi_error ignored;
  wi_scan_wants wants = {0};
  uint32_t body = 0;
  wi_error_reset(&ignored);
  wi_scan_want_opcode(&wants, I32_CONST);
  wi_scan_want_opcode(&wants, WI_PREFIXED(PREFIX_FC, MEMORY_INIT));
  if (passive->items_count == 0 || !find_start(image->module, &body) ||
      !wi_scan_body(scan, image->module, body, &wants, &ignored))
    return true;
  bool done = true;
  for (uint32_t i = 0; done && i < scan->sites_count; i++)
    done = !is_constant_copy(scan, i) || add_copy(image, &scan->sites[i], passive);
  return done;
}

/* ---- The image --------------------------------------------------------------------------- */

static bool add_segments(wi_data_image *image, wi_scan *scan, passive_segments *passive) {
  wi_data_segments segments = {.module = image->module, .scan = scan, .wants_passive = true};
  while (wi_data_segments_next(&segments)) {
    wi_data_part *part =
        segments.is_passive ? WI_ARRAY_PUSH(passive, items) : WI_ARRAY_PUSH(image, parts);
    uint32_t address = segments.is_passive ? segments.next - 1 : segments.address.offset;
    if (!part)
      return false;
    *part = (wi_data_part){address, segments.bytes};
  }
  return true;
}

bool wi_data_image_init(wi_data_image *image, const wi_module *module) {
  wi_scan scan = {0};
  passive_segments passive = {0};
  *image = (wi_data_image){.module = module};
  bool done = add_segments(image, &scan, &passive) && add_copies(image, &scan, &passive);
  free(passive.items);
  wi_scan_clear(&scan);
  if (image->parts_count > 0)
    qsort(image->parts, image->parts_count, sizeof *image->parts, compare_parts);
  set_bounds(image);
  return done;
}

void wi_data_image_clear(wi_data_image *image) {
  free(image->parts);
  *image = (wi_data_image){0};
}

const uint8_t *wi_data_image_at(const wi_data_image *image, uint32_t address, uint32_t *size) {
  uint32_t next = WI_LOWER_BOUND(wi_data_part, image->parts, image->parts_count, address,
                                 (uint64_t)address + 1);
  if (next == 0)
    return NULL;
  const wi_data_part *part = &image->parts[next - 1];
  uint32_t from = address - part->address;
  if (from >= part->bytes.size)
    return NULL;
  *size = part->bytes.size - from;
  return image->module->bytes + part->bytes.offset + from;
}

static bool is_printable(uint8_t byte) {
  return (byte >= ' ' && byte < 0x7f) || byte == '\n' || byte == '\t';
}

uint32_t wi_data_image_string(const wi_data_image *image, uint32_t address,
                              char out[WI_STRING_MAX]) {
  uint32_t size = 0, count = 0;
  const uint8_t *bytes = wi_data_image_at(image, address, &size);
  uint32_t step = size >= 2 && bytes && bytes[1] == 0 ? 2 : 1;
  for (uint32_t i = 0; bytes && i < size && count < WI_STRING_MAX; i += step) {
    if (!is_printable(bytes[i]) || (step == 2 && (i + 1 >= size || bytes[i + 1] != 0)))
      break;
    out[count++] = (char)bytes[i];
  }
  return count >= WI_STRING_MIN ? count : 0;
}

double wi_data_image_common(const wi_data_image *a, const wi_data_image *b) {
  enum { CHUNK = 16 };
  static const uint8_t zeros[CHUNK];
  uint64_t all = 0, equal = 0;
  for (uint32_t i = 0; i < a->parts_count; i++) {
    const wi_data_part *part = &a->parts[i];
    const uint8_t *bytes = a->module->bytes + part->bytes.offset;
    for (uint32_t at = 0; at + CHUNK <= part->bytes.size; at += CHUNK) {
      uint32_t size = 0;
      if (memcmp(bytes + at, zeros, CHUNK) == 0)
        continue;
      const uint8_t *other = wi_data_image_at(b, part->address + at, &size);
      all++;
      equal += other && size >= CHUNK && memcmp(bytes + at, other, CHUNK) == 0;
    }
  }
  return all > 0 ? (double)equal / (double)all : 0;
}
