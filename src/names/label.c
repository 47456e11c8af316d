#include "names/label.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/clean.h"
#include "support/utf8.h"

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */
#define ELLIPSIS    "\xE2\x80\xA6" /* U+2026 */
#define CUT_SIZE    (strlen(ELLIPSIS) + 8)

typedef struct piece {
  const char *bytes;
  size_t size;
} piece;

/* Returns the replacement of the character at *name and moves *name past it. */
static piece clean_character(const char **name, const char *end, char separator) {
  const char *in = *name;
  size_t size = wi_utf8_sequence((const uint8_t *)in, (size_t)(end - in));
  uint32_t code_point = size == 0 ? 0 : wi_utf8_decode(in, size);
  *name += size == 0 ? 1 : size;
  if (size == 0 || (code_point & 0xFFFE) == 0xFFFE) /* XML forbids noncharacters */
    return (piece){REPLACEMENT, strlen(REPLACEMENT)};
  if (wi_character_is_unsafe(code_point))
    return (piece){"_", 1};
  if (code_point == (uint8_t)separator)
    return (piece){":", 1};
  return (piece){in, size};
}

/* 32-bit FNV-1a. */
static uint32_t hash_of(const char *name) {
  uint32_t hash = 2166136261u;
  for (; *name; name++)
    hash = (hash ^ (uint8_t)*name) * 16777619u;
  return hash;
}

void wi_label_clean_within(char *label, const char *name, char separator, size_t limit) {
  const char *end = name + strlen(name), *whole = name;
  size_t size = 0;
  if (*name == ' ') { /* would be lost in formats where spaces precede a name */
    label[size++] = '_';
    name++;
  }
  while (name < end) {
    piece next = clean_character(&name, end, separator);
    if (size + next.size > limit - CUT_SIZE) {
      size += (size_t)sprintf(label + size, ELLIPSIS "%08" PRIx32, hash_of(whole));
      break;
    }
    memcpy(label + size, next.bytes, next.size);
    size += next.size;
  }
  label[size] = 0;
}

void wi_label_clean(char *label, const char *name, char separator) {
  wi_label_clean_within(label, name, separator, WI_LABEL_MAX_SIZE);
}

bool wi_label_is_bracketed(const char *text) {
  static const char brackets[] = "()[]";
  char last = text[0] == '(' ? ')' : text[0] == '[' ? ']' : 0;
  if (last == 0) /* so that long names, nearly all, cost nothing */
    return false;
  size_t inner_size = strcspn(text + 1, brackets);
  return text[1 + inner_size] == last && text[2 + inner_size] == 0;
}

size_t wi_label_name_size(const char *label) {
  size_t size = strlen(label), end = size;
  if (end == 0 || label[--end] != ')')
    return size;
  size_t digits_end = end;
  while (end > 0 && label[end - 1] >= '0' && label[end - 1] <= '9')
    end--;
  bool is_mark =
      end < digits_end && end >= strlen(WI_LABEL_MARK) &&
      memcmp(label + end - strlen(WI_LABEL_MARK), WI_LABEL_MARK, strlen(WI_LABEL_MARK)) == 0;
  return is_mark ? end - strlen(WI_LABEL_MARK) : size;
}

static const char in_module[] = " (in "; /* in the names of several modules */

static bool is_hint(const char *text) {
  static const char *const starts[] = {" \"", " calls ", " called by ", in_module};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (strncmp(text, starts[i], strlen(starts[i])) == 0)
      return true;
  return false;
}

bool wi_label_is_number(const char *name, uint32_t *index) {
  if (strncmp(name, "func[", 5) != 0)
    return false;
  uint64_t number = 0;
  const char *digit = name + 5;
  for (; *digit >= '0' && *digit <= '9' && number <= UINT32_MAX; digit++)
    number = number * 10 + (uint64_t)(*digit - '0');
  if (digit == name + 5 || number > UINT32_MAX || digit[0] != ']' ||
      (digit[1] != '\0' && !is_hint(digit + 1)))
    return false;
  if (index)
    *index = (uint32_t)number;
  return true;
}

bool wi_label_has_hint(const char *name) {
  if (!wi_label_is_number(name, NULL))
    return false;
  const char *hint = strchr(name, ']') + 1;
  return *hint != 0 && strncmp(hint, in_module, strlen(in_module)) != 0;
}
