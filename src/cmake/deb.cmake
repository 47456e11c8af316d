# Packages of Debian: `cpack -G DEB` in the build folder makes wasm-instrument (the commands) and
# libwasm-instrument-dev (libraries and headers for embedders).
set(CPACK_PACKAGE_NAME wasm-instrument)
set(CPACK_PACKAGE_CONTACT "wasm-instrument maintainers <maintainers@wasm-instrument.invalid>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL commands development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_COMMANDS_PACKAGE_NAME wasm-instrument)
set(CPACK_DEBIAN_COMMANDS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMMANDS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMANDS_PACKAGE_RECOMMENDS "nodejs (>= 22) | nodejs")
set(CPACK_DEBIAN_COMMANDS_DESCRIPTION "profiler for WebAssembly programs
Compiles a profiler into any WebAssembly module, runs it in Node.js or
wasmtime, and shows an exact call tree: every stack, its call count and
its cost.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libwasm-instrument-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "wasm-instrument (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "libraries of the WebAssembly profiler wasm-instrument
The rewriter, the runtime of hooks and the reports as static libraries, with
headers, CMake and pkg-config files, for programs that embed a WebAssembly
engine.")

# What Debian asks of each package beside our files: its copyright, its changes, compressed manual pages.
set(WI_DEB_FILES ${CMAKE_CURRENT_BINARY_DIR}/deb)
string(TIMESTAMP WI_DEB_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH, if that is set
foreach(package wasm-instrument libwasm-instrument-dev)
  configure_file(packaging/changelog.in ${WI_DEB_FILES}/${package}/changelog @ONLY)
  configure_file(packaging/copyright ${WI_DEB_FILES}/${package}/copyright COPYONLY)
endforeach()
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/packaging/deb_files.cmake)
set(CPACK_WI_DEB_FILES ${WI_DEB_FILES})
include(CPack)
