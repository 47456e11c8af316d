/* A module's static data by address: what constants in its code refer to. */
#ifndef WI_MATCH_DATA_IMAGE_H_
#define WI_MATCH_DATA_IMAGE_H_

#include "module/module.h"

typedef struct wi_data_part {
  uint32_t address;
  wi_span bytes; /* span of the module */
} wi_data_part;

/* Sorted by address. Zero it before use; clear it afterwards. */
typedef struct wi_data_image {
  const wi_module *module; /* borrowed */
  WI_ARRAY(wi_data_part, parts);
  uint32_t start, end; /* range of static data including zeroed data; empty if equal */
} wi_data_image;

/* Returns false if out of memory. Unreadable parts are skipped. */
bool wi_data_image_init(wi_data_image *image, const wi_module *module);
void wi_data_image_clear(wi_data_image *image);

/* Returns the bytes at the address, and their number in *size; NULL if no segment contains it. */
const uint8_t *wi_data_image_at(const wi_data_image *image, uint32_t address, uint32_t *size);

/* Whether it may be an address of static data. */
static inline bool wi_data_image_has(const wi_data_image *image, uint64_t address) {
  return address >= image->start && address < image->end;
}

enum { WI_STRING_MIN = 4, WI_STRING_MAX = 24 };

/*
 * Writes the text at the address, with one or two bytes per character, to `out`. Returns its
 * length, at most WI_STRING_MAX; 0 if there is no text of at least WI_STRING_MIN characters.
 */
uint32_t wi_data_image_string(const wi_data_image *image, uint32_t address,
                              char out[WI_STRING_MAX]);

/* Share of a's non-zero bytes that are equal in b at the same addresses. */
double wi_data_image_common(const wi_data_image *a, const wi_data_image *b);

#endif /* WI_MATCH_DATA_IMAGE_H_ */
