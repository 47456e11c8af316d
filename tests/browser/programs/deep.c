/* Stacks of thousands of frames: a parser by recursive descent reads expressions in many brackets. */
#include <stdio.h>

enum { DEPTH = 2000, ROUNDS = 20 };

static char text[8 * DEPTH];
static const char *at;

static unsigned expression(void);

__attribute__((noinline)) static unsigned number(void) {
  unsigned value = 0;
  while (*at >= '0' && *at <= '9')
    value = 10 * value + (unsigned)(*at++ - '0');
  return value;
}

__attribute__((noinline)) static unsigned factor(void) {
  if (*at != '(')
    return number();
  at++;
  unsigned value = expression();
  at++;
  return value;
}

__attribute__((noinline)) static unsigned term(void) {
  unsigned value = factor();
  for (; *at == '*'; value *= factor())
    at++;
  return value;
}

__attribute__((noinline)) static unsigned expression(void) {
  unsigned value = term();
  for (; *at == '+'; value += term())
    at++;
  return value;
}

int main(void) {
  unsigned size = 0, sum = 0;
  for (unsigned i = 0; i < DEPTH; i++)
    size += (unsigned)sprintf(text + size, "(");
  size += (unsigned)sprintf(text + size, "1");
  for (unsigned i = 0; i < DEPTH; i++)
    size += (unsigned)sprintf(text + size, i % 2 ? "+%u)" : "*%u)", i % 100);
  for (unsigned round = 0; round < ROUNDS; round++) {
    at = text;
    sum += expression();
  }
  printf("%u\n", sum);
}
