/* Numbers in the mappings of source maps. */
#ifndef WI_DEBUG_SOURCE_MAP_NUMBER_H_
#define WI_DEBUG_SOURCE_MAP_NUMBER_H_

#include "support/cursor.h"

/* Reads a base64 VLQ of up to 54 bits including the sign. */
int64_t wi_source_map_number(wi_cursor *in);

#endif /* WI_DEBUG_SOURCE_MAP_NUMBER_H_ */
