/* report/text/code_point_width.h by the C library for WASI, whose table asks for no locale. */
#define _XOPEN_SOURCE 700 /* wcwidth */

#include "report/text/code_point_width.h"

#include <wchar.h>

uint32_t wi_code_point_width(uint32_t code_point) {
  int width = wcwidth((wchar_t)code_point);
  return width > 0 ? (uint32_t)width : 0;
}
