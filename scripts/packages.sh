#!/bin/bash
# Fetches packages from npm that bring WebAssembly, runs a small program of each as it is and under
# `wasm-perf record -- node`, and prints a table: whether the output is the same, calls, nodes, time.
# Exit code 1 if one is not. Each profile becomes a flame graph in $WI_CACHE/packages/reports.
#
#   scripts/packages.sh [--clock=CLOCK] [PROGRAM...]   only these of tests/packages/programs
#   scripts/packages.sh --wait [PROGRAM...]            how much longer sixteen of them take, as a table
#   scripts/packages.sh --doubt RUNS [--minutes N] [PROGRAM...]   whether what reports say of their own doubt depends on the
#                                                      load; in parts of 50 minutes, see tests/bench/doubt.mjs
#   scripts/packages.sh --truth [PROGRAM...]           how near the shares of ten of them are to V8's own profiler's
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
need_node
WI_NPM=$WI_CACHE/packages # a folder of their own: nobody else needs them
need_npm z3-solver @duckdb/duckdb-wasm @electric-sql/pglite php-wasm quickjs-emscripten mupdf \
  @biomejs/wasm-nodejs @biomejs/js-api yoga-layout hash-wasm lightningcss-wasm vscode-oniguruma \
  @imagemagick/magick-wasm wasm-vips @hpcc-js/wasm-graphviz wasmoon manifold-3d pyodide \
  @dimforge/rapier3d-compat @bokuweb/zstd-wasm tiktoken sql.js @resvg/resvg-wasm web-tree-sitter \
  tree-sitter-javascript @wasm-fmt/gofmt @wasm-fmt/ruff_fmt esbuild-wasm @rollup/wasm-node libxml2-wasm @swc/wasm \
  @oxc-parser/binding-wasm32-wasi @tailwindcss/oxide-wasm32-wasi tailwindcss binaryen @yowasp/yosys \
  draco3d box2d-wasm loro-crdt
[ -x "${WI_BUILD:-build}/wasm-perf" ] || { echo "packages.sh: build first: cmake -B build && cmake --build build" >&2; exit 1; }
case "${1:-}" in
  --wait) exec "$NODE" tests/bench/wait.mjs "$WI_NPM" "${@:2}" ;;
  --doubt) need_debian stress-ng && WI_BUILD=${WI_BUILD:-$PWD/build} exec "$NODE" tests/bench/doubt.mjs "$WI_NPM" "${@:2}" ;;
  --truth) WI_BUILD=${WI_BUILD:-$PWD/build} exec "$NODE" tests/bench/whole.mjs "$WI_NPM" "${@:2}" ;;
esac
exec "$NODE" tests/packages/main.mjs "$WI_NPM" "$@"
