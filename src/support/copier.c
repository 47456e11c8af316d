#include "support/copier.h"

#include <string.h>

void wi_copier_fail(wi_copier *copier) {
  copier->failed = true;
  copier->at = "";
}

void wi_copier_put(wi_copier *copier, const char *text, size_t size) {
  if (copier->failed || size >= copier->room) {
    wi_copier_fail(copier);
    return;
  }
  memcpy(copier->to, text, size);
  copier->to += size;
  copier->room -= size;
}

void wi_copier_take(wi_copier *copier, size_t size) {
  bool is_there = !memchr(copier->at, '\0', size);
  wi_copier_put(copier, copier->at, is_there ? size : copier->room);
  if (!copier->failed)
    copier->at += size;
}

bool wi_copier_take_if(wi_copier *copier, const char *text) {
  bool found = wi_copier_is_next(copier, text);
  if (found)
    wi_copier_take(copier, strlen(text));
  return found;
}

void wi_copier_take_while(wi_copier *copier, const char *characters) {
  wi_copier_take(copier, strspn(copier->at, characters));
}

void wi_copier_expect(wi_copier *copier, const char *text) {
  if (!wi_copier_take_if(copier, text))
    wi_copier_fail(copier);
}

bool wi_copier_is_next(const wi_copier *copier, const char *text) {
  return strncmp(copier->at, text, strlen(text)) == 0;
}

bool wi_copier_is_any(const wi_copier *copier, const char *characters) {
  return *copier->at && strchr(characters, *copier->at);
}
