/* The native tool; js/package/wasi has the npm package's version of this file. */
#include "cli/common/options.h"

const bool cli_is_native = true;
