/*
 * support/regex.h on the RegExp of the JavaScript host. Matching time is not limited: some
 * expressions take exponential time.
 */
#include "support/regex.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Compiles an expression and returns its number, counted from 1. Returns 0 on failure, with the
 * reason in `why`, a buffer of `why_size` bytes that includes the terminator.
 */
__attribute__((import_module("host"), import_name("regex_new"))) uint32_t
host_regex_new(const char *pattern, size_t size, char *why, size_t why_size);

__attribute__((import_module("host"), import_name("regex_find"))) bool
host_regex_find(uint32_t regex, const char *text, size_t size);

struct wi_regex {
  uint32_t number;
};

struct wi_regex_matcher {
  char unused;
};

wi_regex *wi_regex_new(const char *pattern, size_t size, char why[WI_REGEX_MESSAGE_SIZE]) {
  static const char no_memory[] = "out of memory";
  wi_regex *regex = malloc(sizeof *regex);
  if (!regex) {
    memcpy(why, no_memory, sizeof no_memory);
    return NULL;
  }
  regex->number = host_regex_new(pattern, size, why, WI_REGEX_MESSAGE_SIZE);
  if (regex->number > 0)
    return regex;
  free(regex);
  return NULL;
}

void wi_regex_free(wi_regex *regex) {
  free(regex);
}

wi_regex_matcher *wi_regex_matcher_new(void) {
  return calloc(1, sizeof(wi_regex_matcher));
}

void wi_regex_matcher_free(wi_regex_matcher *matcher) {
  free(matcher);
}

wi_regex_result wi_regex_find(const wi_regex *regex, const char *text, wi_regex_matcher *matcher,
                              char why[WI_REGEX_MESSAGE_SIZE]) {
  (void)matcher;
  (void)why;
  return host_regex_find(regex->number, text, strlen(text)) ? WI_REGEX_MATCH : WI_REGEX_NO_MATCH;
}
