# The JavaScript host: run where it is built as where it is installed, beside the runtime.
file(GLOB WASM_PERF_JS_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/js/*.mjs)
set(WASM_PERF_JS_FILES)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/js) # redirected output makes no folder
foreach(source IN LISTS WASM_PERF_JS_SOURCES)
  get_filename_component(name ${source} NAME)
  set(copy ${CMAKE_BINARY_DIR}/js/${name})
  add_custom_command(OUTPUT ${copy} DEPENDS ${source}
                     COMMAND ${CMAKE_COMMAND} -E copy_if_different ${source} ${copy}
                     COMMAND ${CMAKE_COMMAND} -E touch ${copy} VERBATIM)
  list(APPEND WASM_PERF_JS_FILES ${copy})
endforeach()
# The format's constants come from its header.
add_executable(wi-format-js js/format_js.c)
target_include_directories(wi-format-js PRIVATE ${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR})
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/js)
set(WASM_PERF_FORMAT_JS ${CMAKE_BINARY_DIR}/js/format.mjs)
add_custom_command(OUTPUT ${WASM_PERF_FORMAT_JS} DEPENDS wi-format-js
                   COMMAND wi-format-js > ${WASM_PERF_FORMAT_JS} VERBATIM)
list(APPEND WASM_PERF_JS_FILES ${WASM_PERF_FORMAT_JS})
add_custom_target(wasm_perf_js ALL DEPENDS ${WASM_PERF_JS_FILES})
install(FILES ${WASM_PERF_JS_SOURCES} ${WASM_PERF_FORMAT_JS} DESTINATION ${CMAKE_INSTALL_DATADIR}/wasm_instrument/js)

# Files of other profilers.
add_library(wi_samples STATIC
  samples/cpuprofile.c
  samples/firefox.c
  samples/lay.c
  samples/name_index.c
  samples/perf_script.c
  samples/read.c
  samples/samples.c)
target_include_directories(wi_samples PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${JANSSON_INCLUDE_DIR})
target_link_libraries(wi_samples PUBLIC wasm_instrument wasm_perf ${JANSSON_LIBRARY} m)

add_library(wasm_perf_commands STATIC
  cli/perf/budget.c
  cli/perf/commands.c
  cli/perf/common.c
  cli/perf/diff.c
  cli/perf/engine.c
  cli/perf/explain.c
  cli/perf/functions.c
  cli/perf/http.c
  cli/perf/live.c
  cli/perf/merge.c
  cli/perf/parts.c
  cli/perf/compare.c
  cli/perf/component.c
  cli/perf/core_module.c
  cli/perf/private_folder.c
  cli/perf/module_lines.c
  cli/perf/source_map.c
  cli/perf/module_text.c
  cli/perf/symbols.c
  cli/perf/browser.c
  cli/perf/symbols_command.c
  cli/perf/open.c
  cli/perf/profiles.c
  cli/perf/report.c
  cli/perf/request.c
  cli/perf/names.c
  cli/perf/output.c
  cli/perf/progress.c
  cli/perf/progress_line.c
  cli/perf/run.c
  cli/perf/invoke.c
  cli/perf/line_filter.c
  cli/perf/text_lines.c
  cli/perf/text_profiles.c
  cli/perf/run_commands.c
  cli/perf/session.c
  cli/perf/session_files.c
  cli/perf/snapshot.c
  cli/perf/tables.c
  cli/perf/terminal.c
  cli/perf/times.c
  cli/perf/trials.c
  cli/perf/view.c
  cli/perf/views.c
  cli/perf/watch.c
  cli/perf/whitelist.c)
target_include_directories(wasm_perf_commands PRIVATE ${MICROHTTPD_INCLUDE_DIR})
target_link_libraries(wasm_perf_commands PUBLIC wi_cli wasm_perf_report wi_samples PRIVATE ${MICROHTTPD_LIBRARY})

add_executable(wasm-perf cli/perf/main.c)
target_link_libraries(wasm-perf PRIVATE wasm_perf_commands)
add_dependencies(wasm-perf wasm_perf_js)
