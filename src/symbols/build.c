#include "symbols/build.h"

#include "module/go_names.h"
#include "module/names.h"
#include "module/read.h"

void wi_build_close(wi_build *build) {
  wi_names_free(build->names);
  wi_module_clear(&build->module);
  wi_buffer_clear(&build->named);
  *build = (wi_build){0};
}

bool wi_build_open(wi_build *build, const uint8_t *bytes, size_t size, wi_error *error) {
  *build = (wi_build){.bytes = bytes};
  if (wi_module_read(&build->module, bytes, size, error) &&
      wi_go_names_complete(&build->module, &build->named, error) &&
      ((build->names = wi_names_of_module(&build->module)) || wi_error_memory(error)))
    return true;
  wi_build_close(build);
  return false;
}
