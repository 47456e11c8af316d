#!/bin/bash
# Makes the README's picture and text anew: profiles a C program by its instructions, which are the
# same in every run, draws src/docs/words.svg and writes what `wasm-perf top` prints into the README.
#
#   scripts/figures.sh           writes both
#   scripts/figures.sh --check   exit code 1 if they would change
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES $WASI_PACKAGES
need_node
cmake -B build >/dev/null
cmake --build build -j"$(nproc)" >/dev/null

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
picture=$folder/words.svg readme=$folder/README.md

target=--target=wasm32-wasi
clang $target -O1 -fno-inline -fno-optimize-sibling-calls -c tests/bench/programs/words.c -o "$folder/words.o"
wasm-ld "$(clang $target --print-file-name=crt1-command.o)" "$folder/words.o" \
  "$(clang $target --print-file-name=libc.a)" \
  "$(clang $target --rtlib=compiler-rt --print-libgcc-file-name)" -o "$folder/words.wasm"
export PATH=$PWD/build:$PATH
(
  cd "$folder"
  WASM_PERF_NODE=$NODE wasm-perf record --clock instructions words.wasm -o words.wperf >/dev/null
  wasm-perf report words.wperf -o "$picture"
  wasm-perf top -n 8 words.wperf >top.txt
)
awk -v top="$folder/top.txt" '
  /^\$ wasm-perf top/ {print; while ((getline line < top) > 0) print line; replaces = 1; next}
  replaces && /^```/ {replaces = 0}
  !replaces' README.md >"$readme"

# How long a run took differs each time.
steady() {
  sed -E 's/Ran for [0-9.,]+ m?s/Ran for a while/' "$1"
}

if [ "${1:-}" = --check ]; then
  cmp <(steady "$picture") <(steady src/docs/words.svg) && cmp <(steady "$readme") <(steady README.md)
else
  cp "$picture" src/docs/words.svg
  cp "$readme" README.md
fi
