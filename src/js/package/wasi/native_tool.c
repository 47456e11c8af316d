/* The npm package, which is not the native tool. */
#include "cli/common/options.h"

const bool cli_is_native = false;
