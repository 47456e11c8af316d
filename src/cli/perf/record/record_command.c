/* The table of wasm-perf record. */
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
    {CLI_EXIT_TEXT(CLI_EXIT_GREW), "also if coverage is below --fail-under"},
    {0}};

/* A command starts its engine itself. */
static const cli_rule rules[] = {{"engine", "!" CLI_COMMAND_OPERAND},
                                 {"engine-option", "!" CLI_COMMAND_OPERAND},
                                 {"invoke", "!" CLI_COMMAND_OPERAND},
                                 {"dir", "!" CLI_COMMAND_OPERAND},
                                 {"env", "!" CLI_COMMAND_OPERAND},
                                 {"module", CLI_COMMAND_OPERAND},
                                 {"per-instance", CLI_COMMAND_OPERAND},
                                 {"strict", "!" CLI_COMMAND_OPERAND},
                                 {"allocator", "memory"},
                                 {"coverage-of", "coverage"},
                                 {"fail-under", "coverage"},
                                 {"compare", "!no-hooks"},
                                 {"budget", "!no-hooks"},
                                 {"times", "!no-hooks"},
                                 {"deterministic", "!no-hooks"},
                                 {"node-limit", "!no-hooks"},
                                 {"recursion", "!no-hooks"},
                                 {"module", "!no-hooks"},
                                 {"per-instance", "!no-hooks"},
                                 {"engine", CLI_NATIVE},
                                 {"engine-option", CLI_NATIVE},
                                 {"invoke", CLI_NATIVE},
                                 {"dir", CLI_NATIVE},
                                 {"env", CLI_NATIVE},
                                 {"no-hooks", CLI_NATIVE},
                                 {"compare", CLI_NATIVE},
                                 {"budget", CLI_NATIVE},
                                 {"every", CLI_NATIVE},
                                 {"listen", CLI_NATIVE},
                                 {"times", CLI_NATIVE},
                                 {0}};

static const cli_entry examples[] = {
    {"wasm-perf record -- node app.mjs",
     "writes app.html about every module that a JavaScript program uses"},
    {"wasm-perf record --coverage -- node --test",
     "writes coverage.info about every module that the tests use"},
    {"wasm-perf record --clock instructions -o app.wperf -- node app.mjs",
     "saves the raw profile, in instructions, which every engine counts the same"},
    {0}};

static const cli_entry native_examples[] = {
    {"wasm-perf record --listen 6060 -- node server.mjs",
     "shows the same while it runs, at http://127.0.0.1:6060/"},
    {"wasm-perf record app.wasm in.txt",
     "runs app.wasm, a WASI program, with the argument in.txt and writes app.html"},
    {"wasm-perf record --dir . app.wasm in.txt -o app.svg",
     "writes a flame graph; the program can use the current folder"},
    {"wasm-perf record --no-hooks -o times.wperf app.wasm in.txt\n"
     "wasm-perf record --times times.wperf app.wasm in.txt",
     "a report with the times of the first run and the calls of the second"},
    {0}};

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
        "needs " CLI_NATIVE ".\n\n"
        "Options come before MODULE; everything after it belongs to the program, with two "
        "exceptions: a final '-o FILE' belongs to wasm-perf unless -o was given before, and '--' "
        "right after MODULE passes everything that follows to the program.",
    .operands = operands,
    .groups =
        (const cli_option_group *const[]){
            &cli_request_main_options, &wi_selection_options, &cli_request_program_options,
            &cli_coverage_options, &cli_request_watch_options, &cli_request_tree_options,
            &cli_request_sample_options, &cli_request_name_options, &cli_request_session_options,
            &cli_usual_help_options, NULL},
    .usual = (const char *const[]){"output", "open", "only", "lines", "coverage", "memory", "clock",
                                   "no-hooks", NULL},
    .rules = rules,
    .environment = cli_engine_environment,
    .exit_codes = exit_codes,
    .examples = examples,
    .native_examples = native_examples,
    .options_first = true,
    .main = cli_record_main,
};
