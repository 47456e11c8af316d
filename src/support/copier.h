/* Copies a text piece by piece, so that parts of it can be replaced. */
#ifndef WI_SUPPORT_COPIER_H_
#define WI_SUPPORT_COPIER_H_

#include <stdbool.h>
#include <stddef.h>

/* After a failure there is no more input, and nothing is written. */
typedef struct wi_copier {
  const char *at; /* the input from here on, NUL-terminated */
  char *to;
  size_t room; /* bytes left at `to` */
  bool failed;
  bool is_changed; /* for the user, as is `depth` */
  unsigned depth;
} wi_copier;

void wi_copier_fail(wi_copier *copier);

/* Writes text that is not in the input. Fails if fewer than size + 1 bytes are left. */
void wi_copier_put(wi_copier *copier, const char *text, size_t size);

/* Copies the next `size` bytes. Fails if the input is shorter. */
void wi_copier_take(wi_copier *copier, size_t size);

/* Copies `text` if it comes next. Returns whether it does. */
bool wi_copier_take_if(wi_copier *copier, const char *text);

/* Copies the characters that come next and are in `characters`. */
void wi_copier_take_while(wi_copier *copier, const char *characters);

/* Copies `text`. Fails if something else comes next. */
void wi_copier_expect(wi_copier *copier, const char *text);

bool wi_copier_is_next(const wi_copier *copier, const char *text);

/* Whether the next character is one of `characters`. */
bool wi_copier_is_any(const wi_copier *copier, const char *characters);

#endif /* WI_SUPPORT_COPIER_H_ */
