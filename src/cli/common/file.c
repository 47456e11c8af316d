#include "cli/common/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Reading ------------------------------------------------------------ */

static bool read_all(int file, uint8_t **bytes, size_t *size) {
  struct stat status;
  size_t capacity = 65536;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    capacity = (size_t)status.st_size + 1; /* room to see the end without growing */
  uint8_t *data = malloc(capacity);
  size_t used = 0;
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
    if (used == capacity) {
      capacity *= 2;
      uint8_t *larger = realloc(data, capacity);
      if (!larger)
        break;
      data = larger;
    }
  }
  free(data);
  return false;
}

bool wi_file_read(const char *path, uint8_t **bytes, size_t *size) {
  if (strcmp(path, "-") == 0)
    return read_all(STDIN_FILENO, bytes, size);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  bool done = read_all(file, bytes, size);
  int saved = errno;
  close(file);
  errno = saved;
  return done;
}

/* Maps a regular file that is not empty; false where `path` is something else. */
static bool map_file(wi_file_input *input, const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  void *bytes = MAP_FAILED;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  close(file);
  if (bytes == MAP_FAILED)
    return false;
  *input = (wi_file_input){bytes, (size_t)status.st_size, true, 0};
  return true;
}

bool wi_file_input_open(wi_file_input *input, const char *path) {
  if (strcmp(path, "-") != 0 && map_file(input, path))
    return true;
  uint8_t *bytes;
  size_t size;
  if (!wi_file_read(path, &bytes, &size))
    return false;
  *input = (wi_file_input){bytes, size, false, 0};
  return true;
}

void wi_file_input_pass(wi_file_input *input, size_t size) {
  size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
  size_t end = size / page_size * page_size;
  if (!input->mapped || end <= input->passed)
    return;
  madvise((void *)(input->bytes + input->passed), end - input->passed, MADV_DONTNEED);
  input->passed = end;
}

void wi_file_input_close(wi_file_input *input) {
  if (input->mapped)
    munmap((void *)input->bytes, input->size);
  else
    free((void *)input->bytes);
  *input = (wi_file_input){0};
}

/* ---- Writing ------------------------------------------------------------ */

/* The mode of a file that is replaced, else what the process gives new files. */
static mode_t mode_for(const char *path) {
  struct stat status;
  if (stat(path, &status) == 0)
    return status.st_mode & 07777;
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

static bool is_special(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static bool open_temporary(wi_file_output *output, const char *path) {
  output->target = realpath(path, NULL);
  if (!output->target)
    output->target = strdup(path);
  if (!output->target)
    return false;
  int file = wi_temporary_file(&output->temporary, output->target);
  if (file < 0)
    return false;
  output->stream = fdopen(file, "wb");
  if (output->stream && fchmod(file, mode_for(output->target)) == 0)
    return true;
  if (!output->stream)
    close(file);
  return false;
}

/* Ends it; what is still temporary is not kept. errno stays. */
static void discard(wi_file_output *output) {
  int saved = errno;
  if (output->stream && output->stream != stdout)
    fclose(output->stream);
  wi_temporary_remove(&output->temporary);
  free(output->target);
  *output = (wi_file_output){0};
  errno = saved;
}

bool wi_file_output_open(wi_file_output *output, const char *path) {
  *output = (wi_file_output){0};
  if (strcmp(path, "-") == 0) {
    output->stream = stdout;
    return true;
  }
  if (is_special(path)) {
    output->stream = fopen(path, "wb");
    return output->stream != NULL;
  }
  if (open_temporary(output, path))
    return true;
  discard(output);
  return false;
}

bool wi_file_output_close(wi_file_output *output, bool done) {
  FILE *stream = output->stream;
  bool flushed = fflush(stream) == 0 && !ferror(stream);
  if (!done || !flushed) {
    discard(output);
    return false;
  }
  output->stream = NULL;
  bool kept = stream == stdout || fclose(stream) == 0;
  if (kept && output->target)
    kept = wi_temporary_keep(&output->temporary, output->target);
  discard(output);
  return kept;
}

bool wi_file_write(const char *path, const uint8_t *bytes, size_t size) {
  wi_file_output output;
  if (!wi_file_output_open(&output, path))
    return false;
  return wi_file_output_close(&output, fwrite(bytes, 1, size, output.stream) == size);
}
