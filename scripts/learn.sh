#!/bin/bash
# Makes src/symbols/libraries.names, by which functions of libraries are named in any module: from builds of
# tests/matching/libraries by the compilers at hand (C and C++ for WASI and with Emscripten, Rust, AssemblyScript), from
# zlib, and from modules of npm packages that have names. Then measures it on other programs and packages, and names
# modules of packages after their named builds. Builds are kept in the user's cache folder; the first run takes long.
#
#   scripts/learn.sh                make the file and measure
#   scripts/learn.sh --check        only measure; exit code 1 if more than one name of a thousand is wrong
#   scripts/learn.sh --table PAGE   only measure, and write both tables into PAGE: src/docs/measurements.md
#   WI_WRONG=1 scripts/learn.sh …   also print each name that is wrong
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian clang lld $WASI_PACKAGES libc++-14-dev-wasm32 libc++abi-14-dev-wasm32 emscripten
need_node
need_npm binaryen
packages=$WI_CACHE/signatures # a folder of their own: nobody else needs them
WI_NPM=$packages need_npm acorn assemblyscript web-tree-sitter @dprint/json @dprint/typescript @dprint/markdown \
  @automerge/automerge-wasm @prisma/prisma-schema-wasm @1password/sdk-core z3-solver mupdf canvaskit-wasm \
  @matrix-org/matrix-sdk-crypto-wasm @biomejs/wasm-nodejs sql.js @bokuweb/zstd-wasm @jsquash/avif tiktoken \
  @rollup/wasm-node @dimforge/rapier3d-compat lightningcss-wasm \
  canvaskit-previous@npm:canvaskit-wasm@0.41.1 web-tree-sitter-previous@npm:web-tree-sitter@0.27.1 \
  mupdf-previous@npm:mupdf@1.28.0 dprint-typescript-previous@npm:@dprint/typescript@0.96.0 \
  dprint-json-previous@npm:@dprint/json@0.23.0 automerge-previous@npm:@automerge/automerge-wasm@0.16.0 \
  matrix-previous@npm:@matrix-org/matrix-sdk-crypto-wasm@18.8.0
[ -x build/wasm-perf ] || { echo "learn.sh: build first: cmake -B build && cmake --build build" >&2; exit 1; }
mkdir -p "$WI_CACHE/matching"
if [ $# -eq 0 ]; then
  "$NODE" tests/matching/learn.mjs "$WI_CACHE/matching" "$packages" src/symbols/libraries.names
  cmake --build build
fi
[ "${1:-}" = --table ] && table=("$@") || table=()
status=0
"$NODE" tests/matching/pairs.mjs "$WI_CACHE/matching" "$packages" "${table[@]}" || status=1
"$NODE" tests/matching/learned.mjs "$WI_CACHE/matching" "$packages" "${table[@]}" || status=1
exit $status
