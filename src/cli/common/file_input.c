#define _GNU_SOURCE /* program_invocation_short_name */

#include "cli/common/file_input.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/cleanup.h"
#include "cli/common/exit_codes.h"
#include "cli/common/file.h"
#include "support/clean.h"

/*
 * The mapped files, for a signal handler. Only changed while no mapping is read, so without SIGBUS.
 */
static wi_file_input *mapped_inputs;

static bool holds(const wi_file_input *input, const uint8_t *address) {
  return address >= input->bytes && address < input->bytes + input->size;
}

/* Handles access to bytes of a mapped file that no longer exist because the file was truncated. */
static void exit_if_truncated(int signal_number, siginfo_t *info, void *context) {
  (void)context;
  for (const wi_file_input *input = mapped_inputs; input; input = input->next) {
    if (!holds(input, info->si_addr))
      continue;
    wi_temporary_remove_all();
    ssize_t ignored = write(STDERR_FILENO, input->message, strlen(input->message));
    _exit(ignored < 0 ? 2 : EXIT_FAILURE);
  }
  signal(signal_number, SIG_DFL); /* raised again when this returns */
}

/* The caller frees it; NULL if memory ran out. */
static char *message_of_change(const char *path) {
  static const char format[] = "%s: %s: it changed while it was read\n";
  size_t clean_size = wi_text_clean(path, strlen(path), NULL, 0) + 1;
  size_t size = clean_size + strlen(program_invocation_short_name) + sizeof format;
  char *clean = malloc(clean_size), *message = malloc(size);
  if (clean && message) {
    wi_text_clean(path, strlen(path), clean, clean_size);
    snprintf(message, size, format, program_invocation_short_name, clean);
    free(clean);
    return message;
  }
  free(clean);
  free(message);
  return NULL;
}

static void watch(wi_file_input *input) {
  struct sigaction action = {.sa_sigaction = exit_if_truncated, .sa_flags = SA_SIGINFO};
  input->next = mapped_inputs;
  mapped_inputs = input;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, NULL);
}

static void unwatch(wi_file_input *input) {
  wi_file_input **link = &mapped_inputs;
  while (*link != input)
    link = &(*link)->next;
  *link = input->next;
}

/* Maps a regular file that is not empty. Returns false for any other `path`. */
static bool map_file(wi_file_input *input, const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  void *bytes = MAP_FAILED;
  char *message = message_of_change(path);
  if (message && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ,
                 MAP_PRIVATE | (status.st_size > WI_FILE_SIZE_LIMIT ? 0 : MAP_POPULATE), file, 0);
  if (bytes == MAP_FAILED) {
    free(message);
    close(file);
    return false;
  }
  *input = (wi_file_input){.bytes = bytes,
                           .size = (size_t)status.st_size,
                           .mapped = true,
                           .file = file,
                           .changed = status.st_mtim,
                           .message = message};
  watch(input);
  return true;
}

bool wi_file_input_open(wi_file_input *input, const char *path) {
  if (strcmp(path, "-") != 0 && map_file(input, path))
    return true;
  uint8_t *bytes;
  size_t size;
  if (!wi_file_read(path, &bytes, &size))
    return false;
  *input = (wi_file_input){.bytes = bytes, .size = size};
  return true;
}

bool wi_file_input_is_unchanged(const wi_file_input *input) {
  struct stat status;
  return !input->mapped ||
         (fstat(input->file, &status) == 0 && status.st_size == (off_t)input->size &&
          status.st_mtim.tv_sec == input->changed.tv_sec &&
          status.st_mtim.tv_nsec == input->changed.tv_nsec);
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
  if (input->mapped) {
    unwatch(input);
    munmap((void *)input->bytes, input->size);
    close(input->file);
    free(input->message);
  } else
    free((void *)input->bytes);
  *input = (wi_file_input){0};
}
