/* Prints the constants of wasm_perf/format.h, exit codes and names of files as a JavaScript module.
 */
#include <stddef.h>
#include <stdio.h>

#include "cli/common/exit_codes.h"
#include "cli/common/session_messages.h"
#include "cli/common/session_names.h"
#include "symbols/glue.h"
#include "wasm_perf/format.h"

/* clock_read_count: clockReadCount */
static void print_camel_case(const char *name) {
  for (; *name; name++) {
    if (*name == '_' && name[1])
      putchar(*++name - 'a' + 'A');
    else
      putchar(*name);
  }
}

static void print_entry(const char *name, unsigned long value) {
  printf("  ");
  print_camel_case(name);
  printf(": %lu,\n", value);
}

static void print_lower(const char *name, unsigned long value) {
  printf("  ");
  for (; *name; name++)
    putchar(*name >= 'A' && *name <= 'Z' ? *name - 'A' + 'a' : *name);
  printf(": %lu,\n", value);
}

static void print_magic(void) {
  printf("export const MAGIC = [");
  for (size_t i = 0; i < sizeof WASM_PERF_MAGIC - 1; i++)
    printf("%s%u", i > 0 ? ", " : "", (unsigned char)WASM_PERF_MAGIC[i]);
  printf("];\n");
}

static void print_facts(void) {
#define HEADER_FACT(field, type, key) print_entry(#field, key);
#define FACT(field, key)              print_entry(#field, key);
  printf("\n/** The keys of facts: numbers, then texts. */\nexport const NUMBER_FACTS = {\n");
  WASM_PERF_HEADER_FACTS(HEADER_FACT)
  WASM_PERF_NUMBER_FACTS(FACT)
  printf("};\nexport const TEXT_FACTS = {\n");
  WASM_PERF_TEXT_FACTS(FACT)
  printf("};\n");
#undef FACT
#undef HEADER_FACT
}

static void print_lists(void) {
#define CLOCK(id, name, number, ...)     printf("  %s: %d,\n", name, number);
#define RECURSION(id, name, number, ...) printf("  %s: %d,\n", name, number);
#define SECTION(id, number)              print_lower(#id, number);
#define KIND(id, name, number, plural)   printf("  %s: %d,\n", name, number);
#define LINKED_CLOCK(id, name, number, forms, ...)                                                 \
  if (WASM_PERF_FORM_##forms & WASM_PERF_FORM_LINKED)                                              \
    printf("  '%s',\n", name);
  printf("\n/** enum wasm_perf_clock */\nexport const CLOCKS = {\n");
  WASM_PERF_CLOCKS(CLOCK)
  printf("};\n\n/** Those that the linked form knows. */\nexport const LINKED_CLOCKS = [\n");
  WASM_PERF_CLOCKS(LINKED_CLOCK)
  printf("];\n\n/** enum wasm_perf_recursion */\nexport const RECURSIONS = {\n");
  WASM_PERF_RECURSIONS(RECURSION)
  printf("};\n\n/** enum wasm_perf_kind */\nexport const KINDS = {\n");
  WASM_PERF_KINDS(KIND)
  printf("};\n\n/** The ids of sections. */\nexport const SECTIONS = {\n");
  WASM_PERF_SECTIONS(SECTION)
  printf("};\n");
#undef LINKED_CLOCK
#undef KIND
#undef SECTION
#undef RECURSION
#undef CLOCK
}

static void print_memory(void) {
#define FIELD(field) print_entry(#field, offsetof(wasm_perf_header, field));
#define FACT(field, type, key)                                                                     \
  printf("  ");                                                                                    \
  print_camel_case(#field);                                                                        \
  printf(": [%zu, %zu],\n", offsetof(wasm_perf_header, field), sizeof((wasm_perf_header){0}.field));
  printf("\n/** Where the fields of struct wasm_perf_header are, and the facts in it with their "
         "sizes. */\nexport const HEADER = {\n");
  FIELD(header_size)
  FIELD(node_size)
  FIELD(node_count)
  printf("};\nexport const HEADER_FACTS = {\n");
  WASM_PERF_HEADER_FACTS(FACT)
  printf("};\n");
#undef FACT
#undef FIELD
}

static void print_exit_codes(void) {
#define EXIT_CODE(id) printf("export const EXIT_" #id " = %d;\n", CLI_EXIT_##id);
  printf("\n/** src/cli/common/exit_codes.h */\n");
  CLI_EXIT_CODES(EXIT_CODE)
#undef EXIT_CODE
}

/* STOP: stop */
static void print_session_name(const char *id, const char *name) {
  printf("  ");
  for (; *id; id++)
    putchar(*id - 'A' + 'a');
  printf(": '%s',\n", name);
}

static void print_session_names(void) {
#define SESSION_NAME(id) print_session_name(#id, CLI_SESSION_##id);
  printf("\n/** src/cli/common/session_names.h */\nexport const SESSION = {\n");
  CLI_SESSION_NAMES(SESSION_NAME)
  printf("};\nexport const SAME_SIGNAL_MS = %d;\n", CLI_SAME_SIGNAL_MS);
#undef SESSION_NAME
}

/* NO_NODE: no_node */
static void print_session_message(const char *id, const char *text) {
  printf("  ");
  for (; *id; id++)
    putchar(*id == '_' ? '_' : *id - 'A' + 'a');
  printf(": \"%s\",\n", text);
}

static void print_session_messages(void) {
#define MESSAGE(id) print_session_message(#id, CLI_SESSION_SAY_##id);
  printf("\n/** src/cli/common/session_messages.h */\nexport const SESSION_MESSAGES = {\n");
  CLI_SESSION_MESSAGES(MESSAGE)
  printf("};\n");
#undef MESSAGE
}

static void print_script_ends(void) {
#define SCRIPT_END(end) printf("'%s', ", end);
  printf("\n/** src/symbols/glue.h */\nexport const SCRIPT_ENDS = [");
  WI_GLUE_ENDS(SCRIPT_END)
  printf("];\n");
#undef SCRIPT_END
}

int main(void) {
  printf("/** Made from include/wasm_perf/format.h, which explains it; the end, from other "
         "headers. */\n\n");
  print_magic();
  printf("export const VERSION = %u;\n", WASM_PERF_VERSION);
  printf("export const HEAD_SIZE = %u;\n", WASM_PERF_HEAD_SIZE);
  printf("export const MEMORY_VERSION = %u;\n", WASM_PERF_MEMORY_VERSION);
  printf("export const FUNCTION_ROOT = %u;\n", WASM_PERF_FUNCTION_ROOT);
  printf("export const FUNCTION_TRUNCATED = %u; // this and above name no function\n",
         WASM_PERF_FUNCTION_TRUNCATED);
  printf("export const COST_CALL_COUNT = %u; // the calls whose hooks cost what the header says\n",
         WASM_PERF_COST_CALL_COUNT);
  print_facts();
  print_lists();
  print_memory();
  print_exit_codes();
  print_session_names();
  print_session_messages();
  print_script_ends();
  return 0;
}
