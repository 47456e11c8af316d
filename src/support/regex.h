/* Perl-compatible regular expressions, found anywhere in a text; UTF-8. */
#ifndef WI_SUPPORT_REGEX_H_
#define WI_SUPPORT_REGEX_H_

#include <stddef.h>

#define WI_REGEX_MESSAGE_SIZE 96

typedef struct wi_regex wi_regex;

/* Working memory for matching, of one thread. */
typedef struct wi_regex_matcher wi_regex_matcher;

typedef enum wi_regex_result {
  WI_REGEX_NO_MATCH,
  WI_REGEX_MATCH,
  WI_REGEX_FAILED /* matching would take too long */
} wi_regex_result;

/*
 * Compiles the expression of `size` bytes at `pattern`. NULL, with the reason in `why`, where it
 * cannot be understood. The caller frees it.
 */
wi_regex *wi_regex_new(const char *pattern, size_t size, char why[WI_REGEX_MESSAGE_SIZE]);
void wi_regex_free(wi_regex *regex); /* NULL is allowed */

/* NULL when memory ran out. The caller frees it. */
wi_regex_matcher *wi_regex_matcher_new(void);
void wi_regex_matcher_free(wi_regex_matcher *matcher); /* NULL is allowed */

/*
 * Whether `regex` matches in `text`, which may hold bytes that are not UTF-8: the parts that are
 * can match. Fails, with the reason in `why`, rather than taking exponential time.
 */
wi_regex_result wi_regex_find(const wi_regex *regex, const char *text, wi_regex_matcher *matcher,
                              char why[WI_REGEX_MESSAGE_SIZE]);

#endif /* WI_SUPPORT_REGEX_H_ */
