/*
 * Ever shorter forms of a name, for places where it does not fit: without argument lists, then
 * without qualifiers, from the left. std::map<int, char>::find(int const&) becomes
 * std::map<…>::find, std::map::find, map::find and find.
 */
#ifndef WI_NAMES_FORMS_H_
#define WI_NAMES_FORMS_H_

#include <stddef.h>
#include <stdint.h>

#include "names/label.h"

#define WI_NAME_FORMS_MAX 64u

typedef struct wi_name_forms {
  /* The name, then ever shorter ones, the last is the function's own name without qualifiers. */
  const char *texts[WI_NAME_FORMS_MAX]; /* the first is borrowed */
  uint32_t count;
  size_t used; /* bytes of `storage` */
  char storage[4 * (WI_LABEL_MAX_SIZE + 1)];
} wi_name_forms;

/* Finds the forms of a label, which is at most WI_LABEL_MAX_SIZE bytes long. */
void wi_name_forms_find(wi_name_forms *forms, const char *label);

/* The length of `size` bytes of UTF-8 in JavaScript, in UTF-16 code units. */
size_t wi_utf16_length(const char *text, size_t size);

/*
 * Splits what Python and JavaScript call a function, "parse (/lib/json.py:12)": sets the sizes of
 * the name and of the line with its ':', which may be 0. Returns the file, or NULL for other names.
 */
const char *wi_name_guest_file(const char *name, size_t *name_size, size_t *file_size,
                               size_t *line_size);

#endif /* WI_NAMES_FORMS_H_ */
