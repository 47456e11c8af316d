#include "report/model/shown_findings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/advice.h"
#include "names/forms.h"
#include "report/model/habits.h"
#include "report/model/sampling.h"
#include "support/arithmetic.h"

#define MAJOR      10u   /* % of the whole from which a part is worth a sentence */
#define MAIN       80u   /* % that are nearly all */
#define LEAST      2u    /* % below which a function is not remarkable */
#define MANY_CALLS 1000u /* across the border of WebAssembly */
#define STACKS     4u    /* least number of stacks, one of which is remarkable */

typedef struct finder {
  const wi_shown *s;
  wi_findings *out;
  uint64_t whole;
  wi_name_forms *forms; /* owned */
  uint64_t *sums;       /* per label, and one for the host; owned */
  uint32_t hot;         /* the first finding's function, or WI_FINDING_NO_LABEL */
} finder;

/* ---- Sentences -------------------------------------------------------------- */

static bool is_part(uint64_t part, uint64_t whole, unsigned percent) {
  return wi_scale(part, whole, 100) >= percent;
}

/* Likewise, of the whole, if the part were two standard deviations of its samples less. */
static bool is_surely_part(const finder *f, uint64_t part, unsigned percent) {
  uint64_t error = wi_square_root((double)part * (double)f->s->sample_period);
  uint64_t least = part > 2 * error ? part - 2 * error : 0;
  return is_part(least, f->whole, percent);
}

static wi_finding *add(finder *f, uint32_t label, uint32_t node) {
  return wi_findings_add(f->out, label, node);
}

/* Appends to a text of `size` bytes. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size,
                                                         const char *format, ...) {
  va_list arguments;
  size_t used = strlen(text);
  va_start(arguments, format);
  vsnprintf(text + used, size - used, format, arguments);
  va_end(arguments);
}

#define AFTER(finding, ...)  append((finding)->after, sizeof(finding)->after, __VA_ARGS__)
#define BEFORE(finding, ...) append((finding)->before, sizeof(finding)->before, __VA_ARGS__)

static wi_short_text name_of(finder *f, uint32_t label) {
  return wi_finding_name(f->forms, f->s->functions[label].name);
}

/* "the time", "all calls", "the instructions" */
static wi_short_text noun_of(const wi_shown *s) {
  wi_short_text result;
  bool is_time = s->unit == WI_UNIT_NANOSECONDS, is_calls = s->unit == WI_UNIT_CALLS;
  snprintf(result.text, sizeof result.text, "%s%s", is_calls ? "all " : "the ",
           is_time ? "time" : wi_unit_name(s->unit));
  return result;
}

/* "83 %", "nearly all", "all" */
static wi_short_text part_of(uint64_t part, uint64_t whole) {
  wi_short_text result = wi_format_percentage(part, whole, 0);
  if (part == whole || strcmp(result.text, "100") == 0)
    strcpy(result.text, part == whole ? "all" : "nearly all");
  else
    strcat(result.text, " %");
  return result;
}

/* Like wi_format_mean, for sentences: "36,180 instructions". */
static wi_short_text mean_of(wi_unit unit, uint64_t value, uint64_t count) {
  if (value / 1000 >= count)
    return wi_format_short(unit, value / count);
  wi_short_text result = wi_format_mean(unit, value, count);
  if (unit != WI_UNIT_NANOSECONDS)
    append(result.text, sizeof result.text, " %s", wi_unit_name(unit));
  return result;
}

/* ---- Sums by caller --------------------------------------------------------- */

static uint32_t caller_of(const wi_shown *s, uint32_t node) {
  return s->parents[node] == 0 ? s->label_count : s->labels[s->parents[node]];
}

/* The calling function from which most of the label's values come; label_count: the host. */
static uint32_t main_caller(finder *f, uint32_t label, const uint64_t *values, uint64_t *most) {
  const wi_shown *s = f->s;
  uint32_t best = s->label_count;
  memset(f->sums, 0, (s->label_count + (size_t)1) * sizeof *f->sums);
  for (uint32_t i = 1; i < s->node_count; i++)
    if (s->labels[i] == label && values[i] > 0 && values[i] != WI_SHOWN_UNCOUNTED) {
      uint32_t caller = caller_of(s, i);
      f->sums[caller] = wi_saturating_add(f->sums[caller], values[i]);
      if (f->sums[caller] > f->sums[best])
        best = caller;
    }
  *most = f->sums[best];
  return best;
}

/* ---- The function that takes most ------------------------------------------- */

/* WI_FINDING_NO_LABEL: none takes much. A function that may only have been compiled is none. */
static uint32_t hot_label(const finder *f) {
  const wi_shown *s = f->s;
  uint32_t label = WI_FINDING_NO_LABEL;
  uint64_t most = 0;
  for (uint32_t i = 0; i < s->label_count; i++)
    if (s->of[i].self > most && s->notes[i] != WI_TIME_COMPILING) {
      label = i;
      most = s->of[i].self;
    }
  return most > 0 && is_surely_part(f, most, LEAST) ? label : WI_FINDING_NO_LABEL;
}

/* "parse": "54.4 % of the time by itself, 83 % from main (20 calls, 21.0 ms each)" */
static void add_hot(finder *f, uint32_t label) {
  const wi_shown *s = f->s;
  const wi_shown_function *of = &s->of[label];
  bool is_calls = s->unit == WI_UNIT_CALLS;
  wi_finding *finding = add(f, label, 0);
  if (!finding)
    return;
  AFTER(finding, "%s %% of %s", wi_format_percentage(of->self, f->whole, 1).text, noun_of(s).text);
  if (is_calls)
    AFTER(finding, ", called most (%s)", wi_format_value(s->unit, of->self).text);
  else
    AFTER(finding, " by itself");
  uint64_t most;
  uint32_t caller = main_caller(f, label, s->selves, &most);
  bool has_callers = of->calls != 1; /* a single call has one */
  if (has_callers && caller < s->label_count && caller != label && is_part(most, of->self, MAIN))
    AFTER(finding, ", %s from %s", part_of(most, of->self).text, name_of(f, caller).text);
  wi_time_note note = (wi_time_note)s->notes[label];
  bool has_mean =
      of->calls > 1 && of->calls != WI_SHOWN_UNCOUNTED && !wi_time_note_hides_mean(note);
  if (!is_calls && !s->is_memory && has_mean)
    AFTER(finding, " (%s, %s each)", wi_format_quantity(of->calls, "call").text,
          mean_of(s->unit, of->self, of->calls).text);
  if (note != WI_TIME_NONE)
    AFTER(finding, "; %s", wi_time_note_text(note));
  f->hot = label;
}

/* ---- What well-known functions do ------------------------------------------- */

/* One habit's functions. */
typedef struct habit_sum {
  uint64_t total, self; /* with callees, and without */
  uint64_t most;        /* of one function, by itself */
  uint32_t label;       /* that function */
  uint32_t count;
} habit_sum;

typedef struct habit_walk {
  const wi_shown *s;
  uint8_t *of;                   /* per label: its habit */
  uint32_t open[WI_HABIT_COUNT]; /* frames on the way to the node */
} habit_walk;

static void leave_habit(void *user, uint32_t node) {
  habit_walk *walk = user;
  uint8_t habit = walk->of[walk->s->labels[node]];
  if (habit != WI_HABIT_NONE)
    walk->open[habit]--;
}

/* Sums the functions of each habit, and their callees. */
static void sum_habits(const wi_shown *s, habit_walk *walk, habit_sum sums[WI_HABIT_COUNT]) {
  for (uint32_t i = 0; i < s->label_count; i++) {
    walk->of[i] = (uint8_t)wi_habit_of(s->functions[i].name, s->functions[i].kind);
    if (walk->of[i] == WI_HABIT_NONE || s->of[i].total == 0)
      continue;
    habit_sum *sum = &sums[walk->of[i]];
    sum->count++;
    sum->self = wi_saturating_add(sum->self, s->of[i].self);
    if (s->of[i].self >= sum->most) {
      sum->most = s->of[i].self;
      sum->label = i;
    }
  }
  for (uint32_t i = wi_shown_walk(s, 0, NULL, NULL); i != 0;
       i = wi_shown_walk(s, i, leave_habit, walk)) {
    uint8_t habit = walk->of[s->labels[i]];
    if (habit != WI_HABIT_NONE && walk->open[habit]++ == 0)
      sums[habit].total = wi_saturating_add(sums[habit].total, s->totals[i]);
  }
}

/* "36.0 % of the time is allocation, most in mallocgc; record --memory shows for whom" */
static void add_habit(finder *f, wi_habit habit, const habit_sum *sum) {
  wi_finding *finding = add(f, sum->label, 0);
  if (!finding)
    return;
  BEFORE(finding, "%s %% of %s is %s, %s ", wi_format_percentage(sum->total, f->whole, 1).text,
         noun_of(f->s).text, wi_habit_words(habit), sum->count == 1 ? "in" : "most in");
  const char *remedy = wi_habit_remedy(habit);
  if (*remedy && f->s->unit == WI_UNIT_NANOSECONDS)
    AFTER(finding, "; %s", remedy);
}

/* Habits that take a major part, the largest first. Skips one that is the hot function alone. */
static bool find_habits(finder *f) {
  enum { MOST_HABITS = 2 };
  habit_sum sums[WI_HABIT_COUNT] = {{0}};
  habit_walk walk = {.s = f->s, .of = malloc(f->s->label_count + (size_t)1)};
  bool is_cost = f->s->unit != WI_UNIT_CALLS && !f->s->is_memory;
  if (walk.of && is_cost)
    sum_habits(f->s, &walk, sums);
  for (unsigned n = 0; walk.of && n < MOST_HABITS; n++) {
    unsigned best = 0;
    for (unsigned i = 1; i < WI_HABIT_COUNT; i++)
      if (sums[i].total > sums[best].total)
        best = i;
    bool is_said = sums[best].label == f->hot && is_part(sums[best].most, sums[best].total, MAIN);
    if (sums[best].total > 0 && is_surely_part(f, sums[best].total, MAJOR) && !is_said)
      add_habit(f, (wi_habit)best, &sums[best]);
    sums[best].total = 0;
  }
  free(walk.of);
  return walk.of != NULL;
}

/* ---- Languages' libraries ---------------------------------------------------- */

/* A part of the program with its functions' own values. */
typedef struct part_sum {
  uint64_t self;
  uint64_t most; /* of one function */
  uint32_t label;
} part_sum;

static bool is_said(const finder *f, uint32_t label) {
  for (unsigned i = 0; i < f->out->count; i++)
    if (f->out->list[i].label == label)
      return true;
  return false;
}

/* "36.0 % of the time is Go's runtime, most in mapaccess1", unless its function is said already. */
static void add_library(finder *f, const wi_parts *parts, part_sum *sums) {
  const wi_shown *s = f->s;
  uint32_t best = parts->count;
  for (uint32_t i = 0; i < s->label_count; i++) {
    part_sum *sum = &sums[parts->of[i]];
    sum->self = wi_saturating_add(sum->self, s->of[i].self);
    if (s->of[i].self >= sum->most) {
      sum->most = s->of[i].self;
      sum->label = i;
    }
  }
  for (uint32_t i = 0; i < parts->count; i++)
    if (strcmp(parts->list[i].kind, "runtime") == 0 &&
        (best == parts->count || sums[i].self > sums[best].self))
      best = i;
  if (best == parts->count || !is_surely_part(f, sums[best].self, 2 * MAJOR) ||
      is_said(f, sums[best].label))
    return;
  wi_finding *finding = add(f, sums[best].label, 0);
  if (finding)
    BEFORE(finding, "%s %% of %s is %s, most in ",
           wi_format_percentage(sums[best].self, f->whole, 1).text, noun_of(s).text,
           parts->list[best].name);
}

static bool find_library(finder *f) {
  wi_parts parts;
  if (f->s->unit == WI_UNIT_CALLS || f->s->is_memory)
    return true;
  if (!wi_parts_init(&parts, f->s->functions, f->s->label_count))
    return false;
  part_sum *sums = calloc(parts.count + (size_t)1, sizeof *sums);
  if (sums)
    add_library(f, &parts, sums);
  free(sums);
  wi_parts_clear(&parts);
  return sums != NULL;
}

/* ---- Other kinds of findings ------------------------------------------------ */

/* The share of functions without names, and what to do about it. */
static void find_nameless(finder *f) {
  const wi_shown *s = f->s;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < s->label_count; i++)
    if (s->functions[i].kind == WI_COLOR_UNNAMED)
      sum = wi_saturating_add(sum, s->of[i].self);
  wi_finding *finding = is_surely_part(f, sum, 2 * MAJOR) ? add(f, WI_FINDING_NO_LABEL, 0) : NULL;
  if (finding)
    AFTER(finding, "%s %% of %s without names: --symbols FILE has them. " WI_KEEP_NAMES,
          wi_format_percentage(sum, f->whole, 1).text, noun_of(s).text);
}

/* Blocks that are freed before the next one is allocated. */
static void find_churn(finder *f) {
  const wi_shown *s = f->s;
  uint32_t best = 0;
  if (!s->is_memory)
    return;
  for (uint32_t i = 1; i < s->label_count; i++)
    if (s->short_lived[i] > s->short_lived[best])
      best = i;
  if (s->label_count == 0 || s->short_lived[best] == 0 ||
      s->short_lived[best] < s->allocated[best] / 2)
    return;
  wi_finding *finding = add(f, best, 0);
  if (finding)
    AFTER(finding, "%s %% of its %s freed before the next allocation",
          wi_format_percentage(s->short_lived[best], s->allocated[best], 0).text,
          wi_format_quantity(s->allocated[best], "block").text);
}

/* A function that is called on many stacks, one of which has nearly all of its value. */
static void find_one_of_many(finder *f) {
  const wi_shown *s = f->s;
  uint32_t best = 0;
  for (uint32_t i = 1; i < s->node_count; i++) {
    const wi_shown_function *of = &s->of[s->labels[i]];
    bool is_heavy =
        is_surely_part(f, s->totals[i], MAJOR) && !is_part(s->totals[i], f->whole, MAIN);
    if (is_heavy && of->stacks >= STACKS && is_part(s->totals[i], of->total, MAIN) &&
        s->labels[i] != f->hot && (best == 0 || s->totals[i] > s->totals[best]))
      best = i;
  }
  wi_finding *finding = best != 0 ? add(f, s->labels[best], best) : NULL;
  if (!finding)
    return;
  const wi_shown_function *of = &s->of[s->labels[best]];
  AFTER(finding, "%s of its %s in one of %s call stacks", part_of(s->totals[best], of->total).text,
        wi_format_short(s->unit, of->total).text, wi_format_count(of->stacks).text);
}

static bool is_outside(const wi_shown *s, uint32_t label) {
  return label == s->label_count || s->functions[label].kind == WI_COLOR_HOST ||
         s->functions[label].kind == WI_COLOR_JAVASCRIPT;
}

static bool crosses(const wi_shown *s, uint32_t node) {
  return is_outside(s, s->labels[node]) != is_outside(s, caller_of(s, node));
}

/* The calls into or out of WebAssembly, by function. Returns how many calls there are. */
static uint64_t sum_crossings(finder *f) {
  const wi_shown *s = f->s;
  uint64_t all = 0;
  memset(f->sums, 0, (s->label_count + (size_t)1) * sizeof *f->sums);
  for (uint32_t i = 1; i < s->node_count; i++) {
    if (s->calls[i] == WI_SHOWN_UNCOUNTED)
      continue;
    all = wi_saturating_add(all, s->calls[i]);
    if (crosses(s, i))
      f->sums[s->labels[i]] = wi_saturating_add(f->sums[s->labels[i]], s->calls[i]);
  }
  return all;
}

/* The function with the most calls into or out of WebAssembly. */
static void find_crossings(finder *f) {
  const wi_shown *s = f->s;
  uint32_t best = 0, caller;
  uint64_t all = s->has_all_calls ? sum_crossings(f) : 0, most, count;
  for (uint32_t i = 1; all > 0 && i < s->label_count; i++)
    if (f->sums[i] > f->sums[best])
      best = i;
  count = all > 0 ? f->sums[best] : 0;
  if (count < MANY_CALLS || !is_part(count, all, MAJOR) ||
      (s->unit == WI_UNIT_CALLS && best == f->hot))
    return;
  wi_finding *finding = add(f, best, 0);
  if (!finding)
    return;
  AFTER(finding, "called from %sWebAssembly %s", is_outside(s, best) ? "" : "outside ",
        wi_format_quantity(count, "time").text);
  caller = main_caller(f, best, s->calls, &most);
  if (caller < s->label_count)
    AFTER(finding, ", most by %s", name_of(f, caller).text);
  AFTER(finding, ": %s %% of all calls", wi_format_percentage(count, all, 0).text);
}

/* The children of `node` with a major part of the whole: the largest ones. Returns their number. */
static unsigned major_children(const finder *f, uint32_t node, uint32_t children[3]) {
  const wi_shown *s = f->s;
  unsigned count = 0;
  for (uint32_t i = wi_shown_first(s, node); i != 0; i = wi_shown_next(s, i)) {
    if (!is_surely_part(f, s->totals[i], MAJOR))
      continue;
    unsigned at = count < 3 ? count++ : 2;
    if (at == 2 && count == 3 && children[2] != 0 && s->totals[children[2]] >= s->totals[i])
      continue;
    for (; at > 0 && s->totals[children[at - 1]] < s->totals[i]; at--)
      children[at] = children[at - 1];
    children[at] = i;
  }
  return count;
}

/* The innermost frame that nearly all work passes through before it splits, and its parts. */
static void find_split(finder *f) {
  const wi_shown *s = f->s;
  uint32_t split = 0, children[3] = {0}, main = 0;
  do {
    memset(children, 0, sizeof children);
    if (major_children(f, main, children) > 1 && main != 0)
      split = main;
    main = children[0] != 0 && is_part(s->totals[children[0]], f->whole, MAIN) ? children[0] : 0;
  } while (main != 0);
  wi_finding *finding = split != 0 ? add(f, s->labels[split], split) : NULL;
  if (!finding)
    return;
  memset(children, 0, sizeof children);
  unsigned count = major_children(f, split, children);
  for (unsigned i = 0; i < count; i++)
    AFTER(finding, "%s%s %% %s", i == 0 ? "splits: " : ", ",
          wi_format_percentage(s->totals[children[i]], f->whole, 0).text,
          name_of(f, s->labels[children[i]]).text);
}

/* The share of host functions. */
static void find_outside(finder *f) {
  const wi_shown *s = f->s;
  uint64_t sum = 0;
  uint32_t most = s->label_count;
  for (uint32_t i = 0; i < s->label_count; i++) {
    if (s->functions[i].kind != WI_COLOR_HOST)
      continue;
    sum = wi_saturating_add(sum, s->of[i].self);
    if (most == s->label_count || s->of[i].self > s->of[most].self)
      most = i;
  }
  if (s->unit == WI_UNIT_CALLS || sum == 0 || !is_surely_part(f, sum, MAJOR / 2))
    return;
  bool is_said = most == f->hot;
  wi_finding *finding = add(f, is_said ? WI_FINDING_NO_LABEL : most, 0);
  if (finding)
    AFTER(finding, "%s%s %% outside, in functions of the host", is_said ? "" : "most of the ",
          wi_format_percentage(sum, f->whole, 1).text);
}

/* ---- Entry point ---------------------------------------------------------- */

bool wi_shown_find(wi_findings *findings, const wi_shown *shown) {
  if (shown->is_rough) {
    wi_findings_are_rough(findings);
    return true;
  }
  finder f = {.s = shown,
              .out = findings,
              .whole = shown->totals[0],
              .forms = malloc(sizeof *f.forms),
              .sums = malloc((shown->label_count + (size_t)1) * sizeof *f.sums),
              .hot = WI_FINDING_NO_LABEL};
  bool done = f.forms && f.sums;
  findings->count = 0;
  if (done && f.whole > 0) {
    uint32_t hot = hot_label(&f);
    bool is_major = hot != WI_FINDING_NO_LABEL && is_part(shown->of[hot].self, f.whole, MAJOR);
    if (is_major)
      add_hot(&f, hot);
    find_nameless(&f);
    done = find_habits(&f);
    if (!is_major && hot != WI_FINDING_NO_LABEL)
      add_hot(&f, hot);
    done = done && find_library(&f);
    find_churn(&f);
    find_one_of_many(&f);
    find_crossings(&f);
    find_split(&f);
    find_outside(&f);
  }
  free(f.forms);
  free(f.sums);
  return done;
}
