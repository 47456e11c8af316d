#include "cli/common/nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WORD_SIZE = 64 };

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static uint32_t least(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t two = a < b ? a : b;
  return two < c ? two : c;
}

/* The last three columns of the table; an entry is for a prefix of the word. */
typedef struct columns {
  uint32_t now[MAX_WORD_SIZE + 1], last[MAX_WORD_SIZE + 1], before[MAX_WORD_SIZE + 1];
} columns;

/* Computes the column of the text's character at `at`, whose first entry is set. */
static void next_column(columns *c, const char *word, const char *text, uint32_t at) {
  for (size_t i = 1; word[i - 1]; i++) {
    char one = lower(word[i - 1]), other = lower(text[at]);
    c->now[i] = least(c->now[i - 1] + 1, c->last[i] + 1, c->last[i - 1] + (one != other));
    bool is_swapped = i > 1 && at > 0 && one == lower(text[at - 1]) && lower(word[i - 2]) == other;
    if (is_swapped && c->before[i - 2] + 1 < c->now[i])
      c->now[i] = c->before[i - 2] + 1;
  }
}

/*
 * Computes the table of distances between prefixes of the word and of the text, column by column. A
 * part of the text may begin anywhere at no cost, and ends where the distance is smallest. Two
 * neighbours that are swapped are one mistake.
 */
static uint32_t distance(const char *word, const char *text, bool is_part) {
  columns c;
  size_t size = strlen(word);
  if (size > MAX_WORD_SIZE)
    return CLI_FAR;
  for (uint32_t i = 0; i <= size; i++)
    c.now[i] = i;
  memcpy(c.last, c.now, sizeof c.last);
  uint32_t best = c.now[size];
  for (uint32_t at = 0; text[at]; at++) {
    memcpy(c.before, c.last, sizeof c.before);
    memcpy(c.last, c.now, sizeof c.last);
    c.now[0] = is_part ? 0 : at + 1;
    next_column(&c, word, text, at);
    best = !is_part || c.now[size] < best ? c.now[size] : best;
  }
  return best <= (size + 2) / 3 && best < size ? best : CLI_FAR;
}

uint32_t cli_word_distance(const char *word, const char *text) {
  return distance(word, text, false);
}

uint32_t cli_part_distance(const char *word, const char *text) {
  return distance(word, text, true);
}

/* Replaces *nearest by `name` if that is nearer to the word. */
static void offer(const char *word, const char *name, uint32_t *distance, const char **nearest) {
  uint32_t away = cli_word_distance(word, name);
  if (away < *distance) {
    *distance = away;
    *nearest = name;
  }
}

const char *cli_nearest_command(const cli_command *program, const char *word) {
  const char *nearest = NULL;
  uint32_t distance = CLI_FAR;
  for (const cli_command *const *command = program->commands; *command; command++)
    offer(word, cli_command_word(*command), &distance, &nearest);
  return nearest;
}

const char *cli_nearest_option(const cli_command *command, const char *word) {
  char name[MAX_WORD_SIZE + 1];
  const char *nearest = NULL;
  const cli_option *option;
  uint32_t distance = CLI_FAR;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
  for (size_t i = 0; (option = cli_command_option(command, i)) != NULL; i++)
    offer(name, option->name, &distance, &nearest);
  return nearest;
}
