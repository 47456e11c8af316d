#!/bin/bash
# This profiler beside others, on one program: what each shows, how near its times are to two samplings of the program
# as it is, and what it costs. Writes a page; takes minutes, on an idle machine.
#
#   scripts/field.sh          writes src/docs/field.md
#   scripts/field.sh FILE     writes FILE
#
# It takes a build in build/, or in the folder that WI_BUILD names.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian clang lld $WASI_PACKAGES
command -v go >/dev/null || need_debian golang-go
need_node
need_npm binaryen@132
need_wasmtime

need_wzprof
export WASM_PERF_NODE=$NODE
exec "$NODE" --no-warnings tests/field/field.mjs "${1:-src/docs/field.md}"
