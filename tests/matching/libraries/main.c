/* A program that has nothing but the library that is linked as a whole. */
#include <stdio.h>

int main(int argc, char **argv) {
  return puts(argv[argc - 1]);
}
