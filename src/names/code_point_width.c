#include "names/code_point_width.h"

#include <utf8proc.h>

uint32_t wi_code_point_width(uint32_t code_point) {
  return (uint32_t)utf8proc_charwidth((utf8proc_int32_t)code_point);
}
