# What costs little and turns many memory errors into an abort: both commands read files that
# others made. Sanitizers bring checks of their own and do not go with these.
include(CheckCCompilerFlag)
include(CheckPIESupported)

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
check_pie_supported()

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER WI_HAS${flag} variable)
  check_c_compiler_flag(${flag} ${variable})
  if(${variable})
    add_compile_options(${flag})
  endif()
endforeach()
# The C library's checks need an optimizer.
add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
                    $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
endif()
