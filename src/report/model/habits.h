/* What well-known functions of languages' libraries do: allocate, copy, compare, ... */
#ifndef WI_REPORT_MODEL_HABITS_H_
#define WI_REPORT_MODEL_HABITS_H_

#include "report/model/color.h"

/*
 * X(id, what it is called in a sentence, what to do about it): "36 % of the time is allocation".
 */
#define WI_HABITS(X)                                                                               \
  X(ALLOCATION, "allocation", "record --memory shows for whom")                                    \
  X(COLLECTION, "garbage collection", "fewer allocations need less of it")                         \
  X(COPYING, "copying and clearing memory", "")                                                    \
  X(COMPARISON, "comparing bytes", "")                                                             \
  X(HASHING, "hashing and lookup in hash tables", "")                                              \
  X(PARSING, "parsing numbers", "")                                                                \
  X(FORMATTING, "formatting text", "")                                                             \
  X(SORTING, "sorting", "")

typedef enum wi_habit {
#define WI_HABIT_ENUM(id, words, remedy) WI_HABIT_##id,
  WI_HABITS(WI_HABIT_ENUM)
#undef WI_HABIT_ENUM
      WI_HABIT_COUNT,
  WI_HABIT_NONE = WI_HABIT_COUNT
} wi_habit;

/* `name` is a label, as reports show it. */
wi_habit wi_habit_of(const char *name, wi_color_kind kind);

const char *wi_habit_words(wi_habit habit);
const char *wi_habit_remedy(wi_habit habit); /* "": none is well known */

#endif /* WI_REPORT_MODEL_HABITS_H_ */
