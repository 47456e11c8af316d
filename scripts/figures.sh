#!/bin/bash
# Makes the README's picture and table anew: profiles a C program as the README's first command does, takes a picture of
# the page and writes what `wasm-perf top` prints into the README.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES $WASI_PACKAGES chromium
need_node
need_npm puppeteer-core
export WI_BUILD=${WI_BUILD:-$PWD/build} WASM_PERF_NODE=$NODE
configure "$WI_BUILD"
cmake --build "$WI_BUILD" -j"$(nproc)" >/dev/null

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
clang --target=wasm32-wasi -O1 -fno-inline -fno-optimize-sibling-calls -c tests/bench/programs/words.c -o "$folder/words.o"
clang --target=wasm32-wasi "$folder/words.o" -o "$folder/words.wasm"
PATH=$WI_BUILD:$PATH
(
  cd "$folder"
  wasm-perf record words.wasm -o words.wperf
  wasm-perf report words.wperf -o words.html
  wasm-perf top -n 8 --width 160 words.wperf >top.txt # as on a terminal
)
"$NODE" tests/browser/picture.mjs "$folder/words.html" src/docs/page.png
awk -v top="$folder/top.txt" '
  /^\$ wasm-perf top/ {print; while ((getline line < top) > 0) print line; replaces = 1; next}
  replaces && /^```/ {replaces = 0}
  !replaces' README.md >"$folder/README.md"
cp "$folder/README.md" README.md
