/*
 * lcov's tracefile (geninfo(1)), for genhtml: the functions and lines that were executed, and how
 * often. The count of a line is that of its most executed instruction. Instructions without a line
 * are omitted. If lines were not counted, only functions are written.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/formats/writers.h"
#include "report/text/source_file.h"
#include "support/arithmetic.h"

#define TEST_NAME "wasm_perf"

/* A function or a line of a file. */
typedef struct mark {
  uint32_t line;
  uint32_t function; /* for functions: index in the profile */
  uint64_t count;
} mark;

/* Sorted as written: by file, functions first. */
typedef struct entry {
  const char *path;
  bool is_function;
  mark mark;
} entry;

typedef struct lcov_writer {
  const wasm_perf_profile *profile;
  entry *entries;
  size_t count;
  FILE *stream;
} lcov_writer;

/* ---- Collecting ----------------------------------------------------------- */

static void add_entry(lcov_writer *writer, const char *path, bool is_function, mark what) {
  writer->entries[writer->count++] = (entry){path, is_function, what};
}

static int compare_entries(const void *left, const void *right) {
  const entry *a = left, *b = right;
  int order = strcmp(a->path, b->path);
  if (order != 0)
    return order;
  if (a->is_function != b->is_function)
    return a->is_function ? -1 : 1;
  if (a->mark.line != b->mark.line)
    return a->mark.line < b->mark.line ? -1 : 1;
  return (a->mark.function > b->mark.function) - (a->mark.function < b->mark.function);
}

static uint32_t position_of(const wasm_perf_profile *profile, uint32_t function) {
  const wasm_perf_place *place = wasm_perf_profile_place(profile, function);
  return place ? (uint32_t)(place - profile->places) : UINT32_MAX;
}

/* Collects functions with a source position, and lines; sorts them, which groups them by file. */
static bool collect(lcov_writer *writer) {
  const wasm_perf_profile *profile = writer->profile;
  uint64_t *calls = calloc(profile->place_count + (size_t)1, sizeof *calls);
  writer->entries =
      calloc(profile->place_count + (size_t)profile->lines.count + 1, sizeof *writer->entries);
  bool ok = calls && writer->entries;
  for (uint32_t i = 1; ok && i < profile->header.node_count; i++) {
    uint32_t position = position_of(profile, profile->nodes[i].function);
    if (position != UINT32_MAX)
      calls[position] = wi_saturating_add(calls[position], profile->nodes[i].call_count);
  }
  for (uint32_t i = 0; ok && i < profile->place_count; i++) {
    const wasm_perf_place *place = &profile->places[i];
    if (wasm_perf_profile_is_counted(profile, place->function))
      add_entry(writer, place->file, true, (mark){place->line, place->function, calls[i]});
  }
  for (uint32_t i = 0; ok && i < profile->lines.count; i++) {
    const wasm_perf_line *line = &profile->lines.items[i];
    if (line->file != WASM_PERF_NO_FILE)
      add_entry(writer, profile->lines.files[line->file], false,
                (mark){.line = line->line, .count = line->execution_count});
  }
  free(calls);
  if (ok && writer->count > 0)
    qsort(writer->entries, writer->count, sizeof *writer->entries, compare_entries);
  return ok;
}

/* ---- Writing -------------------------------------------------------------- */

static void write_name(const lcov_writer *writer, uint32_t function) {
  char label[WI_LABEL_MAX_SIZE + 1];
  const char *name = wasm_perf_profile_name(writer->profile, function);
  if (name && *name)
    wi_label_clean(label, name, 0);
  else
    snprintf(label, sizeof label, "func[%" PRIu32 "]", function);
  fprintf(writer->stream, "%s\n", label);
}

static void write_functions(const lcov_writer *writer, const entry *entries, size_t count) {
  size_t hit_count = 0;
  for (size_t i = 0; i < count; i++) {
    fprintf(writer->stream, "FN:%" PRIu32 ",", entries[i].mark.line);
    write_name(writer, entries[i].mark.function);
  }
  for (size_t i = 0; i < count; i++) {
    fprintf(writer->stream, "FNDA:%" PRIu64 ",", entries[i].mark.count);
    write_name(writer, entries[i].mark.function);
    hit_count += entries[i].mark.count > 0;
  }
  fprintf(writer->stream, "FNF:%zu\nFNH:%zu\n", count, hit_count);
}

/* The count of a line shared by several functions is the sum of theirs. */
static void write_lines(const lcov_writer *writer, const entry *entries, size_t count) {
  size_t line_count = 0, hit_count = 0;
  for (size_t i = 0, next; i < count; i = next) {
    uint64_t sum = 0;
    for (next = i; next < count && entries[next].mark.line == entries[i].mark.line; next++)
      sum = wi_saturating_add(sum, entries[next].mark.count);
    fprintf(writer->stream, "DA:%" PRIu32 ",%" PRIu64 "\n", entries[i].mark.line, sum);
    line_count++;
    hit_count += sum > 0;
  }
  fprintf(writer->stream, "LF:%zu\nLH:%zu\n", line_count, hit_count);
}

/* Writes the entries of one file. */
static void write_file(const lcov_writer *writer, const entry *entries, size_t count) {
  char path[WI_LABEL_MAX_SIZE + 1];
  size_t function_count = 0;
  while (function_count < count && entries[function_count].is_function)
    function_count++;
  const char *rest = entries[0].path, *home = wi_source_home(&rest);
  wi_label_clean(path, rest, 0);
  fprintf(writer->stream, "SF:%s%s\n", home, path);
  write_functions(writer, entries, function_count);
  write_lines(writer, entries + function_count, count - function_count);
  fputs("end_of_record\n", writer->stream);
}

bool wi_lcov_write(const wi_report *report, FILE *stream) {
  lcov_writer writer = {.profile = report->profile, .stream = stream};
  bool ok = collect(&writer);
  fputs("TN:" TEST_NAME "\n", stream); /* applies to all records that follow */
  for (size_t i = 0, next; ok && i < writer.count && !ferror(stream); i = next) {
    for (next = i; next < writer.count; next++)
      if (strcmp(writer.entries[next].path, writer.entries[i].path) != 0)
        break;
    write_file(&writer, writer.entries + i, next - i);
  }
  free(writer.entries);
  return ok;
}
