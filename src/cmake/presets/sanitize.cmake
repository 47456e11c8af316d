# cmake -C src/cmake/presets/sanitize.cmake -B build-sanitize: clang, and every test under the address
# and undefined-behaviour sanitizers.
include(${CMAKE_CURRENT_LIST_DIR}/release.cmake)
set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
set(CMAKE_C_COMPILER clang CACHE STRING "")
set(CMAKE_CXX_COMPILER clang++ CACHE STRING "")
set(WI_SANITIZE address,undefined CACHE STRING "" FORCE)
