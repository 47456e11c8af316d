#include "cli/perf/input/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/message.h"
#include "cli/common/module_files.h"
#include "cli/perf/input/similar.h"
#include "component/container.h"
#include "debug/places.h"
#include "module/go_names.h"
#include "module/identity.h"
#include "module/names.h"
#include "module/read.h"
#include "module/symbol_map.h"
#include "profile/labels.h"
#include "symbols/core_module.h"
#include "symbols/module_lines.h"
#include "symbols/source_map.h"

/* A file that is a module, or a text. */
typedef struct symbol_file {
  uint8_t *bytes;
  bool is_module;
  wi_module module;
  wi_buffer named; /* its bytes with a name section that it lacked, or empty */
  wi_names *names;
  wi_places *places;        /* of functions in the source */
  wi_line_table *map_lines; /* what its source map says; NULL: it has none */
  bool is_instrumented;
  bool has_run; /* it is the very module that the profile is of */
  char identity[WI_IDENTITY_SIZE];
  char build_id[WI_BUILD_ID_SIZE];
  wi_symbol_map map;
} symbol_file;

/* How much speaks for a file being of the profile's module. */
typedef enum fit {
  FIT_NONE,
  FIT_BY_INDEX, /* nothing tells */
  FIT_EXACT
} fit;

static void clear(symbol_file *file) {
  wi_symbol_map_clear(&file->map);
  wi_names_free(file->names);
  wi_places_free(file->places);
  wi_line_table_free(file->map_lines);
  wi_module_clear(&file->module);
  wi_buffer_clear(&file->named);
  free(file->bytes);
}

/* Of a component, the core module that the profile is of. */
static bool read_module(symbol_file *file, size_t size, const char *path,
                        const wasm_perf_profile *profile, wi_error *error) {
  wi_marker marker;
  wi_span bytes = {0};
  if (wi_component_is(file->bytes, size)) {
    if (!wi_core_module_find(file->bytes, size, profile, &bytes, &file->has_run, error))
      return false;
    size = bytes.size;
  }
  if (!wi_module_read_debug_file(&file->module, file->bytes + bytes.offset, size, error) ||
      !wi_go_names_complete(&file->module, &file->named, error) ||
      !(file->names = wi_names_of_module(&file->module)) ||
      !(file->places = wi_places_of_module(&file->module)))
    return false;
  file->map_lines = wi_source_map_read(&file->module, path, wi_file_read_regular);
  wi_module_identity(&file->module, file->identity);
  wi_module_build_id(&file->module, file->build_id);
  file->is_instrumented = wi_marker_of_module(&file->module, &marker);
  return true;
}

/* Reads what is in file->bytes. Where it fails, the file is clear. */
static bool read_file(symbol_file *file, size_t size, const char *path,
                      const wasm_perf_profile *profile, wi_error *error) {
  file->is_module = size >= 4 && memcmp(file->bytes, "\0asm", 4) == 0;
  if (file->is_module ? read_module(file, size, path, profile, error)
                      : wi_symbol_map_read(&file->map, (char *)file->bytes, size, error))
    return true;
  clear(file);
  return false;
}

/* Where it fails, the file is clear; what is wrong with its contents is in *error. */
typedef bool file_opener(symbol_file *file, const char *path, const wasm_perf_profile *profile,
                         wi_error *error);

static bool open_file(symbol_file *file, const char *path, const wasm_perf_profile *profile,
                      wi_error *error) {
  size_t size;
  *file = (symbol_file){0};
  wi_error_reset(error);
  return wi_file_read(path, &file->bytes, &size) && read_file(file, size, path, profile, error);
}

/* The same of a file that a profile or a module names. */
static bool open_named(symbol_file *file, const char *path, const wasm_perf_profile *profile,
                       wi_error *error) {
  size_t size;
  *file = (symbol_file){0};
  wi_error_reset(error);
  return wi_file_read_regular(path, WI_FILE_SIZE_LIMIT, &file->bytes, &size) &&
         read_file(file, size, path, profile, error);
}

/* ---- Names ---------------------------------------------------------------- */

/* How many imports the profile's module has that the original has not. */
static uint32_t added_import_count(const wasm_perf_profile *profile, const symbol_file *file) {
  uint32_t all = profile->header.host_function_count, own = file->module.imports_count;
  if (profile->facts.added_import_count > 0 || !file->is_module)
    return (uint32_t)profile->facts.added_import_count;
  return all > own ? all - own : 0;
}

/* What `function` of the profile was in the module that the file is of; WI_NO_FUNCTION: nothing. */
static uint32_t original_function(const wasm_perf_profile *profile, const symbol_file *file,
                                  uint32_t function) {
  uint32_t number, added = added_import_count(profile, file);
  const char *name = wasm_perf_profile_name(profile, function);
  if (function >= WASM_PERF_FUNCTION_TRUNCATED)
    return WI_NO_FUNCTION;
  if (file->is_instrumented)
    return function;
  if (name && wi_label_is_number(name, &number))
    return number;
  if (function >= profile->header.host_function_count)
    return function >= added ? function - added : WI_NO_FUNCTION;
  bool is_added = file->is_module && function >= file->module.imports_count;
  return is_added ? WI_NO_FUNCTION : function;
}

/* What the file calls it; "func[12]" or NULL where it does not. */
static const char *name_in_file(const symbol_file *file, uint32_t original) {
  if (!file->is_module)
    return wi_symbol_map_find(&file->map, original);
  return original < wi_names_count(file->names) ? wi_names_get(file->names, original) : NULL;
}

/* Whether the profile has nothing better than `name` for it. */
static bool is_wanted(const wasm_perf_profile *profile, uint32_t function, const char *name,
                      fit how) {
  const char *before = wasm_perf_profile_name(profile, function);
  if (!before)
    return true;
  return !wi_label_is_number(name, NULL) && (how == FIT_EXACT || wi_label_is_number(before, NULL));
}

/* Where the function stands in the source: its DWARF says, or its source map of its first line. */
static const char *place_in_file(const symbol_file *file, uint32_t original, uint32_t *line) {
  const wi_module *module = &file->module;
  const char *path = file->places ? wi_places_find(file->places, original, line) : NULL;
  uint32_t body = original - module->imports_count;
  if (path || !file->map_lines || original < module->imports_count || body >= module->bodies_count)
    return path;
  const wi_line_row *row = wi_line_table_first(file->map_lines, module, module->bodies[body]);
  if (!row)
    return NULL;
  *line = row->line;
  return wi_line_table_path(file->map_lines, row);
}

static bool name_function(wasm_perf_profile *profile, const symbol_file *file, uint32_t function,
                          fit how) {
  uint32_t original = original_function(profile, file, function), line = 0;
  if (original == WI_NO_FUNCTION)
    return true;
  const char *name = name_in_file(file, original);
  const char *path = place_in_file(file, original, &line);
  return (!path || wasm_perf_profile_set_place(profile, function, line, path, strlen(path))) &&
         (!name || !is_wanted(profile, function, name, how) ||
          wasm_perf_profile_set_name(profile, function, name));
}

/*
 * Each function once: a name that was set would be taken for that of another one. Those that were
 * not called count where their blocks do.
 */
static bool name_functions(wasm_perf_profile *profile, const symbol_file *file, fit how) {
  wi_labels labels;
  uint32_t ignored;
  bool done = wi_labels_init(&labels, profile, 0, WI_LABEL_EACH_NAME);
  for (uint32_t i = 0; done && i < labels.functions.count; i++)
    done = name_function(profile, file, labels.functions.items[i], how);
  for (uint32_t i = 0; done && i < profile->block_function_count; i++)
    done = wi_labels_search(&labels, profile->blocks[i].function, &ignored) ||
           name_function(profile, file, profile->blocks[i].function, how);
  wi_labels_clear(&labels);
  if (!done)
    cli_error(NULL, "memory ran out");
  return done;
}

/* ---- Lines ----------------------------------------------------------------- */

typedef struct function_map {
  const wasm_perf_profile *profile;
  const symbol_file *file;
} function_map;

static uint32_t map_function(const void *context, uint32_t function) {
  const function_map *map = context;
  uint32_t added = added_import_count(map->profile, map->file);
  return function >= added ? function - added : WI_NO_FUNCTION;
}

/* Whether the code is there that blocks were counted in. */
static bool is_original(const symbol_file *file) {
  return file->is_module && !file->is_instrumented && file->module.bodies_count > 0;
}

/* Of another build, blocks would be others. */
static bool add_lines(wasm_perf_profile *profile, const symbol_file *file, fit how) {
  function_map map = {profile, file};
  const char *reason = NULL;
  if (how != FIT_EXACT || !is_original(file) || profile->block_function_count == 0 ||
      profile->lines.count > 0)
    return true;
  bool done =
      wi_module_lines_add(profile, &file->module, file->map_lines, map_function, &map, &reason);
  if (reason)
    cli_error(NULL, "no counts of lines: %s", reason);
  else if (!done)
    cli_error(NULL, "memory ran out");
  return done || reason;
}

/* ---- Whether they fit ------------------------------------------------------ */

/* Of a profile that has no identity nor names, only the module that ran tells what is what. */
static fit fit_of_bare_profile(const wasm_perf_profile *profile, const symbol_file *file,
                               const char **reason) {
  if (!file->is_instrumented) {
    *reason = "the profile does not name its module: only the instrumented module that ran fits it";
    return FIT_NONE;
  }
  for (uint32_t i = 0; i < profile->header.node_count; i++) {
    uint32_t function = profile->nodes[i].function;
    if (function < WASM_PERF_FUNCTION_TRUNCATED && function >= wi_names_count(file->names)) {
      *reason = "it has fewer functions than the profile";
      return FIT_NONE;
    }
  }
  return FIT_EXACT;
}

static fit fit_of_module(const wasm_perf_profile *profile, const symbol_file *file,
                         const char **reason) {
  const wasm_perf_facts *facts = &profile->facts;
  bool has_ids = facts->build_id && file->build_id[0];
  bool has_code = file->module.bodies_count > 0;
  uint32_t count = profile->header.function_count, own = file->module.function_types_count;
  if ((has_ids && strcmp(facts->build_id, file->build_id) == 0) ||
      (has_code && facts->identity && strcmp(facts->identity, file->identity) == 0))
    return FIT_EXACT;
  if (file->is_instrumented)
    *reason = "it is instrumented; names come from the module that it was made from";
  else if (has_ids)
    *reason = "it is of another build: its build_id differs";
  else if (own > 0 && count > 0 && count != own)
    *reason =
        "it is another build or module, by its number of functions; give the module that ran, "
        "too: --symbols app.wasm --symbols FILE";
  else
    return FIT_BY_INDEX;
  return FIT_NONE;
}

/* *reason is set where it is none. */
static fit fit_of(const wasm_perf_profile *profile, const symbol_file *file, const char **reason) {
  const wasm_perf_node *first = &profile->nodes[1];
  bool has_module = profile->facts.identity || profile->facts.module;
  if (file->has_run)
    return FIT_EXACT;
  if (!has_module && profile->header.node_count > 1 && first->call_count == 0) {
    *reason = "the profile is of several modules; give names to each before they are put together";
    return FIT_NONE;
  }
  if (!profile->facts.identity && !wasm_perf_profile_has_names(profile))
    return fit_of_bare_profile(profile, file, reason);
  return file->is_module ? fit_of_module(profile, file, reason) : FIT_BY_INDEX;
}

/* ---- Files that were given -------------------------------------------------- */

/* A path of that last part, beside the file at `path`; for the caller to free. */
static char *path_beside(const char *path, const char *name, size_t name_size) {
  for (size_t i = name_size; i > 0; i--)
    if (name[i - 1] == '/') {
      name += i;
      name_size -= i;
      break;
    }
  return cli_text("%.*s%.*s", (int)(wi_path_name(path) - path), path, (int)name_size, name);
}

/* The debug file that a module without names says it has, beside it; NULL: none. To be freed. */
static char *debug_path_of(const symbol_file *file, const char *path) {
  const wi_section *section = file->is_module && !wi_module_custom_section(&file->module, "name")
                                  ? wi_module_custom_section(&file->module, "external_debug_info")
                                  : NULL;
  if (!section)
    return NULL;
  wi_error ignored;
  wi_error_reset(&ignored);
  wi_cursor cursor = wi_cursor_at(file->module.bytes, wi_section_contents(section), &ignored);
  wi_span url = wi_cursor_sized(&cursor);
  return path_beside(path, (const char *)file->module.bytes + url.offset, url.size);
}

/* Names from what a file that fits leads to; that is the profile's as much as the file is. */
static bool follow_debug_file(wasm_perf_profile *profile, const symbol_file *file, const char *path,
                              fit how) {
  char *debug_path = debug_path_of(file, path);
  symbol_file debug;
  wi_error ignored;
  const char *reason;
  bool done = true;
  if (debug_path && open_named(&debug, debug_path, profile, &ignored)) {
    done = fit_of(profile, &debug, &reason) == FIT_NONE || name_functions(profile, &debug, how);
    clear(&debug);
  }
  free(debug_path);
  return done;
}

static bool take_names(wasm_perf_profile *profile, const symbol_file *file, const char *path,
                       fit how) {
  return name_functions(profile, file, how) && add_lines(profile, file, how) &&
         follow_debug_file(profile, file, path, how);
}

/* `open` is one of the above. */
static bool try_file(wasm_perf_profile *profile, const char *path, file_opener *open) {
  symbol_file file;
  wi_error ignored;
  const char *reason;
  if (!open(&file, path, profile, &ignored))
    return false;
  bool done =
      fit_of(profile, &file, &reason) == FIT_EXACT && take_names(profile, &file, path, FIT_EXACT);
  clear(&file);
  return done;
}

bool cli_symbols_try(wasm_perf_profile *profile, const char *path) {
  return try_file(profile, path, open_file);
}

static bool apply_file(wasm_perf_profile *profile, const char *profile_path, const char *path) {
  symbol_file file;
  wi_error error;
  const char *reason = NULL;
  errno = 0;
  if (!open_file(&file, path, profile, &error)) {
    if (error.message[0] != 0)
      cli_module_error(path, &error);
    else
      cli_error(path, "%s", errno ? strerror(errno) : "memory ran out");
    return false;
  }
  fit how = fit_of(profile, &file, &reason);
  if (how == FIT_NONE)
    cli_error(path, "not the module of %s: %s", profile_path, reason);
  else if (how == FIT_BY_INDEX)
    cli_error(path, "cannot tell whether it is the module of %s: names go by function index",
              profile_path);
  bool done = how != FIT_NONE && take_names(profile, &file, path, how);
  clear(&file);
  return done;
}

/* ---- Files that lie beside a profile ---------------------------------------- */

/*
 * Where the profile's module may be: beside the profile and nowhere else, as names in a profile
 * lead to no other folder.
 */
static void list_beside(const wasm_perf_profile *profile, const char *profile_path,
                        cli_list *paths) {
  const char *module = profile->facts.module, *base = wi_path_name(profile_path);
  char *like_profile = cli_text("%.*s.wasm", (int)strcspn(base, "."), base);
  if (module && *wi_path_name(module))
    cli_list_add(paths, path_beside(profile_path, module, strlen(module)));
  cli_list_add(paths, path_beside(profile_path, like_profile, strlen(like_profile)));
  free(like_profile);
}

/* Functions of a guest have their names in the profile, whatever the module's have. */
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
  list_beside(profile, profile_path, &paths);
  for (size_t i = 0; i < paths.count && !found; i++)
    found = try_file(profile, paths.items[i], open_named);
  cli_list_clear(&paths);
  if (!found && !wasm_perf_profile_has_names(profile) && !shows_guest_only(profile))
    cli_message("wasm-perf: %s has no names: give its module, %s, by --symbols FILE", profile_path,
                profile->facts.module ? wi_path_name(profile->facts.module) : "app.wasm");
}

/* ---- The module itself -------------------------------------------------------- */

static bool use_file(const wasm_perf_profile *profile, const char *path, file_opener *open,
                     cli_module_use *use, void *context) {
  symbol_file file;
  wi_error ignored;
  const char *reason;
  if (!open(&file, path, profile, &ignored))
    return false;
  function_map map = {profile, &file};
  bool done = fit_of(profile, &file, &reason) == FIT_EXACT && is_original(&file) &&
              use(context, &file.module, file.names, map_function, &map);
  clear(&file);
  return done;
}

bool cli_symbols_use(const wasm_perf_profile *profile, const char *profile_path,
                     const cli_list *paths, cli_module_use *use, void *context) {
  cli_list beside = {0};
  if (paths->count == 0)
    list_beside(profile, profile_path, &beside);
  const cli_list *all = paths->count == 0 ? &beside : paths;
  bool done = false;
  for (size_t i = 0; i < all->count && !done; i++)
    done = use_file(profile, all->items[i], all == paths ? open_file : open_named, use, context);
  cli_list_clear(&beside);
  return done;
}

/*
 * Names after other builds, where the module itself is at hand, too: *is_at_hand. False where that
 * failed or, unless the profile has other names, none of the files is one.
 */
static bool apply_builds(wasm_perf_profile *profile, const char *profile_path,
                         const cli_module_files *files, bool is_named, bool *is_at_hand) {
  const cli_list given = {files->paths, files->count}, none = {0};
  cli_similar builds = {.profile = profile, .files = files, .silent = is_named};
  *is_at_hand = cli_symbols_use(profile, profile_path, &given, cli_similar_name, &builds) ||
                cli_symbols_use(profile, profile_path, &none, cli_similar_name, &builds);
  return !builds.failed && (is_named || !*is_at_hand || builds.build_count > 0);
}

/* Whether it may be another build of the module; what cannot be read is told elsewhere. */
static bool has_code(const wasm_perf_profile *profile, const char *path) {
  symbol_file file;
  wi_error ignored;
  if (!open_file(&file, path, profile, &ignored))
    return false;
  bool done = is_original(&file);
  clear(&file);
  return done;
}

static bool apply_files(wasm_perf_profile *profile, const char *profile_path,
                        const cli_module_files *files) {
  bool is_exact = false, is_at_hand;
  for (size_t i = 0; i < files->count && !is_exact; i++)
    is_exact = cli_symbols_try(profile, files->paths[i]);
  if (is_exact && (files->count == 1 || cli_similar_is_complete(profile)))
    return true;
  const char *last = files->paths[files->count - 1];
  if (has_code(profile, last)) {
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
