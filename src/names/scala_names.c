#include "names/scala_names.h"

#include <stdbool.h>
#include <string.h>

typedef struct writer {
  char *text;
  size_t size;
  size_t used;
  bool is_full;
} writer;

static void put(writer *out, const char *text, size_t size) {
  out->is_full = out->is_full || size > out->size - out->used;
  if (out->is_full)
    return;
  memcpy(out->text + out->used, text, size);
  out->used += size;
}

static void put_text(writer *out, const char *text) {
  put(out, text, strlen(text));
}

/* What a name begins with: the kind of the function. */
static const struct {
  const char *prefix;
  const char *text;
} kinds[] = {
    {"f.", ""},
    {"p.", ""},
    {"s.", ""},
    {"ps.", ""},
    {"ct.", ""},
    {"sct.", ""},
    {"m.", "virtual thunk to "}, /* an entry of a class's table of methods */
};

static const char *skip_kind(const char *name, writer *out) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strncmp(name, kinds[i].prefix, strlen(kinds[i].prefix)) == 0) {
      put_text(out, kinds[i].text);
      return name + strlen(kinds[i].prefix);
    }
  return NULL;
}

static const char *primitive_name(char letter) {
  switch (letter) {
  case 'B': return "byte";
  case 'C': return "char";
  case 'D': return "double";
  case 'F': return "float";
  case 'I': return "int";
  case 'J': return "long";
  case 'S': return "short";
  case 'V': return "void";
  case 'Z': return "boolean";
  default: return NULL;
  }
}

/* Writes a type reference of `size` bytes: "I", "Ljava.lang.String", "[I". */
static bool put_type(writer *out, const char *type, size_t size) {
  size_t dimensions = 0;
  while (dimensions < size && type[dimensions] == '[')
    dimensions++;
  const char *element = type + dimensions;
  size_t rest = size - dimensions;
  if (rest > 1 && element[0] == 'L')
    put(out, element + 1, rest - 1);
  else if (rest == 1 && primitive_name(element[0]))
    put_text(out, primitive_name(element[0]));
  else
    return false;
  for (size_t i = 0; i < dimensions; i++)
    put_text(out, "[]");
  return true;
}

size_t wi_scala_name_demangle(const char *name, char *text, size_t size) {
  writer out = {.text = text, .size = size};
  const char *method = skip_kind(name, &out);
  if (!method)
    return 0;
  size_t method_size = strcspn(method, ";");
  const char *type = method + method_size, *end;
  if (*type == 0 || !memchr(method, '.', method_size))
    return 0;
  put(&out, method, method_size);
  put_text(&out, "(");
  for (bool is_first = true; (end = strchr(type + 1, ';')) != NULL; type = end, is_first = false) {
    put_text(&out, is_first ? "" : ", ");
    if (!put_type(&out, type + 1, (size_t)(end - type - 1)))
      return 0;
  }
  put_text(&out, ")"); /* the last type is the result's */
  const char *closure = strstr(type, "__c");
  if (closure)
    put_text(&out, closure);
  return out.is_full ? 0 : out.used;
}
