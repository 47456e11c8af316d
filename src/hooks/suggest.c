#include "hooks/suggest.h"

#include <stdio.h>
#include <string.h>

#include "support/nearest.h"

void wi_suggestion_init(wi_suggestion *suggestion, const wi_pattern *pattern) {
  bool is_plain = pattern->kind == WI_PATTERN_EXACT ||
                  (pattern->kind == WI_PATTERN_GLOB && !strpbrk(pattern->glob, "*?"));
  *suggestion = (wi_suggestion){.pattern = is_plain ? pattern : NULL, .distance = WI_FAR};
}

/* The end of the path with as many folders as the pattern has. */
static const char *comparable_end(const char *path, const char *pattern) {
  size_t slashes = 1;
  for (const char *at = pattern; *at; at++)
    slashes += *at == '/';
  const char *end = path + strlen(path);
  while (end > path && (end[-1] != '/' || --slashes > 0))
    end--;
  return end;
}

void wi_suggestion_offer(wi_suggestion *suggestion, wi_pattern_subject subject, const char *text) {
  const wi_pattern *pattern = suggestion->pattern;
  if (!pattern || pattern->subject != subject)
    return;
  if (subject == WI_SUBJECT_FILE)
    text = comparable_end(text, pattern->glob);
  uint32_t distance = wi_word_distance(pattern->glob, text);
  if (distance >= suggestion->distance)
    return;
  int prefix = (int)(pattern->glob - pattern->text);
  suggestion->distance = distance;
  snprintf(suggestion->text, sizeof suggestion->text, "%.*s%s", prefix, pattern->text, text);
}
