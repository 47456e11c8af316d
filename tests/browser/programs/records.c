// Reads records of text, parses their numbers, sorts and looks some up: a program of C that has findings.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
  char key[24];
  long value;
  double weight;
};

static struct record *records;
static size_t count;
static unsigned state = 1;

static unsigned next(void) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

/* Which the compiler inlines into main. */
static inline long find_slow(const char *key) {
  for (size_t i = 0; i < count && i < 400; i++)
    if (strcmp(records[i].key, key) == 0)
      return (long)i;
  return -1;
}

static void parse(const char *line) {
  if (count % 1000 == 0)
    records = realloc(records, (count + 1000) * sizeof *records);
  struct record *record = &records[count++];
  const char *comma = strchr(line, ',');
  char *end;
  memcpy(record->key, line, (size_t)(comma - line));
  record->key[comma - line] = '\0';
  record->value = strtol(comma + 1, &end, 10);
  record->weight = strtod(end + 1, NULL);
}

static int by_weight(const void *left, const void *right) {
  double a = ((const struct record *)left)->weight, b = ((const struct record *)right)->weight;
  return (a > b) - (a < b);
}

int main(void) {
  enum { RECORDS = 300000 };
  char text[100];
  long found = 0;
  for (int i = 0; i < RECORDS; i++) {
    snprintf(text, sizeof text, "key%u,%u,%u.%u", next() % 5000, next(), next() % 1000,
             next() % 1000);
    parse(text);
  }
  qsort(records, count, sizeof *records, by_weight);
  for (int i = 0; i < RECORDS / 2; i++) {
    snprintf(text, sizeof text, "key%u", next() % 5000);
    found += find_slow(text) >= 0;
  }
  printf("%ld of %zu, %g\n", found, count, records[count / 2].weight);
}
