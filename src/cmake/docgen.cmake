# Man pages, completions for shells and the options of JavaScript, made of the commands' own tables.
string(TIMESTAMP WI_DOCUMENT_DATE "%B %d, %Y" UTC) # SOURCE_DATE_EPOCH makes it repeatable
string(REPLACE " 0" " " WI_DOCUMENT_DATE "${WI_DOCUMENT_DATE}")

wi_glob(sources cli/docgen/*.c)
add_executable(wi-documents ${sources})
target_link_libraries(wi-documents PRIVATE wasm_perf_commands)

set(WI_DOCUMENTS ${CMAKE_BINARY_DIR}/docgen)
set(WI_DOCUMENT_TEMPLATES ${CMAKE_CURRENT_SOURCE_DIR}/cli/docgen)
add_custom_command(
  OUTPUT ${WI_DOCUMENTS}/complete
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${WI_DOCUMENTS}
  COMMAND wi-documents ${WI_DOCUMENT_TEMPLATES} ${WI_DOCUMENTS} ${WI_DOCUMENT_DATE}
  COMMAND ${CMAKE_COMMAND} -E touch ${WI_DOCUMENTS}/complete
  DEPENDS wi-documents ${WI_DOCUMENT_TEMPLATES}/completion.bash
          ${WI_DOCUMENT_TEMPLATES}/completion.fish ${WI_DOCUMENT_TEMPLATES}/completion.zsh
  COMMENT "Writing man pages and completions" VERBATIM)
add_custom_target(wi_documents ALL DEPENDS ${WI_DOCUMENTS}/complete)

install(DIRECTORY ${WI_DOCUMENTS}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(DIRECTORY ${WI_DOCUMENTS}/bash/
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(DIRECTORY ${WI_DOCUMENTS}/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(DIRECTORY ${WI_DOCUMENTS}/fish/
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
