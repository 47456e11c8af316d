#include "cli/perf/input/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/common/module_files.h"
#include "cli/perf/input/similar.h"
#include "component/container.h"
#include "symbols/signatures.h"
#include "symbols/symbolize.h"

/* Opens a file of symbols. On failure *file is empty; *error describes malformed contents. */
typedef bool file_opener(wi_symbol_file *file, const char *path, const wasm_perf_profile *profile,
                         wi_error *error);

static bool open_file(wi_symbol_file *file, const char *path, const wasm_perf_profile *profile,
                      wi_error *error) {
  uint8_t *bytes;
  size_t size;
  wi_error_reset(error);
  return wi_file_read(path, &bytes, &size) &&
         wi_symbol_file_read(file, bytes, size, path, profile, wi_file_read_regular, error);
}

/* Opens a file that is named in a profile: only a regular file of bounded size. */
static bool open_named(wi_symbol_file *file, const char *path, const wasm_perf_profile *profile,
                       wi_error *error) {
  uint8_t *bytes;
  size_t size;
  wi_error_reset(error);
  return wi_file_read_regular(path, WI_FILE_SIZE_LIMIT, &bytes, &size) &&
         wi_symbol_file_read(file, bytes, size, path, profile, wi_file_read_regular, error);
}

/* ---- Files that were given -------------------------------------------------- */

static bool take_names(wasm_perf_profile *profile, const wi_symbol_file *file, const char *path,
                       wi_symbol_fit how) {
  const char *no_lines;
  bool done = wi_symbolize(profile, file, path, how, wi_file_read_regular, &no_lines);
  if (no_lines)
    cli_error(NULL, "no line counts: %s", no_lines);
  if (!done)
    cli_error(NULL, "out of memory");
  return done;
}

/* `open` is one of the above. */
static bool try_file(wasm_perf_profile *profile, const char *path, file_opener *open) {
  wi_symbol_file file;
  wi_error ignored;
  const char *reason;
  if (!open(&file, path, profile, &ignored))
    return false;
  bool done = wi_symbol_fit_of(profile, &file, &reason) == WI_SYMBOL_FIT_EXACT &&
              take_names(profile, &file, path, WI_SYMBOL_FIT_EXACT);
  wi_symbol_file_clear(&file);
  return done;
}

bool cli_symbols_try(wasm_perf_profile *profile, const char *path) {
  return try_file(profile, path, open_file);
}

bool cli_symbols_try_named(wasm_perf_profile *profile, const char *path) {
  return try_file(profile, path, open_named);
}

static bool apply_file(wasm_perf_profile *profile, const char *profile_path, const char *path) {
  wi_symbol_file file;
  wi_error error;
  const char *reason = NULL;
  errno = 0;
  if (!open_file(&file, path, profile, &error)) {
    if (error.message[0] != 0)
      cli_module_error(path, &error);
    else
      cli_error(path, "%s", errno ? strerror(errno) : "out of memory");
    return false;
  }
  wi_symbol_fit how = wi_symbol_fit_of(profile, &file, &reason);
  if (how == WI_SYMBOL_FIT_NONE)
    cli_error(path, "not the module of %s: %s", profile_path, reason);
  else if (how == WI_SYMBOL_FIT_BY_INDEX)
    cli_error(path,
              "cannot tell whether it is the module of %s: names are assigned by function index",
              profile_path);
  bool done = how != WI_SYMBOL_FIT_NONE && take_names(profile, &file, path, how);
  wi_symbol_file_clear(&file);
  return done;
}

/* ---- Files that may be a profile's module ------------------------------------ */

/*
 * Lists them: beside the profile and in the working directory, as a name in a profile must not lead
 * to another folder.
 */
static void list_nearby(const wasm_perf_profile *profile, const char *profile_path,
                        cli_list *paths) {
  const char *module = profile->facts.module, *base = wi_path_name(profile_path);
  int folder_size = (int)(base - profile_path);
  bool has_name = module && *wi_path_name(module);
  if (has_name)
    cli_list_add(paths, cli_text("%.*s%s", folder_size, profile_path, wi_path_name(module)));
  cli_list_add(paths,
               cli_text("%.*s%.*s.wasm", folder_size, profile_path, (int)strcspn(base, "."), base));
  if (has_name && folder_size > 0)
    cli_list_add(paths, cli_text("%s", wi_path_name(module)));
}

/* Functions of a guest have names in the profile even if the module has none. */
static bool shows_guest_only(const wasm_perf_profile *profile) {
  uint64_t first = profile->facts.first_guest;
  for (uint32_t i = 1; first > 0 && i < profile->header.node_count; i++)
    if (profile->nodes[i].function < first)
      return false;
  return first > 0;
}

void cli_symbols_find(wasm_perf_profile *profile, const char *profile_path) {
  bool is_complete = wasm_perf_profile_has_names(profile) && profile->block_function_count == 0;
  if (!profile->facts.identity || is_complete || profile->header.node_count < 2)
    return;
  cli_list paths = {0};
  bool found = false;
  list_nearby(profile, profile_path, &paths);
  for (size_t i = 0; i < paths.count && !found; i++)
    found = try_file(profile, paths.items[i], open_named);
  cli_list_clear(&paths);
  if (!found && !wasm_perf_profile_has_names(profile) && !shows_guest_only(profile))
    cli_message("wasm-perf: %s has no names: give its module, %s, with --symbols FILE",
                profile_path,
                profile->facts.module ? wi_path_name(profile->facts.module) : "app.wasm");
}

/* ---- The module itself -------------------------------------------------------- */

static bool use_file(const wasm_perf_profile *profile, const char *path, file_opener *open,
                     cli_module_use *use, void *context) {
  wi_symbol_file file;
  wi_error ignored;
  const char *reason;
  if (!open(&file, path, profile, &ignored))
    return false;
  const wi_symbol_functions map = {profile, &file};
  bool done = wi_symbol_fit_of(profile, &file, &reason) == WI_SYMBOL_FIT_EXACT &&
              wi_symbol_file_has_code(&file) &&
              use(context, &file.module, file.names, wi_symbol_functions_map, &map);
  wi_symbol_file_clear(&file);
  return done;
}

bool cli_symbols_use(const wasm_perf_profile *profile, const char *profile_path,
                     const cli_list *paths, cli_module_use *use, void *context) {
  cli_list nearby = {0};
  if (paths->count == 0)
    list_nearby(profile, profile_path, &nearby);
  const cli_list *all = paths->count == 0 ? &nearby : paths;
  bool done = false;
  for (size_t i = 0; i < all->count && !done; i++)
    done = use_file(profile, all->items[i], all == paths ? open_file : open_named, use, context);
  cli_list_clear(&nearby);
  return done;
}

/*
 * Takes names from other builds; this needs the module itself, and *is_at_hand says whether it was
 * found. False on failure, or if none of the files is a build and the profile has no names.
 */
static bool apply_builds(wasm_perf_profile *profile, const char *profile_path,
                         const cli_module_files *files, bool is_named, bool *is_at_hand) {
  const cli_list given = {files->paths, files->count}, none = {0};
  cli_similar builds = {.profile = profile, .files = files, .silent = is_named};
  *is_at_hand = cli_symbols_use(profile, profile_path, &given, cli_similar_name, &builds) ||
                cli_symbols_use(profile, profile_path, &none, cli_similar_name, &builds);
  return !builds.failed && (is_named || !*is_at_hand || builds.build_count > 0);
}

/*
 * Whether functions may be named after the file: a symbol map only if the module is at hand, else by
 * index. Read errors are reported elsewhere.
 */
static bool may_name(const wasm_perf_profile *profile, const char *path, bool is_at_hand) {
  uint8_t *bytes;
  size_t size;
  wi_symbol_file file;
  wi_error ignored;
  wi_error_reset(&ignored);
  if (!wi_file_read(path, &bytes, &size))
    return false;
  if (wi_signatures_are(bytes, size) || wi_component_is(bytes, size) ||
      wi_glue_is_script((const char *)bytes, size)) {
    free(bytes);
    return true;
  }
  if (!wi_symbol_file_read(&file, bytes, size, path, profile, wi_file_read_regular, &ignored))
    return false;
  bool done = file.is_module ? wi_symbol_file_has_code(&file) : is_at_hand;
  wi_symbol_file_clear(&file);
  return done;
}

static bool apply_files(wasm_perf_profile *profile, const char *profile_path,
                        const cli_module_files *files) {
  bool is_exact = false, is_at_hand;
  for (size_t i = 0; i < files->count && !is_exact; i++)
    is_exact = cli_symbols_try(profile, files->paths[i]);
  if (is_exact && files->count == 1)
    return true;
  const char *last = files->paths[files->count - 1];
  if (may_name(profile, last, is_exact)) {
    if (!apply_builds(profile, profile_path, files, is_exact, &is_at_hand))
      return false;
    is_exact |= is_at_hand;
  }
  return is_exact || apply_file(profile, profile_path, last);
}

bool cli_symbols_apply(wasm_perf_profile *profile, const char *profile_path,
                       const cli_list *paths) {
  cli_module_files files = {0};
  const char *failed;
  if (paths->count == 0)
    return true;
  if (!cli_module_files_list(&files, (const char *const *)paths->items, paths->count, &failed))
    return cli_error(failed, "%s", strerror(errno)), false;
  bool done = files.count > 0 && apply_files(profile, profile_path, &files);
  if (files.count == 0)
    cli_error(paths->items[0], "no .wasm file is in that folder");
  cli_module_files_clear(&files);
  return done;
}
