/* Writes names from other files into a module. */
#ifndef WI_SYMBOLS_NAME_MODULE_H_
#define WI_SYMBOLS_NAME_MODULE_H_

#include "support/buffer.h"
#include "support/error.h"
#include "support/file_reader.h"

/* The sources of names. Everything is borrowed. */
typedef struct wi_name_sources {
  const char *module_path;  /* of the module's file, whose script may name exports; NULL: unknown */
  const char *caller;       /* path of the script that compiles it, which may name exports; NULL */
  const char *const *paths; /* files, not folders */
  size_t count;
  bool is_any; /* the module is any of a program: files may belong to others */
  bool hints;  /* also use known signatures (symbols/signatures.h), then hints (symbols/hints.h),
                 for functions without a name */
  wi_file_reader *read;
  void (*note)(void *user, const char *path,
               const char *message); /* warns about a file that gives no name */
  void *user;
} wi_name_sources;

/*
 * Names the functions of a module, or of a component's core modules, of `size` bytes from other
 * builds and from files beside it. Sets *named to the input with these names, or leaves it empty if no function gains one.
 * The caller clears it.
 *
 * Returns false with *error filled in if something is unreadable or memory ran out. *path is the
 * file in question, NULL for the input itself. If error->code is WI_ERROR_NONE, the file could not
 * be read, and errno has the reason.
 */
bool wi_name_module(const uint8_t *bytes, size_t size, const wi_name_sources *sources,
                    wi_buffer *named, wi_error *error, const char **path);

#endif /* WI_SYMBOLS_NAME_MODULE_H_ */
