/* What the command wasm-instrument understands. */
#ifndef WI_CLI_INSTRUMENT_OPTIONS_H_
#define WI_CLI_INSTRUMENT_OPTIONS_H_

#include "cli/common/options.h"

enum {
  OPTION_LIST = CLI_OPTIONS_OWN,
  OPTION_IMPORT_MODULE,
  OPTION_FLUSH,
  OPTION_EMBED,
  OPTION_NO_FILE,
  OPTION_STDERR,
  OPTION_MODULE,
  OPTION_RECURSION,
  OPTION_NODE_LIMIT,
  OPTION_FORCE,
  OPTION_SOURCE_MAP,
  OPTION_DEBUG_FILE,
  OPTION_BUDGET,
  OPTION_PROFILE,
  OPTION_NAMES
};

extern const cli_command wi_instrument_command;

#endif /* WI_CLI_INSTRUMENT_OPTIONS_H_ */
