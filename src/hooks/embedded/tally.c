/* Decides where instructions are counted, and whether in a constant or in a local. */
#include "hooks/embedded/tally.h"

#include <stdlib.h>

#define NO_EDGE UINT32_MAX
#define NO_SITE UINT32_MAX /* an exception: no code can be inserted on its path */

static const wi_pending NOTHING = {.reached = true};
static const wi_pending UNREACHED = {0};

/* ---- Steps ---------------------------------------------------------------- */

static void set_step(wi_tallies *t, uint32_t site, wi_tally_step step, int64_t constant) {
  if (site == NO_SITE)
    return;
  t->items[site] = (wi_tally){.constant = constant, .step = (uint8_t)step};
  t->uses_local |= step != WI_TALLY_FLUSH;
}

static void add(wi_tallies *t, uint32_t site, int64_t constant) {
  if (constant != 0)
    set_step(t, site, WI_TALLY_ADD, constant);
}

static void flush(wi_tallies *t, uint32_t site) {
  wi_pending now = t->now;
  if (!now.reached || (!now.has_local && now.constant == 0))
    return;
  set_step(t, site, now.has_local ? WI_TALLY_FLUSH_WITH_LOCAL : WI_TALLY_FLUSH, now.constant);
  t->now = NOTHING;
}

static void flush_and_leave(wi_tallies *t, uint32_t site) {
  flush(t, site);
  t->now = UNREACHED;
}

/* ---- Edges to a label ------------------------------------------------------- */

/*
 * The branches of a table share the code before it, and no code can be inserted on an exception's
 * path.
 */
static bool needs_zero(const wi_tally_label *label) {
  return (label->traits & (WI_LABEL_TABLE_TARGET | WI_LABEL_CATCHES)) != 0;
}

/*
 * A constant arrives at a label. Whether a constant suffices there is only known at the label's
 * end.
 */
static bool wait_for_end(wi_tallies *t, wi_tally_label *label, uint32_t site, int64_t constant) {
  wi_tally_edge *edge = WI_ARRAY_PUSH(t, edges);
  if (!edge)
    return false;
  *edge = (wi_tally_edge){.constant = constant, .site = site, .next = label->edges};
  label->edges = t->edges_count - 1;
  return true;
}

/*
 * Control may go from the site to the label. If it may also continue, the pending count stays in
 * t->now.
 */
static bool connect(wi_tallies *t, wi_tally_label *label, uint32_t site) {
  if (!t->now.reached)
    return true;
  wi_pending *pending = &label->pending;
  if (!t->now.has_local) {
    if (!pending->has_local)
      return wait_for_end(t, label, site, t->now.constant);
    set_step(t, site, WI_TALLY_SET, t->now.constant - pending->constant);
    return true;
  }
  if (!pending->has_local)
    *pending = (wi_pending){needs_zero(label) ? 0 : t->now.constant, true, true};
  add(t, site, t->now.constant - pending->constant);
  t->now = *pending;
  return true;
}

static bool is_same_constant(const wi_tallies *t, const wi_tally_label *label) {
  for (uint32_t i = label->edges; i != NO_EDGE; i = t->edges[i].next)
    if (t->edges[i].constant != t->edges[label->edges].constant)
      return false;
  return true;
}

/* Continues after the label, when all branches to it are known. */
static void go_on_after(wi_tallies *t, wi_tally_label *label) {
  wi_pending *pending = &label->pending;
  if (!pending->has_local && label->edges != NO_EDGE)
    *pending = is_same_constant(t, label)
                   ? (wi_pending){t->edges[label->edges].constant, true, false}
                   : (wi_pending){0, true, true};
  if (pending->has_local)
    for (uint32_t i = label->edges; i != NO_EDGE; i = t->edges[i].next)
      set_step(t, t->edges[i].site, WI_TALLY_SET, t->edges[i].constant - pending->constant);
  t->now = *pending;
}

/* ---- Structured instructions -------------------------------------------------- */

/* The branches back to the loop are not known yet. */
static void enter_loop(wi_tallies *t, wi_tally_label *label, uint32_t site) {
  if (!t->now.reached)
    return;
  bool is_zero = needs_zero(label) || !t->now.has_local;
  label->pending = (wi_pending){is_zero ? 0 : t->now.constant, true, true};
  if (t->now.has_local)
    add(t, site, t->now.constant - label->pending.constant);
  else
    set_step(t, site, WI_TALLY_SET, t->now.constant);
  t->now = label->pending;
}

static bool enter(wi_tallies *t, uint32_t site, uint32_t traits) {
  wi_tally_label *label = WI_ARRAY_PUSH(t, labels);
  if (!label)
    return false;
  *label = (wi_tally_label){.entry = t->now, .traits = traits, .edges = NO_EDGE};
  if (traits & WI_LABEL_LOOP) {
    if (traits & WI_LABEL_TARGET)
      enter_loop(t, label, site);
    return true;
  }
  if ((traits & WI_LABEL_CATCHES) && t->now.reached && !wait_for_end(t, label, NO_SITE, 0))
    return false;
  bool may_skip = (traits & WI_LABEL_IF) && !(traits & WI_LABEL_ELSE);
  return !may_skip || connect(t, label, site);
}

static wi_tally_label *label_at(wi_tallies *t, uint32_t depth) {
  return &t->labels[t->labels_count - 1 - depth];
}

/* Throws and calls have flushed everything before them. */
static bool enter_arm(wi_tallies *t, uint32_t site) {
  wi_tally_label *label = label_at(t, 0);
  if (!connect(t, label, site))
    return false;
  t->now = label->entry;
  if ((label->traits & WI_LABEL_TRY) && t->now.reached)
    t->now = NOTHING;
  return true;
}

static bool leave(wi_tallies *t, uint32_t site) {
  enum { MEETS = WI_LABEL_TARGET | WI_LABEL_IF | WI_LABEL_TRY };
  wi_tally_label *label = label_at(t, 0);
  bool meets = !(label->traits & WI_LABEL_LOOP) && (label->traits & MEETS);
  if (meets) {
    if (!connect(t, label, site))
      return false;
    go_on_after(t, label);
  }
  t->labels_count--;
  return true;
}

/* ---- Branches -------------------------------------------------------------------- */

/* A branch out of an unwrapped body is a separate site (WI_SITE_BRANCH_OUT). */
static bool branch(wi_tallies *t, uint32_t depth, uint32_t site) {
  return depth >= t->labels_count || connect(t, label_at(t, depth), site);
}

static bool branch_by_table(wi_tallies *t, const wi_scan *scan, uint32_t site) {
  for (uint32_t i = 1; i <= scan->sites[site].value; i++)
    if (!branch(t, scan->sites[site + i].value, site))
      return false;
  t->now = UNREACHED;
  return true;
}

static bool branch_always(wi_tallies *t, uint32_t depth, uint32_t site) {
  bool leaves = depth >= t->labels_count;
  if (!branch(t, depth, site))
    return false;
  if (!leaves)
    t->now = UNREACHED;
  return true;
}

/* ---- The function -------------------------------------------------------------------- */

static bool visit(wi_tallies *t, const wi_scan *scan, uint32_t i) {
  const wi_site *site = &scan->sites[i];
  switch ((wi_site_kind)site->kind) {
  case WI_SITE_BASIC_BLOCK: t->now.constant += site->value; return true;
  case WI_SITE_IMPORT_CALL:
  case WI_SITE_STORED: /* another node may be counted in after it */
  case WI_SITE_BEFORE_CALL: flush(t, i); return true;
  case WI_SITE_THROW:
  case WI_SITE_UNREACHABLE:
  case WI_SITE_RETURN:
  case WI_SITE_TAIL_CALL:
  case WI_SITE_BRANCH_OUT: flush_and_leave(t, i); return true;
  case WI_SITE_LABEL: return enter(t, i, site->value);
  case WI_SITE_ARM: return enter_arm(t, i);
  case WI_SITE_LABEL_END: return leave(t, i);
  case WI_SITE_BRANCH: return branch_always(t, site->value, i);
  case WI_SITE_BRANCH_IF: return branch(t, site->value, i);
  case WI_SITE_BRANCH_TABLE: return branch_by_table(t, scan, i);
  default: return true;
  }
}

static bool prepare(wi_tallies *t, const wi_scan *scan) {
  t->items_count = t->labels_count = t->edges_count = 0;
  t->now = NOTHING;
  t->zeroes_local = (scan->exit_traits & WI_LABEL_CATCHES) != 0;
  for (uint32_t i = 0; i < scan->sites_count; i++)
    t->zeroes_local |=
        scan->sites[i].kind == WI_SITE_LABEL && (scan->sites[i].value & WI_LABEL_CATCHES) != 0;
  t->uses_local = t->zeroes_local;
  if (!WI_ARRAY_RESERVE(t, items, scan->sites_count + 2))
    return false;
  t->items_count = scan->sites_count + 2;
  for (uint32_t i = 0; i < t->items_count; i++)
    t->items[i] = (wi_tally){0};
  return true;
}

bool wi_tallies_find(wi_tallies *t, const wi_scan *scan, bool wrapped) {
  if (!prepare(t, scan))
    return false;
  uint32_t end = scan->sites_count;
  if (wrapped && !enter(t, NO_SITE, scan->exit_traits | WI_LABEL_TARGET))
    return false;
  for (uint32_t i = 0; i < scan->sites_count; i++)
    if (!visit(t, scan, i))
      return false;
  if (wrapped && !leave(t, end))
    return false;
  flush_and_leave(t, end + 1);
  return true;
}

void wi_tallies_clear(wi_tallies *t) {
  free(t->items);
  free(t->labels);
  free(t->edges);
  *t = (wi_tallies){0};
}
