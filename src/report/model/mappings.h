/*
 * The binaries that formats of samples call mappings. The first one is the program: the only module,
 * or the command with what belongs to none of several modules. The others are these modules, by
 * name.
 */
#ifndef WI_REPORT_MODEL_MAPPINGS_H_
#define WI_REPORT_MODEL_MAPPINGS_H_

#include "report/encode/string_table.h"
#include "report/model/report.h"

typedef struct wi_mappings {
  const wi_report *report; /* borrowed */
  char *program;           /* name of the first mapping, cleaned; owned */
  char **modules;          /* names of several modules, cleaned; owned */
  uint32_t *of_modules;    /* per module its mapping, if it has labels; owned */
  wi_string_table names;   /* of modules that have labels, and of the program */
  uint32_t program_index;  /* in the names */
} wi_mappings;

/* Returns false, with nothing to clear, if memory ran out. O(n log n) time. */
bool wi_mappings_init(wi_mappings *mappings, const wi_report *report);
void wi_mappings_clear(wi_mappings *mappings);

/* The number of mappings, the program's included. */
uint32_t wi_mappings_count(const wi_mappings *mappings);

/*
 * What tells versions of a profile's only module apart, in hexadecimal digits: the module's build id
 * if *is_build_id, else the identity of its code. NULL: unknown, or there are several modules.
 */
const char *wi_mapping_version(const wasm_perf_profile *profile, bool *is_build_id);

/* The name of a mapping. */
const char *wi_mappings_name(const wi_mappings *mappings, uint32_t mapping);

/* The mapping of a label of the report's tree, or of WI_ELIDED_TEXT. */
uint32_t wi_mappings_find(const wi_mappings *mappings, uint32_t label);

#endif /* WI_REPORT_MODEL_MAPPINGS_H_ */
