#include "report/model/mappings.h"

#include <stdlib.h>
#include <string.h>

#include "names/label.h"
#include "profile/modules.h"

#define PROGRAM 0u

static char *clean_copy(const char *name) {
  char clean[WI_LABEL_MAX_SIZE + 1];
  wi_label_clean(clean, name, 0);
  return strdup(clean);
}

static bool copy_names(wi_mappings *mappings) {
  const wasm_perf_profile *profile = mappings->report->profile;
  uint32_t count = profile->joined_count;
  const char *program = count == 0 ? profile->facts.module : profile->facts.command;
  mappings->program = clean_copy(program ? program : mappings->report->title);
  mappings->modules = calloc(count + (size_t)1, sizeof *mappings->modules);
  mappings->of_modules = calloc(count + (size_t)1, sizeof *mappings->of_modules);
  bool ok = mappings->program && mappings->modules && mappings->of_modules;
  for (uint32_t i = 0; ok && i < count; i++) {
    mappings->modules[i] = clean_copy(wi_module_name(profile, i));
    ok = mappings->modules[i] != NULL;
  }
  return ok;
}

/* The index of a label's module among several; their number if it has none. */
static uint32_t module_of(const wi_mappings *mappings, uint32_t label) {
  const wi_labels *labels = &mappings->report->tree->labels;
  uint32_t count = mappings->report->profile->joined_count;
  return label < labels->count && labels->modules[label] < count ? labels->modules[label] : count;
}

/* Lists the names of the program and of modules that have labels. */
static bool list_names(wi_mappings *mappings) {
  uint32_t count = mappings->report->profile->joined_count;
  wi_string_table_add(&mappings->names, mappings->program);
  for (uint32_t label = 0; label < mappings->report->tree->labels.count; label++) {
    uint32_t module = module_of(mappings, label);
    if (module < count && mappings->of_modules[module]++ == 0)
      wi_string_table_add(&mappings->names, mappings->modules[module]);
  }
  return wi_string_table_sort(&mappings->names);
}

static uint32_t find(const wi_mappings *mappings, const char *name) {
  uint32_t index = wi_string_table_find(&mappings->names, name);
  return index == mappings->program_index ? PROGRAM : index + (index < mappings->program_index);
}

bool wi_mappings_init(wi_mappings *mappings, const wi_report *report) {
  *mappings = (wi_mappings){.report = report};
  if (!copy_names(mappings) || !list_names(mappings)) {
    wi_mappings_clear(mappings);
    return false;
  }
  mappings->program_index = wi_string_table_find(&mappings->names, mappings->program);
  for (uint32_t i = 0; i < report->profile->joined_count; i++)
    if (mappings->of_modules[i] > 0)
      mappings->of_modules[i] = find(mappings, mappings->modules[i]);
  return true;
}

void wi_mappings_clear(wi_mappings *mappings) {
  for (uint32_t i = 0; mappings->modules && i < mappings->report->profile->joined_count; i++)
    free(mappings->modules[i]);
  free(mappings->modules);
  free(mappings->of_modules);
  free(mappings->program);
  wi_string_table_clear(&mappings->names);
  *mappings = (wi_mappings){0};
}

static bool is_hexadecimal(const char *text) {
  return text && *text && text[strspn(text, "0123456789abcdefABCDEF")] == '\0';
}

const char *wi_mapping_version(const wasm_perf_profile *profile, bool *is_build_id) {
  const wasm_perf_facts *facts = &profile->facts;
  *is_build_id = is_hexadecimal(facts->build_id);
  const char *version = *is_build_id ? facts->build_id : facts->identity;
  return profile->joined_count == 0 && is_hexadecimal(version) ? version : NULL;
}

uint32_t wi_mappings_count(const wi_mappings *mappings) {
  return mappings->names.texts_count;
}

const char *wi_mappings_name(const wi_mappings *mappings, uint32_t mapping) {
  uint32_t name =
      mapping == PROGRAM ? mappings->program_index : mapping - (mapping <= mappings->program_index);
  return mappings->names.texts[name];
}

uint32_t wi_mappings_find(const wi_mappings *mappings, uint32_t label) {
  uint32_t module = module_of(mappings, label);
  return module < mappings->report->profile->joined_count ? mappings->of_modules[module] : PROGRAM;
}
