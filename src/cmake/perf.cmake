# wasm-perf, and what it alone is made of.

# Names and lines for profiles, from modules and other files; which function of one build is which of
# another.
wi_glob(sources match/*.c symbols/*.c)
add_library(wi_symbols STATIC ${sources})

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
wi_glob(sources samples/*.c)
add_library(wi_samples STATIC ${sources})
target_include_directories(wi_samples PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} PRIVATE ${UTHASH_INCLUDE_DIR})
target_link_libraries(wi_samples PUBLIC wasm_instrument wasm_perf m PRIVATE ZLIB::ZLIB)

wi_glob(sources cli/perf/*.c cli/perf/bench/*.c cli/perf/input/*.c cli/perf/record/*.c cli/perf/show/*.c)
list(REMOVE_ITEM sources cli/perf/main.c)
add_library(wasm_perf_commands STATIC ${sources})
target_include_directories(wasm_perf_commands PRIVATE ${JANSSON_INCLUDE_DIR} ${MICROHTTPD_INCLUDE_DIR})
target_link_libraries(wasm_perf_commands PUBLIC wi_cli wasm_perf_report wi_samples wi_symbols PRIVATE ${JANSSON_LIBRARY} ${MICROHTTPD_LIBRARY})

add_executable(wasm-perf cli/perf/main.c)
target_link_libraries(wasm-perf PRIVATE wasm_perf_commands)
add_dependencies(wasm-perf wasm_perf_js)
