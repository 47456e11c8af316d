#include "cli/common/nearest.h"

#include <stdbool.h>
#include <string.h>

#include "cli/common/parser.h"

enum { MAX_WORD_SIZE = 64 };

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static uint32_t least(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t two = a < b ? a : b;
  return two < c ? two : c;
}

/*
 * Computes the table of distances between prefixes of the word and of the text, column by column. A
 * part of the text may begin anywhere at no cost, and ends where the distance is smallest.
 */
static uint32_t distance(const char *word, const char *text, bool is_part) {
  uint32_t column[MAX_WORD_SIZE + 1], best;
  size_t size = strlen(word);
  if (size > MAX_WORD_SIZE)
    return CLI_FAR;
  for (uint32_t i = 0; i <= size; i++)
    column[i] = i;
  best = column[size];
  for (uint32_t at = 0; text[at]; at++) {
    uint32_t diagonal = column[0];
    column[0] = is_part ? 0 : at + 1;
    for (size_t i = 1; i <= size; i++) {
      uint32_t left = column[i];
      column[i] =
          least(left + 1, column[i - 1] + 1, diagonal + (lower(word[i - 1]) != lower(text[at])));
      diagonal = left;
    }
    best = !is_part || column[size] < best ? column[size] : best;
  }
  return best <= (size + 2) / 3 && best < size ? best : CLI_FAR;
}

uint32_t cli_word_distance(const char *word, const char *text) {
  return distance(word, text, false);
}

uint32_t cli_part_distance(const char *word, const char *text) {
  return distance(word, text, true);
}

int cli_unknown_command(const char *name, const cli_command *program, const char *word) {
  const char *meant = NULL;
  uint32_t nearest = CLI_FAR;
  for (const cli_command *const *command = program->commands; *command; command++) {
    uint32_t away = cli_word_distance(word, cli_command_word(*command));
    if (away < nearest) {
      nearest = away;
      meant = cli_command_word(*command);
    }
  }
  return meant ? cli_usage_error(name, "unknown command '%s'; did you mean '%s'?", word, meant)
               : cli_usage_error(name, "unknown command '%s'", word);
}
