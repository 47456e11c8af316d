/*
 * For each module named on the command line: a rewrite without edits gives back the input byte for
 * byte, and where both section readers can read it, they read the same. Exit code 1 on the
 * first that fails; a file that neither can read is passed over.
 *
 * Prints "N modules: N identical, N read by both, N by one, N by none".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file_input.h"
#include "hooks/linked/linked.h"
#include "module/read.h"
#include "module/read_sections.h"
#include "module/read_wabt.h"
#include "rewrite/rewriter.h"

typedef struct counts {
  unsigned modules, identical, both, one, none;
} counts;

#define SAME_ARRAY(a, b, name)                                                                     \
  ((a)->name##_count == (b)->name##_count &&                                                       \
   ((a)->name##_count == 0 ||                                                                      \
    memcmp((a)->name, (b)->name, (a)->name##_count * sizeof *(a)->name) == 0))

/* Types hold padding, so they are compared by field. */
static bool same_types(const wi_module *a, const wi_module *b) {
  if (a->types_count != b->types_count)
    return false;
  for (uint32_t i = 0; i < a->types_count; i++) {
    const wi_type *x = &a->types[i], *y = &b->types[i];
    if (x->is_function != y->is_function || x->param_count != y->param_count ||
        x->result_count != y->result_count || x->results.offset != y->results.offset ||
        x->results.size != y->results.size || x->params.offset != y->params.offset ||
        x->params.size != y->params.size || x->fields.size != y->fields.size ||
        x->is_array != y->is_array)
      return false;
  }
  return true;
}

static bool same_sections(const wi_module *a, const wi_module *b) {
  if (a->sections_count != b->sections_count)
    return false;
  for (uint32_t i = 0; i < a->sections_count; i++) {
    const wi_section *x = &a->sections[i], *y = &b->sections[i];
    if (x->id != y->id || x->payload.offset != y->payload.offset ||
        x->payload.size != y->payload.size || x->name.offset != y->name.offset ||
        x->name.size != y->name.size)
      return false;
  }
  return true;
}

static const char *difference(const wi_module *a, const wi_module *b) {
  if (!same_sections(a, b))
    return "sections";
  if (!same_types(a, b))
    return "types";
  if (!SAME_ARRAY(a, b, imports) || !SAME_ARRAY(a, b, imported_memories) ||
      !SAME_ARRAY(a, b, imported_tables))
    return "imports";
  if (!SAME_ARRAY(a, b, function_types))
    return "functions";
  if (!SAME_ARRAY(a, b, bodies))
    return "bodies";
  if (!SAME_ARRAY(a, b, exports))
    return "exports";
  if (memcmp(a->import_counts, b->import_counts, sizeof a->import_counts) != 0)
    return "import counts";
  return NULL;
}

/* What the readers differ in, or NULL. */
static const char *compare_readers(const wi_file_input *file, counts *total) {
  wi_error error;
  wi_error_reset(&error);
  wi_module by_wabt = {.bytes = file->bytes, .size = (uint32_t)file->size};
  wi_module by_us = by_wabt;
  bool wabt_can = wi_module_read_wabt(&by_wabt);
  bool we_can = wi_module_read_sections(&by_us, &error);
  const char *what = wabt_can && we_can ? difference(&by_wabt, &by_us) : NULL;
  total->both += wabt_can && we_can;
  total->one += wabt_can != we_can;
  total->none += !wabt_can && !we_can;
  if (wabt_can && !we_can)
    what = "whether they can read it: only WABT's can";
  wi_module_clear(&by_wabt);
  wi_module_clear(&by_us);
  return what;
}

/* False, with *error filled in, for a module that cannot be rewritten at all. */
static bool rewrite_without_edits(const wi_module *module, wi_buffer *out, wi_error *error) {
  static const wi_options options = {0};
  wi_rewriter r = {.module = module, .options = &options, .import_module = "", .error = error};
  bool *chosen = calloc((size_t)module->bodies_count + 1, sizeof *chosen);
  bool done =
      wi_plan_init(&r.plan, module, &wi_linked_form, chosen, r.options, NULL, &r.scan, error) &&
      wi_rewriter_module(&r);
  *out = r.out;
  r.out = (wi_buffer){0};
  wi_rewriter_clear(&r);
  return done;
}

static const char *check_identity(const wi_file_input *file, counts *total) {
  wi_module module;
  wi_error error;
  wi_buffer out = {0};
  wi_error_reset(&error);
  if (!wi_module_read(&module, file->bytes, file->size, &error))
    return NULL;
  const char *what = NULL;
  if (rewrite_without_edits(&module, &out, &error)) {
    bool same = out.size == file->size && memcmp(out.data, file->bytes, file->size) == 0;
    total->identical += same;
    what = same ? NULL : "the rewrite without edits differs from the input";
  }
  wi_buffer_clear(&out);
  wi_module_clear(&module);
  return what;
}

int main(int argc, char **argv) {
  counts total = {0};
  for (int i = 1; i < argc; i++) {
    wi_file_input file;
    if (!wi_file_input_open(&file, argv[i])) {
      perror(argv[i]);
      return 1;
    }
    total.modules++;
    bool big_enough = file.size >= WI_MODULE_HEADER_SIZE;
    const char *readers = big_enough ? compare_readers(&file, &total) : NULL;
    const char *identity = check_identity(&file, &total);
    wi_file_input_close(&file);
    if (readers || identity) {
      printf("%s: %s%s\n", argv[i], readers ? "the readers differ in " : "",
             readers ? readers : identity);
      return 1;
    }
  }
  printf("%u modules: %u identical, %u read by both, %u by one, %u by none\n", total.modules,
         total.identical, total.both, total.one, total.none);
  return 0;
}
