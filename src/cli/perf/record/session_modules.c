#include "cli/perf/record/session_modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/session_names.h"
#include "cli/perf/common.h"
#include "cli/perf/input/part_files.h"
#include "cli/perf/input/symbols.h"
#include "symbols/complete.h"
#include "symbols/confidences.h"

enum { PATH_SIZE = 4096 };

/* Reads the path of the module's file; "" if that is not known. False if it was not recorded. */
static bool read_path(const char *part_path, char path[PATH_SIZE]) {
  char *note = cli_part_beside(part_path, CLI_SESSION_PATH);
  FILE *stream = note ? fopen(note, "r") : NULL;
  free(note);
  if (!stream)
    return false;
  size_t size = fread(path, 1, PATH_SIZE - 1, stream);
  path[size] = 0;
  bool is_whole = feof(stream) && strlen(path) == size;
  fclose(stream);
  return is_whole;
}

/* The name of the profile's module, or of its file. The caller frees it. */
static char *name_of(const wasm_perf_profile *profile, const char *path) {
  return cli_text("%s", profile->facts.module ? profile->facts.module : wi_path_name(path));
}

/* Completes the profile from the module that the engine compiled; `names`: also with its names. */
static void complete_by_module(wasm_perf_profile *profile, const char *part_path, bool names) {
  char *path = cli_part_beside(part_path, CLI_SESSION_MODULE);
  char *name = path ? name_of(profile, path) : NULL;
  wi_ran_module module = {.name = name};
  wi_error ignored;
  uint8_t *bytes;
  if (path && wi_file_read_regular(path, WI_FILE_SIZE_LIMIT, &bytes, &module.size)) {
    module.bytes = bytes;
    if (names)
      wi_profile_complete(profile, &module, &ignored);
    else
      wi_confidences_take(profile, bytes, module.size);
    free(bytes);
  }
  free(name);
  free(path);
}

void cli_session_complete(wasm_perf_profile *profile, const char *part_path) {
  char path[PATH_SIZE];
  bool names =
      read_path(part_path, path) && (path[0] != '/' || !cli_symbols_try_named(profile, path));
  if (names || wi_confidences_matter(profile))
    complete_by_module(profile, part_path, names);
}
