#include "support/nearest.h"

#include <stdbool.h>
#include <string.h>

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static uint32_t least(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t two = a < b ? a : b;
  return two < c ? two : c;
}

/* The last three columns of the table; an entry is for a prefix of the word. */
typedef struct columns {
  uint32_t now[WI_WORD_MAX_SIZE + 1], last[WI_WORD_MAX_SIZE + 1], before[WI_WORD_MAX_SIZE + 1];
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
  size_t size = strlen(word), limit = (size + 2) / 3;
  if (size > WI_WORD_MAX_SIZE || (!is_part && strnlen(text, size + limit + 1) > size + limit))
    return WI_FAR;
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
  return best <= limit && best < size ? best : WI_FAR;
}

uint32_t wi_word_distance(const char *word, const char *text) {
  return distance(word, text, false);
}

uint32_t wi_part_distance(const char *word, const char *text) {
  return distance(word, text, true);
}
