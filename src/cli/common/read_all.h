/* An open file, whole. */
#ifndef WI_CLI_COMMON_READ_ALL_H_
#define WI_CLI_COMMON_READ_ALL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WI_FILE_SIZE_LIMIT UINT32_MAX /* bytes: no module and no profile is larger */

/*
 * Reads from `file`, a descriptor, to its end. On success *bytes is for the caller to free, never
 * NULL. On failure it returns false with errno set: EFBIG past the limit, which a regular file
 * fails by its size, before it is read.
 */
bool wi_read_all(int file, uint8_t **bytes, size_t *size);

#endif /* WI_CLI_COMMON_READ_ALL_H_ */
