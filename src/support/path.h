/* Parts of paths. */
#ifndef WI_SUPPORT_PATH_H_
#define WI_SUPPORT_PATH_H_

#include <stddef.h>
#include <string.h>

/* Returns the part of `path` after the last slash. */
static inline const char *wi_path_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/*
 * Joins the directory of `path` and the last component of `name`, which need not be terminated: a
 * module or profile can name files only in its own directory. The caller frees the result. NULL:
 * out of memory.
 */
char *wi_path_beside(const char *path, const char *name, size_t name_size);

/*
 * The path of a file: URL, or of an absolute path. NULL for others, or if out of memory. The caller
 * frees it.
 */
char *wi_path_of_url(const char *url);

#endif /* WI_SUPPORT_PATH_H_ */
