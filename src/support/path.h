/* Parts of paths. */
#ifndef WI_SUPPORT_PATH_H_
#define WI_SUPPORT_PATH_H_

#include <stddef.h>
#include <string.h>

/* The part of `path` after the last slash. */
static inline const char *wi_path_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/*
 * The last part of `name`, which need not be terminated, in the folder of the file at `path`: what
 * a module or a profile names leads to no other folder. The caller frees it; NULL: out of memory.
 */
char *wi_path_beside(const char *path, const char *name, size_t name_size);

#endif /* WI_SUPPORT_PATH_H_ */
