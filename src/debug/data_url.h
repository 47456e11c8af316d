/* data: URLs, which may hold a source map. */
#ifndef WI_DEBUG_DATA_URL_H_
#define WI_DEBUG_DATA_URL_H_

#include "support/buffer.h"

/*
 * Appends what the URL holds, in base64 or percent-encoded, and says which; *head_size is the size
 * of what stands in front of it. False where it is malformed.
 */
bool wi_data_url_decode(const uint8_t *url, uint32_t size, wi_buffer *out, bool *is_base64,
                        uint32_t *head_size);

#endif /* WI_DEBUG_DATA_URL_H_ */
