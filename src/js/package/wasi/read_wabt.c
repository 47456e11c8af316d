/* module/read_wabt.h without WABT: the section reader reads every module. */
#include "module/read_wabt.h"

bool wi_module_read_wabt(wi_module *module) {
  (void)module;
  return false;
}
