#define _POSIX_C_SOURCE 200809L /* fileno, fstat */

#include "report/text/source_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "names/label.h"
#include "support/clean.h"
#include "support/path.h"

#define MAX_SIZE      ((size_t)1 << 26)
#define MAX_PATH_SIZE 8192u
#define TAB_WIDTH     8u
#define MOST_PARENTS  64

/* ---- Finding the file ----------------------------------------------------- */

/* Opens a regular file of bounded size only, because paths come from modules. */
static FILE *open_file(const char *path, size_t *size) {
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || (size_t)status.st_size > MAX_SIZE)
    return NULL;
  *size = (size_t)status.st_size;
  return fopen(path, "rb");
}

/* Opens FOLDER/PATH. The folder may be NULL: it is unknown. */
static FILE *open_joined(const char *folder, const char *path, size_t *size) {
  char full[MAX_PATH_SIZE];
  int length = folder ? snprintf(full, sizeof full, "%s/%s", folder, path) : -1;
  return length >= 0 && length < (int)sizeof full ? open_file(full, size) : NULL;
}

/* Opens a package's file in the nearest folder above the current one that has it. */
static FILE *open_in_package(const char *path, size_t *size) {
  char prefix[MAX_PATH_SIZE] = ".";
  FILE *stream = open_file(path, size);
  for (int i = 0; !stream && i < MOST_PARENTS; i++) {
    strcat(prefix, "/..");
    stream = open_joined(prefix, path, size);
  }
  return stream;
}

/* The home folder, if the path begins with ~ for it, else "". Moves *path to what follows it. */
static const char *take_home(const char **path) {
  const char *home = getenv("HOME");
  if (!home || strncmp(*path, "~/", 2) != 0)
    return "";
  *path += 1;
  return home;
}

void wi_source_full_path(char *full, const char *path) {
  char text[WI_LABEL_MAX_SIZE + 1];
  const char *home = take_home(&path);
  snprintf(text, sizeof text, "%s%s", home, path);
  wi_label_clean(full, text, 0);
}

/* Opens a path as profiles have it, which may be shortened: ~/FILE, node_modules/PACKAGE/FILE. */
static FILE *open_path(const char *path, size_t *size) {
  const char *home = take_home(&path);
  if (*home)
    return open_joined(home, path + 1, size);
  if (strncmp(path, "node_modules/", 13) == 0)
    return open_in_package(path, size);
  return open_file(path, size);
}

/* Whether a path below a folder stays inside it. */
static bool stays_inside(const char *path) {
  return strcmp(path, "..") != 0 && strncmp(path, "../", 3) != 0 && !strstr(path, "/../");
}

/* Tries the whole path below the folder, then the path without its first component, and so on. */
static FILE *find_in(const char *folder, const char *path, size_t *size) {
  while (*path == '/')
    path++;
  for (const char *rest = path; rest; rest = strchr(rest, '/')) {
    rest += *rest == '/';
    FILE *stream = *rest && stays_inside(rest) ? open_joined(folder, rest, size) : NULL;
    if (stream)
      return stream;
  }
  return NULL;
}

/* ---- Lines ---------------------------------------------------------------- */

static bool find_lines(wi_source_file *file, size_t size) {
  size_t count = 1;
  for (size_t i = 0; i < size; i++)
    count += file->bytes[i] == '\n';
  file->lines = malloc((count + 1) * sizeof *file->lines);
  if (!file->lines)
    return false;
  file->lines[0] = 0;
  for (size_t i = 0; i < size; i++)
    if (file->bytes[i] == '\n')
      file->lines[++file->line_count] = i + 1;
  if (file->lines[file->line_count] < size)
    file->lines[++file->line_count] = size + 1; /* as if it ended in a newline */
  return true;
}

static bool read_file(wi_source_file *file, FILE *stream, size_t size) {
  *file = (wi_source_file){.bytes = malloc(size + 1)};
  bool ok = file->bytes && fread(file->bytes, 1, size, stream) == size && find_lines(file, size);
  fclose(stream);
  if (!ok)
    wi_source_file_clear(file);
  return ok;
}

static bool use_text(wi_source_file *file, const char *text) {
  size_t size = strlen(text);
  *file = (wi_source_file){.bytes = malloc(size + 1)};
  if (file->bytes)
    memcpy(file->bytes, text, size + 1);
  if (file->bytes && find_lines(file, size))
    return true;
  wi_source_file_clear(file);
  return false;
}

bool wi_source_is_text(const char *path) {
  return strncmp(path, WASM_PERF_TEXT_PREFIX, sizeof WASM_PERF_TEXT_PREFIX - 1) == 0;
}

/* Source maps may have file: URLs instead of paths. */
static FILE *open_source(const char *path, const char *folder, size_t *size) {
  char *of_url = wi_path_of_url(path);
  const char *local = of_url ? of_url : path;
  FILE *stream = folder ? find_in(folder, local, size) : open_path(local, size);
  free(of_url);
  return stream;
}

bool wi_source_file_open(wi_source_file *file, const wasm_perf_lines *lines, uint32_t index,
                         const char *folder, bool opens_paths) {
  const char *path = lines->files[index], *text = lines->sources[index];
  FILE *stream = NULL;
  size_t size = 0;
  if (!wi_source_is_text(path) && (folder || opens_paths))
    stream = open_source(path, folder, &size);
  if (stream && read_file(file, stream, size))
    return true;
  return text && use_text(file, text);
}

void wi_source_file_clear(wi_source_file *file) {
  free(file->bytes);
  free(file->lines);
  *file = (wi_source_file){0};
}

void wi_source_file_line(const wi_source_file *file, uint32_t number, char *text, size_t size) {
  char expanded[1024];
  size_t count = 0;
  text[0] = '\0';
  if (number == 0 || number > file->line_count)
    return;
  const char *end = file->bytes + file->lines[number] - 1;
  for (const char *at = file->bytes + file->lines[number - 1];
       at < end && *at != '\r' && count + TAB_WIDTH < sizeof expanded; at++) {
    if (*at != '\t')
      expanded[count++] = *at;
    else
      do
        expanded[count++] = ' ';
      while (count % TAB_WIDTH != 0);
  }
  wi_text_clean(expanded, count, text, size);
}
