#!/bin/bash
# From a C program to a flame graph: installs what is missing, builds the tools, compiles a program that counts
# and sorts words, profiles all of it by one command, and shows what it has found.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES $WASI_PACKAGES
need_current_node
echo "Node $("$NODE" --version) runs the program: $NODE"

configure build
cmake --build build -j"$(nproc)" >/dev/null

folder=$PWD/build/demo
mkdir -p "$folder"
# In two steps: clang that optimises and links runs the wasm-opt that it finds, and names would be lost.
clang --target=wasm32-wasi -O1 -fno-inline -fno-optimize-sibling-calls -c tests/bench/programs/words.c \
  -o "$folder/words.o"
clang --target=wasm32-wasi "$folder/words.o" -o "$folder/words.wasm"

export WASM_PERF_NODE=$NODE
(set -x && build/wasm-perf record -o "$folder/words.wperf" "$folder/words.wasm")
build/wasm-perf report -o "$folder/words.svg" "$folder/words.wperf"
build/wasm-perf report -o "$folder/words.html" "$folder/words.wperf"
build/wasm-perf top -n 12 "$folder/words.wperf"
# The same program with its hooks as imports, for a host of its own; record is one, too.
(set -x && build/wasm-instrument "$folder/words.wasm" -o "$folder/words.prof.wasm" &&
  build/wasm-perf record -o "$folder/words.prof.wperf" "$folder/words.prof.wasm")
echo
echo "The flame graph: $folder/words.svg"
echo "The page, with findings and a table: $folder/words.html"
