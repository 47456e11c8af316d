# The npm package: both commands for WebAssembly, run by JavaScript. Made where clang finds a libc for
# WASI (Debian: wasi-libc and libclang-rt-dev-wasm32), and left out where not.
execute_process(COMMAND ${WASM_CLANG} --target=wasm32-wasi --print-file-name=libc.a
                OUTPUT_VARIABLE WI_WASI_LIBC OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND ${WASM_CLANG} --target=wasm32-wasi --print-libgcc-file-name
                OUTPUT_VARIABLE WI_WASI_BUILTINS OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT EXISTS "${WI_WASI_LIBC}" OR NOT EXISTS "${WI_WASI_BUILTINS}")
  message(STATUS "No libc for WASI: the npm package is not built, and pages cannot read .wperf files")
  target_sources(wasm_perf_report PRIVATE report/formats/html/no_reader.c)
  return()
endif()

set(WI_PACKAGE ${CMAKE_BINARY_DIR}/npm)
set(WI_PROGRAMS ${WI_PACKAGE}/js/package) # beside the modules that load them
set(WI_PAGE ${WI_PACKAGE}/js/page)
set(WI_PACKAGE_SOURCE ${CMAKE_CURRENT_SOURCE_DIR}/js/package)
set(WI_PAGE_SOURCE ${CMAKE_CURRENT_SOURCE_DIR}/js/page)
set(WI_WASI_OBJECTS ${CMAKE_CURRENT_BINARY_DIR}/wasi)
file(MAKE_DIRECTORY ${WI_PROGRAMS} ${WI_PAGE} ${WI_WASI_OBJECTS})

# What the headers of libraries are found by that need no library; beside it lie the system's own.
file(COPY ${UTHASH_INCLUDE_DIR}/uthash.h ${XXHASH_INCLUDE_DIR}/xxhash.h DESTINATION ${WI_WASI_OBJECTS}/include)
find_path(WI_ZCONF_FOLDER zconf.h HINTS ${ZLIB_INCLUDE_DIRS})
file(COPY ${ZLIB_INCLUDE_DIRS}/zlib.h ${WI_ZCONF_FOLDER}/zconf.h DESTINATION ${WI_WASI_OBJECTS}/include)

set(WI_WASI_COMPILE
  ${CMAKE_C_COMPILER_LAUNCHER} ${WASM_CLANG} --target=wasm32-wasi -std=gnu11 -O2 -DWI_VERSION="${PROJECT_VERSION}"
  -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL
  -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes $<$<BOOL:${WI_WERROR}>:-Werror>
  -I${CMAKE_CURRENT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include -I${WI_GENERATED} -I${WI_WASI_OBJECTS}/include)

# wi_wasi_sources(VARIABLE TARGET...): what native targets are made of, with those files replaced that
# want libraries or processes by the ones of the same name in js/package/wasi.
file(GLOB WI_WASI_REPLACEMENTS CONFIGURE_DEPENDS RELATIVE ${WI_PACKAGE_SOURCE}/wasi
     ${WI_PACKAGE_SOURCE}/wasi/*.c)
# What starts processes or waits for them: all of recording.
set(WI_WASI_LEFT_OUT cli/common/cleanup.c cli/common/process.c
    cli/perf/input/times.c
    cli/perf/http.c
    runtime/clock.c runtime/native.c
    samples/read.c)
# Of what runs programs, the tables and what reads the command line; js/command/record.mjs runs JavaScript programs.
set(WI_WASI_RECORD cli/perf/bench/bench_command.c cli/perf/record/engine_tables.c cli/perf/record/output.c cli/perf/record/request.c cli/perf/record/request_check.c cli/perf/record/record_command.c
    cli/perf/record/session_settings.c)
function(wi_wasi_sources variable)
  set(result)
  foreach(target ${ARGN})
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
      get_filename_component(name ${source} NAME)
      string(REGEX REPLACE "\\.cc$" ".c" name ${name})
      if(name IN_LIST WI_WASI_REPLACEMENTS)
        list(APPEND result ${WI_PACKAGE_SOURCE}/wasi/${name})
      elseif(source IN_LIST WI_WASI_RECORD OR
             (NOT source IN_LIST WI_WASI_LEFT_OUT AND NOT source MATCHES "^cli/perf/(bench|record)/"))
        get_filename_component(path ${source} ABSOLUTE)
        list(APPEND result ${path})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES result)
  set(${variable} ${result} PARENT_SCOPE)
endfunction()

# wi_wasi_program(FILE.wasm SOURCE...)
function(wi_wasi_program output)
  set(objects)
  foreach(source ${ARGN})
    file(RELATIVE_PATH object ${PROJECT_SOURCE_DIR} ${source})
    string(MAKE_C_IDENTIFIER ${object} object)
    set(object ${WI_WASI_OBJECTS}/${object}.o)
    if(NOT object IN_LIST WI_WASI_KNOWN)
      # Commands, components, readers of debug information and of other profilers' files, views for terminals, formats
      # and names need not be fast, and the package has them twice.
      set(size)
      if(source MATCHES "/src/(cli|component|debug|hooks|match|names|profile|samples|symbols|report/(text|diff|encode|model|formats/([a-z_]+|firefox/[a-z_]+|pprof/[a-z_]+|html/(findings|lines|memory|names|page|page_parts|page_view|pairs))[.]c))")
        set(size -Oz)
      endif()
      add_custom_command(
        OUTPUT ${object}
        COMMAND ${WI_WASI_COMPILE} ${size} -MD -MF ${object}.d -c ${source} -o ${object}
        DEPENDS ${source} DEPFILE ${object}.d VERBATIM COMMAND_EXPAND_LISTS)
      list(APPEND WI_WASI_KNOWN ${object})
    endif()
    list(APPEND objects ${object})
  endforeach()
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${WASM_CLANG} --target=wasm32-wasi -Wl,--strip-all -Wl,-z,stack-size=1048576
            -Wl,--stack-first ${objects} -lwasi-emulated-process-clocks -lwasi-emulated-signal -o ${output}
    DEPENDS ${objects}
    COMMENT "Linking ${output}" VERBATIM)
  set(WI_WASI_KNOWN ${WI_WASI_KNOWN} PARENT_SCOPE)
endfunction()

# The reader that pages carry, compressed. It is made of what it reads with, so the library gets it last.
set(reader ${CMAKE_CURRENT_BINARY_DIR}/reader)
wi_wasi_sources(sources wasm_instrument wi_cli wasm_perf wasm_perf_report wi_symbols wi_samples wasm_perf_commands)
list(FILTER sources EXCLUDE REGEX "/report/(diff/diff(_[^/]*)?[.]c$|formats/[^/]*[.]c$|formats/html/page[.]c$)|[.](js|css|html)[.]c$")
list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/report/diff/diff_findings.c ${CMAKE_CURRENT_SOURCE_DIR}/report/diff/diff_page.c)
file(GLOB reader_sources CONFIGURE_DEPENDS cli/reader/*.c)
wi_wasi_program(${reader}.wasm ${reader_sources} ${sources})
add_custom_command(
  OUTPUT ${reader}.c
  COMMAND gzip -9nc ${reader}.wasm > ${reader}.gz
  COMMAND ${CMAKE_COMMAND} -DINPUT=${reader}.gz -DOUTPUT=${reader}.c -DSYMBOL=wi_reader
          -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_bytes.cmake
  DEPENDS ${reader}.wasm ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_bytes.cmake VERBATIM)
add_custom_target(wi_reader DEPENDS ${reader}.c)
add_dependencies(wi_reader wi_commit wasm_instrument wi_symbols)
add_dependencies(wasm_perf_report wi_reader)
target_sources(wasm_perf_report PRIVATE ${reader}.c)

wi_wasi_sources(sources wasm_instrument wi_cli wasm_perf wi_symbols wasm-instrument)
wi_wasi_program(${WI_PROGRAMS}/wasm-instrument.wasm ${sources})
wi_wasi_sources(sources wasm_instrument wi_cli wasm_perf wasm_perf_report wi_symbols wi_samples wasm_perf_commands wasm-perf)
wi_wasi_program(${WI_PROGRAMS}/wasm-perf.wasm ${sources})


# ---- The folder that npm packs: the same layout as src, so that imports hold in both ----------
set(WI_PACKAGE_FILES)
function(wi_package_file source target)
  add_custom_command(OUTPUT ${WI_PACKAGE}/${target} DEPENDS ${source}
                     COMMAND ${CMAKE_COMMAND} -E copy ${source} ${WI_PACKAGE}/${target} VERBATIM)
  set(WI_PACKAGE_FILES ${WI_PACKAGE_FILES} ${WI_PACKAGE}/${target} PARENT_SCOPE)
endfunction()

foreach(file IN LISTS WASM_PERF_JS_FILES)
  file(RELATIVE_PATH name ${CMAKE_BINARY_DIR} ${file})
  wi_package_file(${file} ${name})
endforeach()
file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} js/command/*.mjs js/package/*.mjs
     js/package/*.d.ts js/page/*.mjs js/page/*.d.ts)
foreach(source IN LISTS sources)
  wi_package_file(${CMAKE_CURRENT_SOURCE_DIR}/${source} ${source})
endforeach()
wi_package_file(${PROJECT_SOURCE_DIR}/LICENSE LICENSE)
wi_package_file(${WI_PACKAGE_SOURCE}/README.md README.md)
# The licences of what is compiled into it, as Debian has them.
foreach(package wasi-libc uthash-dev libxxhash-dev)
  if(EXISTS /usr/share/doc/${package}/copyright)
    wi_package_file(/usr/share/doc/${package}/copyright licenses/${package}.txt)
  endif()
endforeach()
foreach(name options.mjs options.d.ts)
  add_custom_command(OUTPUT ${WI_PROGRAMS}/${name} DEPENDS ${WI_DOCUMENTS}/complete
                     COMMAND ${CMAKE_COMMAND} -E copy ${WI_DOCUMENTS}/js/${name} ${WI_PROGRAMS}/${name}
                     VERBATIM)
  list(APPEND WI_PACKAGE_FILES ${WI_PROGRAMS}/${name})
endforeach()
configure_file(${WI_PACKAGE_SOURCE}/package.json.in ${WI_PACKAGE}/package.json @ONLY)

# ---- The script for pages, beside the programs, and the one for bundlers, which contains them -------
set(programs_js ${WI_PAGE}/browser_programs.mjs)
add_custom_command(
  OUTPUT ${programs_js}
  COMMAND sh ${WI_PAGE_SOURCE}/programs.sh ${WI_PROGRAMS}/wasm-instrument.wasm
          ${WI_PROGRAMS}/wasm-perf.wasm > ${programs_js}
  DEPENDS ${WI_PAGE_SOURCE}/programs.sh ${WI_PROGRAMS}/wasm-instrument.wasm
          ${WI_PROGRAMS}/wasm-perf.wasm VERBATIM)
foreach(name browser bundled)
  add_custom_command(
    OUTPUT ${WI_PROGRAMS}/${name}.js
    COMMAND sh ${WASM_PERF_BUNDLE} script ${WI_PAGE}/${name}.mjs > ${WI_PROGRAMS}/${name}.js
    DEPENDS ${WASM_PERF_BUNDLE} ${programs_js} ${WI_PACKAGE_FILES} VERBATIM)
  list(APPEND scripts_js ${WI_PROGRAMS}/${name}.js)
endforeach()
list(APPEND WI_PACKAGE_FILES ${programs_js} ${scripts_js})

add_custom_target(wi_package ALL DEPENDS ${WI_PACKAGE_FILES}
                  ${WI_PROGRAMS}/wasm-instrument.wasm ${WI_PROGRAMS}/wasm-perf.wasm)
# What is generated for native targets, too, is made once.
add_dependencies(wi_package wi_commit wi_documents wi_reader wasm_perf_js wasm_perf_report)
