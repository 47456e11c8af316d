#include "cli/common/selection_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "hooks/follow/allocator_kinds.h"

/* ---- The table ------------------------------------------------------------ */

enum {
  OPTION_ONLY = CLI_OPTIONS_SELECTION,
  OPTION_EXCLUDE,
  OPTION_MIN_INSTRUCTIONS,
  OPTION_SKIP_LEAVES,
  OPTION_STRICT,
  OPTION_HOST_CALLS,
  OPTION_CLOCK,
  OPTION_LINES,
  OPTION_COVERAGE,
  OPTION_MEMORY,
  OPTION_ALLOCATOR,
  OPTION_CALLS,
  OPTION_CALLS_OF,
  OPTION_WORST,
  OPTION_GUEST,
  MOST_KEPT_CALLS = 1000
};

/* All clocks, preceded by auto, which chooses one by form. */
static const struct {
  wasm_perf_clock clock;
  const char *name, *help;
} clocks[] = {{WASM_PERF_CLOCK_AUTO, "auto",
               "the default: instructions with --embed, otherwise wall; for record, sampled in "
               "Node.js 22 and newer, otherwise instructions"},
#define CLOCK(id, name, number, forms, measurer, help, label) {WASM_PERF_CLOCK_##id, name, help},
              WASM_PERF_CLOCKS(CLOCK)
#undef CLOCK
};

static bool clock_choice(size_t index, cli_choice *choice) {
  return index < sizeof clocks / sizeof *clocks &&
         cli_choice_set(choice, clocks[index].name, clocks[index].help);
}

static wasm_perf_clock clock_named(const char *name) {
  size_t i = 0;
  while (strcmp(clocks[i].name, name) != 0) /* the parser has checked that it exists */
    i++;
  return clocks[i].clock;
}

bool cli_recursion_choice(size_t index, cli_choice *choice) {
  static const cli_choice choices[] = {
#define RECURSION(id, name, number, help) [number] = {name, help},
      WASM_PERF_RECURSIONS(RECURSION)
#undef RECURSION
  };
  return cli_choice_at(choices, sizeof choices / sizeof *choices, index, choice);
}

static const cli_choice guests[] = {
#define GUEST(id, name, help) {name, help},
    WI_GUESTS(GUEST)
#undef GUEST
};

static bool guest_choice(size_t index, cli_choice *choice) {
  return cli_choice_at(guests, sizeof guests / sizeof *guests, index, choice);
}

static wi_guest_mode guest_named(const char *name) {
  unsigned i = 0;
  while (strcmp(guests[i].name, name) != 0) /* the parser has checked that it exists */
    i++;
  return (wi_guest_mode)i;
}

#define KIND_NAME(id, name, action, pointer, count, size, offset, help) " " name
static const cli_option options[] = {
    {'w', "whitelist", CLI_FILE("FILE", NULL),
     "only functions that match a pattern in FILE, one per line: a name, a glob with * and ?, "
     "/regex/, func[12], @12-40, file:GLOB, part:GLOB; ! excludes"},
    {OPTION_ONLY, "only", CLI_TEXT("PATTERN"), "only functions that match PATTERN"},
    {OPTION_EXCLUDE, "exclude", CLI_TEXT("PATTERN"), "skip functions that match PATTERN"},
    {OPTION_MIN_INSTRUCTIONS, "min-instructions", CLI_NUMBER("N", 0),
     "skip functions with fewer than N instructions"},
    {OPTION_SKIP_LEAVES, "skip-leaves", CLI_NUMBER("N", 0),
     "skip functions with fewer than N instructions that call nothing; their cost is charged to "
     "their callers"},
    {OPTION_STRICT, "strict", CLI_NO_VALUE,
     "fail if a pattern matches no function, or if no function is selected"},
    {OPTION_HOST_CALLS, "host-calls", CLI_NO_VALUE,
     "give each direct call of an import its own frame"},
    {OPTION_CLOCK, "clock", CLI_CHOICE("CLOCK", clock_choice), "what is measured:"},
    {OPTION_LINES, "lines", CLI_NO_VALUE,
     "count how often each source line is executed, for wasm-perf annotate and the formats "
     "callgrind and lcov; needs the embedded runtime"},
    {OPTION_COVERAGE, "coverage", CLI_NO_VALUE,
     "count the lines and branches that are executed, for lcov and other formats of coverage; "
     "implies --lines. Measures nothing else unless --clock is given"},
    {OPTION_MEMORY, "memory", CLI_NO_VALUE,
     "record allocations and frees: what each stack allocated, still holds, and held at the peak. "
     "Measures nothing else unless --clock is given"},
    {OPTION_ALLOCATOR, "allocator", CLI_TEXT("NAME=KIND"),
     "with --memory, treat functions whose name matches the glob NAME as allocators of a "
     "kind:" WI_ALLOCATOR_KINDS(KIND_NAME)},
    {OPTION_CALLS, "calls", CLI_NO_VALUE,
     "measure each call of an exported function, and keep the slowest calls with what they called, "
     "for wasm-perf calls; needs the embedded runtime"},
    {OPTION_CALLS_OF, "calls-of", CLI_TEXT("PATTERN"),
     "likewise of the functions that match PATTERN"},
    {OPTION_WORST, "worst", CLI_NUMBER_UP_TO("N", 1, MOST_KEPT_CALLS),
     "with --calls, keep the N slowest calls; default: 10"},
    {OPTION_GUEST, "guest", CLI_CHOICE("FRAMES", guest_choice),
     "frames to show of an interpreted program (CPython 3.13 or newer); needs the embedded "
     "runtime:"},
    {0}};

const cli_option_group wi_selection_options = {
    "Selection (the last pattern that matches a function decides)", options};

/* ---- Applying options ----------------------------------------------------- */

static void set_message(wi_error *error, const char *message) {
  *error = (wi_error){.code = WI_ERROR_PATTERN, .offset = WI_NO_OFFSET, .function = WI_NO_FUNCTION};
  snprintf(error->message, sizeof error->message, "%s", message);
}

static wi_option_result fail(wi_error *error, const char *message) {
  set_message(error, message);
  return WI_OPTION_FAILED;
}

static wi_option_result add_whitelist(wi_selection *selection, const char *path, wi_error *error) {
  uint8_t *text;
  size_t size;
  if (!wi_file_read(path, &text, &size))
    return fail(error, strerror(errno));
  bool added = wi_selection_add_list(selection, (const char *)text, size, error);
  free(text);
  return added ? WI_OPTION_TAKEN : WI_OPTION_FAILED;
}

static wi_option_result add_patterns(const cli_parser *parser, int option, wi_options *chosen,
                                     wi_selection **selection, const char **path, wi_error *error) {
  if (!*selection)
    *selection = wi_selection_new();
  if (!*selection)
    return fail(error, "out of memory");
  chosen->selection = *selection;
  if (option == 'w') {
    *path = parser->value;
    return add_whitelist(*selection, parser->value, error);
  }
  bool added;
  if (option == OPTION_ALLOCATOR)
    added = wi_selection_add_allocator(*selection, parser->value, error);
  else if (option == OPTION_CALLS_OF)
    added = wi_selection_add_calls(*selection, parser->value, error);
  else
    added = wi_selection_add(*selection, parser->value, option == OPTION_EXCLUDE, error);
  return added ? WI_OPTION_TAKEN : WI_OPTION_USAGE;
}

bool wi_selection_option_is_clock(int option) {
  return option == OPTION_CLOCK;
}

wi_option_result wi_selection_option(const cli_parser *parser, int option, wi_options *chosen,
                                     wi_selection **selection, const char **path, wi_error *error) {
  *path = NULL;
  switch (option) {
  case OPTION_MIN_INSTRUCTIONS: chosen->min_instructions = parser->number; break;
  case OPTION_SKIP_LEAVES: chosen->skip_leaves = parser->number; break;
  case OPTION_STRICT: chosen->strict = true; break;
  case OPTION_HOST_CALLS: chosen->host_calls = true; break;
  case OPTION_CLOCK: chosen->clock = clock_named(parser->value); break;
  case OPTION_LINES: chosen->count_blocks = true; break;
  case OPTION_COVERAGE: chosen->count_blocks = chosen->count_branches = true; break;
  case OPTION_MEMORY: chosen->memory = true; break;
  case OPTION_GUEST: chosen->guest = guest_named(parser->value); break;
  case OPTION_CALLS: chosen->measure_calls = true; break;
  case OPTION_WORST: chosen->kept_calls = parser->number; break;
  case OPTION_CALLS_OF: chosen->measure_calls = true; /* fallthrough */
  case 'w':
  case OPTION_ALLOCATOR:
  case OPTION_ONLY:
  case OPTION_EXCLUDE: return add_patterns(parser, option, chosen, selection, path, error);
  default: return WI_OPTION_UNKNOWN;
  }
  return WI_OPTION_TAKEN;
}
