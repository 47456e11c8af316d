# The runtime, natively: the call tree and profiles. It needs the C library and threads only.
wi_glob(sources profile/*.c)
add_library(wasm_perf STATIC
  ${sources}
  names/label.c
  runtime/calltree.c
  runtime/clock.c
  runtime/hook_cost.c
  runtime/native.c
  support/array.c
  support/child_table.c
  support/clean.c
  support/large.c
  support/utf8.c)
target_include_directories(wasm_perf
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
  PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${UTHASH_INCLUDE_DIR} ${XXHASH_INCLUDE_DIR})
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
target_link_libraries(wasm_perf PRIVATE Threads::Threads)

# wi_compile_to_wasm(VARIABLE OBJECT SOURCE OPTION...) compiles a freestanding source and appends its object.
function(wi_compile_to_wasm variable name file)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${WASM_CLANG} --target=wasm32 -mcpu=mvp ${ARGN} -std=c11 -ffreestanding -nostdlib
            -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes $<$<BOOL:${WI_WERROR}>:-Werror>
            -I${CMAKE_CURRENT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include
            -MD -MF ${object}.d -c ${source} -o ${object}
    DEPENDS ${source} DEPFILE ${object}.d
    COMMENT "Building ${file} for WebAssembly" VERBATIM COMMAND_EXPAND_LISTS)
  set(${variable} ${${variable}} ${object} PARENT_SCOPE)
endfunction()

# The runtime as a module that any engine links: freestanding, for an engine without extensions.
# There is nothing to link it with, so a symbol that is neither ours nor imported on purpose
# (runtime/wasi.h) fails the link.
set(WASM_PERF_MODULE ${CMAKE_BINARY_DIR}/wasm_perf.wasm CACHE INTERNAL "the runtime as a module")
set(WASM_PERF_LINK_COMMAND ${WASM_LD} --no-entry --stack-first -z stack-size=16384
    --initial-memory=131072 --strip-debug --compress-relocations)
set(WASM_PERF_OBJECTS)
foreach(name calltree hook_cost wasm wasm_flush wasm_host)
  wi_compile_to_wasm(WASM_PERF_OBJECTS ${name}.wasm.o runtime/${name}.c -O3)
endforeach()
add_custom_command(
  OUTPUT ${WASM_PERF_MODULE}
  COMMAND ${WASM_PERF_LINK_COMMAND} ${WASM_PERF_OBJECTS} -o ${WASM_PERF_MODULE}
  DEPENDS ${WASM_PERF_OBJECTS}
  COMMENT "Linking wasm_perf.wasm" VERBATIM)
add_custom_target(wasm_perf_module ALL DEPENDS ${WASM_PERF_MODULE})

# ---- The runtime of the embedded form: an image that the rewriter carries ---------------------
# As above, but for the global and the functions that the rewriter makes (runtime/embedded/embed.symbols).
set(WI_EMBED_IMAGE ${CMAKE_CURRENT_BINARY_DIR}/embed_image.wasm)
set(WI_EMBED_SYMBOLS ${CMAKE_CURRENT_SOURCE_DIR}/runtime/embedded/embed.symbols)
set(WI_EMBED_OBJECTS)
# In the order in which rewritten modules have their functions. A follower may have a source, by its name.
file(STRINGS runtime/embedded/followers.def WI_FOLLOWERS REGEX "^WI_FOLLOWER")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS runtime/embedded/followers.def)
list(TRANSFORM WI_FOLLOWERS REPLACE "WI_FOLLOWER\\((.+)\\)" "\\1")
foreach(name arena answers tree file instance profile ${WI_FOLLOWERS} table memory_accounts memory_course call_accounts kept_calls calls_clock shadow goroutine_table tasks fixed_wasi fixed_wasi_files outlet_file
        outlet_text outlet_text_wasip1 outlet_text_wasip2 outlet_text_wasip2_blocking outlet_text_host)
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/runtime/embedded/${name}.c)
    continue() # a follower that only looks
  endif()
  wi_compile_to_wasm(WI_EMBED_OBJECTS embed_${name}.wasm.o runtime/embedded/${name}.c -O2 -mmutable-globals)
endforeach()
add_custom_command(
  OUTPUT ${WI_EMBED_IMAGE}
  COMMAND ${WASM_LD} --no-entry -z stack-size=0 --export=__heap_base --export=executed --strip-all
          --allow-undefined-file=${WI_EMBED_SYMBOLS} --compress-relocations ${WI_EMBED_OBJECTS}
          -o ${WI_EMBED_IMAGE}
  DEPENDS ${WI_EMBED_OBJECTS} ${WI_EMBED_SYMBOLS}
  COMMENT "Linking embed_image.wasm" VERBATIM)
add_custom_command(
  OUTPUT ${WI_EMBED_IMAGE}.c
  COMMAND ${CMAKE_COMMAND} -DINPUT=${WI_EMBED_IMAGE} -DOUTPUT=${WI_EMBED_IMAGE}.c
          -DSYMBOL=wi_embed_image -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_bytes.cmake
  DEPENDS ${WI_EMBED_IMAGE} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_bytes.cmake VERBATIM)
target_sources(wasm_instrument PRIVATE ${WI_EMBED_IMAGE}.c)
