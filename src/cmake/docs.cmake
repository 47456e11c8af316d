# The pages, beside each other where they are installed; the README's links follow.
file(READ ${PROJECT_SOURCE_DIR}/README.md readme)
string(REPLACE "src/docs/" "" readme "${readme}")
string(REPLACE "src/js/package/README.md" "npm.md" readme "${readme}")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/docs/README.md CONTENT "${readme}" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/README.md)

install(FILES ${CMAKE_BINARY_DIR}/docs/README.md ${PROJECT_SOURCE_DIR}/LICENSE
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES js/package/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME npm.md)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.md" PATTERN "Makefile" PATTERN "*.c" PATTERN "main.mjs" PATTERN "bars.mjs"
        PATTERN "index.html" PATTERN "package.json" PATTERN "*.whitelist" PATTERN "*.prof.*" EXCLUDE)
