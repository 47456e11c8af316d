#include "cli/perf/input/profiles.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/perf/input/text_profiles.h"
#include "cli/perf/progress.h"
#include "profile/names.h"
#include "profile/uncounted.h"

const wasm_perf_report_format *cli_format_for_path(const char *path) {
  if (cli_has_extension(path, "txt"))
    return wasm_perf_report_format_find("folded");
  const wasm_perf_report_format *found = NULL;
  for (const wasm_perf_report_format *format = wasm_perf_report_formats; format->name; format++) {
    if (!format->extension || !cli_has_extension(path, format->extension))
      continue;
    if (!found || strlen(format->extension) > strlen(found->extension))
      found = format; /* one extension may be the end of another: .x.json and .json */
  }
  return found;
}

/* Joins the profiles that a program has written among its messages; NULL if there are none. */
static wasm_perf_profile *read_text(const uint8_t *bytes, size_t size, const char *path,
                                    bool *found) {
  cli_text_lines lines = {0};
  cli_text_lines_feed(&lines, bytes, size);
  *found = cli_text_lines_end(&lines) && lines.profiles_count > 0;
  wasm_perf_profile *profile = *found ? cli_text_profiles_join(&lines, NULL, path) : NULL;
  cli_text_lines_clear(&lines);
  return profile;
}

static bool has_magic(const uint8_t *bytes, size_t size) {
  size_t magic_size = strlen(WASM_PERF_MAGIC);
  return size >= magic_size && memcmp(bytes, WASM_PERF_MAGIC, magic_size) == 0;
}

static bool is_module(const uint8_t *bytes, size_t size) {
  static const uint8_t magic[] = {0, 'a', 's', 'm'};
  return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

/* Whether the path ends as reports do. Asks no writer of a format, as the page's reader has none. */
static bool is_report(const char *path) {
  static const char *const extensions[] = {
#define WI_REPORT_FORMAT(name, extension, stacks, traits, summary) extension,
#include "report/formats.def"
#undef WI_REPORT_FORMAT
  };
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if (extensions[i] && cli_has_extension(path, extensions[i]))
      return true;
  return cli_has_extension(path, "txt");
}

/* Refuses a file that is not a profile, with a guess at what the user meant. */
static void refuse(const char *path, const uint8_t *bytes, size_t size,
                   const wasm_perf_error *error) {
  if (is_module(bytes, size))
    cli_error(path, "it is a module, not a profile; wasm-perf record runs it and makes one");
  else if (!has_magic(bytes, size) && is_report(path))
    cli_error(path, "it is a report, not a profile; wasm-perf record -o FILE.wperf keeps one");
  else
    cli_error(path, "offset 0x%" PRIx64 ": %s", error->offset, error->message);
}

static wasm_perf_profile *show_unhooked(wasm_perf_profile *profile) {
  if (!profile || wi_show_unhooked(profile))
    return profile;
  cli_error(NULL, "out of memory");
  wasm_perf_profile_free(profile);
  return NULL;
}

wasm_perf_profile *cli_profile_read(const char *path) {
  uint8_t *bytes;
  size_t size;
  if (!cli_file_read(path, &bytes, &size))
    return NULL;
  wasm_perf_error error;
  bool is_text = false;
  wasm_perf_profile *profile =
      has_magic(bytes, size) ? NULL : read_text(bytes, size, path, &is_text);
  if (!is_text) {
    profile = wasm_perf_profile_parse(bytes, size, &error);
    if (!profile)
      refuse(path, bytes, size, &error);
    profile = show_unhooked(profile);
  }
  free(bytes);
  return profile;
}

bool cli_profile_write(const wasm_perf_profile *profile, const wasm_perf_report_format *format,
                       const wasm_perf_report_options *options, const char *path) {
  wi_file_output output;
  uint64_t start = cli_progress_now();
  if (wi_file_output_open(&output, path)) {
    bool complete = format ? format->write(profile, options, output.stream)
                           : wasm_perf_profile_write(profile, output.stream);
    if (wi_file_output_close(&output, complete)) {
      cli_tell_written(path);
      cli_progress_tell("Took", start, 0, profile);
      return true;
    }
  }
  cli_message_unwritten("wasm-perf", wi_file_output_name(path));
  return false;
}

bool cli_profiles_check_names(wasm_perf_profile *const *profiles, char *const *paths,
                              size_t count) {
  size_t named = count, nameless = count;
  for (size_t i = count; i-- > 0;) {
    if (wasm_perf_profile_has_names(profiles[i]))
      named = i;
    else if (profiles[i]->header.node_count > 1)
      nameless = i;
  }
  if (named == count || nameless == count)
    return true;
  cli_error(paths[nameless],
            "it has no names, unlike %s, so functions cannot be matched by name; --force matches "
            "them by index",
            paths[named]);
  return false;
}

void cli_tell_written(const char *path) {
  static const char *const units[] = {"B", "KB", "MB", "GB"};
  struct stat status;
  if (strcmp(path, "-") == 0 || !isatty(STDERR_FILENO) || stat(path, &status) != 0 ||
      !S_ISREG(status.st_mode))
    return;
  double size = (double)status.st_size;
  size_t unit = 0;
  for (; size >= 1000 && unit + 1 < sizeof units / sizeof *units; unit++)
    size /= 1000;
  bool is_page = cli_has_extension(path, "html") || cli_has_extension(path, "svg");
  cli_message("Wrote %s (%.*f %s)%s%s", path, unit > 0 && size < 10 ? 1 : 0, size, units[unit],
              is_page ? "; to see it: wasm-perf open " : "", is_page ? path : "");
}

#define MANY_NODES  100000u /* with more, some formats become too large */
#define SMALL_SHARE 100u    /* millionths */

/* Whether the format writes a line, a pair of events or an object for each stack. */
static bool repeats_stacks(const wasm_perf_report_format *format) {
  static const char *const names[] = {"folded", "speedscope", "chrome", "cpuprofile"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(format->name, names[i]) == 0)
      return true;
  return false;
}

bool cli_profile_merge_small(wasm_perf_profile *profile, const wasm_perf_report_format *format,
                             const char *path) {
  uint32_t count;
  if (!repeats_stacks(format) || profile->header.node_count <= MANY_NODES)
    return true;
  if (!wasm_perf_profile_prune(profile, SMALL_SHARE, &count)) {
    cli_error(NULL, "out of memory");
    return false;
  }
  if (count > 0)
    cli_error(path,
              "merged %u stacks with less than 0.01 %% each into frames [small]; "
              "wasm-perf report --min-share 0 keeps all",
              count);
  return true;
}

static bool demangle_inlined(wasm_perf_profile *profile) {
  char text[WI_READABLE_MAX_SIZE];
  for (uint32_t i = 0; i < profile->lines.inlined_count; i++)
    if (wi_demangle(profile->lines.inlined[i].name, text, sizeof text) &&
        !wasm_perf_profile_name_inlined(profile, i, text))
      return false;
  return true;
}

static bool demangle_names(wasm_perf_profile *profile) {
  char text[WI_READABLE_MAX_SIZE];
  for (uint32_t i = 0; i < profile->header.name_count; i++) {
    const wasm_perf_name *name = &profile->names[i];
    if (wi_demangle(name->text, text, sizeof text) &&
        !wi_name_set(profile, name->function, text, name->confidence))
      return false;
  }
  return true;
}

bool cli_profile_demangle(wasm_perf_profile *profile) {
  if (demangle_names(profile) && demangle_inlined(profile))
    return true;
  cli_error(NULL, "out of memory");
  return false;
}
