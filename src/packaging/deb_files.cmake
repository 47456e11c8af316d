# Run by CPack before a package is made of its staged files: adds what Debian asks for (see cmake/deb.cmake).
file(GLOB components LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/*)
foreach(component IN LISTS components)
  set(package wasm-instrument)
  if(component MATCHES "/development$")
    set(package libwasm-instrument-dev)
  endif()
  set(documents ${component}/usr/share/doc/${package})
  file(COPY ${CPACK_WI_DEB_FILES}/${package}/ DESTINATION ${documents}
       FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  file(REMOVE ${documents}/LICENSE) # Debian has it in common-licenses
  file(GLOB pages ${component}/usr/share/man/man1/*.1)
  execute_process(COMMAND gzip -9nf ${documents}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
