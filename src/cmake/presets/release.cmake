# cmake -C src/cmake/presets/release.cmake -B build: what is tested first, with warnings as errors.
set(CMAKE_BUILD_TYPE Release CACHE STRING "")
set(BUILD_TESTING ON CACHE BOOL "")
set(WI_WERROR ON CACHE BOOL "")
