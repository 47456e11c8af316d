/* Perl-compatible regular expressions (PCRE2) that match anywhere in a UTF-8 text. */
#ifndef WI_SUPPORT_REGEX_H_
#define WI_SUPPORT_REGEX_H_

#include <stddef.h>

#define WI_REGEX_MESSAGE_SIZE 96

typedef struct wi_regex wi_regex;

/* Scratch memory for matching; for one thread. */
typedef struct wi_regex_matcher wi_regex_matcher;

typedef enum wi_regex_result {
  WI_REGEX_NO_MATCH,
  WI_REGEX_MATCH,
  WI_REGEX_FAILED /* matching would take too long */
} wi_regex_result;

/*
 * Compiles the expression of `size` bytes at `pattern`. Returns NULL with the reason in `why` if it
 * is invalid. The caller frees the result.
 */
wi_regex *wi_regex_new(const char *pattern, size_t size, char why[WI_REGEX_MESSAGE_SIZE]);
void wi_regex_free(wi_regex *regex); /* NULL is allowed */

/* Returns NULL if out of memory. The caller frees the result. */
wi_regex_matcher *wi_regex_matcher_new(void);
void wi_regex_matcher_free(wi_regex_matcher *matcher); /* NULL is allowed */

/*
 * Whether `regex` matches in `text`. Invalid UTF-8 is allowed in `text` but cannot match. Fails
 * with the reason in `why` instead of taking exponential time.
 */
wi_regex_result wi_regex_find(const wi_regex *regex, const char *text, wi_regex_matcher *matcher,
                              char why[WI_REGEX_MESSAGE_SIZE]);

#endif /* WI_SUPPORT_REGEX_H_ */
