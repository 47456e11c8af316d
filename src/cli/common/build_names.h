/* Names a module's functions from other files: those that an option lists, and those beside it. */
#ifndef WI_CLI_COMMON_BUILD_NAMES_H_
#define WI_CLI_COMMON_BUILD_NAMES_H_

#include "support/buffer.h"
#include "wasm_instrument/wasm_instrument.h"

/* Where names come from. Everything is borrowed. */
typedef struct cli_name_request {
  const char *module_path; /* the module's file, whose script may name exports; NULL: unknown */
  const char *caller;      /* the script that compiles it, which may name exports; NULL: unknown */
  const char *const
      *paths; /* builds of the module, symbol maps or scripts, or folders with builds */
  size_t count;
  bool is_any; /* the module is any of a program: files may belong to others */
  bool hints;  /* also name functions by what their code refers to */
  void (*note)(void *user, const char *path, const char *message); /* warns of a file of `paths`
                                                                      that names nothing */
  void *user;
} cli_name_request;

/*
 * Names the module's functions. *named becomes the module with the names, or stays empty. Returns
 * false with *error set or, if its code is WI_ERROR_NONE, with errno set. *path is then the file,
 * which the caller frees, or NULL for the module itself.
 */
bool cli_name_functions(const cli_name_request *request, const uint8_t *bytes, size_t size,
                        wi_buffer *named, wi_error *error, char **path);

#endif /* WI_CLI_COMMON_BUILD_NAMES_H_ */
