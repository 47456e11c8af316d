#include "report/formats/html/names.h"

#include <stdlib.h>
#include <string.h>

#include "names/forms.h"
#include "names/label.h"

/* ---- Short forms ------------------------------------------------------------- */

/* Writes what makes `form` of the form before it. */
static void write_form(wi_json *json, const char *before, const char *form) {
  size_t size = strlen(before), form_size = strlen(form);
  bool fits = form_size <= size;
  if (fits && strcmp(before + size - form_size, form) == 0) {
    wi_json_integer(json, NULL, wi_utf16_length(before, size - form_size));
  } else if (fits && memcmp(before, form, form_size) == 0) {
    char number[32];
    snprintf(number, sizeof number, "-%zu", wi_utf16_length(before + form_size, size - form_size));
    wi_json_literal(json, NULL, number);
  } else {
    wi_json_string(json, NULL, form);
  }
}

/* The code units in front of the function's own name, the shortest form; 0: it is not apart. */
static size_t own_start(const wi_name_forms *forms) {
  const char *name = forms->texts[0], *own = forms->texts[forms->count - 1];
  size_t size = strlen(own);
  for (const char *at = strstr(name, own); at; at = strstr(at + 1, own))
    if (at[size] == '(' || at[size] == '<' || at[size] == '\0')
      return wi_utf16_length(name, (size_t)(at - name));
  return 0;
}

static bool write_forms(wi_json *json, const wi_part_function *functions, uint32_t count) {
  wi_name_forms *forms = malloc(sizeof *forms);
  wi_json_open(json, "forms", '[');
  for (uint32_t i = 0; forms && i < count; i++) {
    wi_name_forms_find(forms, functions[i].name);
    wi_json_open(json, NULL, '[');
    wi_json_integer(json, NULL, own_start(forms));
    for (uint32_t f = 1; f < forms->count; f++)
      write_form(json, forms->texts[f - 1], forms->texts[f]);
    wi_json_close(json, ']');
  }
  wi_json_close(json, ']');
  free(forms);
  return forms != NULL;
}

/* ---- Parts ------------------------------------------------------------------- */

static void write_part(wi_json *json, const wi_parts *parts, uint32_t index) {
  const wi_part *part = &parts->list[index];
  wi_json_open(json, NULL, '{');
  wi_json_string(json, "kind", part->kind);
  wi_json_string(json, "name", part->name);
  if (part->outer != index)
    wi_json_integer(json, "outer", part->outer);
  if (part->folders > 0)
    wi_json_integer(json, "folders", wi_utf16_length(part->name, part->folders));
  wi_json_close(json, '}');
}

static bool write_parts(wi_json *json, const wi_part_function *functions, uint32_t count) {
  wi_parts parts;
  if (!wi_parts_init(&parts, functions, count))
    return false;
  wi_json_open(json, "parts", '[');
  for (uint32_t i = 0; i < parts.count; i++)
    write_part(json, &parts, i);
  wi_json_close(json, ']');
  wi_json_open(json, "partOf", '[');
  for (uint32_t i = 0; i < count; i++)
    wi_json_integer(json, NULL, parts.of[i]);
  wi_json_close(json, ']');
  wi_parts_clear(&parts);
  return true;
}

/* ---- Places ------------------------------------------------------------------ */

static void write_places(wi_json *json, const wi_part_function *functions, uint32_t count) {
  wi_json_open(json, "places", '[');
  for (uint32_t i = 0; i < count; i++) {
    if (!functions[i].file)
      continue;
    wi_json_open(json, NULL, '[');
    wi_json_integer(json, NULL, i);
    wi_json_string(json, NULL, functions[i].file);
    wi_json_integer(json, NULL, functions[i].line);
    wi_json_close(json, ']');
  }
  wi_json_close(json, ']');
}

/* ---- All --------------------------------------------------------------------- */

bool wi_html_names_write(wi_json *json, const wi_part_function *functions, uint32_t count) {
  wi_json_open(json, "names", '[');
  for (uint32_t i = 0; i < count; i++)
    wi_json_string(json, NULL, functions[i].name);
  wi_json_close(json, ']');
  wi_json_open(json, "kinds", '[');
  for (uint32_t i = 0; i < count; i++)
    wi_json_integer(json, NULL, functions[i].kind);
  wi_json_close(json, ']');
  write_places(json, functions, count);
  wi_json_open(json, "hints", '[');
  for (uint32_t i = 0; i < count; i++)
    if (wi_label_has_hint(functions[i].name))
      wi_json_integer(json, NULL, i);
  wi_json_close(json, ']');
  bool done = write_forms(json, functions, count);
  return write_parts(json, functions, count) && done;
}
