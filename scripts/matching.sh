#!/bin/bash
# Builds programs in C, C++, Rust, Zig, Go and AssemblyScript with names and in variants (-Os, other inlining, LTO, after
# wasm-opt -O3, a neighbouring version), strips each variant, has `wasm-perf symbols` name it after the build with names,
# and holds the names against those that it had. Prints a table; exit code 1 if more than one name of a thousand is wrong
# in a row. Builds are kept in the user's cache folder; the first run
# of all takes long.
#
#   scripts/matching.sh [PROGRAM[:VARIANT]...]   only these of tests/matching/programs.mjs
#   scripts/matching.sh --table PAGE [PROGRAM[:VARIANT]...]   also writes the table into PAGE: src/docs/measurements.md
#   WI_WRONG=1 scripts/matching.sh …             also prints each name that is wrong
#   scripts/matching.sh --versions [COUNT [SEED]]   generated programs in two versions instead, 1000 by default: fields and
#                      enum values added, functions swapped, constants changed, copies specialised. No name may be wrong.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
start() {
  [ -x "${WI_BUILD:-build}/wasm-perf" ] || { echo "matching.sh: build first: cmake -B build && cmake --build build" >&2; exit 1; }
  WASM_PERF_NODE=$NODE exec "$NODE" "$@"
}
if [ "${1-}" = --versions ]; then
  need_debian clang lld
  need_node
  start tests/matching/check_versions.mjs "$WI_CACHE/matching/versions" "${@:2}"
fi
# shellcheck disable=SC2086
need_debian clang lld $WASI_PACKAGES libc++-14-dev-wasm32 libc++abi-14-dev-wasm32
case "${*:-regex}" in *markdown* | *regex*) need_debian rustc libstd-rust-dev-wasm32 ;; esac
need_node
need_npm binaryen
command -v go >/dev/null || need_debian golang-go
command -v cargo >/dev/null || need_debian cargo
start tests/matching/matching.mjs "$WI_CACHE/matching" "$@"
