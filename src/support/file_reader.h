/* How a room that opens no files gets the ones it needs. */
#ifndef WI_SUPPORT_FILE_READER_H_
#define WI_SUPPORT_FILE_READER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WI_FILE_SIZE_LIMIT       UINT32_MAX          /* bytes: no module and no profile is larger */
#define WI_SOURCE_MAP_SIZE_LIMIT (UINT32_C(1) << 28) /* of one that a module names */

/*
 * Reads all of a regular file of at most `limit` bytes, which a module or a profile names. On
 * success *bytes is for the caller to free, never NULL; otherwise it returns false with errno set.
 */
typedef bool wi_file_reader(const char *path, uint64_t limit, uint8_t **bytes, size_t *size);

#endif /* WI_SUPPORT_FILE_READER_H_ */
