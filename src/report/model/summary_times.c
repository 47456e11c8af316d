#include "report/model/summary_times.h"

#include <stdio.h>

#include "names/shorten.h"
#include "report/model/units.h"

#define BUSY_CORE 0.8 /* of a core: a program that had less shared it with others */

/* Samples include the time of hooks, which is mixed with the program's. */
static void add_hooks(wi_summary *summary, const wasm_perf_facts *facts, const wi_tree *tree,
                      const wi_time_notes *notes) {
  char others[sizeof(wi_short_text) + 8] = "", name[WI_SHORTENED_SIZE];
  if (notes->shifted_count == 0)
    return;
  wi_shorten(name, wi_tree_text(tree, notes->most_shifted), WI_SENTENCE_WIDTH);
  if (notes->shifted_count > 1)
    snprintf(others, sizeof others, " and %s",
             wi_format_quantity(notes->shifted_count - 1, "other").text);
  const char *advice = facts->linked_time > 0
                           ? "Record the module without hooks instead: record adds cheaper ones."
                           : "See record --budget.";
  wi_summary_add(summary,
                 "Hooks may take %.0f %% of the time: without them the shares of %s%s differ by "
                 "more than 3 points. %s",
                 100 * notes->hook_part, name, others, advice);
}

/* Whether other programs had the processors. Times that include that are longer, not other shares. */
static void add_core_part(wi_summary *summary, const wasm_perf_facts *facts,
                          const wi_time_notes *notes) {
  if (notes->is_starved)
    wi_summary_add(summary,
                   "The program had work but no processor for %s, which is not in its times",
                   wi_format_value(WI_UNIT_NANOSECONDS, facts->starved_time).text);
  else if (notes->core_part > 0 && notes->core_part < BUSY_CORE)
    wi_summary_add(summary,
                   "The program had %.0f %% of a core while it worked: times include waiting for "
                   "other programs",
                   100 * notes->core_part);
}

/* Hooks of the linked form count calls in a module of their own. */
static void add_linked(wi_summary *summary, const wasm_perf_facts *facts) {
  if (facts->linked_time > 0)
    wi_summary_add(summary, "Hooks took %s, which is not in the times",
                   wi_format_value(WI_UNIT_NANOSECONDS, facts->linked_time).text);
}

void wi_summary_add_times(wi_summary *summary, const wasm_perf_facts *facts, const wi_tree *tree,
                          const wi_time_notes *notes) {
  add_linked(summary, facts);
  add_core_part(summary, facts, notes);
  add_hooks(summary, facts, tree, notes);
}
