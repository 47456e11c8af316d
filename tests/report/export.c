/*
 * report-export FORMAT FILE: writes the report of a .wperf file to standard output.
 * report-export: lists "FORMAT<TAB>EXTENSION" of every format; no extension: not for files.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "wasm_perf/report.h"

/* NULL with errno; what is read is freed with free. */
static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  uint8_t *bytes = NULL;
  size_t capacity = 0;
  *size = 0;
  while (!feof(file) && !ferror(file)) { /* a directory, for one, has a length but no bytes */
    capacity = 2 * capacity + 65536;
    uint8_t *larger = realloc(bytes, capacity);
    if (!larger)
      break;
    bytes = larger;
    *size += fread(bytes + *size, 1, capacity - *size, file);
  }
  if (!feof(file)) {
    free(bytes);
    bytes = NULL;
  }
  int saved = errno;
  fclose(file);
  errno = saved;
  return bytes;
}

static int export_file(const wasm_perf_report_format *format, const char *path) {
  size_t size = 0;
  uint8_t *bytes = read_file(path, &size);
  if (!bytes) {
    perror(path);
    return 1;
  }
  wasm_perf_error error;
  wasm_perf_profile *profile = wasm_perf_profile_parse(bytes, size, &error);
  free(bytes);
  if (!profile) {
    fprintf(stderr, "%s: %s\n", path, error.message);
    return 1;
  }
  bool ok = format->write(profile, NULL, stdout);
  wasm_perf_profile_free(profile);
  if (!ok)
    fputs("cannot write the report\n", stderr);
  return ok ? 0 : 1;
}

static int list_formats(void) {
  for (const wasm_perf_report_format *format = wasm_perf_report_formats; format->name; format++)
    printf("%s\t%s\n", format->name, format->extension ? format->extension : "");
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 1)
    return list_formats();
  const wasm_perf_report_format *format = argc == 3 ? wasm_perf_report_format_find(argv[1]) : NULL;
  if (!format) {
    fputs("usage: report-export [FORMAT FILE]\n", stderr);
    return 2;
  }
  return export_file(format, argv[2]);
}
