/*
 * report-export FORMAT FILE: writes the report of a .wperf file to standard output.
 * report-export: lists "FORMAT<TAB>EXTENSION" of every format; no extension: not for files.
 */
#include <stdio.h>
#include <stdlib.h>

#include "wasm_perf/profile.h"

static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0)
    return NULL;
  long length = ftell(file);
  rewind(file);
  uint8_t *bytes = length < 0 ? NULL : malloc((size_t)length + 1);
  *size = bytes ? fread(bytes, 1, (size_t)length, file) : 0;
  fclose(file);
  return bytes;
}

static int export_file(const wasm_perf_exporter *exporter, const char *path) {
  wasm_perf_error error = {0, ""};
  size_t size = 0;
  uint8_t *bytes = read_file(path, &size);
  wasm_perf_profile *profile = bytes ? wasm_perf_profile_parse(bytes, size, &error) : NULL;
  free(bytes);
  if (!profile) {
    fprintf(stderr, "%s: %s\n", path, error.message);
    return 1;
  }
  bool ok = exporter->write(profile, NULL, stdout);
  wasm_perf_profile_free(profile);
  if (!ok)
    fputs("cannot write the report\n", stderr);
  return ok ? 0 : 1;
}

static int list_exporters(void) {
  for (const wasm_perf_exporter *exporter = wasm_perf_exporters; exporter->name; exporter++)
    printf("%s\t%s\n", exporter->name, exporter->extension ? exporter->extension : "");
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 1)
    return list_exporters();
  const wasm_perf_exporter *exporter = argc == 3 ? wasm_perf_exporter_find(argv[1]) : NULL;
  if (!exporter) {
    fputs("usage: report-export [FORMAT FILE]\n", stderr);
    return 2;
  }
  return export_file(exporter, argv[2]);
}
