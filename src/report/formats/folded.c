/*
 * One line "frame;frame;frame VALUE" per stack with a self value: nanoseconds, instructions, or
 * calls without a clock. Outermost frame first, without the host. Lines are sorted by their frames.
 * ';' in names becomes ':'; labels.h describes the rest. Stacks deeper than WI_DEPTH_LIMIT are
 * written as "…;[...];innermost".
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/formats/writers.h"

/* The limit, the elision mark and the function beyond it. */
#define MAX_DEPTH (WI_DEPTH_LIMIT + 2)

typedef struct stack_text {
  size_t sizes[MAX_DEPTH + 1]; /* size of the text for the outermost 0, 1, … frames */
  char text[MAX_DEPTH * (WI_LABEL_MAX_SIZE + 1)];
} stack_text;

/* Sets the frame at `depth`; its callers must be set already. */
static void set_frame(stack_text *stack, uint32_t depth, const char *label) {
  size_t size = stack->sizes[depth - 1];
  if (depth > 1)
    stack->text[size++] = ';';
  size_t label_size = strlen(label);
  memcpy(stack->text + size, label, label_size);
  stack->sizes[depth] = size + label_size;
}

static bool write_stacks(const wi_tree *tree, stack_text *stack, FILE *stream) {
  stack->sizes[0] = 0;
  for (uint32_t i = wi_tree_next(tree, 0); i != 0; i = wi_tree_next(tree, i)) {
    const wi_tree_node *node = &tree->nodes[i];
    set_frame(stack, node->depth, wi_tree_text(tree, node->label));
    if (node->self != 0) {
      fwrite(stack->text, 1, stack->sizes[node->depth], stream);
      if (fprintf(stream, " %" PRIu64 "\n", node->self) < 0)
        return false; /* on a full disk, do not spend time on the rest */
    }
  }
  return true;
}

bool wi_folded_write(const wi_report *report, FILE *stream) {
  stack_text *stack = malloc(sizeof *stack);
  bool ok = stack && write_stacks(report->tree, stack, stream);
  free(stack);
  return ok;
}
