#!/bin/bash
# Instruments every .wasm of some well-known npm packages, shows the results to V8, and runs real
# programs, from those packages and compiled here, as they are and instrumented. The npm package must
# make the same bytes of every module. Prints tables; exit code 1 if anything is wrong.
#
#   scripts/real.sh                modules and programs
#   scripts/real.sh --modules      only the modules
#   scripts/real.sh --programs     only the programs
#   scripts/real.sh PROGRAM...     only these programs, of those in tests/real/programs.mjs
#
# Compilers that are large are used if they are there: em++, rustc (with its target wasm32-wasip1),
# go. Without one, its programs are reported as skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian python3 clang lld $WASI_PACKAGES libc++-14-dev-wasm32 libc++abi-14-dev-wasm32
need_node
need_npm sql.js esbuild-wasm @swc/wasm @ffmpeg/core pyodide @ruby/3.4-wasm-wasi @ruby/wasm-wasi \
  web-tree-sitter tree-sitter-javascript @rollup/wasm-node \
  assemblyscript @moonbit/moonc-worker binaryen@132 @bytecodealliance/jco-transpile
"$NODE" --test --test-reporter=dot tests/real/checks.test.mjs
case "${1:-}" in "" | --modules) "$NODE" tests/package/same_bytes.mjs ;; esac
exec python3 tests/real/real.py "$@"
