/*
 * What C finds in the names on stdin, for tests:
 *
 *     name-parts part     the part that each name belongs to by itself
 *     name-parts forms    for each name, ever shorter forms of it, with tabs between them
 *     name-parts parts    all names as the page's JSON, from lines KIND\tFILE\tNAME
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/forms.h"
#include "names/part.h"
#include "report/formats/html/names.h"

enum { MAX_LINE = 4096, MAX_LINES = 256 };

static void print_part(const char *name) {
  size_t size;
  const char *part = wi_name_part(name, &size);
  printf("%.*s\n", (int)size, part);
}

static void print_forms(const char *name) {
  static wi_name_forms forms;
  wi_name_forms_find(&forms, name);
  for (uint32_t i = 0; i < forms.count; i++)
    printf("%s%s", i > 0 ? "\t" : "", forms.texts[i]);
  putchar('\n');
}

static wi_part_function function_of(char *line) {
  char *file = strchr(line, '\t') + 1, *name = strchr(file, '\t') + 1;
  name[-1] = 0;
  return (wi_part_function){.name = strdup(name),
                            .file = *file != 0 ? strdup(file) : NULL,
                            .kind = (wi_color_kind)strtoul(line, NULL, 10)};
}

static void print_all(const wi_part_function *functions, uint32_t count) {
  wi_json json;
  wi_json_init(&json, stdout);
  wi_json_open(&json, NULL, '{');
  wi_html_names_write(&json, functions, count);
  wi_json_close(&json, '}');
  wi_json_finish(&json);
}

int main(int argc, char **argv) {
  char line[MAX_LINE];
  wi_part_function functions[MAX_LINES];
  uint32_t count = 0;
  const char *wanted = argc > 1 ? argv[1] : "";
  while (fgets(line, sizeof line, stdin) && count < MAX_LINES) {
    line[strcspn(line, "\n")] = 0;
    if (strcmp(wanted, "part") == 0)
      print_part(line);
    else if (strcmp(wanted, "forms") == 0)
      print_forms(line);
    else
      functions[count++] = function_of(line);
  }
  if (strcmp(wanted, "parts") == 0)
    print_all(functions, count);
  while (count > 0) {
    free((char *)functions[--count].name);
    free((char *)functions[count].file);
  }
  return 0;
}
