/*
 * A name as a label, which is safe to print: valid UTF-8, of bounded length, without unsafe
 * characters (support/clean.h).
 */
#ifndef WI_SUPPORT_LABEL_H_
#define WI_SUPPORT_LABEL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes, without the terminator: names are whole, but for some that nobody wrote. A longer one is
 * cut and ends in "…" and a hash of all of it, so that two that differ late are two.
 */
#define WI_LABEL_MAX_SIZE 16384u

/* What stands behind a name that is not one function's alone: this, the function's index, ")". */
#define WI_LABEL_MARK " (func "

/*
 * Whether `name` is one that functions without a name get, "func[12]", perhaps with a hint after it
 * (symbols/hints.h), with the number in *index, which may be NULL: the function's in the module before it was instrumented.
 */
bool wi_label_is_number(const char *name, uint32_t *index);

/*
 * Copies `name` into `label` (WI_LABEL_MAX_SIZE + 1 bytes) as a label: unsafe
 * characters become '_', what is not UTF-8 becomes U+FFFD.
 */
void wi_label_clean(char *label, const char *name, char separator);

/* The same of at most `limit` bytes; less room than for a hash is none. */
void wi_label_clean_within(char *label, const char *name, char separator, size_t limit);

/* Whether all of a text is in brackets: what reports call by such a name is none of the program's.
 */
bool wi_label_is_bracketed(const char *text);

/* How much of a label stands before its mark; all of it where it has none. */
size_t wi_label_name_size(const char *label);

#endif /* WI_SUPPORT_LABEL_H_ */
