#include "cli/perf/input/names_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/perf/common.h"
#include "names/label.h"
#include "profile/functions.h"
#include "support/clean.h"
#include "symbols/namings.h"

bool cli_names_table_row(FILE *stream, uint32_t function, const char *name, double confidence) {
  size_t room = 4 * strlen(name) + 1;
  char *clean = malloc(room);
  if (!clean)
    return cli_error(NULL, "out of memory"), false;
  wi_text_clean(name, strlen(name), clean, room);
  fprintf(stream, "%u\t%s\t%.3f\n", (unsigned)function, clean, confidence);
  free(clean);
  return true;
}

/* Prints the function's line if it has a name that is not only its number. */
static bool write_function(FILE *stream, const wasm_perf_profile *profile, uint32_t function) {
  const char *name = wasm_perf_profile_name(profile, function);
  uint64_t added = profile->facts.added_import_count;
  if (!name || wi_label_is_number(name, NULL) || function >= WASM_PERF_FUNCTION_UNHOOKED)
    return true;
  bool is_matched = name[0] == WI_MATCHED_MARK;
  double confidence = is_matched ? wasm_perf_profile_confidence(profile, function) / 1000.0 : 1;
  uint32_t original = function >= profile->header.host_function_count && function >= added
                          ? (uint32_t)(function - added)
                          : function;
  return cli_names_table_row(stream, original, name + is_matched, confidence);
}

bool cli_names_table_write(const wasm_perf_profile *profile, const char *path) {
  wi_functions functions;
  wi_file_output output;
  if (!wi_functions_init(&functions, profile))
    return cli_error(NULL, "out of memory"), false;
  bool is_open = wi_file_output_open(&output, path), done = is_open;
  for (uint32_t i = 0; done && i < functions.count; i++)
    done = write_function(output.stream, profile, functions.items[i]);
  wi_functions_clear(&functions);
  if (is_open && !done) {
    wi_file_output_close(&output, false);
    return false;
  }
  if (!is_open || !wi_file_output_close(&output, true))
    return cli_error(wi_file_output_name(path), "%s", strerror(errno)), false;
  return true;
}
