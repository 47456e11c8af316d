#define _GNU_SOURCE /* realpath */

#include "cli/perf/record/budget.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/file.h"
#include "cli/common/hook_budget.h"
#include "cli/common/message.h"
#include "cli/perf/record/slowdown.h"
#include "cli/perf/record/trials.h"
#include "cli/perf/record/watch.h"
#include "cli/perf/record/whitelist.h"
#include "report/model/summary_budget.h"
#include "report/model/units.h"
#include "samples/attribute.h"
#include "samples/read.h"
#include "support/arithmetic.h"

/* Nanoseconds. Shorter runs have too few samples to choose functions by. */
#define SAMPLED_TIME 500000000u

/* Lower bound for the cost of a unit, in tenths of a nanosecond: a few instructions. */
#define LEAST_UNIT_COST 3u

/* Functions are chosen for a budget reduced by 1/MARGIN, so that few runs exceed the full one. */
#define MARGIN 6u

#define MAX_CORRECTIONS 2u /* of the estimated cost of hooks */

/* State of --budget; results are in the order in which runs find them. Times are in nanoseconds. */
typedef struct budget_work {
  const cli_request *request;
  wasm_perf_clock clock; /* for the runs with the chosen functions */
  cli_trials trials;
  uint64_t plain_time; /* of a run without hooks; the machine's caches were cold */
  cli_slowdown full;   /* by the hooks of all functions, without a clock */
  cli_slowdown tried;  /* by the hooks of the chosen ones */
  uint64_t hooks_cost; /* of all hooks in a run */
  wi_samples samples;  /* without hooks, or instructions with all hooks; may be empty */
  uint64_t unit_rate;  /* ticks_per_second of these instructions */
  wi_budget budget;
  wi_budget_sum chosen;
  uint64_t predicted_overhead; /* at the time of the choice, in millionths of the plain run */
  char *whitelist_path;
} budget_work;

/* The budget as a time, in a run that takes `plain_time`. */
static uint64_t allowed_time(const budget_work *work, uint64_t plain_time) {
  const cli_percentage *share = &work->request->budget;
  return wi_scale(share->part, share->whole, plain_time);
}

static bool is_short(uint64_t plain_time) {
  return plain_time < WI_BUDGET_SHORT_RUN;
}

/* ---- What hooks cost ---------------------------------------------------------- */

/* Whether the difference is known to within a fifth. */
static bool is_precise(const cli_slowdown *slowdown) {
  return cli_slowdown_has_interval(slowdown) && slowdown->time > slowdown->plain_time &&
         (slowdown->high - slowdown->low) / 2 <= (slowdown->time - slowdown->plain_time) / 5;
}

/*
 * Sets the cost of all hooks: the slowdown of the runs with all of them, which is later divided by
 * units. Noise must not make hooks seem dear, since it would shrink the choice: unless the slowdown
 * is known well, its least value counts, and trying the choice shows whether that was too little.
 * In a short run the difference is mostly the compilation of larger code; there, one unit is
 * assumed to cost 1 ns.
 */
static void measure_hooks(budget_work *work) {
  const cli_slowdown *full = &work->full;
  uint64_t cost = work->budget.cost, least = cost / 10 * LEAST_UNIT_COST + 1;
  uint64_t time = is_precise(full) || !cli_slowdown_has_interval(full) ? full->time : full->low;
  uint64_t measured = time > full->plain_time ? time - full->plain_time : 0;
  work->hooks_cost = is_short(full->plain_time) ? cost + 1 : measured > least ? measured : least;
}

/* The number of units whose hooks cost `time`. */
static uint64_t units_for(const budget_work *work, uint64_t time) {
  if (time >= work->hooks_cost)
    return work->budget.cost;
  return wi_scale(time, work->hooks_cost, work->budget.cost);
}

/* ---- Runs ------------------------------------------------------------------------ */

static int run_plain(budget_work *work) {
  cli_request request = *work->request;
  wasm_perf_profile *none;
  cli_watch_say("without the profiler");
  request.plain = request.silent = true;
  return cli_trials_run(&work->trials, &request, WASM_PERF_CLOCK_NONE, &work->plain_time, &none);
}

/* Counts instructions with hooks in all functions that can have them. */
static int run_counted(budget_work *work, wasm_perf_profile **profile) {
  cli_request request = *work->request;
  uint64_t unused;
  cli_watch_say("with all functions, counting instructions");
  request.silent = true;
  return cli_trials_run(&work->trials, &request, WASM_PERF_CLOCK_INSTRUCTIONS, &unused, profile);
}

static bool is_sampled(const budget_work *work) {
  return work->clock == WASM_PERF_CLOCK_SAMPLED;
}

/* Hooks do not change instruction counts, so the run with all hooks yields them. */
static bool is_counted(const budget_work *work) {
  return wasm_perf_clock_is_counted(work->clock);
}

static int keep_values(budget_work *work, const wasm_perf_profile *profile, int exit_code) {
  if (!profile || wi_samples_of_profile(profile, &work->samples))
    return exit_code;
  cli_fail_memory(work->request->failure);
  return -1;
}

/*
 * Samples a run without hooks. Hooks would distort the sampled times, and sampling would distort
 * the durations of the other runs.
 */
static int run_sampled(budget_work *work) {
  cli_request request = *work->request;
  wasm_perf_profile *profile;
  uint64_t time;
  cli_watch_say("sampled");
  request.plain = request.silent = true;
  int exit_code = cli_trials_run(&work->trials, &request, WASM_PERF_CLOCK_SAMPLED, &time, &profile);
  exit_code = keep_values(work, profile, exit_code);
  wasm_perf_profile_free(profile);
  return exit_code;
}

/* The difference is known to within a fifth, or all hooks are within the budget. */
static bool is_cost_known(const cli_slowdown *full, const void *user) {
  const budget_work *work = user;
  return is_short(full->plain_time) || is_precise(full) ||
         (cli_slowdown_has_interval(full) &&
          full->high <= full->plain_time + allowed_time(work, full->plain_time));
}

static int run_full(budget_work *work, wasm_perf_profile **profile) {
  const cli_slowdown_plan plan = {.trials = &work->trials,
                                  .request = work->request,
                                  .clock = WASM_PERF_CLOCK_NONE,
                                  .what = "with all functions",
                                  .is_known = is_cost_known,
                                  .user = work};
  return cli_slowdown_measure(&plan, &work->full, profile);
}

/*
 * Measures the slowdown and the call tree with all hooks. Further runs find where the time goes:
 * by samples, or by instructions if the run is short or that clock was asked for.
 */
static int run_with_all(budget_work *work, wasm_perf_profile **profile) {
  bool is_counting = work->plain_time < SAMPLED_TIME || is_counted(work);
  int exit_code = run_full(work, profile);
  if (is_counting && !cli_trials_are_over(exit_code)) {
    wasm_perf_profile_free(*profile);
    exit_code = run_counted(work, profile);
  }
  if (is_counted(work) && *profile) {
    work->unit_rate = (*profile)->header.ticks_per_second;
    return keep_values(work, *profile, exit_code);
  }
  if ((!is_counting || is_sampled(work)) && !cli_trials_are_over(exit_code))
    exit_code = run_sampled(work);
  return exit_code;
}

/* The options for wasm-instrument, with --whitelist in place of all other selections. */
static cli_list words_of_chosen(const cli_request *request, const char *whitelist_path) {
  static const char *const choosing[] = {"--only=", "--exclude=", "--whitelist="};
  cli_list words = {0};
  for (size_t i = 0; i < request->instrument_words.count; i++) {
    const char *word = request->instrument_words.items[i];
    bool chooses = false;
    for (size_t j = 0; j < sizeof choosing / sizeof *choosing; j++)
      chooses |= strncmp(word, choosing[j], strlen(choosing[j])) == 0;
    if (!chooses)
      cli_list_add(&words, cli_text("%s", word));
  }
  char *path = realpath(whitelist_path, NULL);
  cli_list_add(&words, cli_text("--whitelist=%s", path ? path : whitelist_path));
  free(path);
  return words;
}

/* The clock of runs with the chosen functions: their times come from another run, if that can be. */
static wasm_perf_clock clock_of_chosen(const budget_work *work) {
  bool is_there = is_sampled(work) || is_counted(work);
  return is_there ? WASM_PERF_CLOCK_NONE : work->clock;
}

/* The run that prints. */
static int run_chosen(budget_work *work, wasm_perf_profile **profile) {
  cli_request request = *work->request;
  uint64_t unused;
  cli_watch_say(NULL);
  request.instrument_words = words_of_chosen(work->request, work->whitelist_path);
  int exit_code = cli_trials_run(&work->trials, &request, clock_of_chosen(work), &unused, profile);
  cli_list_clear(&request.instrument_words);
  return exit_code;
}

/* The interval is on one side of the budget, or so small that it does not matter. */
static bool is_budget_judged(const cli_slowdown *tried, const void *user) {
  const budget_work *work = user;
  uint64_t allowed = allowed_time(work, tried->plain_time), limit = tried->plain_time + allowed;
  return is_short(tried->plain_time) ||
         (cli_slowdown_has_interval(tried) &&
          (tried->high <= limit || tried->low > limit || tried->high - tried->low <= allowed / 5));
}

static int run_tried(budget_work *work) {
  cli_request request = *work->request;
  wasm_perf_profile *unused;
  const cli_slowdown_plan plan = {.trials = &work->trials,
                                  .request = &request,
                                  .clock = clock_of_chosen(work),
                                  .what = "with the functions that were chosen",
                                  .is_known = is_budget_judged,
                                  .user = work};
  request.instrument_words = words_of_chosen(work->request, work->whitelist_path);
  int exit_code = cli_slowdown_measure(&plan, &work->tried, &unused);
  wasm_perf_profile_free(unused);
  cli_list_clear(&request.instrument_words);
  return exit_code;
}

/* ---- The choice -------------------------------------------------------------------- */

/* Replaces the extension of the output, or of the module if there is no output: app.whitelist. */
static char *whitelist_path_of(const cli_request *request) {
  bool is_stream = !request->output || strcmp(request->output, "-") == 0;
  const char *path = is_stream ? wi_path_name(request->module_path) : request->output;
  const char *dot = strrchr(wi_path_name(path), '.');
  int size = dot && dot != wi_path_name(path) ? (int)(dot - path) : (int)strlen(path);
  return cli_text("%.*s.whitelist", size, path);
}

static bool fail(const budget_work *work, const char *reason) {
  return cli_fail(work->request->failure, work->request->module_path, "%s", reason);
}

/* Adds the sampled times, or the instructions, to a profile that has only calls. */
static bool attribute_samples(const budget_work *work, wasm_perf_profile *profile) {
  wi_samples_match match;
  if (work->samples.nodes_count == 0 || profile->header.clock != WASM_PERF_CLOCK_NONE)
    return true;
  bool done = wi_samples_attribute(&work->samples, profile, true, &match);
  if (is_counted(work) && done && match.matched > 0) {
    profile->header.clock = WASM_PERF_CLOCK_INSTRUCTIONS;
    profile->header.ticks_per_second = work->unit_rate;
    profile->header.clock_read_count = 0;
  }
  return done;
}

static bool find_costs(budget_work *work, wasm_perf_profile *profile) {
  if (!profile->facts.identity)
    return fail(work, "--budget needs a single module; choose one with --module GLOB");
  if (!attribute_samples(work, profile) || !wi_budget_init(&work->budget, profile))
    return fail(work, "out of memory");
  measure_hooks(work);
  return true;
}

static uint64_t millionths(uint64_t part, uint64_t whole) {
  enum { MILLION = 1000000 };
  return wi_scale(part, whole, MILLION);
}

/* The estimated cost of the chosen hooks. */
static uint64_t predicted_time(const budget_work *work) {
  return wi_scale(work->chosen.cost, work->budget.cost, work->hooks_cost);
}

static bool choose_functions(budget_work *work) {
  uint64_t plain_time = work->full.plain_time, allowed = allowed_time(work, plain_time);
  bool done =
      wi_budget_choose(&work->budget, units_for(work, allowed - allowed / MARGIN), &work->chosen);
  work->predicted_overhead = millionths(predicted_time(work), plain_time);
  return done;
}

static bool choose(budget_work *work) {
  if (!choose_functions(work))
    return fail(work, "out of memory");
  return work->chosen.count > 0 ||
         fail(work,
              "no function fits the budget: the functions that take time are called too often");
}

static bool write_whitelist(budget_work *work, const wasm_perf_profile *profile) {
  const cli_percentage *share = &work->request->budget;
  free(work->whitelist_path);
  work->whitelist_path = whitelist_path_of(work->request);
  char *title = cli_text("Chosen by wasm-perf record --budget %s%% in %s: %" PRIu32 " of %" PRIu32
                         " called functions",
                         wi_format_percentage(share->part, share->whole, 2).text,
                         profile->facts.module ? wi_path_name(profile->facts.module) : "a module",
                         work->chosen.count, work->budget.count);
  bool done = cli_whitelist_write(profile, &work->budget, title, work->whitelist_path,
                                  work->request->failure);
  free(title);
  return done;
}

/* ---- Corrections --------------------------------------------------------------------- */

/* cost × measured ÷ predicted, but at least cost ÷ MOST, in case `measured` is noise. */
static uint64_t corrected(uint64_t cost, uint64_t measured, uint64_t predicted) {
  enum { MOST = 16 };
  uint64_t most = wi_scale(cost, 1, MOST);
  uint64_t result = predicted == 0 ? most : wi_scale(measured, predicted, cost);
  return result < most ? result : most;
}

/*
 * Replaces the estimated cost of hooks by the measured one, and chooses again. False if the
 * whitelist cannot be written, or no function would fit any more; the earlier choice then stays.
 */
static bool correct(budget_work *work, uint64_t measured, const wasm_perf_profile *profile) {
  const budget_work before = *work;
  work->hooks_cost = corrected(work->hooks_cost, measured, predicted_time(work));
  if (choose_functions(work) && work->chosen.count > 0)
    return write_whitelist(work, profile);
  *work = before;
  return false;
}

/*
 * Tries the choice and corrects it while it is certain to exceed the budget. The estimate misses
 * some costs of hooks: engines optimise such code less, and compile it longer. False, with
 * *exit_code set, if the runs were stopped.
 */
static bool correct_choice(budget_work *work, const wasm_perf_profile *profile, int *exit_code) {
  for (unsigned i = 0;; i++) {
    *exit_code = run_tried(work);
    if (cli_trials_are_over(*exit_code))
      return false;
    const cli_slowdown *tried = &work->tried;
    uint64_t plain = tried->plain_time;
    bool is_over = !is_short(plain) && tried->low > plain + allowed_time(work, plain);
    if (!is_over || i == MAX_CORRECTIONS || !correct(work, tried->time - plain, profile))
      return true;
  }
}

/* ---- The result ---------------------------------------------------------------- */

/* The share of time in functions whose calls are counted, in millionths. */
static uint64_t counted_share(const wasm_perf_profile *profile) {
  uint64_t time = 0, counted_time = 0;
  for (uint32_t i = 1; i < profile->header.node_count; i++) {
    const wasm_perf_node *node = &profile->nodes[i];
    time = wi_saturating_add(time, node->self);
    if (wasm_perf_profile_is_counted(profile, node->function))
      counted_time = wi_saturating_add(counted_time, node->self);
  }
  return millionths(counted_time, time);
}

static void note_result(budget_work *work, wasm_perf_profile *profile) {
  wasm_perf_facts *facts = &profile->facts;
  cli_slowdown_note(&work->tried, facts);
  facts->budget = millionths(work->request->budget.part, work->request->budget.whole);
  facts->predicted_overhead = work->predicted_overhead;
  facts->attributed_share = profile->uncounted_count > 0
                                ? counted_share(profile)
                                : millionths(work->chosen.value, work->budget.value);
}

static void print_result(const budget_work *work, const wasm_perf_profile *profile) {
  const wasm_perf_facts *facts = &profile->facts;
  char text[WI_BUDGET_TEXT_SIZE];
  cli_watch_clear_line();
  wi_summary_budget(facts, text);
  cli_message("wasm-perf: %s", text);
  cli_message("wasm-perf: %s lists the chosen functions: %" PRIu32 " of %s", work->whitelist_path,
              work->chosen.count, wi_format_quantity(work->budget.count, "function").text);
  if (facts->plain_run_time < WI_BUDGET_SHORT_RUN)
    cli_message("wasm-perf: the run is too short to measure the cost of hooks, so the prediction "
                "is a guess; use a longer run");
}

/* ---- The whole ----------------------------------------------------------------------- */

/* Runs everything up to the final whitelist. False, with *exit_code set, if there is no choice. */
static bool prepare(budget_work *work, int *exit_code) {
  wasm_perf_profile *profile = NULL;
  *exit_code = run_plain(work);
  if (!cli_trials_are_over(*exit_code))
    *exit_code = run_with_all(work, &profile);
  if (cli_trials_are_over(*exit_code)) {
    cli_watch_clear_line();
    cli_message("wasm-perf: stopped before functions were chosen: there is no profile");
    wasm_perf_profile_free(profile);
    return false;
  }
  *exit_code = CLI_EXIT_FAILURE;
  bool done = profile && find_costs(work, profile) && choose(work) &&
              write_whitelist(work, profile) && correct_choice(work, profile, exit_code);
  wasm_perf_profile_free(profile);
  return done;
}

int cli_budget_run(const cli_request *request, wasm_perf_clock clock, char *const *words,
                   const char *folder, const char *share_folder, wasm_perf_profile **profile) {
  budget_work work = {.request = request, .clock = clock};
  int exit_code = CLI_EXIT_FAILURE;
  *profile = NULL;
  if (cli_trials_init(&work.trials, words, folder, share_folder, request->failure) &&
      prepare(&work, &exit_code)) {
    exit_code = run_chosen(&work, profile);
    if (*profile && !attribute_samples(&work, *profile))
      cli_error(NULL, "out of memory: there are calls, but no times");
    if (*profile && !cli_trials_are_over(exit_code)) {
      note_result(&work, *profile);
      print_result(&work, *profile);
    }
  }
  wi_budget_clear(&work.budget);
  wi_samples_clear(&work.samples);
  cli_trials_clear(&work.trials);
  free(work.whitelist_path);
  return exit_code;
}
