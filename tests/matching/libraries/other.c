/* As main.c, another program. */
#include <stdio.h>

int main(int argc, char **argv) {
  return printf("%s %d\n", argv[0], argc);
}
