/* names/code_point_width.h on WASI's C library, whose wcwidth does not depend on a locale. */
#define _XOPEN_SOURCE 700 /* wcwidth */

#include "names/code_point_width.h"

#include <wchar.h>

uint32_t wi_code_point_width(uint32_t code_point) {
  int width = wcwidth((wchar_t)code_point);
  return width > 0 ? (uint32_t)width : 0;
}
