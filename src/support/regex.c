#include "support/regex.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

/*
 * Limits for one match, in PCRE2's units: match attempts, and KiB. Expressions meant for names do
 * not come near, but some expressions need exponential time.
 */
#define MATCH_LIMIT    1000000
#define HEAP_LIMIT_KIB 20000

/* A wi_regex is a pcre2_code. */

struct wi_regex_matcher {
  pcre2_match_context *limits;
  pcre2_match_data *captures;
};

static void explain(int failure, char why[WI_REGEX_MESSAGE_SIZE]) {
  pcre2_get_error_message(failure, (PCRE2_UCHAR *)why, WI_REGEX_MESSAGE_SIZE);
}

wi_regex *wi_regex_new(const char *pattern, size_t size, char why[WI_REGEX_MESSAGE_SIZE]) {
  int failure;
  PCRE2_SIZE place;
  pcre2_code *code =
      pcre2_compile((PCRE2_SPTR)pattern, size, PCRE2_MATCH_INVALID_UTF, &failure, &place, NULL);
  if (!code)
    explain(failure, why);
  return (wi_regex *)code;
}

void wi_regex_free(wi_regex *regex) {
  pcre2_code_free((pcre2_code *)regex);
}

wi_regex_matcher *wi_regex_matcher_new(void) {
  wi_regex_matcher *matcher = calloc(1, sizeof *matcher);
  if (!matcher)
    return NULL;
  matcher->limits = pcre2_match_context_create(NULL);
  matcher->captures = pcre2_match_data_create(1, NULL);
  if (!matcher->limits || !matcher->captures) {
    wi_regex_matcher_free(matcher);
    return NULL;
  }
  pcre2_set_match_limit(matcher->limits, MATCH_LIMIT);
  pcre2_set_heap_limit(matcher->limits, HEAP_LIMIT_KIB);
  return matcher;
}

void wi_regex_matcher_free(wi_regex_matcher *matcher) {
  if (!matcher)
    return;
  pcre2_match_context_free(matcher->limits);
  pcre2_match_data_free(matcher->captures);
  free(matcher);
}

wi_regex_result wi_regex_find(const wi_regex *regex, const char *text, wi_regex_matcher *matcher,
                              char why[WI_REGEX_MESSAGE_SIZE]) {
  int result = pcre2_match((const pcre2_code *)regex, (PCRE2_SPTR)text, strlen(text), 0, 0,
                           matcher->captures, matcher->limits);
  if (result >= 0)
    return WI_REGEX_MATCH;
  if (result == PCRE2_ERROR_NOMATCH)
    return WI_REGEX_NO_MATCH;
  explain(result, why);
  return WI_REGEX_FAILED;
}
