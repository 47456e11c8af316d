/* Static data of a module by address: what the constants in its code refer to. */
#ifndef WI_SYMBOLS_DATA_IMAGE_H_
#define WI_SYMBOLS_DATA_IMAGE_H_

#include "module/module.h"

typedef struct wi_data_part {
  uint32_t address;
  wi_span bytes; /* of the module */
} wi_data_part;

/* In order of addresses. Zero it before, clear it after. */
typedef struct wi_data_image {
  const wi_module *module; /* borrowed */
  WI_ARRAY(wi_data_part, parts);
  uint32_t start, end; /* addresses of static data, zeroed data included; equal: there is none */
} wi_data_image;

/* False when memory ran out. What cannot be read is left out. */
bool wi_data_image_init(wi_data_image *image, const wi_module *module);
void wi_data_image_clear(wi_data_image *image);

/* Bytes at the address, and in *size how many; NULL: no segment has any there. */
const uint8_t *wi_data_image_at(const wi_data_image *image, uint32_t address, uint32_t *size);

/* Whether it may be an address of static data. */
static inline bool wi_data_image_has(const wi_data_image *image, uint64_t address) {
  return address >= image->start && address < image->end;
}

enum { WI_STRING_MIN = 4, WI_STRING_MAX = 24 };

/*
 * The text at the address, of one or two bytes a character: how many characters, at most
 * WI_STRING_MAX, were written to `out`; 0: there is no text of WI_STRING_MIN or more.
 */
uint32_t wi_data_image_string(const wi_data_image *image, uint32_t address,
                              char out[WI_STRING_MAX]);

/* The share of a's bytes other than zeros that b has at the same addresses. */
double wi_data_image_common(const wi_data_image *a, const wi_data_image *b);

#endif /* WI_SYMBOLS_DATA_IMAGE_H_ */
