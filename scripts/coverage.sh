#!/bin/bash
# Coverage of C programs as WebAssembly at -O0 and -O1, beside the coverage of the same programs compiled for this
# machine: prints a table, and fails if more than 2 % of a program's lines differ in whether they were executed.
#
#   scripts/coverage.sh
#
# It takes a build in build/, or in the folder that WI_BUILD names.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

# shellcheck disable=SC2086
need_debian $WASI_PACKAGES clang lld llvm
need_node
command -v cargo >/dev/null || need_debian cargo
export WI_BUILD=${WI_BUILD:-$PWD/build} WASM_PERF_NODE=$NODE
cache=${WI_CACHE:-$HOME/.cache/wasm-instrument}/crates
mkdir -p "$cache"
"$NODE" tests/coverage/table.mjs "$cache"
