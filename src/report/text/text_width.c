#include "report/text/text_width.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "support/utf8.h"

typedef struct code_range {
  uint32_t first;
  uint32_t last;
} code_range;

static const code_range zero_width[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x064B, 0x065F},
    {0x1AB0, 0x1ACE}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x20D0, 0x20F0},
    {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF},
};

static const code_range double_width[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A}, {0x23E9, 0x23F3}, {0x25FD, 0x25FE},
    {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x27BF}, {0x2B1B, 0x2B1C}, {0x2B50, 0x2B55},
    {0x2E80, 0x3098},   {0x309B, 0xA4CF},   {0xA960, 0xA97C}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
    {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6}, {0x16FE0, 0x1B2FF},
    {0x1F000, 0x1FAFF}, {0x20000, 0x3FFFD},
};

static bool is_in(uint32_t code_point, const code_range *ranges, size_t count) {
  for (size_t i = 0; i < count && ranges[i].first <= code_point; i++)
    if (code_point <= ranges[i].last)
      return true;
  return false;
}

static uint32_t width_of(uint32_t code_point) {
  if (code_point < zero_width[0].first)
    return 1;
  if (is_in(code_point, zero_width, sizeof zero_width / sizeof *zero_width))
    return 0;
  return is_in(code_point, double_width, sizeof double_width / sizeof *double_width) ? 2 : 1;
}

const char *wi_text_next(const char *text, uint32_t *width) {
  size_t size = wi_utf8_sequence((const uint8_t *)text, strnlen(text, 4));
  if (size == 0) {
    *width = 1;
    return text + 1;
  }
  *width = width_of(wi_utf8_decode(text, size));
  return text + size;
}

uint32_t wi_text_width(const char *text) {
  uint32_t sum = 0;
  while (*text != 0) {
    uint32_t width;
    text = wi_text_next(text, &width);
    sum += width;
  }
  return sum;
}
