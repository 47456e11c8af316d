/* The engines that a module can be made for, by the names that users give them. */
#ifndef WI_CLI_COMMON_TARGETS_H_
#define WI_CLI_COMMON_TARGETS_H_

#include "cli/common/options.h"

typedef struct cli_target {
  const char *name;
  bool has_one_memory; /* per module */
  const char *title;
  const char *command; /* how to use it, as Markdown */
} cli_target;

/* The engine at `index`, in the order of cli_target_choice; NULL past the last. */
const cli_target *cli_target_at(size_t index);

/* Their names; implements cli_choices. */
bool cli_target_choice(size_t index, cli_choice *choice);

#endif /* WI_CLI_COMMON_TARGETS_H_ */
