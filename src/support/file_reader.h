/* How rooms that open no files themselves get the files they need. */
#ifndef WI_SUPPORT_FILE_READER_H_
#define WI_SUPPORT_FILE_READER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WI_FILE_SIZE_LIMIT       UINT32_MAX          /* bytes: no module or profile is larger */
#define WI_SOURCE_MAP_SIZE_LIMIT (UINT32_C(1) << 28) /* of a source map that a module refers to */

/*
 * Reads a regular file of at most `limit` bytes, named by a module or profile. On success, *bytes
 * is not NULL and the caller frees it. On failure, returns false with errno set.
 */
typedef bool wi_file_reader(const char *path, uint64_t limit, uint8_t **bytes, size_t *size);

#endif /* WI_SUPPORT_FILE_READER_H_ */
