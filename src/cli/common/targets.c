#include "cli/common/targets.h"

enum { MANY, ONE };

static const cli_target targets[] = {
#define CLI_TARGET(name, memories, title, command) {name, (memories) == ONE, title, command},
#include "cli/common/targets.def"
#undef CLI_TARGET
};

const cli_target *cli_target_at(size_t index) {
  return index < sizeof targets / sizeof *targets ? &targets[index] : NULL;
}

bool cli_target_choice(size_t index, cli_choice *choice) {
  const cli_target *target = cli_target_at(index);
  return target && cli_choice_set(choice, target->name, target->title);
}
