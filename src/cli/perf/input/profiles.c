#include "cli/perf/input/profiles.h"

#include "cli/perf/input/private_paths.h"

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
#include "profile/wperf.h"
#include "samples/foreign.h"
#include "support/error.h"

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
                                    bool *found, cli_failure *failure) {
  cli_text_lines lines = {0};
  cli_text_lines_feed(&lines, bytes, size);
  *found = cli_text_lines_end(&lines) && lines.lines_count + lines.cut_count > 0;
  wasm_perf_profile *profile = *found ? cli_text_profiles_join(&lines, NULL, path, failure) : NULL;
  cli_text_lines_clear(&lines);
  return profile;
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
                   const wasm_perf_error *error, cli_failure *failure) {
  if (is_module(bytes, size))
    cli_fail(failure, path,
             "it is a module, not a profile; wasm-perf record runs it and makes one");
  else if (!wi_wperf_has_magic(bytes, size) && is_report(path))
    cli_fail(failure, path,
             "it is a report, not a profile; wasm-perf record -o FILE.wperf keeps one");
  else
    cli_fail(failure, path, "offset 0x%" PRIx64 ": %s", error->offset, error->message);
}

static wasm_perf_profile *show_unhooked(wasm_perf_profile *profile, cli_failure *failure) {
  if (!profile || wi_show_unhooked(profile))
    return profile;
  cli_fail_memory(failure);
  wasm_perf_profile_free(profile);
  return NULL;
}

/* Passes on the profiles of a .wperf file. */
static bool read_sequence(const uint8_t *bytes, size_t size, const char *path,
                          cli_profile_taker *take, void *user, cli_failure *failure) {
  bool done = true;
  for (size_t offset = 0, next; done && offset < size; offset = next) {
    wasm_perf_error error;
    next = offset + wi_wperf_size(bytes + offset, size - offset);
    wasm_perf_profile *profile = wasm_perf_profile_parse(bytes + offset, next - offset, &error);
    error.offset += offset;
    if (!profile)
      refuse(path, bytes, size, &error, failure);
    profile = show_unhooked(profile, failure);
    done = profile && take(user, profile);
  }
  return done;
}

/* Reads a file of another tool. NULL on failure. */
static wasm_perf_profile *read_foreign(const uint8_t *bytes, size_t size, const char *path,
                                       wasm_perf_profile **before, cli_failure *failure) {
  wi_error error;
  wi_error_reset(&error);
  wasm_perf_profile *profile = wi_foreign_read(bytes, size, wi_file_read_regular, before, &error);
  if (!profile)
    cli_fail(failure, path, "%s", error.message);
  return profile;
}

/* `before`: as in cli_profile_read_pair. */
static bool read_each(const char *path, wasm_perf_profile **before, cli_profile_taker *take,
                      void *user, cli_failure *failure) {
  uint8_t *bytes;
  size_t size;
  if (!cli_file_read(path, &bytes, &size, failure))
    return false;
  wasm_perf_error error;
  bool is_text = false, done = false;
  wasm_perf_profile *profile =
      wi_wperf_has_magic(bytes, size) ? NULL : read_text(bytes, size, path, &is_text, failure);
  if (is_text) {
    done = profile && take(user, profile);
  } else if (!wi_wperf_has_magic(bytes, size) && wi_foreign_is(bytes, size)) {
    profile = read_foreign(bytes, size, path, before, failure);
    done = profile && take(user, profile);
  } else if (size == 0) {
    wasm_perf_profile_parse(bytes, size, &error);
    refuse(path, bytes, size, &error, failure);
  } else {
    done = read_sequence(bytes, size, path, take, user, failure);
  }
  free(bytes);
  return done;
}

bool cli_profile_read_each(const char *path, cli_profile_taker *take, void *user,
                           cli_failure *failure) {
  return read_each(path, NULL, take, user, failure);
}

#define MOST_KEPT 64u /* profiles that are added up at once */

typedef struct profile_sum {
  const char *path;
  cli_failure *failure;
  wasm_perf_profile *profiles[MOST_KEPT];
  size_t count;
} profile_sum;

static void clear_sum(profile_sum *sum) {
  while (sum->count > 0)
    wasm_perf_profile_free(sum->profiles[--sum->count]);
}

/* Replaces the profiles by their sum. */
static bool add_up(profile_sum *sum) {
  wasm_perf_mismatch mismatch;
  if (sum->count <= 1)
    return sum->count == 1;
  wasm_perf_profile *added = wasm_perf_profile_merge(
      (const wasm_perf_profile *const *)sum->profiles, sum->count, &mismatch);
  clear_sum(sum);
  if (!added)
    return cli_fail(sum->failure, sum->path, "%s", mismatch.message);
  sum->profiles[sum->count++] = added;
  return true;
}

static bool add_profile(void *user, wasm_perf_profile *profile) {
  profile_sum *sum = user;
  sum->profiles[sum->count++] = profile;
  return sum->count < MOST_KEPT || add_up(sum);
}

wasm_perf_profile *cli_profile_read(const char *path, cli_failure *failure) {
  return cli_profile_read_pair(path, NULL, failure);
}

wasm_perf_profile *cli_profile_read_pair(const char *path, wasm_perf_profile **before,
                                         cli_failure *failure) {
  profile_sum sum = {.path = path, .failure = failure};
  if (before)
    *before = NULL;
  if (read_each(path, before, add_profile, &sum, failure) && add_up(&sum))
    return sum.profiles[0];
  clear_sum(&sum);
  return NULL;
}

/* If stderr is a terminal, prints that `path` was written, and its size; nothing for "-". */
static void print_written(const char *path) {
  static const char *const units[] = {"B", "KB", "MB", "GB"};
  struct stat status;
  if (strcmp(path, "-") == 0 || !cli_messages_on_terminal() || stat(path, &status) != 0 ||
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

bool cli_file_fill(const char *path, cli_file_filler *fill, const void *what) {
  wi_file_output output;
  errno = 0;
  if (!wi_file_output_open(&output, path) ||
      !wi_file_output_close(&output, fill(what, output.stream)))
    return false;
  print_written(path);
  return true;
}

/* A profile, and how it is written. */
typedef struct formatted {
  const wasm_perf_profile *profile;
  const wasm_perf_report_format *format; /* NULL: .wperf */
  const wasm_perf_report_options *options;
} formatted;

static bool fill_with_profile(const void *what, FILE *stream) {
  const formatted *of = what;
  return of->format ? of->format->write(of->profile, of->options, stream)
                    : wasm_perf_profile_write(of->profile, stream);
}

bool cli_profile_write(wasm_perf_profile *profile, const wasm_perf_report_format *format,
                       const wasm_perf_report_options *options, const char *path,
                       cli_failure *failure) {
  uint64_t start = cli_progress_now();
  cli_private_paths_shorten(profile);
  if (cli_file_fill(path, fill_with_profile, &(formatted){profile, format, options})) {
    cli_progress_print("Took", start, 0, profile);
    return true;
  }
  if (errno != EPIPE)
    cli_fail(failure, wi_file_output_name(path), "%s",
             errno ? strerror(errno) : "cannot be written");
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

#define MANY_NODES  100000u /* with more, some formats become too large */
#define SMALL_SHARE 100u    /* millionths */

bool cli_profile_merge_small(wasm_perf_profile *profile, wasm_perf_value value,
                             const wasm_perf_report_format *format, const char *path,
                             cli_failure *failure) {
  uint32_t count;
  if (!(format->traits & WASM_PERF_FORMAT_REPEATS_STACKS) ||
      profile->header.node_count <= MANY_NODES)
    return true;
  if (!wasm_perf_profile_prune(profile, value, SMALL_SHARE, 0, &count))
    return cli_fail_memory(failure);
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

bool cli_profile_demangle(wasm_perf_profile *profile, cli_failure *failure) {
  return (demangle_names(profile) && demangle_inlined(profile)) || cli_fail_memory(failure);
}
