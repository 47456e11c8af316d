#!/bin/bash
# From a C program to a flame graph: installs what is missing, builds the tools, compiles
# examples/fib, instruments it, runs it and writes examples/fib/fib.svg.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES $WASI_PACKAGES
command -v node >/dev/null || need_debian nodejs

cmake -B build -DBUILD_TESTING=OFF >/dev/null
cmake --build build -j"$(nproc)" >/dev/null

make -C examples/fib WASM_INSTRUMENT="$PWD/build/wasm-instrument" WASM_PERF="$PWD/build/wasm-perf" clean fib.svg
build/wasm-perf report examples/fib/fib.wperf
echo
echo "The flame graph: $PWD/examples/fib/fib.svg"
