#include "cli/perf/input/text_profiles.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/perf/input/parts.h"
#include "cli/perf/input/symbols.h"
#include "profile/uncounted.h"

static wasm_perf_profile *read_one(const wi_buffer *bytes, const char *names_path, const char *path,
                                   cli_failure *failure) {
  wasm_perf_error error;
  wasm_perf_profile *profile = wasm_perf_profile_parse(bytes->data, bytes->size, &error);
  if (!profile)
    cli_fail(failure, path, "a profile in its messages, offset 0x%" PRIx64 ": %s", error.offset,
             error.message);
  else if (names_path)
    cli_symbols_try(profile, names_path);
  if (!profile || wi_show_unhooked(profile))
    return profile;
  cli_fail(failure, path, "out of memory");
  wasm_perf_profile_free(profile);
  return NULL;
}

wasm_perf_profile *cli_text_profiles_join(const cli_text_lines *lines, const char *names_path,
                                          const char *path, cli_failure *failure) {
  size_t count = 0;
  wasm_perf_profile **parts = calloc(lines->profiles_count + (size_t)1, sizeof *parts);
  cli_list paths = {0};
  while (parts && count < lines->profiles_count &&
         (parts[count] = read_one(&lines->profiles[count], names_path, path, failure))) {
    cli_list_add(&paths, cli_text("%s", path));
    count++;
  }
  wasm_perf_profile *result = count > 0 && count == lines->profiles_count
                                  ? cli_parts_join(parts, paths.items, count, false, NULL, failure)
                                  : NULL;
  while (count > 0)
    wasm_perf_profile_free(parts[--count]);
  free(parts);
  cli_list_clear(&paths);
  return result;
}
