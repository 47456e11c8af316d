#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/docgen/text.h"

int document_brief(const char *help) {
  const char *end = help;
  while (*end && *end != ';' && *end != '\n' && *end != '(' &&
         !(strchr(".:", *end) && (end[1] == ' ' || end[1] == '\0')))
    end++;
  while (end > help && end[-1] == ' ')
    end--;
  return (int)(end - help);
}

void document_put(FILE *stream, const char *text, size_t size, const document_escape *escapes) {
  for (size_t i = 0; i < size; i++) {
    const document_escape *escape = escapes;
    while (escape->character && escape->character != text[i])
      escape++;
    if (escape->character)
      fputs(escape->written, stream);
    else
      fputc(text[i], stream);
  }
}

document_name document_joined(const char *name, char joint) {
  document_name result;
  snprintf(result.text, sizeof result.text, "%s", name);
  for (char *c = result.text; *c; c++)
    if (!isalnum((unsigned char)*c))
      *c = joint;
  return result;
}

bool document_template(FILE *stream, const char *path, const char *name) {
  uint8_t *bytes;
  size_t size;
  if (!wi_file_read(path, &bytes, &size))
    return false;
  for (size_t i = 0; i < size;) {
    const char *at = (const char *)bytes + i;
    if (size - i >= 4 && memcmp(at, "NAME", 4) == 0) {
      fputs(name, stream);
      i += 4;
    } else if (size - i >= 5 && memcmp(at, "IDENT", 5) == 0) {
      fputs(document_joined(name, '_').text, stream);
      i += 5;
    } else {
      fputc(*at, stream);
      i++;
    }
  }
  free(bytes);
  return true;
}
