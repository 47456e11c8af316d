/*
 * Updates source maps (ECMA-426), plain or indexed: the columns of line 0 are offsets in the whole
 * file and are mapped. Everything else stays byte for byte.
 */
#ifndef WI_REWRITE_DEBUG_SOURCE_MAP_H_
#define WI_REWRITE_DEBUG_SOURCE_MAP_H_

#include "rewrite/offset_map.h"

/*
 * Appends the map of `size` bytes at `text` with mapped offsets. Returns false with *error filled
 * in if it is malformed; error offsets are relative to `text`.
 */
bool wi_source_map_rewrite(const uint8_t *text, uint32_t size, const wi_offset_map *offsets,
                           wi_buffer *out, wi_error *error);

/* Same for a data: URL with a map; also fails unless its contents are base64 or percent-encoded. */
bool wi_source_map_rewrite_url(const uint8_t *url, uint32_t size, const wi_offset_map *offsets,
                               wi_buffer *out, wi_error *error);

#endif /* WI_REWRITE_DEBUG_SOURCE_MAP_H_ */
