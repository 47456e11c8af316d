#include "cli/instrument/options.h"

#include <stdio.h>

#include "cli/common/selection_options.h"
#include "cli/common/targets.h"
#include "wasm_perf/wasm_perf.h"

static const cli_option main_options[] = {
    {'o', "output", CLI_FILE("FILE", "wasm"),
     "write the instrumented module to FILE, which may be INPUT"},
    {OPTION_LIST, "list", CLI_NO_VALUE,
     "print index, instruction count, choice and name of every function"},
    {OPTION_BUDGET, "budget", CLI_TEXT("PERCENT"),
     "hook the functions that take the most time, as long as all hooks together cost at most "
     "PERCENT of the run in --profile, for example 3%"},
    {OPTION_PROFILE, "profile", CLI_FILE("FILE.wperf", "wperf"),
     "a profile of the module with hooks in all functions, for --budget"},
    {0}};

static const cli_option embed_options[] = {
    {OPTION_EMBED, "embed", CLI_NO_VALUE,
     "put the runtime into the module, which then runs wherever the original did, if the engine "
     "has multi-memory; a WASI command writes NAME.wperf to its first directory"},
    {OPTION_FOR, "for", CLI_CHOICE("ENGINE", cli_target_choice),
     "choose --single-memory if ENGINE allows a module one memory. Default: an engine that allows "
     "several"},
    {OPTION_SINGLE_MEMORY, "single-memory", CLI_NO_VALUE,
     "keep the profile at the end of the module's own memory, for engines without multi-memory; "
     "every access of the module is then checked, which costs time. Not for a memory that is "
     "imported, shared or grown by the host"},
    {OPTION_NO_FILE, "no-file", CLI_NO_VALUE,
     "do not write a file from a WASI command: its host reads the profile from the module's "
     "exports"},
    {OPTION_DETERMINISTIC, "deterministic", CLI_NO_VALUE,
     "make WASI preview 1 give the same answers in each run: the clock starts at a constant "
     "and advances with each read, random numbers have a constant seed, streams are never a "
     "terminal, times of files are constant and directories sorted"},
    {OPTION_STDERR, "stderr", CLI_NO_VALUE,
     "write a command's profile to stderr, as lines of text that wasm-perf finds in any log, if "
     "the module can write there; always on in components"},
    {OPTION_WRITE_AT, "write-at", CLI_TEXT("EXPORT"),
     "write the profile each time that the exported function EXPORT, or a glob of several, returns "
     "to the host: to the file of WASI, or as lines of text with --stderr or --write-by, then what "
     "was counted since the last time; repeatable. Components that handle requests of wasi:http "
     "do so by default"},
    {OPTION_WRITE_EVERY, "write-every", CLI_NUMBER("N", 1),
     "write it at one of N such returns only"},
    {OPTION_WRITE_BY, "write-by", CLI_TEXT("MODULE.NAME"),
     "print the lines with this import. Its parameters are an address and a length (i32, i32); it "
     "returns nothing or an i32. Default: env.proxy_log of proxy-wasm, else stderr or a file"},
    {OPTION_MODULE, "module", CLI_TEXT("GLOB"),
     "in a component, only core modules whose name matches GLOB; --list shows the names; "
     "repeatable. Default: all but the adapters and shims of wit-component"},
    CLI_RECURSION_OPTION(OPTION_RECURSION),
    CLI_NODE_LIMIT_OPTION(OPTION_NODE_LIMIT),
    {0}};

static const cli_option output_options[] = {
    {OPTION_NAMES, "names", CLI_FILE("FILE", NULL),
     "name functions without a name from FILE: another build of the module, whose names are shown "
     "as ~NAME, a folder of builds, a symbol map, or Emscripten's JavaScript. May be repeated"},
    {OPTION_HINTS, "hints", CLI_NO_VALUE,
     "name functions of known libraries, ~dlmalloc, and describe others without a name by a string "
     "they refer to, an import they call or an export that calls them: func[713] "
     "\"sqlite_master\". --memory implies it"},
    {OPTION_IMPORT_MODULE, "import-module", CLI_TEXT("NAME"),
     "module name of the hooks' imports; default: wasm_perf"},
    {OPTION_FLUSH, "flush", CLI_NO_VALUE,
     "call perf_flush when _start returns and before proc_exit, so that the runtime can write the "
     "profile itself (wasmtime)"},
    {OPTION_SOURCE_MAP, "source-map", CLI_FILE("FILE", "map"),
     "the module's source map; default: the file that the module names, in the folder of INPUT. "
     "The new one is OUTPUT.map"},
    {OPTION_DEBUG_FILE, "debug-file", CLI_FILE("FILE", "wasm"),
     "the file with the module's debug information; default: the file that the module names, in "
     "the folder of INPUT. The new one is OUTPUT.debug.wasm"},
    {OPTION_FORCE, "force", CLI_NO_VALUE, "instrument a module that is already instrumented"},
    {0}};

static const cli_option other_options[] = {{'q', "quiet", CLI_NO_VALUE, "no warnings"},
                                           {'v', "verbose", CLI_NO_VALUE, "print what was done"},
                                           {OPTION_PATH, "path", CLI_FILE("FILE", NULL),
                                            "the file of a module from standard input: "
                                            "Emscripten's JavaScript beside it names exports, as "
                                            "it does beside INPUT"},
                                           {OPTION_CALLER, "caller", CLI_FILE("FILE", NULL),
                                            "JavaScript that compiles the module and may name its "
                                            "exports, too"},
                                           CLI_USUAL_HELP_OPTION,
                                           CLI_HELP_ALL_OPTION,
                                           CLI_VERSION_OPTION,
                                           {0}};

static const cli_option_group main_group = {NULL, main_options};
static const cli_option_group embed_group = {"Embedded runtime", embed_options};
static const cli_option_group output_group = {"Output", output_options};
static const cli_option_group other_group = {"Other", other_options};

const cli_command wi_instrument_command = {
    .name = "wasm-instrument",
    .summary = "compile a profiler into a WebAssembly module",
    .usages =
        (const char *const[]){"[OPTION]... INPUT -o OUTPUT", "[OPTION]... INPUT --list", NULL},
    .description =
        "Compiles a profiler into a WebAssembly module.\nTo run a program once and see its "
        "profile, use wasm-perf record instead.\nWith --embed, the profiler is inside the module, "
        "which then replaces the original in any host with several memories.\nWithout "
        "it, every selected function calls two imports, perf_start when it is entered and perf_end "
        "when it is left; modules that catch exceptions have four. Their host is wasm-perf record, "
        "or one that supplies them, for example by linking wasm_perf.wasm.\n\n"
        "'-' is standard input or output.",
    .operands = (const cli_operand[]){{.value = CLI_FILE("INPUT", "wasm")}, {0}},
    .groups = (const cli_option_group *const[]){&main_group, &wi_selection_options, &embed_group,
                                                &output_group, &other_group, NULL},
    .usual = (const char *const[]){"output", "embed", "only", "whitelist", "lines", "memory",
                                   "list", NULL},
    .rules = (const cli_rule[]){{"output", "!list"},
                                {"no-file", "embed"},
                                {"for", "embed"},
                                {"single-memory", "embed"},
                                {"stderr", "embed"},
                                {"write-at", "embed"},
                                {"write-at", "!no-file"},
                                {"write-every", "write-at"},
                                {"write-by", "write-at"},
                                {"deterministic", "embed"},
                                {"module", "embed"},
                                {"recursion", "embed"},
                                {"node-limit", "embed"},
                                {"allocator", "memory"},
                                {"import-module", "!embed"},
                                {0}},
    .exit_codes =
        (const cli_entry[]){
            {CLI_EXIT_TEXT(CLI_EXIT_SUCCESS), "success"},
            {CLI_EXIT_TEXT(CLI_EXIT_FAILURE),
             "the module is invalid, or a file cannot be read or written; no output was written"},
            {CLI_EXIT_TEXT(CLI_EXIT_USAGE), "wrong usage"},
            {0}},
    .examples =
        (const cli_entry[]){
            {"wasm-instrument app.wasm -o app.prof.wasm", "hooks in every function"},
            {"wasm-instrument --only 'parse_*' app.wasm --list",
             "lists the selected functions, without writing a module"},
            {"wasm-instrument --names app.debug.wasm app.wasm -o app.prof.wasm",
             "names the functions of a stripped module from a build that has names"},
            {"wasm-instrument --clock instructions --skip-leaves 40 app.wasm -o out.wasm",
             "counts instructions, without hooks in short functions that call nothing"},
            {0}},
};
