/* Names for the functions of profiles, from files that have more of them than the module that
 * ran. */
#ifndef WI_CLI_PERF_INPUT_SYMBOLS_H_
#define WI_CLI_PERF_INPUT_SYMBOLS_H_

#include "cli/perf/common.h"
#include "symbols/module_lines.h"
#include "wasm_perf/profile.h"

/* The option that gives such a file, for the tables of commands. */
#define CLI_SYMBOLS_OPTION(id)                                                                     \
  {                                                                                                \
    id, "symbols", CLI_FILE("FILE", NULL),                                                         \
        "take names from FILE: the module before it was stripped, Emscripten's .symbols map, or "  \
        "lines INDEX:NAME; of several, each profile takes the one of its module. Or another "      \
        "build of the module, or a folder of builds: ~NAME marks such a name, and the module "     \
        "itself has to be at hand. Default: a module beside the profile that fits it, if it has "  \
        "no names"                                                                                 \
  }

/*
 * Names the functions of a profile, says where they stand in the source and, where blocks were
 * counted, what lines took, after one of the files
 * at `paths`: the first one that is of the profile's module, by its code or build_id; where there
 * is none, the last one, by function indices, with a warning on stderr. Then only functions without
 * a name take one. A file is
 *
 *     a module    the original, or an unstripped build of it; one that has no names itself leads to
 *                 the one beside it that its external_debug_info names
 *     the module  that ran, instrumented, for a profile that has no identity
 *     a component the one of its core modules that is one of these, or that ran
 *     a text      of lines INDEX:NAME, see module/symbol_map.h
 *
 * or another build of the module, or a folder of builds, where the module itself is among the files
 * or beside the profile: see input/similar.h.
 *
 * False on failure, which it has printed on stderr: also where the file cannot be of the profile.
 */
bool cli_symbols_apply(wasm_perf_profile *profile, const char *profile_path, const cli_list *paths);

/* The same of one file that is of the profile without doubt. False, and not a word, where not. */
bool cli_symbols_try(wasm_perf_profile *profile, const char *path);

/* The same of a file that was not typed: nothing but a regular file of bounded size is read. */
bool cli_symbols_try_named(wasm_perf_profile *profile, const char *path);

/*
 * The same for a profile that has an identity but no names, or counts of blocks, from a module
 * beside it: named as the profile says, or like the file. Where there is none, it prints how to get
 * names.
 */
void cli_symbols_find(wasm_perf_profile *profile, const char *profile_path);

/*
 * Hands the module that the profile is of to `use`: one of the files at `paths`, or where there are
 * none one beside the profile. `original` maps the profile's functions to the module's. False: it
 * is not at hand, or `use` says so.
 */
typedef bool cli_module_use(void *context, const wi_module *module, wi_names *names,
                            wi_function_map *original, const void *map);
bool cli_symbols_use(const wasm_perf_profile *profile, const char *profile_path,
                     const cli_list *paths, cli_module_use *use, void *context);

#endif /* WI_CLI_PERF_INPUT_SYMBOLS_H_ */
