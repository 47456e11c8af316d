#include "report/model/mappings.h"

#include <stdlib.h>
#include <string.h>

#include "names/label.h"
#include "profile/modules.h"

#define PROGRAM 0u

/* The name of a label's module; the program's if it has none, or if there is only one. */
static const char *name_of(const wi_mappings *mappings, uint32_t label) {
  const wi_labels *labels = &mappings->report->tree->labels;
  uint32_t count = mappings->report->profile->joined_count;
  return label < labels->count && labels->modules[label] < count
             ? mappings->modules[labels->modules[label]]
             : mappings->program;
}

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
  bool ok = mappings->program && mappings->modules;
  for (uint32_t i = 0; ok && i < count; i++) {
    mappings->modules[i] = clean_copy(wi_module_name(profile, i));
    ok = mappings->modules[i] != NULL;
  }
  return ok;
}

bool wi_mappings_init(wi_mappings *mappings, const wi_report *report) {
  *mappings = (wi_mappings){.report = report};
  bool ok = copy_names(mappings);
  if (ok)
    wi_string_table_add(&mappings->names, mappings->program);
  for (uint32_t label = 0; ok && label < report->tree->labels.count; label++)
    wi_string_table_add(&mappings->names, name_of(mappings, label));
  if (!ok || !wi_string_table_sort(&mappings->names)) {
    wi_mappings_clear(mappings);
    return false;
  }
  mappings->program_index = wi_string_table_find(&mappings->names, mappings->program);
  return true;
}

void wi_mappings_clear(wi_mappings *mappings) {
  for (uint32_t i = 0; mappings->modules && i < mappings->report->profile->joined_count; i++)
    free(mappings->modules[i]);
  free(mappings->modules);
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
  uint32_t name = wi_string_table_find(&mappings->names, name_of(mappings, label));
  return name == mappings->program_index ? PROGRAM : name + (name < mappings->program_index);
}
