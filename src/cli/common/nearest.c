#include "cli/common/nearest.h"

#include <stdio.h>
#include <string.h>

#include "support/nearest.h"

/* Replaces *nearest by `name` if that is nearer to the word. */
static void offer(const char *word, const char *name, uint32_t *distance, const char **nearest) {
  uint32_t away = wi_word_distance(word, name);
  if (away < *distance) {
    *distance = away;
    *nearest = name;
  }
}

const char *cli_nearest_command(const cli_command *program, const char *word) {
  const char *nearest = NULL;
  uint32_t distance = WI_FAR;
  for (const cli_command *const *command = program->commands; *command; command++)
    offer(word, cli_command_word(*command), &distance, &nearest);
  return nearest;
}

const char *cli_nearest_option(const cli_command *command, const char *word) {
  char name[WI_WORD_MAX_SIZE + 1];
  const char *nearest = NULL;
  const cli_option *option;
  uint32_t distance = WI_FAR;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
  for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++)
    offer(name, option->name, &distance, &nearest);
  return nearest;
}

const char *cli_replacement(const char *word) {
  static const struct {
    const char *spelling, *instead;
  } removed[] = {
#define CLI_REMOVED(spelling, instead) {spelling, instead},
#include "cli/common/removed.def"
#undef CLI_REMOVED
  };
  size_t size = strcspn(word, "=");
  for (size_t i = 0; i < sizeof removed / sizeof *removed; i++)
    if (strlen(removed[i].spelling) == size && strncmp(removed[i].spelling, word, size) == 0)
      return removed[i].instead;
  return NULL;
}
