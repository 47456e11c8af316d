#include "samples/scripts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples/script_file.h"

enum { FAR_COLUMN = 500, MOST_TEXT = 200 };

/* Part of a name or URL; not NUL-terminated. */
typedef struct text {
  const char *start;
  int size;
} text;

static text text_at(const wi_samples *samples, size_t offset, uint32_t size) {
  return (text){(const char *)samples->names.data + offset, (int)size};
}

static text shorten(text whole) {
  return (text){whole.start, whole.size < MOST_TEXT ? whole.size : MOST_TEXT};
}

/* The last component of a path. */
static text base_of(text url) {
  for (int at = url.size - 1; at > 0; at--)
    if (url.start[at - 1] == '/')
      return (text){url.start + at, url.size - at};
  return url;
}

static bool set_name(wi_samples *samples, wi_sample_frame *frame, const char *name) {
  frame->name_offset = samples->names.size;
  frame->name_size = (uint32_t)strlen(name);
  wi_buffer_append(&samples->names, name, frame->name_size);
  return !samples->names.failed;
}

/* Example: "(anonymous) app.js:3:14" */
static bool name_by_place(wi_samples *samples, wi_sample_frame *frame) {
  char shown[2 * MOST_TEXT + 64];
  bool is_named = frame->name_size > 0;
  text name = is_named ? text_at(samples, frame->name_offset, frame->name_size)
                       : (text){"(anonymous)", (int)strlen("(anonymous)")};
  if (frame->column == 0 || (is_named && frame->column < FAR_COLUMN))
    return is_named || set_name(samples, frame, name.start);
  name = shorten(name);
  text base = shorten(base_of(text_at(samples, frame->file_offset, frame->file_size)));
  snprintf(shown, sizeof shown, "%.*s %.*s:%u:%u", name.size, name.start, base.size, base.start,
           frame->line, frame->column);
  return set_name(samples, frame, shown);
}

/* ---- Source maps ------------------------------------------------------------------- */

/* Removes "./" and "folder/../" from a path or URL. */
static void normalize(char *path) {
  char *to = path, *root = strstr(path, "://");
  root = root ? root + 3 : path;
  for (const char *from = path; *from;) {
    bool is_start = to > path && to[-1] == '/' && to >= root;
    char *above = to - 1;
    while (is_start && above > root && above[-1] != '/')
      above--;
    if (is_start && strncmp(from, "./", 2) == 0) {
      from += 2;
    } else if (is_start && strncmp(from, "../", 3) == 0 && above > root) {
      from += 3;
      to = above;
    } else {
      *to++ = *from++;
    }
  }
  *to = '\0';
}

static bool set_file(wi_samples *samples, wi_sample_frame *frame, const char *path) {
  char *file = strdup(path);
  if (!file)
    return false;
  normalize(file);
  frame->file_offset = samples->names.size;
  frame->file_size = (uint32_t)strlen(file);
  wi_buffer_append(&samples->names, file, frame->file_size);
  free(file);
  return !samples->names.failed;
}

/* Replaces the frame's place by its source, if the map knows it. */
static bool map_frame(wi_samples *samples, wi_sample_frame *frame, wi_script_file *script) {
  const wi_script_function function = {.line = frame->line,
                                       .column = frame->column,
                                       .name =
                                           (const char *)samples->names.data + frame->name_offset,
                                       .name_size = frame->is_call ? 0 : frame->name_size};
  const char *name;
  const wi_script_row *row = wi_script_file_find(script, &function, &name);
  if (!row)
    return true;
  frame->line = row->source_line;
  frame->column = row->source_column;
  return (!name || set_name(samples, frame, name)) &&
         set_file(samples, frame, wi_script_map_text(script->map, row->path));
}

/* A frame and its script's URL. */
typedef struct located {
  const uint8_t *names;
  size_t offset;
  uint32_t size, frame;
  uint32_t line, column;
} located;

static int compare_urls(const located *a, const located *b) {
  uint32_t size = a->size < b->size ? a->size : b->size;
  int order = memcmp(a->names + a->offset, b->names + b->offset, size);
  return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

static int compare(const void *left, const void *right) {
  const located *a = left, *b = right;
  int order = compare_urls(a, b);
  if (order != 0 || a->line != b->line)
    return order != 0 ? order : a->line < b->line ? -1 : 1;
  return (a->column > b->column) - (a->column < b->column);
}

/* Lists the frames with a place, sorted by script and position. */
static uint32_t list_frames(const wi_samples *samples, located *list) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < samples->frames_count; i++) {
    const wi_sample_frame *frame = &samples->frames[i];
    if (frame->kind == WASM_PERF_KIND_JAVASCRIPT && frame->file_size > 0 && frame->column > 0)
      list[count++] = (located){samples->names.data, frame->file_offset, frame->file_size, i,
                                frame->line,         frame->column};
  }
  qsort(list, count, sizeof *list, compare);
  return count;
}

/* Maps `count` frames of one script. */
static bool map_script(wi_samples *samples, const located *list, uint32_t count,
                       wi_file_reader *read) {
  char *url = strndup((const char *)list->names + list->offset, list->size);
  wi_script_file script;
  bool has_map = url && wi_script_file_read(&script, url, read), done = url != NULL;
  for (uint32_t i = 0; has_map && done && i < count; i++)
    done = map_frame(samples, &samples->frames[list[i].frame], &script);
  if (has_map)
    wi_script_file_clear(&script);
  free(url);
  return done;
}

static bool map_frames(wi_samples *samples, wi_file_reader *read) {
  located *list = malloc((samples->frames_count + (size_t)1) * sizeof *list);
  uint32_t count = list ? list_frames(samples, list) : 0;
  bool done = list != NULL;
  for (uint32_t first = 0, next; done && first < count; first = next) {
    for (uint32_t i = first; i < count; i++)
      list[i].names = samples->names.data; /* it may have grown */
    for (next = first + 1; next < count && compare_urls(&list[first], &list[next]) == 0; next++) {
    }
    done = map_script(samples, &list[first], next - first, read);
  }
  free(list);
  return done;
}

bool wi_scripts_place(wi_samples *samples, wi_file_reader *read) {
  if (!map_frames(samples, read))
    return false;
  for (uint32_t i = 0; i < samples->frames_count; i++) {
    wi_sample_frame *frame = &samples->frames[i];
    bool is_script = frame->file_size > 0 ||
                     (frame->kind != WASM_PERF_KIND_WASM && frame->kind != WASM_PERF_KIND_IMPORT);
    if (is_script && !name_by_place(samples, frame))
      return false;
  }
  return true;
}
