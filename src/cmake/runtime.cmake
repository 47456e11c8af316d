# The runtime, natively: the call tree, profiles and reports.
include(cmake/embed.cmake)
wi_embed_text(WI_EMBEDDED
  ${CMAKE_CURRENT_SOURCE_DIR}/report/formats/flamegraph.css
  ${CMAKE_CURRENT_SOURCE_DIR}/report/formats/flamegraph.js
  ${CMAKE_CURRENT_SOURCE_DIR}/report/formats/html.css
  ${CMAKE_CURRENT_SOURCE_DIR}/report/formats/html.js)
add_library(wasm_perf STATIC
  runtime/calltree.c
  runtime/clock.c
  runtime/hook_cost.c
  runtime/hybrid.c
  runtime/native.c
  report/text/callers.c
  report/formats/callgrind.c
  report/formats/chrome.c
  report/model/color.c
  report/model/columns.c
  profile/compensate.c
  report/formats/cpuprofile.c
  report/diff/diff.c
  report/diff/diff_flamegraph.c
  report/diff/diff_folded.c
  report/diff/diff_pairs.c
  report/diff/diff_summary.c
  report/diff/diff_table.c
  report/model/edges.c
  report/formats.c
  report/formats/firefox.c
  report/formats/flamegraph.c
  report/formats/folded.c
  report/model/function_table.c
  report/encode/gzip.c
  profile/hide_host.c
  report/formats/html.c
  report/formats/html_calls.c
  report/formats/json.c
  report/encode/json_parts.c
  report/encode/json_writer.c
  profile/labels.c
  report/encode/markup.c
  profile/merge.c
  profile/mismatch.c
  report/model/names_fit.c
  profile/units.c
  report/model/outline.c
  report/text/outline_text.c
  report/formats/pprof.c
  profile/profile.c
  profile/wperf.c
  report/encode/protobuf.c
  report/model/function_stats.c
  report/model/shorten.c
  report/formats/speedscope.c
  report/model/summary.c
  report/text/text_table.c
  report/text/text_width.c
  report/formats/top.c
  report/model/tree.c
  report/formats/tree_text.c
  support/utf8.c
  ${WI_EMBEDDED})
target_include_directories(wasm_perf
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${UTHASH_INCLUDE_DIR})
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
target_link_libraries(wasm_perf PRIVATE Threads::Threads ZLIB::ZLIB)

# The runtime as a module that any engine links: freestanding, for an engine without extensions.
# There is nothing to link it with, so a symbol that is neither ours nor imported on purpose
# (runtime/wasi.h) fails the link.
set(WASM_PERF_MODULE ${CMAKE_BINARY_DIR}/wasm_perf.wasm CACHE INTERNAL "the runtime as a module")
set(WASM_PERF_LINK_COMMAND ${WASM_LD} --no-entry --stack-first -z stack-size=16384
    --initial-memory=131072 --strip-debug --compress-relocations)
set(WASM_PERF_OBJECTS)
foreach(name calltree hook_cost hybrid wasm wasm_flush wasm_host)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/runtime/${name}.c)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.wasm.o)
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${WASM_CLANG} --target=wasm32 -mcpu=mvp -std=c11 -O3 -ffreestanding -nostdlib
            -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes $<$<BOOL:${WI_WERROR}>:-Werror>
            -I${CMAKE_CURRENT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include
            -MD -MF ${object}.d -c ${source} -o ${object}
    DEPENDS ${source} DEPFILE ${object}.d
    COMMENT "Building ${name}.c for WebAssembly" VERBATIM COMMAND_EXPAND_LISTS)
  list(APPEND WASM_PERF_OBJECTS ${object})
endforeach()
add_custom_command(
  OUTPUT ${WASM_PERF_MODULE}
  COMMAND ${WASM_PERF_LINK_COMMAND} ${WASM_PERF_OBJECTS} -o ${WASM_PERF_MODULE}
  DEPENDS ${WASM_PERF_OBJECTS}
  COMMENT "Linking wasm_perf.wasm" VERBATIM)
add_custom_target(wasm_perf_module ALL DEPENDS ${WASM_PERF_MODULE})
