#include "symbols/hints.h"

#include <stdlib.h>
#include <string.h>

#include "code/opcodes.h"
#include "code/scan_body.h"
#include "match/data_image.h"
#include "module/names.h"

/* Maximum number of users of a string, and of callers of an import, for a hint. */
enum { MOST_USERS = 3, MOST_CALLERS = 8 };

/* Exports and imports with names up to this size were minified. */
enum { MINIFIED_SIZE = 2 };

/* A use, by a function, of a string (its address) or of a function. */
typedef struct use {
  uint32_t function;
  uint32_t what;
} use;

typedef struct uses {
  WI_ARRAY(use, items); /* without duplicates once sorted */
} uses;

typedef struct hint_reader {
  const wi_module *module;
  wi_names *names; /* the module's own names */
  wi_scan scan;
  wi_data_image data;
  uses strings, calls;
} hint_reader;

/* ---- What functions use ------------------------------------------------------------------ */

static int compare_uses(const void *left, const void *right) {
  const use *a = left, *b = right;
  if (a->what != b->what)
    return a->what > b->what ? 1 : -1;
  return (a->function > b->function) - (a->function < b->function);
}

static void sort_uses(uses *all) {
  uint32_t kept = 0;
  if (all->items_count > 0)
    qsort(all->items, all->items_count, sizeof *all->items, compare_uses);
  for (uint32_t i = 0; i < all->items_count; i++)
    if (kept == 0 || compare_uses(&all->items[i], &all->items[kept - 1]) != 0)
      all->items[kept++] = all->items[i];
  all->items_count = kept;
}

/* Number of uses of the same item from `first` on. */
static uint32_t count_uses(const uses *all, uint32_t first) {
  uint32_t end = first;
  while (end < all->items_count && all->items[end].what == all->items[first].what)
    end++;
  return end - first;
}

static bool add_use(uses *all, uint32_t function, uint32_t what) {
  use *item = WI_ARRAY_PUSH(all, items);
  if (item)
    *item = (use){function, what};
  return item != NULL;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/*
 * Whether a text may continue with the character. Constants that are not addresses often point into
 * a text.
 */
static bool goes_on(uint8_t c) {
  return is_letter((char)c) || (c >= '0' && c <= '9') || c == ' ' || c == '_';
}

/* Whether a text is informative: it has some letters and is not the end of a longer text. */
static bool is_telling(const hint_reader *reader, uint32_t address, const char *text,
                       uint32_t size) {
  enum { LEAST_LETTERS = 4 };
  uint32_t letters = 0, before_size = 0;
  for (uint32_t i = 0; i < size; i++)
    letters += is_letter(text[i]);
  const uint8_t *before = wi_data_image_at(&reader->data, address - 1, &before_size);
  bool is_start = !before || before_size == 0 || !goes_on(*before);
  return letters >= LEAST_LETTERS && 2 * letters >= size && is_start;
}

static bool read_constant(hint_reader *reader, const wi_site *site, uint32_t function) {
  wi_error ignored;
  char text[WI_STRING_MAX];
  wi_cursor cursor = wi_site_operands(reader->module, site, &ignored);
  uint32_t address = (uint32_t)wi_cursor_signed(&cursor, 32);
  if (!wi_data_image_has(&reader->data, address))
    return true;
  uint32_t size = wi_data_image_string(&reader->data, address, text);
  return size == 0 || !is_telling(reader, address, text, size) ||
         add_use(&reader->strings, function, address);
}

static bool has_name(const hint_reader *reader, uint32_t function) {
  wi_span ignored;
  return wi_names_raw(reader->names, function, &ignored);
}

static bool read_body(hint_reader *reader, uint32_t body, const wi_scan_wants *wants) {
  uint32_t function = reader->module->imports_count + body;
  wi_error ignored;
  wi_error_reset(&ignored);
  bool done = true;
  if (has_name(reader, function) ||
      !wi_scan_body(&reader->scan, reader->module, body, wants, &ignored))
    return true;
  for (uint32_t i = 0; done && i < reader->scan.sites_count; i++) {
    const wi_site *site = &reader->scan.sites[i];
    if (site->kind == WI_SITE_OPCODE)
      done = read_constant(reader, site, function);
    else if (site->kind == WI_SITE_FUNCTION_INDEX || site->kind == WI_SITE_IMPORT_CALL)
      done = add_use(&reader->calls, function, site->value);
  }
  return done;
}

static bool read_bodies(hint_reader *reader) {
  wi_scan_wants wants = {0};
  bool done = wi_data_image_init(&reader->data, reader->module);
  wi_scan_want_opcode(&wants, I32_CONST);
  for (uint32_t i = 0; done && i < reader->module->bodies_count; i++)
    done = read_body(reader, i, &wants);
  sort_uses(&reader->strings);
  sort_uses(&reader->calls);
  return done;
}

/* ---- Hints ---------------------------------------------------------------------------------- */

static bool may_hint(const wi_namings *namings, const bool *is_named, uint32_t function) {
  return function >= namings->module->imports_count && !is_named[function] &&
         !wi_namings_get(namings, function);
}

static void hint_string(wi_namings *namings, const hint_reader *reader, use item) {
  char text[WI_STRING_MAX], hint[WI_STRING_MAX + 6] = "\"";
  uint32_t size = wi_data_image_string(&reader->data, item.what, text), out = 1;
  for (uint32_t i = 0; i < size; i++)
    hint[out++] = text[i] == '\n' || text[i] == '\t' ? ' ' : text[i];
  memcpy(hint + out, size == WI_STRING_MAX ? "…\"" : "\"", size == WI_STRING_MAX ? 5 : 2);
  wi_namings_hint(namings, item.function, hint);
}

/* Adds the longest rarely used string as a hint to each function. */
static bool hint_strings(wi_namings *namings, const hint_reader *reader, const bool *is_named) {
  const uses *all = &reader->strings;
  uint32_t count = wi_module_function_count(reader->module);
  use *best = calloc(count + (size_t)1, sizeof *best);
  for (uint32_t i = 0, users; best && i < all->items_count; i += users) {
    char text[WI_STRING_MAX];
    users = count_uses(all, i);
    uint32_t size = wi_data_image_string(&reader->data, all->items[i].what, text);
    for (uint32_t k = i; users <= MOST_USERS && k < i + users; k++) {
      uint32_t function = all->items[k].function;
      if (size > best[function].function) /* holds the size here */
        best[function] = (use){size, all->items[k].what};
    }
  }
  for (uint32_t i = 0; best && i < count; i++)
    if (best[i].function > 0 && may_hint(namings, is_named, i))
      hint_string(namings, reader, (use){i, best[i].what});
  free(best);
  return best != NULL;
}

static void hint_span(wi_namings *namings, uint32_t function, const char *what, wi_span name) {
  enum { LONGEST = 64 };
  char hint[LONGEST + 16];
  size_t size = strlen(what);
  if (name.size <= MINIFIED_SIZE || name.size > LONGEST)
    return;
  memcpy(hint, what, size);
  memcpy(hint + size, namings->module->bytes + name.offset, name.size);
  hint[size + name.size] = '\0';
  wi_namings_hint(namings, function, hint);
}

static void hint_imports(wi_namings *namings, const hint_reader *reader, const bool *is_named) {
  const uses *all = &reader->calls;
  for (uint32_t i = 0, users; i < all->items_count; i += users) {
    uint32_t import = all->items[i].what;
    users = count_uses(all, i);
    for (uint32_t k = i;
         import < reader->module->imports_count && users <= MOST_CALLERS && k < i + users; k++)
      if (may_hint(namings, is_named, all->items[k].function))
        hint_span(namings, all->items[k].function, "calls ", reader->module->imports[import].field);
  }
}

/*
 * Adds hints to functions called only by an export that calls nothing else. calls[i] is the number
 * of functions that function i calls.
 */
static void hint_exports(wi_namings *namings, const hint_reader *reader, const bool *is_named,
                         const uint32_t *calls, const wi_span *exported) {
  const uses *all = &reader->calls;
  for (uint32_t i = 0, users; i < all->items_count; i += users) {
    uint32_t caller = all->items[i].function, callee = all->items[i].what;
    users = count_uses(all, i);
    if (users == 1 && calls[caller] == 1 && exported[caller].size > 0 &&
        may_hint(namings, is_named, callee))
      hint_span(namings, callee, "called by ", exported[caller]);
  }
}

static bool add_hints(wi_namings *namings, const hint_reader *reader) {
  const wi_module *module = reader->module;
  uint32_t count = wi_module_function_count(module);
  bool *is_named = calloc(count + (size_t)1, sizeof *is_named);
  uint32_t *calls = calloc(count + (size_t)1, sizeof *calls);
  wi_span *exported = calloc(count + (size_t)1, sizeof *exported);
  bool done = is_named && calls && exported;
  for (uint32_t i = 0; done && i < count; i++)
    is_named[i] = has_name(reader, i);
  for (uint32_t i = 0; done && i < module->exports_count; i++)
    if (module->exports[i].function < count && module->exports[i].name.size > MINIFIED_SIZE) {
      exported[module->exports[i].function] = module->exports[i].name;
      is_named[module->exports[i].function] = true;
    }
  for (uint32_t i = 0; done && i < reader->calls.items_count; i++)
    calls[reader->calls.items[i].function]++;
  done = done && hint_strings(namings, reader, is_named);
  if (done) {
    hint_imports(namings, reader, is_named);
    hint_exports(namings, reader, is_named, calls, exported);
  }
  free(is_named);
  free(calls);
  free(exported);
  return done && !namings->text.failed;
}

bool wi_hints_add(wi_namings *namings, wi_names *own) {
  hint_reader reader = {.module = namings->module, .names = own};
  bool done = wi_namings_begin(namings) && read_bodies(&reader) && add_hints(namings, &reader);
  wi_scan_clear(&reader.scan);
  wi_data_image_clear(&reader.data);
  free(reader.strings.items);
  free(reader.calls.items);
  return done;
}
