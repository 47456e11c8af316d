#include "cli/perf/record/whitelist.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "names/label.h"

/* Whether the name as a pattern matches itself and nothing else. */
static bool is_plain(const char *name) {
  return *name && !strchr("!#@/ \t", *name) && name[strlen(name) - 1] > ' ' &&
         !strpbrk(name, "*?\r\n") && !wi_label_is_number(name, NULL);
}

static int compare_names(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The profile's names, sorted. The caller frees only the array. NULL if memory ran out. */
static const char **sort_names(const wasm_perf_profile *profile) {
  uint32_t count = profile->header.name_count;
  const char **names = calloc((size_t)count + 1, sizeof *names);
  if (!names)
    return NULL;
  for (uint32_t i = 0; i < count; i++)
    names[i] = profile->names[i].text;
  qsort(names, count, sizeof *names, compare_names);
  return names;
}

static bool is_unique(const char *const *names, uint32_t count, const char *name) {
  const char *const *found = bsearch(&name, names, count, sizeof *names, compare_names);
  return found && (found == names || strcmp(found[-1], name) != 0) &&
         (found + 1 == names + count || strcmp(found[1], name) != 0);
}

/* The function's index in the original module. */
static uint32_t original_index(const wasm_perf_profile *profile, uint32_t function) {
  uint64_t added = profile->facts.added_import_count;
  return function >= profile->header.host_function_count ? function - (uint32_t)added : function;
}

static void put_function(FILE *stream, const wasm_perf_profile *profile, const char *const *names,
                         uint32_t function) {
  char label[WI_LABEL_MAX_SIZE + 1];
  const char *name = wasm_perf_profile_name(profile, function);
  if (name && is_plain(name) && is_unique(names, profile->header.name_count, name)) {
    fprintf(stream, "%s\n", name);
    return;
  }
  if (name) {
    wi_label_clean(label, name, 0);
    fprintf(stream, "# %s\n", label);
  }
  fprintf(stream, "@%" PRIu32 "\n", original_index(profile, function));
}

static bool write_list(FILE *stream, const wasm_perf_profile *profile, const wi_budget *budget,
                       const char *title) {
  const char **names = sort_names(profile);
  if (!names) {
    errno = ENOMEM;
    return false;
  }
  fprintf(stream, "# %s\n", title);
  for (uint32_t i = 0; i < budget->count; i++) {
    uint32_t function = budget->functions[i].function;
    if (budget->functions[i].chosen && function >= profile->header.host_function_count &&
        function < WASM_PERF_FUNCTION_UNHOOKED)
      put_function(stream, profile, names, function);
  }
  free(names);
  return true;
}

bool cli_whitelist_write(const wasm_perf_profile *profile, const wi_budget *budget,
                         const char *title, const char *path, cli_failure *failure) {
  wi_file_output output;
  if (wi_file_output_open(&output, path) &&
      wi_file_output_close(&output, write_list(output.stream, profile, budget, title)))
    return true;
  return cli_fail(failure, wi_file_output_name(path), "%s",
                  errno ? strerror(errno) : "cannot be written");
}
