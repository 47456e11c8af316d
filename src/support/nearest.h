/* How far a misspelt word is from others. */
#ifndef WI_SUPPORT_NEAREST_H_
#define WI_SUPPORT_NEAREST_H_

#include <stdint.h>

/* Larger than any distance that counts as near. */
#define WI_FAR UINT32_MAX

/* Longer words are far from everything. */
enum { WI_WORD_MAX_SIZE = 64 };

/*
 * The edit distance, ignoring case, between `word` and `text`, or the nearest part of it; two
 * neighbours that are swapped are one edit. Returns WI_FAR if it is more than a third of the word,
 * or if the word is too long.
 */
uint32_t wi_word_distance(const char *word, const char *text);
uint32_t wi_part_distance(const char *word, const char *text);

#endif /* WI_SUPPORT_NEAREST_H_ */
