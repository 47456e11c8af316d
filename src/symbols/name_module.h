/* Writes names from other files into a module. */
#ifndef WI_SYMBOLS_NAME_MODULE_H_
#define WI_SYMBOLS_NAME_MODULE_H_

#include "support/file_reader.h"
#include "symbols/build.h"
#include "symbols/namings.h"

/*
 * Appends the build's module to `out`. Its name section keeps its own names and, for functions
 * without one, has the names of `namings`; WI_MATCHED_MARK precedes names of other builds. Other
 * subsections are kept. A section of confidences in matched names follows. Sets out->failed if memory ran out.
 */
void wi_name_module_write(wi_buffer *out, const wi_build *build, const wi_namings *namings);

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
