# The pages, beside each other where they are installed; links follow.
set(WI_PAGES ${CMAKE_BINARY_DIR}/docs)
function(wi_page source)
  file(READ ${source} text)
  string(REPLACE "src/docs/" "" text "${text}")
  string(REGEX REPLACE "\\((src|\\.\\.)/js/package/README\\.md" "(npm.md" text "${text}")
  string(REPLACE "(../../examples/" "(examples/" text "${text}")
  cmake_path(GET source FILENAME name)
  file(CONFIGURE OUTPUT ${WI_PAGES}/${name} CONTENT "${text}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
endfunction()

file(GLOB pages CONFIGURE_DEPENDS docs/*.md)
foreach(page ${PROJECT_SOURCE_DIR}/README.md ${pages})
  wi_page(${page})
endforeach()

install(DIRECTORY ${WI_PAGES}/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE docs/page.png DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES js/package/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME npm.md)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.md" PATTERN "Makefile" PATTERN "*.c" PATTERN "main.mjs" PATTERN "read_profile.*" PATTERN "bars.mjs"
        PATTERN "index.html" PATTERN "bench.yml" PATTERN "package.json" PATTERN "*.whitelist" PATTERN "main.go" PATTERN "go.*" PATTERN "main.rs" PATTERN "Cargo.*"
        PATTERN "*.prof.*" EXCLUDE)
