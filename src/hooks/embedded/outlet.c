#include "hooks/embedded/outlet.h"

#include <string.h>

#include "module/exports.h"

/*
 * The runtimes that write no profile, a file or text, each without and with memory profiles, and
 * for neither, goroutines or a guest; generated from src/runtime.
 */
#define IMAGES(X)                                                                                  \
  X(embed_image)                                                                                   \
  X(embed_wasi_image)                                                                              \
  X(embed_text_wasip1_image)                                                                       \
  X(embed_text_wasip2_image)                                                                       \
  X(embed_text_wasip2_blocking_image)
#define DECLARE_IMAGE(name)                                                                        \
  extern const uint8_t wi_##name[], wi_memory_##name[], wi_go_##name[], wi_go_memory_##name[],     \
      wi_guest_##name[], wi_guest_memory_##name[];                                                 \
  extern const size_t wi_##name##_size, wi_memory_##name##_size, wi_go_##name##_size,              \
      wi_go_memory_##name##_size, wi_guest_##name##_size, wi_guest_memory_##name##_size;
IMAGES(DECLARE_IMAGE)
#undef DECLARE_IMAGE

enum { FOLLOWS_CALLS, FOLLOWS_GOROUTINES, FOLLOWS_GUEST, FOLLOWED_COUNT };

typedef struct image {
  const uint8_t *bytes[FOLLOWED_COUNT][2]; /* by what is followed, and whether memory is */
  const size_t *size[FOLLOWED_COUNT][2];
} image;

#define IMAGE(name)                                                                                \
  {                                                                                                \
    {{wi_##name, wi_memory_##name},                                                                \
     {wi_go_##name, wi_go_memory_##name},                                                          \
     {wi_guest_##name, wi_guest_memory_##name}},                                                   \
        {{&wi_##name##_size, &wi_memory_##name##_size},                                            \
         {&wi_go_##name##_size, &wi_go_memory_##name##_size},                                      \
         {&wi_guest_##name##_size, &wi_guest_memory_##name##_size}},                               \
  }
static const image silent = IMAGE(embed_image);
static const image file_writer = IMAGE(embed_wasi_image);
static const image text_writers[] = {IMAGE(embed_text_wasip1_image), IMAGE(embed_text_wasip2_image),
                                     IMAGE(embed_text_wasip2_blocking_image)};
#undef IMAGE

static bool read_image(wi_merge *runtime, const image *chosen, wi_followed followed,
                       wi_error *error) {
  unsigned frames = followed.guest        ? FOLLOWS_GUEST
                    : followed.goroutines ? FOLLOWS_GOROUTINES
                                          : FOLLOWS_CALLS;
  return wi_merge_read(runtime, chosen->bytes[frames][followed.memory],
                       *chosen->size[frames][followed.memory], error);
}

/* ---- The memory that hosts read ---------------------------------------------------------- */

static bool is_named_memory(const wi_module *module, wi_span name, uint8_t kind, uint32_t index,
                            void *context) {
  if (kind != WI_EXTERN_MEMORY || !wi_module_span_equals(module, name, "memory"))
    return false;
  *(uint32_t *)context = index;
  return true;
}

/* Whether the memory at `index` is the module's own, of 32 bits, and has a page from the start. */
static bool is_plain_memory(const wi_module *module, uint32_t index) {
  enum { FLAG_MAXIMUM = 1, FLAG_SHARED = 2 };
  wi_error ignored;
  wi_error_reset(&ignored);
  index -= module->import_counts[WI_EXTERN_MEMORY];
  for (uint32_t i = 0; i < module->sections_count; ++i) {
    if (module->sections[i].id != WI_SECTION_MEMORY)
      continue;
    wi_cursor cursor = wi_cursor_at(module->bytes, module->sections[i].payload, &ignored);
    for (uint32_t n = wi_cursor_count(&cursor, 2, "memories"); n > 0 && !cursor.failed; --n) {
      uint8_t flags = wi_cursor_u8(&cursor);
      uint32_t page_count = wi_cursor_u32(&cursor);
      if (index-- == 0)
        return (flags & ~(FLAG_MAXIMUM | FLAG_SHARED)) == 0 && page_count > 0;
      if (flags & FLAG_MAXIMUM)
        wi_cursor_u32(&cursor);
    }
  }
  return false;
}

static bool find_memory(const wi_module *module, uint32_t *memory) {
  return wi_module_find_any_export(module, is_named_memory, memory) &&
         is_plain_memory(module, *memory);
}

/* ---- Where a program ends ------------------------------------------------ */

static bool imports_wasi(const wi_module *module) {
  for (uint32_t i = 0; i < module->imports_count; ++i)
    if (wi_module_span_equals(module, module->imports[i].module, "wasi_snapshot_preview1"))
      return true;
  return false;
}

static bool ends_with(const wi_module *module, wi_span span, const char *text) {
  uint32_t size = (uint32_t)strlen(text);
  return span.size >= size &&
         memcmp(module->bytes + span.offset + span.size - size, text, size) == 0;
}

/* The export of a component's module that is lifted as that function of a versioned interface. */
static uint32_t find_lifted(const wi_module *module, const char *interface, const char *function) {
  for (uint32_t i = 0; i < module->exports_count; ++i)
    if (wi_module_span_begins(module, module->exports[i].name, interface) &&
        ends_with(module, module->exports[i].name, function))
      return module->exports[i].function;
  return WI_NO_FUNCTION;
}

static uint32_t find_lowered(const wi_module *module, const char *interface, const char *function) {
  for (uint32_t i = 0; i < module->imports_count; ++i)
    if (wi_module_span_begins(module, module->imports[i].module, interface) &&
        wi_module_span_equals(module, module->imports[i].field, function))
      return i;
  return WI_NO_FUNCTION;
}

/* A command of WASI 0.2, where it is none of preview 1; modules may mix the two. */
static void find_ends(wi_plan *plan) {
  const wi_module *module = plan->module;
  if (plan->entry == WI_NO_FUNCTION)
    plan->entry = find_lifted(module, "wasi:cli/run@", "#run");
  if (plan->exits[0] == WI_NO_FUNCTION)
    plan->exits[0] = find_lowered(module, "wasi:cli/exit@", "exit");
  plan->exits[1] = find_lowered(module, "wasi:cli/exit@", "exit-with-code");
}

/* ---- The choice ---------------------------------------------------------- */

/* A runtime that writes text by imports of the program, if there is one. */
static bool choose_text(const wi_module *module, wi_followed followed, wi_merge *runtime,
                        bool *leaves, wi_error *error) {
  for (size_t i = 0; i < sizeof text_writers / sizeof *text_writers && !*leaves; ++i) {
    if (!read_image(runtime, &text_writers[i], followed, error))
      return false;
    *leaves = wi_merge_bind(runtime, module);
    if (!*leaves)
      wi_merge_clear(runtime);
  }
  return *leaves || read_image(runtime, &silent, followed, error);
}

/* A WASI command: its host calls _start once, and finds the memory by its name. */
bool wi_outlet_choose(wi_plan *plan, const wi_options *options, wi_followed followed,
                      wi_merge *runtime, bool *leaves, uint32_t *memory, wi_error *error) {
  *leaves = false;
  if (options->to_stderr)
    find_ends(plan);
  bool can_leave =
      !options->no_file && plan->entry != WI_NO_FUNCTION && find_memory(plan->module, memory);
  if (can_leave && options->to_stderr)
    return choose_text(plan->module, followed, runtime, leaves, error);
  *leaves = can_leave && imports_wasi(plan->module);
  return read_image(runtime, *leaves ? &file_writer : &silent, followed, error);
}
