/* Recursion, function pointers, callbacks from the C library, variadic functions; ends by exit. */
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"

enum { NUMBERS = 500, QUEENS = 6, STEPS = 200 };

static uint32_t seed = 12345;

static uint32_t next_random(void) {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 8;
}

static int ascending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static int descending(const void *a, const void *b) {
  return ascending(b, a);
}

static uint32_t sum(int count, ...) {
  va_list values;
  va_start(values, count);
  uint32_t total = 0;
  while (count-- > 0)
    total += va_arg(values, uint32_t);
  va_end(values);
  return total;
}

static void sort_numbers(int (*order)(const void *, const void *)) {
  uint32_t numbers[NUMBERS];
  for (int i = 0; i < NUMBERS; i++)
    numbers[i] = next_random();
  qsort(numbers, NUMBERS, sizeof numbers[0], order);
  print("%u %u %u\n", numbers[0], numbers[NUMBERS - 1], sum(2, numbers[1], numbers[2]));
}

static int place_queens(int row, unsigned columns, unsigned left, unsigned right) {
  if (row == QUEENS)
    return 1;
  int solutions = 0;
  for (int column = 0; column < QUEENS; column++) {
    const unsigned bit = 1u << column;
    if ((columns | left | right) & bit)
      continue;
    solutions += place_queens(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return solutions;
}

static int is_odd(int n);
__attribute__((noinline)) static int is_even(int n) {
  return n == 0 || is_odd(n - 1);
}
__attribute__((noinline)) static int is_odd(int n) {
  return n != 0 && is_even(n - 1);
}

static void push(int *stack, int *size) {
  stack[*size] = *size;
  ++*size;
}
static void pop(int *stack, int *size) {
  if (*size > 0)
    stack[0] += stack[--*size];
}
static void swap(int *stack, int *size) {
  if (*size < 2)
    return push(stack, size);
  const int top = stack[*size - 1];
  stack[*size - 1] = stack[*size - 2];
  stack[*size - 2] = top;
}

static void run_machine(void) {
  static void (*const steps[])(int *, int *) = {push, swap, push, pop};
  int stack[STEPS] = {0}, size = 0;
  for (int i = 0; i < STEPS; i++)
    steps[next_random() % 4](stack, &size);
  print("%d %d\n", size, stack[0]);
}

static void say_goodbye(void) {
  print("goodbye\n");
}

int main(int argc, char **argv) {
  atexit(say_goodbye);
  sort_numbers(ascending);
  sort_numbers(descending);
  print("%d queens %d\n", QUEENS, place_queens(0, 0, 0, 0));
  print("%d %d\n", is_even(101), is_odd(77));
  run_machine();
  char *copy = strdup("text");
  print("%s %d %s\n", copy, argc, argc > 1 ? argv[1] : "");
  free(copy);
  exit(3);
}
