install(TARGETS wasm-instrument wasm-perf)
install(TARGETS wasm_instrument wasm_perf wasm_perf_report EXPORT wasm_instrument_targets
        COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES ${WASM_PERF_MODULE} DESTINATION ${CMAKE_INSTALL_DATADIR}/wasm_instrument)
install(EXPORT wasm_instrument_targets NAMESPACE wasm_instrument::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wasm_instrument COMPONENT development)

configure_package_config_file(
  ${CMAKE_CURRENT_SOURCE_DIR}/packaging/wasm_instrument-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/wasm_instrument-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wasm_instrument
  PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/wasm_instrument-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/wasm_instrument-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/wasm_instrument-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wasm_instrument COMPONENT development)

# From the folder of the .pc files to the prefix, so that they hold wherever the package is put.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(WI_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH WI_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" WI_PC_PREFIX "\${pcfiledir}/${WI_PC_PREFIX}")
endif()
foreach(package wasm_instrument wasm_perf wasm_perf_report)
  configure_file(packaging/${package}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${package}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()
