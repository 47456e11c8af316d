/*
 * wasm_instrument: compiles a profiler into a WebAssembly module.
 *
 * Bytes in, bytes out. The library has no global state, prints nothing and never exits. Calls on
 * different data may run in parallel threads.
 *
 * Every hooked function of the output calls these imports:
 *
 *     wasm_perf.perf_start   (i32 function)  on entry, with its own function index
 *     wasm_perf.perf_end     ()              before each exit
 *     wasm_perf.perf_depth   () -> i32       after perf_start, if perf_unwind is called
 *     wasm_perf.perf_unwind  (i32 depth)     where a caught exception continues, and
 *                                            after each direct call of an import
 *
 * A module that counts its own instructions calls perf_start_at (i32 function, i64 now),
 * perf_end_at (i64 now) and perf_unwind_at (i32 depth, i64 now) instead.
 *
 * From these calls a runtime (wasm_perf/wasm_perf.h, wasm_perf.wasm) builds an exact call tree.
 */
#ifndef WASM_INSTRUMENT_WASM_INSTRUMENT_H_
#define WASM_INSTRUMENT_WASM_INSTRUMENT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wasm_perf/format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library and the command, as MAJOR.MINOR.PATCH. */
const char *wi_version(void);

/* ---- Errors ------------------------------------------------------------- */

/* X(name, summary) for each error code. */
#define WI_ERROR_CODES(X)                                                                          \
  X(NONE, "no error")                                                                              \
  X(OUT_OF_MEMORY, "out of memory")                                                                \
  X(NOT_WASM, "the input is not a WebAssembly module")                                             \
  X(COMPONENT, "the input is a component, but a core module is needed")                            \
  X(TRUNCATED, "the input ends, or a section or body ends, inside an item")                        \
  X(MALFORMED, "bytes that are invalid at this place in a module")                                 \
  X(UNSUPPORTED, "an opcode or encoding of an unfinished proposal")                                \
  X(LIMIT, "larger than any engine accepts")                                                       \
  X(RELOCATABLE, "the input is an object file with relocations")                                   \
  X(INSTRUMENTED, "the input is already instrumented")                                             \
  X(PATTERN, "a malformed selection pattern")                                                      \
  X(OPTION, "options that cannot be used together")

typedef enum wi_error_code {
#define WI_ERROR_ENUM(name, summary) WI_ERROR_##name,
  WI_ERROR_CODES(WI_ERROR_ENUM)
#undef WI_ERROR_ENUM
} wi_error_code;

#define WI_NO_OFFSET   UINT64_MAX /* the error has no single offset */
#define WI_NO_FUNCTION UINT32_MAX /* the error is not in a function */

/* A failure. Owns nothing: the caller allocates it and may copy it. */
typedef struct wi_error {
  wi_error_code code;
  uint64_t offset;         /* bytes from the start of the input, or WI_NO_OFFSET */
  uint32_t function;       /* function index in the input, or WI_NO_FUNCTION */
  char function_name[128]; /* raw name, truncated to fit; "" if unknown */
  char message[192];       /* the reason, without location or program name */
} wi_error;

/*
 * Writes "offset 0x1a2b, function 17 (parse_expr): truncated LEB128" to `text`: at most `size`
 * bytes including the terminator. Unprintable bytes of names become '?'.
 */
void wi_error_format(const wi_error *error, char *text, size_t size);

/* ---- Selection ---------------------------------------------------------- */

/*
 * An ordered list of patterns. A pattern is one of
 *
 *     name        an exact function name (mangled or demangled) or export name
 *     with * ?    a glob that must match such a name completely
 *     /regex/     a Perl-compatible regular expression (PCRE2) that matches anywhere in it; if
 *                 matching takes too long, instrumenting fails with WI_ERROR_PATTERN
 *     @12 @12-40  function indices of the input module
 *     func[12]    the same index, as reports write a function without a name; a hint may follow
 *
 * A leading '!' makes a pattern exclude what it matches. The last matching pattern decides. A
 * function that no pattern matches is chosen only if every pattern of the list excludes.
 */
typedef struct wi_selection wi_selection;

wi_selection *wi_selection_new(void);            /* chooses everything; NULL: out of memory */
void wi_selection_free(wi_selection *selection); /* NULL is allowed */

/*
 * Appends one pattern. `exclude` has the effect of a leading '!'. `text` is copied. Returns false
 * and fills in *error if the pattern is invalid.
 */
bool wi_selection_add(wi_selection *selection, const char *text, bool exclude, wi_error *error);

/*
 * Appends an allow list: one pattern per line, surrounded by optional blanks. Empty lines and lines
 * that start with '#' are skipped, and a '#' between blanks begins a remark. A list without patterns
 * chooses nothing. On failure, the error's message begins with the faulty line's number.
 */
bool wi_selection_add_list(wi_selection *selection, const char *text, size_t size, wi_error *error);

/*
 * Declares allocators for wi_options.memory. `text` is NAME=KIND: NAME is a name or glob as above,
 * KIND one of the kinds that --allocator lists. `text` is copied. Returns false and fills in *error
 * if it is invalid.
 */
bool wi_selection_add_allocator(wi_selection *selection, const char *text, wi_error *error);

/*
 * Chooses functions for wi_options.measure_calls by one more pattern, as wi_selection_add does. Without such patterns,
 * it is the exported functions.
 */
bool wi_selection_add_calls(wi_selection *selection, const char *text, wi_error *error);

/* ---- Instrumenting ------------------------------------------------------ */

/*
 * Whether to profile the functions of a guest, the program that the module interprets: X(ID, name,
 * help). The supported guest is CPython, version 3.13 or later.
 */
#define WI_GUESTS(X)                                                                               \
  X(OFF, "off", "the default: the module's own functions only")                                    \
  X(BOTH, "both", "Python functions, and the module's own below their callers")                    \
  X(PYTHON, "python", "Python functions only; they are charged for the module's functions")

typedef enum wi_guest_mode {
#define WI_GUEST_ENUM(id, name, help) WI_GUEST_##id,
  WI_GUESTS(WI_GUEST_ENUM)
#undef WI_GUEST_ENUM
} wi_guest_mode;

typedef struct wi_options {
  const char *import_module;     /* NULL: "wasm_perf" */
  const wi_selection *selection; /* NULL: every function; borrowed during the call */
  uint32_t min_instructions;     /* do not hook functions with fewer instructions */
  uint32_t skip_leaves; /* do not hook leaf functions with fewer instructions; their callers are
                            charged */
  bool strict; /* fail if a pattern matches no function, or if no function is selected. In a
                  component of several modules, only the latter */
  wasm_perf_clock clock; /* unit of self values, see WASM_PERF_CLOCKS; AUTO: INSTRUCTIONS with
                            embed, else WALL */
  bool host_calls;    /* give each direct call of an import from a hooked function its own frame */
  bool embed;         /* put the runtime into the module, which then needs no host support, only an
                      engine with multi-memory. Required by clocks that only this form has; excludes
                      clocks that it lacks, and flush */
  bool single_memory; /* with embed: keep the profile in the program's own memory, for engines that
                         allow one per module; not for modules that import or share theirs. In a
                         component, not if an adapter grows the memory of a module */
  wasm_perf_recursion recursion; /* with embed, like the next two */
  uint32_t node_limit;           /* maximum number of distinct stacks; 0: 1,048,576 */
  bool count_blocks;             /* with embed: count how often each basic block is executed */
  bool count_branches;     /* with count_blocks: also how often each way of a branch is taken */
  const char *module_name; /* the original's name, for the profile and its file name; may be NULL */
  bool memory;             /* with embed: track allocations and frees; hooks every allocator */
  wi_guest_mode guest;     /* with embed and a clock that does not sample; PYTHON excludes memory */
  bool deterministic; /* with embed: answer what WASI preview 1 is asked for clocks, random numbers,
                         streams and files inside the module, the same in each run */
  bool
      measure_calls; /* with embed: measure each call of the functions of wi_selection_add_calls: time,
                         if the host has a clock, and instructions, with that clock */
  uint32_t kept_calls; /* of how many of the slowest the subtree is kept; 0: 10 */
  bool no_file;        /* with embed: a WASI command writes no file; its host reads the profile */
  bool to_stderr;      /* with embed: a command that can write text does so to stderr for wasm-perf,
                     instead of a file; always so in a component */
  /*
   * With embed: also write the profile when an exported function with one of these names returns to the host: globs,
   * terminated by NULL; NULL: none. In a component, the default are functions that handle requests. Borrowed.
   */
  const char *const *write_at;
  uint32_t write_every; /* of how many such returns one writes; 0: each */
  /*
   * With write_at: the import that prints the lines, as MODULE.FIELD. Its parameters are the text's address and size,
   * both i32; it returns nothing or an i32. NULL: proxy-wasm's, or WASI.
   */
  const char *write_by;
  /*
   * Core modules of a component to instrument: globs of their names, terminated by NULL. NULL:
   * every module with functions except those that wit-component generates (adapters, shim, fixups).
   * Borrowed.
   */
  const char *const *modules;
  bool flush; /* call perf_flush when _start returns and before proc_exit */
  bool force; /* accept an input that is already instrumented */
  /*
   * The module's source map, if it is a separate file (a data: URL in the module is found without
   * this). The output holds its updated version. NULL: none. Borrowed during the call.
   */
  const uint8_t *source_map;
  size_t source_map_size;
  const char *source_map_url; /* URL of the new source map, written to the module; NULL: none */
  /*
   * The module's separate debug file (external_debug_info): itself a module, with or without code.
   * The output holds its updated version. NULL: none. Borrowed during the call.
   */
  const uint8_t *debug_file;
  size_t debug_file_size;
  const char *debug_file_url; /* URL of the new debug file, written to the module; NULL: none */
  /*
   * Called for each part that was dropped or looks wrong; may be NULL. `message` is valid during
   * the call.
   */
  void (*warn)(void *user, const char *message);
  /*
   * Called occasionally when the first `size` bytes of the input will hardly be read again: a
   * caller that mapped a file may release those pages. May be NULL.
   */
  void (*pass)(void *user, size_t size);
  void *user;
} wi_options;

/* Whether the options measure something else, so that the clock AUTO is NONE. */
static inline bool wi_options_replace_clock(const wi_options *options) {
  return options->memory || options->count_branches;
}

/* Result of wi_instrument. Zero it before use; clear it afterwards. */
typedef struct wi_output {
  uint8_t *bytes; /* the new module, owned; NULL after a failure */
  size_t size;
  uint8_t *source_map; /* the updated source map, owned; NULL without a separate one */
  size_t source_map_size;
  uint8_t *debug_file; /* the updated debug file, owned; NULL if none was passed */
  size_t debug_file_size;
  uint32_t function_count;     /* functions with a body in the input */
  uint32_t instrumented_count; /* functions with hooks */
  uint32_t import_count;       /* imports added */
  bool writes_profile;         /* a WASI command with the embedded runtime: it writes its profile */
  bool lacks_writer;           /* a command with the embedded runtime that cannot write it */
  bool is_start_only;          /* it writes what _start did; other exports may be called later */
  bool never_flushes;          /* options->flush is set, but nothing calls the hook */
  bool has_single_memory;      /* the profile is in the program's own memory */
  bool has_guest;              /* options->guest is not OFF, and a module contains a guest */
  bool shows_nothing; /* only functions of a guest are to be shown, and the module contains none */
  const char *reader; /* name of the section reader that parsed the input; static */
} wi_output;

/*
 * Instruments the module of `size` bytes at `input`, which is not kept. With options->embed the
 * input may be a component: its core modules are instrumented, everything else stays byte for byte.
 * `options` may be NULL for the defaults. The result is deterministic. Returns false on failure,
 * with *error filled in and *output empty.
 */
bool wi_instrument(const uint8_t *input, size_t size, const wi_options *options, wi_output *output,
                   wi_error *error);

void wi_output_clear(wi_output *output);

/* ---- Looking at a module ------------------------------------------------ */

/* A function of a module, as reported by wi_list_functions. */
typedef struct wi_function_info {
  uint32_t index;             /* function index in the module */
  uint32_t instruction_count; /* excluding else, end, catch and delegate */
  const char *name;           /* see wi_names_get; valid during the call */
  bool chosen;                /* whether wi_instrument would hook it */
  const char *module_name;    /* in a component: name of the core module that contains it; else
                                 NULL */
} wi_function_info;

/*
 * Calls `visit` for every function with a body, in index order. `options` as for wi_instrument.
 * Returns false on failure, with *error filled in.
 */
bool wi_list_functions(const uint8_t *input, size_t size, const wi_options *options,
                       void (*visit)(void *user, const wi_function_info *info), void *user,
                       wi_error *error);

/* Function names of a module, instrumented or not. */
typedef struct wi_names wi_names;

/* Reads the names; the bytes at `input` must outlive the result. The caller frees it. */
wi_names *wi_names_read(const uint8_t *input, size_t size, wi_error *error);
void wi_names_free(wi_names *names); /* NULL is allowed */

/*
 * Returns the name of function `index`: "module.field" for an import; otherwise its name in the
 * name section, its first export name, or "func[12]", in this order. The number in "func[12]" is
 * the index before instrumentation. Never NULL; valid until the next call with the same `names`.
 */
const char *wi_names_get(wi_names *names, uint32_t index);

/* Number of functions in the module, including imports. */
uint32_t wi_names_count(const wi_names *names);

/*
 * Returns the source map's URL, which points into `input` and has *url_size bytes; NULL if the
 * module has none or cannot be read.
 */
const char *wi_source_map_url(const uint8_t *input, size_t size, size_t *url_size);

/* Returns the debug file's URL, likewise. */
const char *wi_debug_file_url(const uint8_t *input, size_t size, size_t *url_size);

/* Source locations of a module's functions, from DWARF. */
typedef struct wi_places wi_places;

/*
 * Reads the locations; without DWARF there are none. Does not keep `input`. The caller frees the
 * result.
 */
wi_places *wi_places_read(const uint8_t *input, size_t size, wi_error *error);
void wi_places_free(wi_places *places); /* NULL is allowed */

/*
 * Returns the path of the file that declares function `index`, and stores the line in *line.
 * Returns NULL and leaves *line alone if unknown. Valid until the places are freed.
 */
const char *wi_places_find(const wi_places *places, uint32_t index, uint32_t *line);

/* What wasm-instrument recorded in an instrumented module. */
typedef struct wi_marker {
  char version[32];            /* of the command that wrote it */
  char clock[16];              /* its name in WASM_PERF_CLOCKS */
  char import_module[64];      /* truncated to fit */
  uint32_t first_import;       /* function index of the first added import */
  uint32_t import_count;       /* number of added imports */
  uint32_t function_count;     /* functions with a body */
  uint32_t instrumented_count; /* functions with hooks */
  bool is_embedded;            /* the runtime is embedded */
} wi_marker;

/*
 * Reads the marker of an instrumented module. Returns false if the module has none or cannot be
 * read.
 */
bool wi_marker_read(const uint8_t *input, size_t size, wi_marker *marker);

#define WI_READABLE_MAX_SIZE 16384u /* of a demangled name, including the terminator */

/*
 * Demangles the C++ or Rust name `name` into `text`: at most `size` bytes including the terminator.
 * Also handles a prefix that ends in '$', and names of which only Rust's hash suffix is left.
 * Returns false and leaves `text` alone if `name` is not mangled or too long.
 */
bool wi_demangle(const char *name, char *text, size_t size);

/* Same without the return type, which C++ mangles into names of function templates. */
bool wi_demangle_bare(const char *name, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* WASM_INSTRUMENT_WASM_INSTRUMENT_H_ */
