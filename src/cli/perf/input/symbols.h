/* Names for the functions of a profile, from files that know more than the module that ran. */
#ifndef WI_CLI_PERF_INPUT_SYMBOLS_H_
#define WI_CLI_PERF_INPUT_SYMBOLS_H_

#include "cli/perf/common.h"
#include "symbols/module_lines.h"
#include "wasm_perf/profile.h"

/* The option --symbols, for the tables of commands. */
#define CLI_SYMBOLS_OPTION(id)                                                                     \
  {                                                                                                \
    id, "symbols", CLI_FILE("FILE", NULL),                                                         \
        "use names from FILE: the module before it was stripped, Emscripten's .symbols map, or "   \
        "lines INDEX:NAME. Or another build of the module, or a folder of builds: their names "    \
        "are shown as ~NAME, and the module itself must be available. May be repeated. Default, "  \
        "if "                                                                                      \
        "the profile has no names: its module, next to the profile or in the current folder"       \
  }

/*
 * Adds names and source places to the functions of a profile and, if blocks were counted, costs to
 * its lines. They come from the first of the files at `paths` that belongs to the profile's module
 * by its code or build_id. If none does, the last file is used by function index, with a warning on
 * stderr, and names only functions that have no name. A file may be
 *
 *     a module        the original or an unstripped build; if it has no names, the file beside it
 *                     that its external_debug_info names is read
 *     the module      that ran, instrumented, if the profile has no identity
 *     a component     one of whose core modules is one of these
 *     a symbol map    with lines INDEX:NAME, see module/symbol_map.h
 *     another build   or a folder of builds, if the module itself is among the files or beside the
 *                     profile: see input/similar.h
 *
 * False on failure, printed on stderr, and if the file cannot belong to the profile.
 */
bool cli_symbols_apply(wasm_perf_profile *profile, const char *profile_path, const cli_list *paths);

/* The same from one file. Unless it certainly belongs to the profile, returns false silently. */
bool cli_symbols_try(wasm_perf_profile *profile, const char *path);

/* The same for a path that the user did not type: only a regular file of bounded size is read. */
bool cli_symbols_try_named(wasm_perf_profile *profile, const char *path);

/*
 * The same from a module beside the profile, whose name the profile knows or which is named like
 * the profile's file, or in the working directory, whose name the profile knows. For a profile with
 * an identity but without names, or with counted blocks. If there is no such module, prints how to
 * get names.
 */
void cli_symbols_find(wasm_perf_profile *profile, const char *profile_path);

/*
 * Calls `use` with the profile's module: one of the files at `paths` or, without any, one beside
 * the profile or in the working directory. `original` maps the profile's functions to the module's.
 * False if the module was not found or `use` returned false.
 */
typedef bool cli_module_use(void *context, const wi_module *module, wi_names *names,
                            wi_function_map *original, const void *map);
bool cli_symbols_use(const wasm_perf_profile *profile, const char *profile_path,
                     const cli_list *paths, cli_module_use *use, void *context);

#endif /* WI_CLI_PERF_INPUT_SYMBOLS_H_ */
