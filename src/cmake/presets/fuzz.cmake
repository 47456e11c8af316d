# cmake -C src/cmake/presets/fuzz.cmake -B build-fuzz: the fuzz targets with libFuzzer.
include(${CMAKE_CURRENT_LIST_DIR}/sanitize.cmake)
set(WI_SANITIZE address,undefined,fuzzer-no-link CACHE STRING "" FORCE)
set(WI_FUZZ ON CACHE BOOL "" FORCE)
