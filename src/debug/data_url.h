/* Decodes data: URLs, which may contain a source map. */
#ifndef WI_DEBUG_DATA_URL_H_
#define WI_DEBUG_DATA_URL_H_

#include "support/buffer.h"

/*
 * Appends the decoded contents of the URL. *is_base64 tells base64 from percent-encoding;
 * *head_size is the size of everything before the data. Returns false if the URL is malformed.
 */
bool wi_data_url_decode(const uint8_t *url, uint32_t size, wi_buffer *out, bool *is_base64,
                        uint32_t *head_size);

#endif /* WI_DEBUG_DATA_URL_H_ */
