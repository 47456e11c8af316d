/*
 * Source maps (ECMA-426), plain or indexed: the columns of line 0, which are offsets in the whole
 * file, are brought up to date. All else stays byte for byte.
 */
#ifndef WI_REWRITE_DEBUG_SOURCE_MAP_H_
#define WI_REWRITE_DEBUG_SOURCE_MAP_H_

#include "rewrite/offset_map.h"

/*
 * Appends the map of `size` bytes at `text` with its offsets moved. False, with *error filled in
 * (offsets count from `text`), where it is malformed.
 */
bool wi_source_map_rewrite(const uint8_t *text, uint32_t size, const wi_offset_map *offsets,
                           wi_buffer *out, wi_error *error);

/* The same for a data: URL that holds one; false also where it is none in base64 or plain text. */
bool wi_source_map_rewrite_url(const uint8_t *url, uint32_t size, const wi_offset_map *offsets,
                               wi_buffer *out, wi_error *error);

#endif /* WI_REWRITE_DEBUG_SOURCE_MAP_H_ */
