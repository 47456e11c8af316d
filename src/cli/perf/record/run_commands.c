/* The tables of wasm-perf run, sample and record. */
#include "cli/common/selection_options.h"
#include "cli/perf/commands.h"
#include "cli/perf/common.h"
#include "cli/perf/record/engine_tables.h"
#include "cli/perf/record/request.h"
#include "cli/perf/record/run.h"

static const cli_operand operands[] = {{.value = CLI_FILE("MODULE", "wasm")},
                                       {.repeats = true, .value = CLI_FILE("ARGUMENT", NULL)},
                                       {0}};

static const cli_entry exit_codes[] = {
    {"the program's", CLI_EXIT_TEXT(CLI_EXIT_SIGNAL_BASE) "+N if signal N ended it"},
    {CLI_EXIT_TEXT(CLI_EXIT_FAILURE),
     "also if it could not run, or its profile could not be written"},
    {CLI_EXIT_TEXT(CLI_EXIT_USAGE), "also for wrong usage"},
    {0}};

#define OPERANDS_DESCRIPTION                                                                       \
  "\n\nOptions come before MODULE; everything after it belongs to the program, with two "          \
  "exceptions: a final '-o FILE' belongs to wasm-perf unless -o was given before, and '--' right " \
  "after MODULE passes everything that follows to the program."

/* A command starts its engine itself. */
#define COMMAND_RULES                                                                              \
  {"engine", "!" CLI_COMMAND_OPERAND}, {"engine-option", "!" CLI_COMMAND_OPERAND},                 \
      {"invoke", "!" CLI_COMMAND_OPERAND}, {"dir", "!" CLI_COMMAND_OPERAND}, {                     \
    "env", "!" CLI_COMMAND_OPERAND                                                                 \
  }

/* Without hooks, the modules that a command instantiates are not rewritten, so not named either. */
static const cli_rule sample_rules[] = {COMMAND_RULES, {"symbols", "!" CLI_COMMAND_OPERAND}, {0}};

static const cli_rule record_rules[] = {COMMAND_RULES,
                                        {"module", CLI_COMMAND_OPERAND},
                                        {"per-instance", CLI_COMMAND_OPERAND},
                                        {"budget-runs", "budget"},
                                        {"allocator", "memory"},
                                        {"engine", CLI_NATIVE},
                                        {"engine-option", CLI_NATIVE},
                                        {"invoke", CLI_NATIVE},
                                        {"dir", CLI_NATIVE},
                                        {"env", CLI_NATIVE},
                                        {"compare", CLI_NATIVE},
                                        {"budget", CLI_NATIVE},
                                        {"budget-runs", CLI_NATIVE},
                                        {"every", CLI_NATIVE},
                                        {"listen", CLI_NATIVE},
                                        {"times", CLI_NATIVE},
                                        {0}};

static const cli_entry record_examples[] = {
    {"wasm-perf record -- node app.mjs",
     "writes app.html about every module that a JavaScript program uses"},
    {"wasm-perf record --clock instructions -o app.wperf -- node app.mjs",
     "saves the raw profile, in instructions, which every engine counts the same"},
    {0}};

static const cli_entry record_native_examples[] = {
    {"wasm-perf record --listen 6060 -- node server.mjs",
     "shows the same while it runs, at http://127.0.0.1:6060/"},
    {"wasm-perf record app.wasm in.txt",
     "runs app.wasm, a WASI program, with the argument in.txt and writes app.html"},
    {"wasm-perf record --dir . app.wasm in.txt -o app.svg",
     "writes a flame graph; the program can use the current folder"},
    {0}};

static int run_main(int argc, char **argv) {
  return cli_request_main(&cli_run_command, argc, argv);
}

static int sample_main(int argc, char **argv) {
  return cli_request_main(&cli_sample_command, argc, argv);
}

static int record_main(int argc, char **argv) {
  return cli_request_main(&cli_record_command, argc, argv);
}

const cli_command cli_run_command = {
    .name = "wasm-perf run",
    .is_native = true,
    .summary = "run an instrumented module and save its profile",
    .usages = (const char *const[]){"[OPTION]... MODULE [ARGUMENT]...", NULL},
    .description = "Runs an instrumented WASI command and saves its profile. Streams and exit code "
                   "are the program's." OPERANDS_DESCRIPTION,
    .operands = operands,
    .groups =
        (const cli_option_group *const[]){&cli_request_run_options, &cli_request_program_options,
                                          &cli_request_watch_options, &cli_request_tree_options,
                                          &cli_help_options, NULL},
    .environment = cli_engine_environment,
    .exit_codes = exit_codes,
    .examples = (const cli_entry[]){{"wasm-perf run app.prof.wasm in.txt -o app.wperf",
                                     "runs the module with the argument in.txt"},
                                    {"wasm-perf run --dir . --env LANG=C app.prof.wasm",
                                     "gives the program the current folder and one variable"},
                                    {0}},
    .options_first = true,
    .main = run_main,
};

const cli_command cli_sample_command = {
    .name = "wasm-perf sample",
    .is_native = true,
    .summary = "sample the time of a module without hooks",
    .usages = (const char *const[]){"[OPTION]... MODULE [ARGUMENT]...",
                                    "[OPTION]... -- COMMAND [ARGUMENT]...", NULL},
    .description = "Runs a WASI command without hooks, or COMMAND as record does, and samples it, "
                   "every 0.7 ms in Node.js, every millisecond in wasmtime. Nothing distorts its "
                   "times, but calls are not counted: combine them with the calls of another run "
                   "with record --times. Streams and exit code are the program's.\n\nA profile of "
                   "COMMAND has the times of JavaScript, too." OPERANDS_DESCRIPTION,
    .operands = operands,
    .groups =
        (const cli_option_group *const[]){&cli_request_run_options, &cli_request_program_options,
                                          &cli_request_watch_options, &cli_request_sample_options,
                                          &cli_request_name_options, &cli_help_options, NULL},
    .rules = sample_rules,
    .environment = cli_engine_environment,
    .exit_codes = exit_codes,
    .examples =
        (const cli_entry[]){
            {"wasm-perf sample app.wasm in.txt -o times.wperf\n"
             "wasm-perf record --times times.wperf app.wasm in.txt",
             "a report with the times of the first run and the calls of the second"},
            {"wasm-perf sample -- node app.mjs", "writes app.wperf, with the times of all code"},
            {0}},
    .options_first = true,
    .main = sample_main,
};

const cli_command cli_record_command = {
    .name = "wasm-perf record",
    .summary = "instrument, run and report in one step",
    .usages = (const char *const[]){"[OPTION]... MODULE [ARGUMENT]...",
                                    "[OPTION]... -- COMMAND [ARGUMENT]...", NULL},
    .description =
        "Instruments a WASI command (unless it is instrumented already), runs it and "
        "writes a report. Or runs COMMAND and reports on every WebAssembly module that "
        "Node.js instantiates in it, in its threads and in its child processes. Streams "
        "and exit code are the program's.\n\nThe npm package runs only COMMAND; a MODULE "
        "needs " CLI_NATIVE "." OPERANDS_DESCRIPTION,
    .operands = operands,
    .groups =
        (const cli_option_group *const[]){
            &cli_request_record_options, &wi_selection_options, &cli_request_program_options,
            &cli_request_watch_options, &cli_request_tree_options, &cli_request_sample_options,
            &cli_request_name_options, &cli_request_session_options, &cli_help_options, NULL},
    .rules = record_rules,
    .environment = cli_engine_environment,
    .exit_codes = exit_codes,
    .examples = record_examples,
    .native_examples = record_native_examples,
    .options_first = true,
    .main = record_main,
};
