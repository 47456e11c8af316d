#include "report/model/summary_times.h"

#include <stdio.h>
#include <string.h>

#include "report/model/units.h"

#define BUSY_CORE 0.8 /* of a core: a program that had less shared it with others */

void wi_summary_functions(char text[WI_FUNCTIONS_SIZE], const wi_tree *tree, uint32_t label,
                          uint32_t count) {
  wi_shorten(text, wi_tree_text(tree, label), WI_SENTENCE_WIDTH);
  if (count > 1)
    snprintf(text + strlen(text), WI_FUNCTIONS_SIZE - strlen(text), " and %s",
             wi_format_quantity(count - 1, "other").text);
}

/* Samples include the time of hooks, which is mixed with the program's. */
static void add_hooks(wi_summary *summary, const wasm_perf_facts *facts, const wi_tree *tree,
                      const wi_time_notes *notes) {
  char functions[WI_FUNCTIONS_SIZE];
  if (notes->shifted_count == 0 || summary->is_rough)
    return;
  wi_summary_functions(functions, tree, notes->most_shifted, notes->shifted_count);
  wi_summary_add(summary,
                 "Hooks may take %.0f %% of the time: without them the shares of %s may differ by "
                 "more than 3 points. %s",
                 100 * notes->hook_part, functions,
                 facts->linked_time > 0 ? WI_CHEAPER_HOOKS : "See record --budget.");
}

/* Whether the system does not say how long threads had a processor. */
static bool lacks_core_time(const wi_tree *tree) {
  const wasm_perf_profile *profile = tree->view.profile;
  return tree->view.clock == WASM_PERF_CLOCK_SAMPLED && profile->thread_count > 0 &&
         profile->facts.cpu_time == 0;
}

/* Whether other programs had the processors. Times that include that are longer, not other shares. */
static void add_core_part(wi_summary *summary, const wasm_perf_facts *facts, const wi_tree *tree,
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
  else if (lacks_core_time(tree))
    wi_summary_add(summary, "Times may include waiting for other programs: how long the program "
                            "had a processor is not known here");
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
  add_core_part(summary, facts, tree, notes);
  add_hooks(summary, facts, tree, notes);
}
