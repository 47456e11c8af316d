/*
 * wasm_instrument: compiles a profiler into a WebAssembly module.
 *
 * Bytes in, bytes out. The library keeps no global state, prints nothing and
 * never exits; calls on different data may run in different threads.
 *
 * Every selected function of the output calls the imports
 *
 *     wasm_perf.perf_start   (i32 function)  first, with its own function index
 *     wasm_perf.perf_end     ()              before it leaves, by every exit
 *     wasm_perf.perf_depth   () -> i32       after perf_start, where needed
 *     wasm_perf.perf_unwind  (i32 depth)     where a caught exception continues and
 *                                            after each direct call of an import
 *
 * With a clock of its own the module calls perf_start_at (i32 function, i64 now), perf_end_at
 * (i64 now) and perf_unwind_at (i32 depth, i64 now) in their place.
 *
 * So a runtime (wasm_perf/wasm_perf.h, wasm_perf.wasm) can keep an exact call tree.
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

/* The version of the library and of the tool, as MAJOR.MINOR.PATCH. */
const char *wi_version(void);

/* ---- Errors ------------------------------------------------------------- */

/* One line per error: its name and what it is about. */
#define WI_ERROR_CODES(X)                                                                          \
  X(NONE, "no error")                                                                              \
  X(OUT_OF_MEMORY, "memory ran out")                                                               \
  X(NOT_WASM, "the input is no WebAssembly module")                                                \
  X(COMPONENT, "the input is a component, where only a core module can be")                        \
  X(TRUNCATED, "the input ends, or a section or body ends, inside an item")                        \
  X(MALFORMED, "bytes that no WebAssembly module may hold at that place")                          \
  X(UNSUPPORTED, "an opcode or form of a proposal that is not settled")                            \
  X(LIMIT, "larger than any engine accepts")                                                       \
  X(RELOCATABLE, "the input is an object file with relocations")                                   \
  X(INSTRUMENTED, "the input is instrumented already")                                             \
  X(PATTERN, "a selection pattern that cannot be understood")                                      \
  X(OPTION, "options that do not go together")

typedef enum wi_error_code {
#define WI_ERROR_ENUM(name, summary) WI_ERROR_##name,
  WI_ERROR_CODES(WI_ERROR_ENUM)
#undef WI_ERROR_ENUM
} wi_error_code;

/* "TRUNCATED" for WI_ERROR_TRUNCATED, and so on; never NULL. */
const char *wi_error_code_name(wi_error_code code);

#define WI_NO_OFFSET   UINT64_MAX /* the error stands at no one place */
#define WI_NO_FUNCTION UINT32_MAX /* the error stands in no function */

/* A failure. Owns nothing; the caller provides it and may copy it. */
typedef struct wi_error {
  wi_error_code code;
  uint64_t offset;         /* bytes from the start of the input, or WI_NO_OFFSET */
  uint32_t function;       /* function index in the input, or WI_NO_FUNCTION */
  char function_name[128]; /* raw name, cut to fit; "" where there is none */
  char message[192];       /* what is wrong, without place or program name */
} wi_error;

/*
 * Writes "offset 0x1a2b, function 17 (parse_expr): truncated LEB128" to `text`, at most
 * `size` bytes with the terminator, unprintable bytes of names replaced by '?'.
 */
void wi_error_format(const wi_error *error, char *text, size_t size);

/* ---- Selection ---------------------------------------------------------- */

/*
 * An ordered list of patterns. A pattern is one of
 *
 *     name        an exact function name, raw or demangled, or an export name
 *     with * ?    a glob over the whole of such a name
 *     /regex/     a Perl-compatible regular expression (PCRE2), found anywhere in it; matching
 *                 one that would take too long is refused with WI_ERROR_PATTERN
 *     @12 @12-40  function indices of the input module
 *
 * and, with a leading '!', takes away what it matches. The last pattern that
 * matches a function decides; where none does, the function is chosen if
 * all patterns of the list take away, and not chosen if one adds.
 */
typedef struct wi_selection wi_selection;

wi_selection *wi_selection_new(void);            /* chooses everything; NULL: memory */
void wi_selection_free(wi_selection *selection); /* NULL is allowed */

/*
 * Appends one pattern; `exclude` takes away, as a leading '!' does. `text` is
 * copied. False, with *error filled in, when it cannot be understood.
 */
bool wi_selection_add(wi_selection *selection, const char *text, bool exclude, wi_error *error);

/*
 * Appends a whitelist: one pattern a line, blanks around it ignored; empty lines
 * and lines that begin with '#' are skipped. A list without any pattern chooses
 * nothing. error->offset is the byte where the faulty line begins.
 */
bool wi_selection_add_list(wi_selection *selection, const char *text, size_t size, wi_error *error);

/*
 * Says which functions allocate memory, for wi_options.memory: `text` is NAME=KIND, a name as above
 * or a glob, and one of the kinds that --allocator has. Copied. False, with *error filled in, when
 * it cannot be understood.
 */
bool wi_selection_add_allocator(wi_selection *selection, const char *text, wi_error *error);

/* ---- Instrumenting ------------------------------------------------------ */

/*
 * Whether functions of a guest are followed, which the module interprets: X(ID, name, help). A
 * guest is CPython of version 3.13 or later.
 */
#define WI_GUESTS(X)                                                                               \
  X(OFF, "off", "the default: the module's own functions only")                                    \
  X(BOTH, "both", "Python functions, and the module's own below their callers")                    \
  X(PYTHON, "python", "Python functions only; the module's functions are charged to them")

typedef enum wi_guest_mode {
#define WI_GUEST_ENUM(id, name, help) WI_GUEST_##id,
  WI_GUESTS(WI_GUEST_ENUM)
#undef WI_GUEST_ENUM
} wi_guest_mode;

typedef struct wi_options {
  const char *import_module;     /* NULL: "wasm_perf" */
  const wi_selection *selection; /* NULL: every function; borrowed for the call */
  uint32_t min_instructions;     /* leaves out functions with fewer */
  uint32_t skip_leaves;  /* leaves out functions with fewer that call nothing: their cost is their
                            caller's */
  wasm_perf_clock clock; /* what self values count; see WASM_PERF_CLOCKS. AUTO is INSTRUCTIONS with
                            embed, else WALL */
  bool host_calls; /* give each direct call of an import, from a hooked function, its own frame */
  bool embed;      /* the runtime goes into the module, which then needs nothing of its host; the
                      engine must know several memories. Always with a clock that only this form knows,
                      never with one that it does not, or with flush */
  wasm_perf_recursion recursion; /* these three: of the embedded form */
  uint32_t node_limit;           /* distinct stacks to keep apart; 0: 1,048,576 */
  bool count_blocks;       /* the same: also count how often each block of a function is executed */
  const char *module_name; /* of the original, for the profile and its file's name; may be NULL */
  bool memory; /* with embed: follow allocations and frees; allocators get hooks, chosen or not */
  wi_guest_mode guest; /* with embed, and no clock that takes samples; PYTHON: without memory */
  bool no_file;        /* with embed: a WASI command writes no file, its host reads the profile */
  bool to_stderr; /* with embed: a command that imports what it takes writes text to stderr in place
                     of a file, which wasm-perf reads; always so in a component */
  /*
   * Of a component: the core modules to instrument, as globs of their names, ended by NULL. NULL:
   * all that have functions but what wit-component made (adapters, shim, fixups). Borrowed.
   */
  const char *const *modules;
  bool flush; /* also call perf_flush when _start ends and before proc_exit */
  bool force; /* accept an input that is instrumented already */
  /*
   * The module's source map, where it stands beside it (one in the module, as a data: URL, is found
   * there): brought up to date it is in the output. NULL: none. Borrowed for the call.
   */
  const uint8_t *source_map;
  size_t source_map_size;
  const char *source_map_url; /* where the module says that the new one is; NULL: nowhere */
  /*
   * The file that has the module's debug information (external_debug_info), a module itself, with
   * or without the code: brought up to date it is in the output. NULL: none. Borrowed for the call.
   */
  const uint8_t *debug_file;
  size_t debug_file_size;
  const char *debug_file_url; /* where the module says that the new one is; NULL: nowhere */
  /* Called with what was dropped or looks wrong; may be NULL. `message` is valid during the
   * call. */
  void (*warn)(void *user, const char *message);
  /*
   * Called now and then to say that the first `size` bytes of the input are hardly read again: a
   * caller that has them from a mapped file may let go of their pages. May be NULL.
   */
  void (*pass)(void *user, size_t size);
  void *user;
} wi_options;

/* The result of wi_instrument. Zero it before; clear it after. */
typedef struct wi_output {
  uint8_t *bytes; /* the new module, owned; NULL after a failure */
  size_t size;
  uint8_t *source_map; /* the new source map, owned; NULL where there was none beside the module */
  size_t source_map_size;
  uint8_t *debug_file; /* the new debug file, owned; NULL where none was given */
  size_t debug_file_size;
  uint32_t function_count;     /* functions with a body in the input */
  uint32_t instrumented_count; /* of these, with hooks */
  uint32_t import_count;       /* imports added */
  bool writes_profile;         /* a WASI command with the runtime inside: it leaves its profile */
  bool has_guest;              /* options->guest is not OFF, and some module has a guest */
  const char *reader;          /* which section reader read the input; static */
} wi_output;

/*
 * Instruments the module of `size` bytes at `input`, which is not kept; or the core modules of a
 * component, with options->embed, while everything else of it stays byte for byte. `options`
 * may be NULL for the defaults. The same input and options give the same bytes.
 * False on failure, with *error filled in and nothing in *output.
 */
bool wi_instrument(const uint8_t *input, size_t size, const wi_options *options, wi_output *output,
                   wi_error *error);

void wi_output_clear(wi_output *output);

/* ---- Looking at a module ------------------------------------------------ */

/* A function of a module, as wi_list_functions tells of it. */
typedef struct wi_function_info {
  uint32_t index;             /* function index in the module */
  uint32_t instruction_count; /* without else, end, catch and delegate */
  const char *name;           /* see wi_names_get; valid during the call */
  bool chosen;                /* whether wi_instrument would hook it */
  const char *module_name;    /* of a component, which core module it is in; else NULL */
} wi_function_info;

/*
 * Calls `visit` for every function with a body, in order of index. `options` as for
 * wi_instrument. False on failure, with *error filled in.
 */
bool wi_list_functions(const uint8_t *input, size_t size, const wi_options *options,
                       void (*visit)(void *user, const wi_function_info *info), void *user,
                       wi_error *error);

/* The functions' names of a module, instrumented or not. */
typedef struct wi_names wi_names;

/* Reads the names; the bytes at `input` must outlive the result. The caller frees it. */
wi_names *wi_names_read(const uint8_t *input, size_t size, wi_error *error);
void wi_names_free(wi_names *names); /* NULL is allowed */

/*
 * The name of function `index`: "module.field" for an import; else from the name section, else the
 * first export of it, else "func[12]". The number in the last form is the index in the module
 * before it was instrumented, where it was. Never NULL; valid until the next call with the same
 * `names`.
 */
const char *wi_names_get(wi_names *names, uint32_t index);

/* How many functions the module has, imports included. */
uint32_t wi_names_count(const wi_names *names);

/*
 * Where the module says that its source map is: the URL with its size in *url_size, pointing into
 * `input`; NULL where it says nothing or cannot be read.
 */
const char *wi_source_map_url(const uint8_t *input, size_t size, size_t *url_size);

/* The same of its debug file. */
const char *wi_debug_file_url(const uint8_t *input, size_t size, size_t *url_size);

/* Where the functions of a module stand in its source, as its DWARF says. */
typedef struct wi_places wi_places;

/* Reads the places, none where there is no DWARF. Nothing of `input` is kept; the caller frees
 * it. */
wi_places *wi_places_read(const uint8_t *input, size_t size, wi_error *error);
void wi_places_free(wi_places *places); /* NULL is allowed */

/*
 * The path of the file that function `index` is declared in, and its line there in *line; NULL,
 * with *line untouched, where it is not known. Valid until the places are freed.
 */
const char *wi_places_find(const wi_places *places, uint32_t index, uint32_t *line);

/* What wasm-instrument noted in an instrumented module. */
typedef struct wi_marker {
  char version[32];            /* of the tool that wrote it */
  char clock[16];              /* its name, see WASM_PERF_CLOCKS */
  char import_module[64];      /* cut to fit */
  uint32_t first_import;       /* function index of the first added import */
  uint32_t import_count;       /* how many were added */
  uint32_t function_count;     /* functions with a body */
  uint32_t instrumented_count; /* of these, with hooks */
  bool is_embedded;            /* the runtime is inside */
} wi_marker;

/*
 * Reads the marker of an instrumented module into *marker. False where the module
 * has none or cannot be read.
 */
bool wi_marker_read(const uint8_t *input, size_t size, wi_marker *marker);

#define WI_READABLE_MAX_SIZE 16384u /* of a readable name, with its terminator */

/*
 * The readable form of a mangled C++ or Rust name in `text` (at most `size` bytes with the
 * terminator): also where a tool put something before it that ends in '$', and where only Rust's
 * hash is left of the mangling. False, with `text` untouched, where `name` is not mangled or too
 * long.
 */
bool wi_demangle(const char *name, char *text, size_t size);

/* The same without the return type, which C++ mangles into the names of templates' functions. */
bool wi_demangle_bare(const char *name, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* WASM_INSTRUMENT_WASM_INSTRUMENT_H_ */
