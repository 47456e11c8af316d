/* Scans control flow: labels and branches, calls, landing pads of exceptions, basic blocks. */
#include "code/control.h"

#include "code/opcodes.h"
#include "module/value_types.h"

/* ---- Basic blocks -------------------------------------------------------- */

/*
 * Ends the open basic block at `offset`. Either all or none of a block's instructions are executed:
 * it ends before an instruction that may continue elsewhere, and before a place reached from
 * elsewhere. An edge is a block without instructions: the code that falls through a conditional
 * branch reaches such a place at once, so no other block has its count.
 */
static void end_basic_block(wi_scan *scan, wi_cursor *cursor, uint32_t offset) {
  uint32_t count = scan->instruction_count - scan->closed_count;
  bool is_edge = count == 0 && scan->after_branch && scan->wants->edges;
  scan->closed_count = scan->instruction_count;
  scan->after_branch = false;
  scan->basic_block_count += count > 0 || is_edge;
  if (scan->wants->basic_blocks && (count > 0 || is_edge))
    wi_scan_add_site(scan, cursor,
                     (wi_site){.offset = offset, .value = count, .kind = WI_SITE_BASIC_BLOCK});
}

/* Ends the open basic block before a branch that may also fall through. */
static void end_at_branch(wi_scan *scan, wi_cursor *cursor, uint32_t offset) {
  end_basic_block(scan, cursor, offset);
  scan->after_branch = true;
}

/* ---- Labels ------------------------------------------------------------- */

static void note_flow(wi_scan *scan, wi_cursor *cursor, uint32_t offset, wi_site_kind kind,
                      uint32_t value) {
  if (scan->wants->flow)
    wi_scan_add_site(scan, cursor,
                     (wi_site){.offset = offset, .value = value, .kind = (uint8_t)kind});
}

static uint32_t traits_of(uint8_t opcode) {
  switch (opcode) {
  case LOOP: return WI_LABEL_LOOP;
  case IF: return WI_LABEL_IF;
  case TRY: return WI_LABEL_TRY;
  default: return 0;
  }
}

/* Adds a trait to an open label; the outermost is the function's. */
static void add_trait(wi_scan *scan, uint32_t label, wi_label_trait trait) {
  if (label == scan->labels_count)
    scan->exit_traits |= trait;
  else if (scan->wants->flow)
    scan->sites[scan->labels[scan->labels_count - 1 - label].start_site].value |= trait;
}

static void push_label(wi_scan *scan, wi_cursor *cursor, uint32_t start, uint8_t opcode) {
  uint32_t start_site = scan->sites_count;
  note_flow(scan, cursor, start, WI_SITE_LABEL, traits_of(opcode));
  scan->structured_count++;
  wi_label *label = WI_ARRAY_PUSH(scan, labels);
  if (!label) {
    wi_cursor_fail_memory(cursor);
    return;
  }
  *label = (wi_label){.opcode = opcode, .site = scan->sites_count, .start_site = start_site};
  /*
   * Reserves a site: only an instruction inside the loop shows whether its start is a landing pad,
   * and then later sites exist.
   */
  if (opcode == LOOP)
    wi_scan_add_site(scan, cursor, (wi_site){.offset = cursor->offset, .kind = WI_SITE_NONE});
}

/* Closes the innermost structured instruction; the cursor is after its end. */
static void pop_label(wi_scan *scan, wi_cursor *cursor) {
  wi_label label = scan->labels[--scan->labels_count];
  if (label.landing_pad)
    wi_scan_add_site(scan, cursor,
                     (wi_site){.offset = cursor->offset, .kind = WI_SITE_LANDING_PAD});
}

/* Closes the innermost structured instruction, or the expression, whose end is at `start`. */
static void scan_end(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  if (scan->labels_count == 0) {
    end_basic_block(scan, cursor, start);
    scan->end_offset = start;
    return;
  }
  const wi_label *label = &scan->labels[scan->labels_count - 1];
  /*
   * The arms of an if join at its end, as do a try's body and its handlers. Nothing joins at a
   * loop's end.
   */
  bool is_empty = scan->instruction_count == scan->closed_count;
  if ((label->target && !(label->opcode == LOOP && is_empty)) || label->opcode == IF ||
      label->opcode == TRY)
    end_basic_block(scan, cursor, start);
  note_flow(scan, cursor, start, WI_SITE_LABEL_END, 0);
  pop_label(scan, cursor);
}

static wi_label *innermost(wi_scan *scan) {
  return scan->labels_count ? &scan->labels[scan->labels_count - 1] : NULL;
}

/* Reads the label of a branch; returns true if it is the function's. */
static bool read_label(wi_scan *scan, wi_cursor *cursor, uint32_t *label) {
  uint32_t start = cursor->offset;
  *label = wi_cursor_u32(cursor);
  if (*label > scan->labels_count)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "label %u is out of range", *label);
  else if (*label < scan->labels_count)
    scan->labels[scan->labels_count - 1 - *label].target = true;
  if (!cursor->failed)
    add_trait(scan, *label, WI_LABEL_TARGET);
  return !cursor->failed && *label == scan->labels_count;
}

static void mark_landing_pad(wi_scan *scan, uint32_t label) {
  wi_label *target = &scan->labels[scan->labels_count - 1 - label];
  if (target->opcode == LOOP)
    scan->sites[target->site].kind = WI_SITE_LANDING_PAD;
  else
    target->landing_pad = true;
}

static void scan_catch_clause(wi_scan *scan, wi_cursor *cursor) {
  enum { CATCH = 0, CATCH_REF = 1, CATCH_ALL_REF = 3 };
  uint32_t start = cursor->offset;
  uint8_t kind = wi_cursor_u8(cursor);
  if (kind > CATCH_ALL_REF)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "malformed catch clause 0x%02x", kind);
  if (kind == CATCH || kind == CATCH_REF)
    wi_cursor_u32(cursor);
  uint32_t label;
  if (read_label(scan, cursor, &label))
    scan->conditional_exit = scan->catch_to_function = true;
  else if (!cursor->failed)
    mark_landing_pad(scan, label);
  if (!cursor->failed)
    add_trait(scan, label, WI_LABEL_CATCHES);
}

static void scan_try_table(wi_scan *scan, wi_cursor *cursor, uint32_t start, uint8_t opcode) {
  scan->catches = true;
  wi_skip_block_type(cursor);
  /*
   * Labels in the clauses are relative to the outside of the try_table, so it is pushed after them.
   */
  for (uint32_t n = wi_cursor_count(cursor, 2, "catch clauses"); n > 0 && !cursor->failed; n--)
    scan_catch_clause(scan, cursor);
  if (!cursor->failed)
    push_label(scan, cursor, start, opcode);
}

static void scan_catch(wi_scan *scan, wi_cursor *cursor, uint32_t start, bool has_tag) {
  end_basic_block(scan, cursor, start);
  const wi_label *label = innermost(scan);
  if (!label || label->opcode != TRY) {
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "catch outside of a try");
    return;
  }
  note_flow(scan, cursor, start, WI_SITE_ARM, 0);
  if (has_tag)
    wi_cursor_u32(cursor);
  wi_scan_add_site(scan, cursor, (wi_site){.offset = cursor->offset, .kind = WI_SITE_LANDING_PAD});
}

static void scan_delegate(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  end_basic_block(scan, cursor, start);
  const wi_label *label = innermost(scan);
  if (!label || label->opcode != TRY) {
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "delegate outside of a try");
    return;
  }
  note_flow(scan, cursor, start, WI_SITE_LABEL_END, 0);
  wi_cursor_u32(cursor);
  pop_label(scan, cursor);
}

static void scan_else(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  end_basic_block(scan, cursor, start);
  const wi_label *label = innermost(scan);
  if (!label || label->opcode != IF) {
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "else outside of an if");
    return;
  }
  add_trait(scan, 0, WI_LABEL_ELSE);
  note_flow(scan, cursor, start, WI_SITE_ARM, 0);
}

/* ---- Branches and calls ------------------------------------------------- */

static void scan_br_if(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  uint32_t label;
  end_at_branch(scan, cursor, start);
  if (read_label(scan, cursor, &label))
    scan->conditional_exit = true;
  note_flow(scan, cursor, start, WI_SITE_BRANCH_IF, label);
}

/* Records a target of a br_table, once per table: many tables repeat their targets. */
static void note_target(wi_scan *scan, wi_cursor *cursor, uint32_t table_site, uint32_t label) {
  wi_site *table = &scan->sites[table_site];
  bool is_function = label == scan->labels_count;
  uint32_t *last =
      is_function ? &scan->exit_table : &scan->labels[scan->labels_count - 1 - label].table;
  if (*last == table->offset)
    return;
  *last = table->offset;
  table->value++;
  add_trait(scan, label, WI_LABEL_TABLE_TARGET);
  note_flow(scan, cursor, table->offset, WI_SITE_BRANCH_TARGET, label);
}

static void scan_br_table(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  end_basic_block(scan, cursor, start);
  uint32_t edges_site = scan->sites_count;
  if (scan->wants->edges)
    wi_scan_add_site(scan, cursor, (wi_site){.offset = start, .kind = WI_SITE_TABLE_EDGES});
  uint32_t table_site = scan->sites_count;
  note_flow(scan, cursor, start, WI_SITE_BRANCH_TABLE, 0);
  uint32_t count = wi_cursor_count(cursor, 1, "labels");
  if (scan->wants->edges && !cursor->failed) {
    scan->sites[edges_site].value = count + 1;
    scan->has_table_edges = true;
    scan->basic_block_count += count + 1;
  }
  for (uint32_t i = 0; i <= count && !cursor->failed; i++) {
    uint32_t label;
    if (read_label(scan, cursor, &label))
      scan->conditional_exit = true;
    if (scan->wants->flow && !cursor->failed)
      note_target(scan, cursor, table_site, label);
  }
}

static void scan_br_on_cast(wi_scan *scan, wi_cursor *cursor, uint32_t instruction) {
  end_at_branch(scan, cursor, instruction);
  uint32_t start = cursor->offset;
  uint8_t flags = wi_cursor_u8(cursor);
  if (flags > 3)
    wi_cursor_fail(cursor, WI_ERROR_MALFORMED, start, "malformed cast flags 0x%02x", flags);
  uint32_t label;
  if (read_label(scan, cursor, &label))
    scan->conditional_exit = true;
  note_flow(scan, cursor, instruction, WI_SITE_BRANCH_IF, label);
  wi_skip_heap_type(cursor);
  wi_skip_heap_type(cursor);
}

/* Records the place before or after a call, if wanted. Returns the site's index. */
static uint32_t note_call(wi_scan *scan, wi_cursor *cursor, wi_site_kind kind, uint32_t offset) {
  if (scan->wants->calls)
    wi_scan_add_site(scan, cursor,
                     (wi_site){.offset = offset, .value = WI_NO_FUNCTION, .kind = (uint8_t)kind});
  return scan->sites_count - 1;
}

static void scan_call(wi_scan *scan, const wi_module *module, wi_cursor *cursor, uint32_t start) {
  scan->call_count++;
  end_basic_block(scan, cursor, start);
  uint32_t site = scan->sites_count;
  note_call(scan, cursor, WI_SITE_BEFORE_CALL, start);
  uint32_t index = wi_scan_index(scan, module, cursor, WI_SITE_FUNCTION_INDEX);
  if (cursor->failed)
    return;
  if (scan->wants->calls)
    scan->sites[site].value = index;
  note_call(scan, cursor, WI_SITE_AFTER_CALL, cursor->offset);
  if (index >= module->imports_count)
    return;
  /* A call of an import needs only one site, because imports keep their indices. */
  scan->sites_count = site + 1;
  scan->sites[site] = (wi_site){.offset = start,
                                .value = index,
                                .kind = WI_SITE_IMPORT_CALL,
                                .size = (uint8_t)(cursor->offset - start)};
}

static void scan_call_by_value(wi_scan *scan, wi_cursor *cursor, uint32_t start,
                               unsigned immediate_count) {
  scan->call_count++;
  end_basic_block(scan, cursor, start);
  note_call(scan, cursor, WI_SITE_BEFORE_CALL, start);
  while (immediate_count-- > 0)
    wi_cursor_u32(cursor);
  note_call(scan, cursor, WI_SITE_AFTER_CALL, cursor->offset);
}

/* The code after it is dead, so the basic block ends here. */
static void scan_unreachable(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  end_basic_block(scan, cursor, start);
  if (scan->wants->calls)
    wi_scan_add_site(scan, cursor, (wi_site){.offset = start, .kind = WI_SITE_UNREACHABLE});
}

static void scan_throw(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  end_basic_block(scan, cursor, start);
  if (scan->wants->basic_blocks)
    wi_scan_add_site(scan, cursor, (wi_site){.offset = start, .kind = WI_SITE_THROW});
}

static uint32_t add_tail_call(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  scan->call_count++;
  end_basic_block(scan, cursor, start);
  wi_scan_add_site(scan, cursor,
                   (wi_site){.offset = start, .value = WI_NO_FUNCTION, .kind = WI_SITE_TAIL_CALL});
  return scan->sites_count - 1;
}

static void scan_return_call(wi_scan *scan, const wi_module *module, wi_cursor *cursor,
                             uint32_t start) {
  uint32_t site = add_tail_call(scan, cursor, start);
  uint32_t index = wi_scan_index(scan, module, cursor, WI_SITE_FUNCTION_INDEX);
  if (!cursor->failed)
    scan->sites[site].value = index;
}

static void scan_br(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  end_basic_block(scan, cursor, start);
  uint32_t label;
  bool exits = read_label(scan, cursor, &label);
  note_flow(scan, cursor, start, WI_SITE_BRANCH, label);
  if (exits)
    wi_scan_add_site(scan, cursor, (wi_site){.offset = start, .kind = WI_SITE_BRANCH_OUT});
}

static void scan_block(wi_scan *scan, wi_cursor *cursor, uint32_t start, uint8_t opcode) {
  if (opcode == LOOP)
    end_basic_block(scan, cursor, start);
  else if (opcode == IF)
    end_at_branch(scan, cursor, start);
  scan->catches |= opcode == TRY;
  wi_skip_block_type(cursor);
  push_label(scan, cursor, start, opcode);
}

/* ---- All of them -------------------------------------------------------- */

static void scan_tail_call_by_value(wi_scan *scan, wi_cursor *cursor, uint32_t start,
                                    unsigned immediate_count) {
  add_tail_call(scan, cursor, start);
  while (immediate_count-- > 0)
    wi_cursor_u32(cursor);
}

static void scan_return(wi_scan *scan, wi_cursor *cursor, uint32_t start) {
  end_basic_block(scan, cursor, start);
  wi_scan_add_site(scan, cursor, (wi_site){.offset = start, .kind = WI_SITE_RETURN});
}

/* Handles the start, an arm or the end of a structured instruction. */
static void scan_structure(wi_scan *scan, wi_cursor *cursor, wi_instruction at) {
  switch (at.shape) {
  case SHAPE_TRY_TABLE: scan_try_table(scan, cursor, at.start, (uint8_t)at.opcode); break;
  case SHAPE_ELSE: scan_else(scan, cursor, at.start); break;
  case SHAPE_CATCH: scan_catch(scan, cursor, at.start, true); break;
  case SHAPE_CATCH_ALL: scan_catch(scan, cursor, at.start, false); break;
  case SHAPE_DELEGATE: scan_delegate(scan, cursor, at.start); break;
  case SHAPE_END: scan_end(scan, cursor, at.start); break;
  default: scan_block(scan, cursor, at.start, (uint8_t)at.opcode); break;
  }
}

void wi_scan_control(wi_scan *scan, const wi_module *module, wi_cursor *cursor, wi_instruction at) {
  scan->instruction_count += !wi_shape_is_delimiter(at.shape);
  switch (at.shape) {
  case SHAPE_UNREACHABLE: scan_unreachable(scan, cursor, at.start); break;
  case SHAPE_CALL: scan_call(scan, module, cursor, at.start); break;
  case SHAPE_CALL_INDIRECT: scan_call_by_value(scan, cursor, at.start, 2); break;
  case SHAPE_CALL_REF: scan_call_by_value(scan, cursor, at.start, 1); break;
  case SHAPE_THROW:
    scan_throw(scan, cursor, at.start);
    wi_cursor_u32(cursor);
    break;
  case SHAPE_THROW_REF: scan_throw(scan, cursor, at.start); break;
  case SHAPE_BR: scan_br(scan, cursor, at.start); break;
  case SHAPE_BR_CONDITIONAL: scan_br_if(scan, cursor, at.start); break;
  case SHAPE_BR_TABLE: scan_br_table(scan, cursor, at.start); break;
  case SHAPE_BR_ON_CAST: scan_br_on_cast(scan, cursor, at.start); break;
  case SHAPE_RETURN: scan_return(scan, cursor, at.start); break;
  case SHAPE_RETURN_CALL: scan_return_call(scan, module, cursor, at.start); break;
  case SHAPE_RETURN_CALL_INDIRECT: scan_tail_call_by_value(scan, cursor, at.start, 2); break;
  case SHAPE_RETURN_CALL_REF: scan_tail_call_by_value(scan, cursor, at.start, 1); break;
  default: scan_structure(scan, cursor, at); break;
  }
}
