#include "cli/docgen/targets.h"

#include "cli/common/targets.h"

void document_targets(FILE *stream) {
  const cli_target *target;
  fputs("| `--for` | engine | memories | to run it |\n|---|---|---|---|\n", stream);
  for (size_t i = 0; (target = cli_target_at(i)) != NULL; i++)
    fprintf(stream, "| `%s` | %s | %s | %s |\n", target->name, target->title,
            target->has_one_memory ? "one" : "several", target->command);
}
