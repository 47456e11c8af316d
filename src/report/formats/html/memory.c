#include "report/formats/html/memory.h"

#include <inttypes.h>

#include "report/encode/markup.h"
#include "report/model/size_classes.h"
#include "support/arithmetic.h"

/* Size of the time line's drawing, in its own units. */
#define WIDTH  1000u
#define HEIGHT 160u

/* ---- The time line --------------------------------------------------------- */

static uint64_t most_of(const wasm_perf_profile *profile) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < profile->moment_count; i++)
    most = profile->moments[i].byte_count > most ? profile->moments[i].byte_count : most;
  return most;
}

/* Draws each moment as a step, as high as the maximum in the time that ends with it. */
static void write_steps(const wasm_perf_profile *profile, uint64_t most, FILE *stream) {
  const wasm_perf_moment *last = &profile->moments[profile->moment_count - 1];
  fprintf(stream, "<path d=\"M0 %u", HEIGHT);
  for (uint32_t i = 0; i < profile->moment_count; i++) {
    const wasm_perf_moment *moment = &profile->moments[i];
    bool is_in_order = moment->allocation_count <= last->allocation_count;
    uint64_t x =
        is_in_order ? wi_scale(moment->allocation_count, last->allocation_count, WIDTH) : 0;
    fprintf(stream, "V%" PRIu64 "H%" PRIu64, HEIGHT - wi_scale(moment->byte_count, most, HEIGHT),
            x);
  }
  fprintf(stream, "V%uZ\"/>", HEIGHT);
}

static void write_time_line(const wi_report *report, bool is_one_of_several, FILE *stream) {
  const wasm_perf_profile *profile = report->profile;
  if (profile->moment_count == 0)
    return;
  uint64_t most = most_of(profile);
  wi_short_text size = wi_format_value(WI_UNIT_BYTES, most);
  uint64_t end = profile->moments[profile->moment_count - 1].allocation_count;
  fprintf(stream,
          "<figure><svg class=\"time\" viewBox=\"0 0 %u %u\" preserveAspectRatio=\"none\" "
          "role=\"img\" aria-label=\"Live bytes over time, at most %s\">",
          WIDTH, HEIGHT, size.text);
  write_steps(profile, most, stream);
  fputs("</svg><figcaption class=\"fact\">Live bytes", stream);
  if (is_one_of_several) {
    fputs(" of ", stream);
    wi_markup_write(report->title, stream);
  }
  fprintf(stream, " over time, at most %s; 0 to %s</figcaption></figure>\n", size.text,
          wi_format_quantity(end, "allocation").text);
}

/* ---- Sizes ------------------------------------------------------------------- */

static uint64_t largest_of(const wi_size_class *classes, unsigned count) {
  uint64_t largest = 0;
  for (unsigned i = 0; i < count; i++)
    largest = classes[i].count > largest ? classes[i].count : largest;
  return largest;
}

static void write_sizes(const wasm_perf_profile *profile, FILE *stream) {
  wi_size_class classes[WASM_PERF_SIZE_CLASSES];
  unsigned count = wi_size_classes(profile, classes);
  uint64_t largest = largest_of(classes, count);
  if (count == 0)
    return;
  fputs("<h2>Sizes of allocated blocks</h2>\n<table class=\"sizes\">\n<thead><tr><th "
        "scope=\"col\">Size</th><th scope=\"col\">Allocated</th></tr></thead>\n<tbody>\n",
        stream);
  for (unsigned i = 0; i < count; i++)
    fprintf(stream,
            "<tr><th scope=\"row\">%s</th><td>%s</td><td><svg aria-hidden=\"true\"><rect "
            "width=\"%" PRIu64 "%%\" height=\"100%%\"/></svg></td></tr>\n",
            wi_size_class_text(&classes[i]).text, wi_format_count(classes[i].count).text,
            wi_scale(classes[i].count, largest, 100));
  fputs("</tbody>\n</table>\n", stream);
}

/* ---- The section ------------------------------------------------------------- */

void wi_html_memory_write(const wi_html_data *data, FILE *stream) {
  bool is_one_of_several = data->run_count > 1;
  fputs("<section id=\"memory\" aria-label=\"Memory\">\n<div id=\"memory-time\">\n", stream);
  for (uint32_t r = 0; r < data->run_count; r++)
    write_time_line(data->runs[r].report, is_one_of_several, stream);
  fputs("</div>\n", stream);
  for (uint32_t r = 0; r < data->run_count; r++) {
    const wi_report *report = data->runs[r].report;
    if (is_one_of_several && report->profile->follows_memory) {
      fputs("<h2>", stream);
      wi_markup_write(report->title, stream);
      fputs("</h2>\n", stream);
    }
    write_sizes(report->profile, stream);
  }
  fputs("</section>\n", stream);
}
