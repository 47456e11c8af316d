/*
 * Cobertura's XML (coverage-04.dtd), for GitLab, Azure and others: a package for each folder, a class
 * for each file.
 */
#include <inttypes.h>
#include <string.h>

#include "names/label.h"
#include "report/encode/markup.h"
#include "report/formats/writers.h"
#include "report/model/coverage.h"
#include "report/text/source_file.h"
#include "support/arithmetic.h"
#include "support/path.h"

static void write_text(const char *name, const char *text, size_t size, FILE *stream) {
  char label[WI_LABEL_MAX_SIZE + 1], part[WI_LABEL_MAX_SIZE + 1];
  snprintf(part, sizeof part, "%.*s", (int)(size < sizeof part ? size : sizeof part - 1), text);
  wi_label_clean(label, part, 0);
  fprintf(stream, " %s=\"", name);
  wi_markup_write_attribute(label, stream);
  fputc('"', stream);
}

/* A part of 1, with four decimals; nothing to cover is covered. */
static void write_rate(const char *name, const wi_covered_share *share, FILE *stream) {
  enum { SCALE = 10000 };
  uint64_t rate = share->count > 0 ? wi_scale(share->hit_count, share->count, SCALE) : SCALE;
  fprintf(stream, " %s=\"%" PRIu64 ".%04" PRIu64 "\"", name, rate / SCALE, rate % SCALE);
}

static void write_rates(const wi_covered_share *lines, const wi_covered_share *branches,
                        FILE *stream) {
  write_rate("line-rate", lines, stream);
  write_rate("branch-rate", branches, stream);
  fputs(" complexity=\"0\"", stream);
}

static void write_method(const wi_covered_function *function, FILE *stream) {
  const wi_covered_share line = {1, function->count > 0}, none = {0, 0};
  const char *name = function->name && *function->name ? function->name : "?";
  fputs("            <method", stream);
  write_text("name", name, strlen(name), stream);
  fputs(" signature=\"\"", stream);
  write_rates(&line, &none, stream);
  fprintf(stream,
          ">\n              <lines><line number=\"%" PRIu32 "\" hits=\"%" PRIu64
          "\"/></lines>\n            </method>\n",
          function->line, function->count);
}

static void write_line(const wi_covered_file *file, const wi_covered_line *line, FILE *stream) {
  size_t count;
  const wi_covered_way *ways = wi_coverage_ways(file, line->line, &count);
  wi_covered_share share = {count, 0};
  for (size_t i = 0; i < count; i++)
    share.hit_count += ways[i].branch.count > 0;
  fprintf(stream, "            <line number=\"%" PRIu32 "\" hits=\"%" PRIu64 "\"", line->line,
          line->count);
  if (count > 0)
    fprintf(stream,
            " branch=\"true\" condition-coverage=\"%" PRIu64 "%% (%" PRIu64 "/%" PRIu64 ")\"",
            wi_scale(share.hit_count, count, 100), share.hit_count, share.count);
  else
    fputs(" branch=\"false\"", stream);
  fputs("/>\n", stream);
}

static void write_class(const wi_covered_file *file, FILE *stream) {
  const char *name = wi_path_name(file->path);
  char path[WI_LABEL_MAX_SIZE + 1];
  wi_source_full_path(path, file->path);
  fputs("        <class", stream);
  write_text("name", name, strlen(name), stream);
  write_text("filename", path, strlen(path), stream);
  write_rates(&file->sums.lines, &file->sums.branches, stream);
  fputs(">\n          <methods>\n", stream);
  for (uint64_t i = 0; i < file->sums.functions.count; i++)
    write_method(&file->functions[i], stream);
  fputs("          </methods>\n          <lines>\n", stream);
  for (uint64_t i = 0; i < file->sums.lines.count; i++)
    write_line(file, &file->lines[i], stream);
  fputs("          </lines>\n        </class>\n", stream);
}

static size_t folder_size(const char *path) {
  const char *name = wi_path_name(path);
  return name > path ? (size_t)(name - path) - 1 : 0;
}

/* Files are sorted by path, so a folder between others can be several packages. */
static size_t write_package(const wi_coverage *coverage, size_t first, FILE *stream) {
  const char *path = coverage->files[first].path;
  size_t size = folder_size(path), end = first;
  wi_covered_sums sums = {0};
  for (; end < coverage->file_count; end++) {
    const wi_covered_file *file = &coverage->files[end];
    if (folder_size(file->path) != size || strncmp(file->path, path, size) != 0)
      break;
    wi_covered_sums_add(&sums, &file->sums);
  }
  fputs("    <package", stream);
  write_text("name", size > 0 ? path : ".", size > 0 ? size : 1, stream);
  write_rates(&sums.lines, &sums.branches, stream);
  fputs(">\n      <classes>\n", stream);
  for (size_t i = first; i < end; i++)
    write_class(&coverage->files[i], stream);
  fputs("      </classes>\n    </package>\n", stream);
  return end;
}

bool wi_cobertura_write(const wi_report *report, FILE *stream) {
  wi_coverage coverage;
  if (!wi_coverage_init(&coverage, report->profile, &report->options))
    return false;
  const wi_covered_sums *sums = &coverage.sums;
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n"
        "<coverage",
        stream);
  write_rates(&sums->lines, &sums->branches, stream);
  fprintf(stream,
          " lines-covered=\"%" PRIu64 "\" lines-valid=\"%" PRIu64 "\" branches-covered=\"%" PRIu64
          "\" branches-valid=\"%" PRIu64 "\" version=\"wasm-perf\" timestamp=\"0\">\n",
          sums->lines.hit_count, sums->lines.count, sums->branches.hit_count, sums->branches.count);
  fputs("  <sources><source>.</source></sources>\n  <packages>\n", stream);
  for (size_t i = 0; i < coverage.file_count && !ferror(stream);)
    i = write_package(&coverage, i, stream);
  fputs("  </packages>\n</coverage>\n", stream);
  wi_coverage_clear(&coverage);
  return true;
}
