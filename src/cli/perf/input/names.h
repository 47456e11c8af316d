/* What a profile cannot know by itself: the module has it. */
#ifndef WI_CLI_PERF_INPUT_NAMES_H_
#define WI_CLI_PERF_INPUT_NAMES_H_

#include "cli/perf/common.h"
#include "wasm_perf/profile.h"

/* A module as it ran. Everything is borrowed. */
typedef struct cli_module {
  const char *path; /* for messages: of the one that was given */
  const uint8_t *bytes;
  size_t size;
  const wi_marker *marker;
} cli_module;

/*
 * Says which module it is, where that ran as it was. Names the functions of a profile that has no
 * names, and says where functions stand in the source, as the module's DWARF has it. False on
 * failure, which it has printed on stderr.
 */
bool cli_names_add(const cli_module *module, wasm_perf_profile *profile);

#endif /* WI_CLI_PERF_INPUT_NAMES_H_ */
