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
need_cargo wasmtime-cli@48.0.8

# wzprof as a command; without a version Go's proxy is asked for a list that it may not have.
wzprof=$WI_CACHE/go/wzprof
if [ ! -x "$wzprof" ]; then
  folder=$(mktemp -d)
  printf 'module field\n\ngo 1.22\n\nrequire github.com/stealthrocket/wzprof v0.2.0\n' >"$folder/go.mod"
  printf 'package field\n\nimport _ "github.com/stealthrocket/wzprof"\n' >"$folder/field.go"
  (cd "$folder" && go mod tidy && mkdir -p "${wzprof%/*}" &&
    go build -o "$wzprof" github.com/stealthrocket/wzprof/cmd/wzprof)
  rm -rf "$folder"
fi
export WZPROF=$wzprof WASM_PERF_NODE=$NODE
exec "$NODE" --no-warnings tests/field/field.mjs "${1:-src/docs/field.md}"
