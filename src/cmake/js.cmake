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
# What programs load is one file each, so that they start sooner; beside the room node, whose paths hold there.
set(WASM_PERF_BUNDLE ${CMAKE_CURRENT_SOURCE_DIR}/js/bundle.sh)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/js/bundle)
set(bundles)
function(wasm_perf_bundle form source result)
  set(bundle ${CMAKE_BINARY_DIR}/js/bundle/${result})
  add_custom_command(OUTPUT ${bundle} DEPENDS ${WASM_PERF_BUNDLE} ${WASM_PERF_JS_FILES}
                     COMMAND sh ${WASM_PERF_BUNDLE} ${form} ${CMAKE_BINARY_DIR}/js/node/${source}.mjs > ${bundle} VERBATIM)
  list(APPEND bundles ${bundle})
  set(bundles ${bundles} PARENT_SCOPE)
endfunction()
wasm_perf_bundle(module watcher watcher.mjs)
foreach(name node_wasi register)
  wasm_perf_bundle(function ${name} ${name}.js)
  wasm_perf_bundle(module loader ${name}.mjs)
endforeach()
install(FILES ${bundles} DESTINATION ${WASM_PERF_JS_INSTALLED}/bundle)
list(APPEND WASM_PERF_JS_FILES ${bundles})
add_custom_target(wasm_perf_js ALL DEPENDS ${WASM_PERF_JS_FILES})
