#include "cli/common/file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/large.h"

enum { FIRST_CAPACITY = 65536 };

/*
 * A capacity for the whole file, and to see its end without growing; 0 with errno set if it is too
 * large.
 */
static size_t capacity_for(int file, uint64_t limit) {
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0)
    return FIRST_CAPACITY;
  if ((uint64_t)status.st_size > limit || (uint64_t)status.st_size >= SIZE_MAX) {
    errno = EFBIG;
    return 0;
  }
  return (size_t)status.st_size + 1;
}

static bool grow(uint8_t **data, size_t *capacity) {
  uint8_t *larger = *capacity <= SIZE_MAX / 2 ? realloc(*data, *capacity * 2) : NULL;
  if (!larger) {
    errno = ENOMEM;
    return false;
  }
  *data = larger;
  *capacity *= 2;
  return true;
}

static bool read_all(int file, uint64_t limit, uint8_t **bytes, size_t *size) {
  size_t capacity = capacity_for(file, limit), used = 0;
  uint8_t *data = capacity > 0 ? wi_large_alloc(capacity) : NULL;
  while (data) {
    ssize_t got = read(file, data + used, capacity - used);
    if (got == 0) {
      *bytes = data;
      *size = used;
      return true;
    }
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      break;
    used += (size_t)got;
    if ((uint64_t)used > limit) {
      errno = EFBIG;
      break;
    }
    if (used == capacity && !grow(&data, &capacity))
      break;
  }
  free(data);
  return false;
}

/* Closes `file` unless it is standard input. */
static bool read_and_close(int file, uint64_t limit, uint8_t **bytes, size_t *size) {
  if (file < 0)
    return false;
  bool done = read_all(file, limit, bytes, size);
  int saved = errno;
  if (file != STDIN_FILENO)
    close(file);
  errno = saved;
  return done;
}

bool wi_file_read(const char *path, uint8_t **bytes, size_t *size) {
  return read_and_close(wi_file_open(path), WI_FILE_SIZE_LIMIT, bytes, size);
}

bool wi_file_read_regular(const char *path, uint64_t limit, uint8_t **bytes, size_t *size) {
  return read_and_close(wi_file_open_regular(path), limit, bytes, size);
}

bool wi_file_write(const char *path, const uint8_t *bytes, size_t size) {
  wi_file_output output;
  if (!wi_file_output_open(&output, path))
    return false;
  return wi_file_output_close(&output, fwrite(bytes, 1, size, output.stream) == size);
}
