# wasm-perf, and what it alone is made of.

# Names and lines for profiles, from modules and other files; which function of one build is which of
# another.
add_library(wi_symbols STATIC
  symbols/build.c
  symbols/callee.c
  symbols/code_features.c
  symbols/collect.c
  symbols/complete.c
  symbols/confidences.c
  symbols/contract.c
  symbols/core_module.c
  symbols/data_image.c
  symbols/features.c
  symbols/fit.c
  symbols/glue.c
  symbols/hints.c
  symbols/learn.c
  symbols/likeness.c
  symbols/match.c
  symbols/match_calls.c
  symbols/match_check.c
  symbols/match_exact.c
  symbols/match_modules.c
  symbols/match_order.c
  symbols/match_similar.c
  symbols/matcher.c
  symbols/mix.c
  symbols/module_lines.c
  symbols/module_text.c
  symbols/name_file.c
  symbols/name_module.c
  symbols/namings.c
  symbols/signatures.c
  symbols/source_map.c
  symbols/symbol_file.c
  symbols/symbolize.c
  symbols/wrapper.c)

# Functions of libraries by their code, which comes with the commands (scripts/learn.sh makes it).
set(WI_KNOWN ${CMAKE_CURRENT_SOURCE_DIR}/symbols/libraries.names)
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/libraries.c
  COMMAND ${CMAKE_COMMAND} -DINPUT=${WI_KNOWN} -DOUTPUT=${CMAKE_CURRENT_BINARY_DIR}/libraries.c
          -DSYMBOL=wi_known_signatures -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_bytes.cmake
  DEPENDS ${WI_KNOWN} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_bytes.cmake VERBATIM)
target_sources(wi_symbols PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/libraries.c)
target_include_directories(wi_symbols PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} PRIVATE ${UTHASH_INCLUDE_DIR} ${XXHASH_INCLUDE_DIR})
target_link_libraries(wi_symbols PUBLIC wasm_instrument wasm_perf m)

# Files of other profilers.
add_library(wi_samples STATIC
  samples/cpuprofile.c
  samples/firefox.c
  samples/imports.c
  samples/lay.c
  samples/name_index.c
  samples/perf_script.c
  samples/read.c
  samples/trace.c
  samples/samples.c
  samples/script_file.c
  samples/scripts.c
  samples/thread.c
  samples/tree_search.c
  samples/v8_frame.c
  samples/weave.c)
target_include_directories(wi_samples PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${JANSSON_INCLUDE_DIR}
                           PRIVATE ${UTHASH_INCLUDE_DIR})
target_link_libraries(wi_samples PUBLIC wasm_instrument wasm_perf ${JANSSON_LIBRARY} m)

add_library(wasm_perf_commands STATIC
  cli/perf/commands.c
  cli/perf/common.c
  cli/perf/progress.c
  cli/perf/bench/baseline.c
  cli/perf/bench/bench.c
  cli/perf/bench/bench_command.c
  cli/perf/bench/codes.c
  cli/perf/bench/counts.c
  cli/perf/bench/execute.c
  cli/perf/bench/interval.c
  cli/perf/bench/outcome.c
  cli/perf/bench/outcome_lines.c
  cli/perf/bench/pairs.c
  cli/perf/bench/quiet.c
  cli/perf/bench/rows.c
  cli/perf/bench/suite.c
  cli/perf/bench/suite_exports.c
  cli/perf/bench/timing.c
  cli/perf/bench/toml.c
  cli/perf/bench/why.c
  cli/perf/bench/write_json.c
  cli/perf/bench/write_junit.c
  cli/perf/bench/write_markdown.c
  cli/perf/bench/write_table.c
  cli/perf/input/align.c
  cli/perf/input/parts.c
  cli/perf/input/profiles.c
  cli/perf/input/similar.c
  cli/perf/input/names_table.c
  cli/perf/input/symbols.c
  cli/perf/input/text_lines.c
  cli/perf/input/text_profiles.c
  cli/perf/input/texts.c
  cli/perf/input/times.c
  cli/perf/record/budget.c
  cli/perf/record/compare.c
  cli/perf/record/component.c
  cli/perf/record/engine.c
  cli/perf/record/engine_tables.c
  cli/perf/record/host.c
  cli/perf/record/invoke.c
  cli/perf/record/line_filter.c
  cli/perf/record/live.c
  cli/perf/record/node.c
  cli/perf/record/output.c
  cli/perf/record/prepare.c
  cli/perf/record/private_folder.c
  cli/perf/record/progress_line.c
  cli/perf/record/request.c
  cli/perf/record/request_check.c
  cli/perf/record/run.c
  cli/perf/record/run_commands.c
  cli/perf/record/runtimes.c
  cli/perf/record/session.c
  cli/perf/record/session_files.c
  cli/perf/record/session_measures.c
  cli/perf/record/session_modules.c
  cli/perf/record/session_settings.c
  cli/perf/record/snapshot.c
  cli/perf/record/trials.c
  cli/perf/record/wasmtime.c
  cli/perf/record/watch.c
  cli/perf/record/whitelist.c
  cli/perf/show/diff.c
  cli/perf/show/explain.c
  cli/perf/show/functions.c
  cli/perf/show/http.c
  cli/perf/show/merge.c
  cli/perf/show/open.c
  cli/perf/show/open_command.c
  cli/perf/show/report.c
  cli/perf/show/symbols_command.c
  cli/perf/show/terminal.c
  cli/perf/show/view.c
  cli/perf/show/viewer.c
  cli/perf/show/viewer_command.c
  cli/perf/show/views.c)
target_include_directories(wasm_perf_commands PRIVATE ${MICROHTTPD_INCLUDE_DIR})
target_link_libraries(wasm_perf_commands PUBLIC wi_cli wasm_perf_report wi_samples wi_symbols PRIVATE ${MICROHTTPD_LIBRARY})

add_executable(wasm-perf cli/perf/main.c)
target_link_libraries(wasm-perf PRIVATE wasm_perf_commands)
add_dependencies(wasm-perf wasm_perf_js)
