# The commit that is built, for --version: writes OUTPUT, a header that defines WI_COMMIT, if its text changed.
#
#   cmake -DSOURCE=FOLDER -DOUTPUT=FILE -P commit.cmake
#
# A clone asks git. An archive made by git has the commit in commit.txt. Other copies have none: "".
set(commit "")
if(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} rev-parse --short=10 HEAD
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
else()
  file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/commit.txt commit LIMIT_COUNT 1)
endif()
if(commit MATCHES "^[0-9a-f]+$")
  string(SUBSTRING "${commit}" 0 10 commit)
else()
  set(commit "")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define WI_COMMIT \"${commit}\"\n")
