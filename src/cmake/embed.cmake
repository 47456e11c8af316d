# Makes C arrays of text files, so that they can be written and checked in their own language.
#
#   wi_embed_text(VARIABLE FILE...)   appends a generated source per file to VARIABLE;
#
#   wi_embed_modules(VARIABLE NAME MODULE...)   makes one script of JavaScript modules, each after
#                                                those that it imports, and appends it like a text
#
# flamegraph.js becomes `const char wi_flamegraph_js[]`, with a terminator. ASCII only.
# `const unsigned char wi_flamegraph_js_sha256[32]` is its hash, by which a content policy can allow it.

# Modules as one function: what one exports the next ones see. So no two may use the same name for
# what stands outside of their functions. Without comments, which every page would contain.
function(write_bundle modules output)
  string(REPLACE "|" ";" modules "${modules}")
  set(bundle "(() => {\n\"use strict\";\n")
  set(names)
  foreach(module IN LISTS modules)
    file(READ ${module} text)
    string(REGEX MATCHALL "\n(export )?(async )?(function|const|let|class) [A-Za-z0-9_]+" defined "\n${text}")
    foreach(definition IN LISTS defined)
      string(REGEX REPLACE ".* " "" name "${definition}")
      list(FIND names ${name} known)
      if(known GREATER -1)
        message(FATAL_ERROR "${module}: another module of the bundle defines ${name}, too")
      endif()
      list(APPEND names ${name})
    endforeach()
    string(REGEX REPLACE "(^|\n)import [^;]*;" "\\1" text "${text}")
    string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
    string(APPEND bundle "${text}")
  endforeach()
  string(REGEX REPLACE "\n *//[^\n]*" "" bundle "${bundle}")
  string(REGEX REPLACE "\n */\\*([^*]|\\*+[^*/])*\\*+/" "" bundle "${bundle}")
  file(WRITE ${output} "${bundle}})();\n")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE AND MODULES)
  write_bundle("${MODULES}" ${OUTPUT})
  return()
endif()

if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${INPUT} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes
         "${bytes}")
  file(SHA256 ${INPUT} hash)
  string(REGEX REPLACE "(..)" "0x\\1," hash "${hash}")
  file(WRITE ${OUTPUT}
       "extern const char ${SYMBOL}[];\nconst char ${SYMBOL}[] = {\n${bytes}0};\n"
       "extern const unsigned char ${SYMBOL}_sha256[32];\n"
       "const unsigned char ${SYMBOL}_sha256[32] = {${hash}};\n")
  return()
endif()

set(WI_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(wi_embed_text variable)
  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER wi_${name} symbol)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${output} -DSYMBOL=${symbol}
              -P ${WI_EMBED_SCRIPT}
      DEPENDS ${file} ${WI_EMBED_SCRIPT}
      VERBATIM)
    list(APPEND ${variable} ${output})
  endforeach()
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()

function(wi_embed_modules variable name)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name})
  string(REPLACE ";" "|" modules "${ARGN}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DMODULES=${modules} -DOUTPUT=${output} -P ${WI_EMBED_SCRIPT}
    DEPENDS ${ARGN} ${WI_EMBED_SCRIPT}
    VERBATIM)
  wi_embed_text(${variable} ${output})
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()
