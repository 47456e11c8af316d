#!/bin/bash
# Pictures of the reports, as a browser shows them, to be looked at: of Ruby, of esbuild with all of
# its stacks, of SQLite without names, of DuckDB in a program of JavaScript, of a server with threads that sleep, of
# a C program with lines and memory, of two builds of it compared and, where rustc is there, of a Rust program; in a
# window, on a phone, dark and on paper.
# They go to build/screenshots; at the end it prints what the first screen of each shows, and what large pages cost
# the browser.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES $WASI_PACKAGES chromium
need_node
need_npm @ruby/3.4-wasm-wasi @ruby/wasm-wasi esbuild-wasm sql.js @duckdb/duckdb-wasm puppeteer-core

export WI_BUILD=${WI_BUILD:-$PWD/build} WASM_PERF_NODE=$NODE
cmake -B "$WI_BUILD" >/dev/null
cmake --build "$WI_BUILD" -j"$(nproc)" >/dev/null
folder=$WI_BUILD/screenshots
mkdir -p "$folder"

# profile NAME MODULE CLOCK RUNNER: a program of tests/real
profile() {
  "$WI_BUILD/wasm-instrument" --clock "$3" "$2" -o "$folder/$1.prof.wasm" 2>/dev/null
  "$NODE" --no-warnings "tests/real/$4" "$folder/$1.prof.wasm" "$folder/$1.wperf" >/dev/null
}
modules=$WI_NPM/node_modules
profile ruby "$modules/@ruby/3.4-wasm-wasi/dist/ruby.debug+stdlib.wasm" wall run_ruby.mjs
profile esbuild "$modules/esbuild-wasm/esbuild.wasm" instructions run_esbuild.mjs
wasm-strip "$modules/sql.js/dist/sql-wasm-debug.wasm" -o "$folder/stripped.wasm"
profile stripped "$folder/stripped.wasm" instructions run_sqljs.mjs
ln -sfn "$modules" "$folder/node_modules"
cp tests/packages/programs/duckdb.mjs tests/browser/programs/server.mjs "$folder"
for name in duckdb server; do
  "$WI_BUILD/wasm-perf" record -o "$folder/$name.wperf" -- "$NODE" "$folder/$name.mjs" >/dev/null
done
reports=(ruby esbuild stripped duckdb server words)
for level in 0 2; do # without wasm-opt, which the driver of clang may start and which drops names
  clang --target=wasm32-wasi -g -O$level -c tests/bench/programs/words.c -o "$folder/words.o"
  clang --target=wasm32-wasi "$folder/words.o" -o "$folder/words$level.wasm"
  "$WI_BUILD/wasm-perf" record --lines --memory --clock instructions "$folder/words$level.wasm" \
    -o "$folder/words$level.wperf" >/dev/null
done
cp "$folder/words2.wperf" "$folder/words.wperf"
cp "$folder/words2.wasm" "$folder/words.wasm"
if rustc --edition=2021 -O -Cstrip=debuginfo --target wasm32-wasip1 tests/real/programs/tables.rs \
     -o "$folder/rust.wasm" 2>/dev/null; then
  rm -f "$folder/rust.wperf"
  # The program's exit code is 5, and so is this one's.
  "$WI_BUILD/wasm-perf" record --clock instructions "$folder/rust.wasm" -o "$folder/rust.wperf" >/dev/null ||
    [ -e "$folder/rust.wperf" ]
  reports+=(rust)
else
  echo "no Rust for wasm32-wasip1: no pictures of a Rust program" >&2
fi

for name in "${reports[@]}"; do
  for format in svg html; do
    "$WI_BUILD/wasm-perf" report "$folder/$name.wperf" -o "$folder/$name.$format"
  done
done
for format in svg html; do
  "$WI_BUILD/wasm-perf" diff "$folder/words0.wperf" "$folder/words2.wperf" -o "$folder/difference.$format"
done
reports+=(difference)
WI_CHROMIUM=$(command -v chromium)
export WI_CHROMIUM
"$NODE" tests/browser/screenshots.mjs "$folder" "${reports[@]}"
pages=("${reports[@]/#/$folder/}")
"$NODE" tests/browser/first_screen.mjs "${pages[@]/%/.html}"
"$NODE" tests/browser/speed.mjs "$folder/ruby.html" "$folder/esbuild.html"
ls "$folder"/*.png "$folder"/*.pdf
