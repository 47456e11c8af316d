#!/bin/bash
# Memory profiles of real programs: in Rust, C++ (also with emmalloc), Go, AssemblyScript, MoonBit, Ruby and Python, each of which
# keeps what its source says; and the table beside wzprof, another profiler, in src/docs/measurements.md. Writes a flame
# graph of live bytes of each. Exit code 1 if one is wrong. Compilers that are large are used if they are
# there: em++, rustc (with its target wasm32-wasip1), go.
#
#   scripts/memory.sh [FOLDER [LANGUAGE...]]   writes to FOLDER (default: build/memory)
#   scripts/memory.sh callers                  what it costs to know the JavaScript that calls
#   scripts/memory.sh leaks [NAME...]          ten packages, in each of which one line forgets to free
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian clang lld $WASI_PACKAGES libc++-14-dev-wasm32 libc++abi-14-dev-wasm32
need_node
export WI_BUILD=${WI_BUILD:-$PWD/build} WASM_PERF_NODE=$NODE
case ${1:-} in
  callers)
    need_npm @bytecodealliance/jco-transpile
    exec "$NODE" --no-warnings tests/bench/callers.mjs
    ;;
  leaks)
    need_debian emscripten
    need_npm @bytecodealliance/jco-transpile web-tree-sitter tree-sitter-javascript @resvg/resvg-wasm \
      @electric-sql/pglite @automerge/automerge loro-crdt canvaskit-wasm @dimforge/rapier2d-compat yoga-layout \
      @sqlite.org/sqlite-wasm@3.51.2-build9
    exec "$NODE" --no-warnings tests/memory/leaks.mjs "${@:2}"
    ;;
esac
need_npm assemblyscript @moonbit/moonc-worker binaryen@132 @bytecodealliance/jco-transpile \
  @ruby/3.4-wasm-wasi @ruby/wasm-wasi pyodide
folder=${1:-$WI_BUILD/memory}
[ $# -eq 0 ] || shift
"$NODE" --no-warnings tests/memory/languages.mjs "$folder" "$@"
if [ $# -eq 0 ] && command -v go >/dev/null; then
  need_wzprof
  "$NODE" --no-warnings --test --test-reporter=dot tests/memory/wzprof.test.mjs
fi
