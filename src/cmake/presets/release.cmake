# cmake -C src/cmake/presets/release.cmake -B build-test: what is tested first, with warnings as errors.
# FORCE: whatever the folder was configured with before, the preset is what it has now.
set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
set(BUILD_TESTING ON CACHE BOOL "" FORCE)
set(WI_WERROR ON CACHE BOOL "" FORCE)
