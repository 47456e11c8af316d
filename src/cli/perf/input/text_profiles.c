#include "cli/perf/input/text_profiles.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/common/message.h"
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

/* Tells what is not in the result. */
static void warn_of_lines(const cli_text_lines *lines, const char *path) {
  if (lines->incomplete_count > 0)
    cli_message("wasm-perf: %s: warning: %" PRIu32 " of %" PRIu32
                " profiles left out, which lack lines, the first one %s",
                path, lines->incomplete_count, lines->incomplete_count + lines->profiles_count,
                lines->missing);
  if (lines->cut_count > 0)
    cli_message("wasm-perf: %s: warning: lines of profiles that are not whole: %" PRIu32, path,
                lines->cut_count);
  if (lines->repeated_count > 0)
    cli_message("wasm-perf: %s: warning: lines that are there twice, and count once: %" PRIu32,
                path, lines->repeated_count);
}

wasm_perf_profile *cli_text_profiles_join(const cli_text_lines *lines, const char *names_path,
                                          const char *path, cli_failure *failure) {
  size_t count = 0;
  if (lines->profiles_count == 0 && lines->incomplete_count + lines->cut_count > 0)
    cli_fail(failure, path, "no profile in it is whole: %s",
             lines->missing[0] ? lines->missing : "its lines are cut");
  else
    warn_of_lines(lines, path);
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
