/* Names from other builds, written into a module. */
#ifndef WI_SYMBOLS_NAME_MODULE_H_
#define WI_SYMBOLS_NAME_MODULE_H_

#include "support/file_reader.h"
#include "symbols/build.h"
#include "symbols/namings.h"

/* What a name begins with that is of another build. */
#define WI_MATCHED_MARK '~'

/*
 * Writes the build's module with a name section that has its own names and, for functions without
 * one, those of `namings` after WI_MATCHED_MARK. Labels, locals and the like stay. `out->failed`
 * where memory ran out.
 */
void wi_name_module_write(wi_buffer *out, const wi_build *build, const wi_namings *namings);

/* Where names are taken from, and what is to be said of a file. */
typedef struct wi_name_sources {
  const char *const *paths; /* files; folders are the caller's */
  size_t count;
  bool hints; /* what has no name after that is named as a function of a library that is known
                 (symbols/signatures.h), or has a hint (symbols/hints.h) */
  wi_file_reader *read;
  void (*note)(void *user, const char *path, const char *message); /* no build of it, for one */
  void *user;
} wi_name_sources;

/*
 * Names the functions of a module of `size` bytes after other builds: *named becomes the module
 * with their names, for the caller to clear; it stays empty where no function gains one. False,
 * with *error filled in and *path set to the file that it is about, NULL: the module itself, where
 * something cannot be read or memory ran out. What cannot be read is told without errno where
 * error->code is WI_ERROR_NONE.
 */
bool wi_name_module(const uint8_t *bytes, size_t size, const wi_name_sources *sources,
                    wi_buffer *named, wi_error *error, const char **path);

#endif /* WI_SYMBOLS_NAME_MODULE_H_ */
