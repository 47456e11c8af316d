/* For the bench: counts words in a hash table, sorts them with a comparison function, searches. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKET_COUNT 8192u
#define WORD_COUNT   16000000u

typedef struct word {
  struct word *next;
  uint32_t count;
  char text[12];
} word;

static word *buckets[BUCKET_COUNT];
static uint32_t state = 1;

static uint32_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

static uint32_t hash(const char *text) {
  uint32_t value = 2166136261u;
  for (; *text; text++)
    value = (value ^ (uint8_t)*text) * 16777619u;
  return value;
}

static void spell(uint32_t number, char *text) {
  do
    *text++ = (char)('a' + number % 26);
  while ((number /= 26) > 0);
  *text = '\0';
}

static word *find(const char *text) {
  word **place = &buckets[hash(text) % BUCKET_COUNT];
  for (word *at = *place; at; at = at->next)
    if (strcmp(at->text, text) == 0)
      return at;
  word *added = calloc(1, sizeof *added);
  if (!added)
    abort();
  strcpy(added->text, text);
  added->next = *place;
  return *place = added;
}

static int compare(const void *left, const void *right) {
  const word *a = *(word *const *)left, *b = *(word *const *)right;
  return a->count != b->count ? (a->count < b->count) - (a->count > b->count)
                              : strcmp(a->text, b->text);
}

static size_t collect(word **words) {
  size_t count = 0;
  for (uint32_t i = 0; i < BUCKET_COUNT; i++)
    for (word *at = buckets[i]; at; at = at->next)
      words[count++] = at;
  return count;
}

int main(void) {
  static word *words[30000];
  for (uint32_t i = 0; i < WORD_COUNT; i++) {
    char text[12];
    spell(next_random() % 20000, text);
    find(text)->count++;
  }
  size_t count = 0;
  for (int round = 0; round < 10; round++) {
    count = collect(words);
    qsort(words, count, sizeof *words, compare);
  }
  printf("%zu words, most often %s\n", count, words[0]->text);
  return 0;
}
