/*
 * Labels: names made safe to print. A label is valid UTF-8 of bounded length without unsafe
 * characters (support/clean.h).
 */
#ifndef WI_NAMES_LABEL_H_
#define WI_NAMES_LABEL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * In bytes, without the terminator. Longer names, which nobody writes by hand, are truncated and
 * end in "…" and a hash of the whole name, so that names that differ only later stay distinct.
 */
#define WI_LABEL_MAX_SIZE 16384u

/* Follows a name that several functions share: this, the function's index, ")". */
#define WI_LABEL_MARK " (func "

/* Prefix of a name that was found by comparing code with another build, or with a library. */
#define WI_MATCHED_MARK '~'

/*
 * Whether `name` is that of a function without a name: "func[12]", optionally followed by a hint
 * (symbols/hints.h). *index is set to the number, the function's index before instrumentation;
 * `index` may be NULL.
 */
bool wi_label_is_number(const char *name, uint32_t *index);

/* Whether `name` is such a name with a hint from the function's code. */
bool wi_label_has_hint(const char *name);

/*
 * Writes `name` as a label to `label` (WI_LABEL_MAX_SIZE + 1 bytes). Unsafe characters become '_',
 * invalid UTF-8 becomes U+FFFD, and `separator` becomes ':'.
 */
void wi_label_clean(char *label, const char *name, char separator);

/* Same with at most `limit` bytes, which must be enough for the hash. */
void wi_label_clean_within(char *label, const char *name, char separator, size_t limit);

/*
 * Whether the whole text is in brackets: reports use such names for things outside of the program.
 */
bool wi_label_is_bracketed(const char *text);

/* Size of a label without its mark. */
size_t wi_label_name_size(const char *label);

#endif /* WI_NAMES_LABEL_H_ */
