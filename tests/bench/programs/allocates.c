/* Allocates and frees about a million times a second, with work between: 2,000 lists of words. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/random.h"

typedef struct word {
  struct word *next;
  char text[];
} word;

__attribute__((noinline)) static word *make_word(word *next, uint32_t length) {
  word *made = malloc(sizeof *made + length + 1);
  made->next = next;
  for (uint32_t i = 0; i < length; i++)
    made->text[i] = (char)('a' + random_below(26));
  made->text[length] = 0;
  return made;
}

__attribute__((noinline)) static uint32_t weigh(const word *words) {
  uint32_t sum = 0;
  for (; words; words = words->next)
    for (const char *at = words->text; *at; at++)
      sum = sum * 31 + (unsigned char)*at;
  return sum;
}

__attribute__((noinline)) static void drop(word *words) {
  while (words) {
    word *next = words->next;
    free(words);
    words = next;
  }
}

int main(void) {
  uint32_t sum = 0;
  for (int list = 0; list < 2000; list++) {
    word *words = NULL;
    for (int i = 0; i < 1000; i++)
      words = make_word(words, 60 + random_below(100));
    sum += weigh(words);
    drop(words);
  }
  printf("%u\n", sum);
  return 0;
}
