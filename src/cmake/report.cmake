# Reports of profiles, and of two compared. A library of its own: who only takes profiles needs
# neither zlib nor utf8proc.
include(cmake/embed.cmake)
wi_glob(WI_REPORT_SOURCES report/*.c report/diff/*.c report/encode/*.c report/formats/*.c report/formats/firefox/*.c
        report/formats/html/*.c report/formats/pprof/*.c report/model/*.c report/text/*.c)
list(REMOVE_ITEM WI_REPORT_SOURCES report/formats/html/no_reader.c) # see package.cmake
file(GLOB WI_REPORT_TEXTS CONFIGURE_DEPENDS report/formats/*.css report/formats/*.js
     report/formats/html/*.css report/formats/html/*.html)
wi_embed_text(WI_REPORT_SOURCES ${WI_REPORT_TEXTS})
set(WI_PAGE_MODULES units labels groups source_link data calls tree axis time_line views search layout flame menu minimap time_strip legend table sandwich lines details reader first_look state controls actions
    main compare start)
list(TRANSFORM WI_PAGE_MODULES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/report/formats/html/)
list(TRANSFORM WI_PAGE_MODULES APPEND .mjs)
wi_embed_modules(WI_REPORT_SOURCES page.js ${CMAKE_CURRENT_SOURCE_DIR}/js/package/wasi.mjs ${WI_PAGE_MODULES})
add_library(wasm_perf_report STATIC
  ${WI_REPORT_SOURCES}
  names/bracket_list.c
  names/code_point_width.c
  names/forms.c
  names/mangled.c
  names/names_fit.c
  names/part.c
  names/shorten.c
  names/text_width.c
  support/json_writer.c
  support/path.c)
target_include_directories(wasm_perf_report
  PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${UTHASH_INCLUDE_DIR} ${UTF8PROC_INCLUDE_DIR})
target_link_libraries(wasm_perf_report PUBLIC wasm_perf PRIVATE ZLIB::ZLIB ${UTF8PROC_LIBRARY})
