#!/bin/bash
# Speed, as ratios of programs measured side by side in one run: rewriting beside other tools, one
# hooked call beside others in several engines, what stack frames take, SQLite and other programs with every function
# instrumented; how true the times of the clocks are, and those of a program of known pieces; whether splitting times of
# inlined functions helps; what memory profiles cost; how long a page stands still, and how much longer requests to a
# server and whoever runs programs of npm packages wait. Prints Markdown tables. wasmtime is measured if it is on PATH.
# Takes about half an hour.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES python3 chromium
need_node
need_npm sql.js esbuild-wasm @ffmpeg/core @ruby/3.4-wasm-wasi @ruby/wasm-wasi pyodide \
  binaryen@132 @bytecodealliance/jco-transpile puppeteer-core
export WI_BUILD=${WI_BUILD:-$PWD/build}
configure "$WI_BUILD"
cmake --build "$WI_BUILD" -j"$(nproc)" >/dev/null

python3 tests/bench/rewriting.py
for part in hooks stack engines sqlite programs truth pieces inlining allocations server page; do
  echo
  "$NODE" --no-warnings "tests/bench/$part.mjs"
done
echo
scripts/packages.sh --wait
