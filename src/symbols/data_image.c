#include "symbols/data_image.h"

#include <stdlib.h>
#include <string.h>

#include "code/data_segments.h"
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

bool wi_data_image_init(wi_data_image *image, const wi_module *module) {
  wi_scan scan = {0};
  wi_data_segments segments = {.module = module, .scan = &scan};
  *image = (wi_data_image){.module = module};
  bool done = true;
  while (done && wi_data_segments_next(&segments)) {
    wi_data_part *part = WI_ARRAY_PUSH(image, parts);
    if ((done = part != NULL))
      *part = (wi_data_part){segments.address.offset, segments.bytes};
  }
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
