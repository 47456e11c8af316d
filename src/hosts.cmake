# The JavaScript host: run where it is built as where it is installed, beside the runtime.
file(GLOB WASM_PERF_HOST_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/hosts/node/*.mjs)
set(WASM_PERF_HOST_FILES)
foreach(source IN LISTS WASM_PERF_HOST_SOURCES)
  get_filename_component(name ${source} NAME)
  set(copy ${CMAKE_BINARY_DIR}/hosts/${name})
  add_custom_command(OUTPUT ${copy} DEPENDS ${source}
                     COMMAND ${CMAKE_COMMAND} -E copy_if_different ${source} ${copy}
                     COMMAND ${CMAKE_COMMAND} -E touch ${copy} VERBATIM)
  list(APPEND WASM_PERF_HOST_FILES ${copy})
endforeach()
add_custom_target(wasm_perf_hosts ALL DEPENDS ${WASM_PERF_HOST_FILES})
install(FILES ${WASM_PERF_HOST_SOURCES} DESTINATION ${CMAKE_INSTALL_DATADIR}/wasm_instrument/hosts)

add_library(wasm_perf_commands STATIC
  cli/wasm_perf_commands.c
  cli/wasm_perf_common.c
  cli/wasm_perf_diff.c
  cli/wasm_perf_engine.c
  cli/wasm_perf_merge.c
  cli/wasm_perf_report.c
  cli/wasm_perf_request.c
  cli/wasm_perf_run.c
  cli/terminal.c
  cli/wasm_perf_view.c
  cli/wasm_perf_views.c)
target_link_libraries(wasm_perf_commands PUBLIC wi_cli wasm_perf)

add_executable(wasm-perf cli/wasm_perf.c)
target_link_libraries(wasm-perf PRIVATE wasm_perf_commands)
add_dependencies(wasm-perf wasm_perf_hosts)
