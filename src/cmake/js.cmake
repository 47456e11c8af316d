# The JavaScript host: run where it is built as where it is installed, beside the runtime.
set(WASM_PERF_JS_INSTALLED ${CMAKE_INSTALL_DATADIR}/wasm_instrument/js)
set(WASM_PERF_JS_FILES)
foreach(room wperf engine node)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/js/${room}/*.mjs)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME)
    set(copy ${CMAKE_BINARY_DIR}/js/${room}/${name})
    add_custom_command(OUTPUT ${copy} DEPENDS ${source}
                       COMMAND ${CMAKE_COMMAND} -E copy_if_different ${source} ${copy}
                       COMMAND ${CMAKE_COMMAND} -E touch ${copy} VERBATIM)
    list(APPEND WASM_PERF_JS_FILES ${copy})
  endforeach()
  install(FILES ${sources} DESTINATION ${WASM_PERF_JS_INSTALLED}/${room})
endforeach()
# The format's constants come from its header.
add_executable(wi-format-js js/wperf/format_js.c)
target_include_directories(wi-format-js PRIVATE ${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR})
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/js/wperf) # redirected output makes no folder
set(WASM_PERF_FORMAT_JS ${CMAKE_BINARY_DIR}/js/wperf/format.mjs)
add_custom_command(OUTPUT ${WASM_PERF_FORMAT_JS} DEPENDS wi-format-js
                   COMMAND wi-format-js > ${WASM_PERF_FORMAT_JS} VERBATIM)
list(APPEND WASM_PERF_JS_FILES ${WASM_PERF_FORMAT_JS})
install(FILES ${WASM_PERF_FORMAT_JS} DESTINATION ${WASM_PERF_JS_INSTALLED}/wperf)
add_custom_target(wasm_perf_js ALL DEPENDS ${WASM_PERF_JS_FILES})

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
  cli/perf/commands.c
  cli/perf/common.c
  cli/perf/progress.c
  cli/perf/tables.c
  cli/perf/input/core_module.c
  cli/perf/input/module_lines.c
  cli/perf/input/module_text.c
  cli/perf/input/names.c
  cli/perf/input/parts.c
  cli/perf/input/profiles.c
  cli/perf/input/source_map.c
  cli/perf/input/symbols.c
  cli/perf/input/text_lines.c
  cli/perf/input/text_profiles.c
  cli/perf/input/times.c
  cli/perf/record/budget.c
  cli/perf/record/compare.c
  cli/perf/record/component.c
  cli/perf/record/engine.c
  cli/perf/record/invoke.c
  cli/perf/record/line_filter.c
  cli/perf/record/live.c
  cli/perf/record/output.c
  cli/perf/record/private_folder.c
  cli/perf/record/progress_line.c
  cli/perf/record/request.c
  cli/perf/record/run.c
  cli/perf/record/run_commands.c
  cli/perf/record/session.c
  cli/perf/record/session_files.c
  cli/perf/record/snapshot.c
  cli/perf/record/trials.c
  cli/perf/record/watch.c
  cli/perf/record/whitelist.c
  cli/perf/show/browser.c
  cli/perf/show/diff.c
  cli/perf/show/explain.c
  cli/perf/show/functions.c
  cli/perf/show/http.c
  cli/perf/show/merge.c
  cli/perf/show/open.c
  cli/perf/show/report.c
  cli/perf/show/symbols_command.c
  cli/perf/show/terminal.c
  cli/perf/show/view.c
  cli/perf/show/views.c)
target_include_directories(wasm_perf_commands PRIVATE ${MICROHTTPD_INCLUDE_DIR})
target_link_libraries(wasm_perf_commands PUBLIC wi_cli wasm_perf_report wi_samples PRIVATE ${MICROHTTPD_LIBRARY})

add_executable(wasm-perf cli/perf/main.c)
target_link_libraries(wasm-perf PRIVATE wasm_perf_commands)
add_dependencies(wasm-perf wasm_perf_js)
