/* Without WABT, every module goes to the section reader. */
#include "module/read_wabt.h"

bool wi_module_read_wabt(wi_module *module) {
  (void)module;
  return false;
}
