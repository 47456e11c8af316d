/* Prints the part that each name on stdin belongs to, for the test that holds the page to it. */
#include <stdio.h>
#include <string.h>

#include "names/part.h"

int main(void) {
  char name[256];
  while (fgets(name, sizeof name, stdin)) {
    name[strcspn(name, "\n")] = 0;
    size_t size;
    const char *part = wi_name_part(name, &size);
    printf("%.*s\n", (int)size, part);
  }
  return 0;
}
