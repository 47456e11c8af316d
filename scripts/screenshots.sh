#!/bin/bash
# Pictures of the reports, as a browser shows them, to be looked at: of Ruby, of esbuild with all of
# its stacks, of SQLite without names and, where rustc is there, of a Rust program; in a window, on a phone,
# dark and on paper. They go to build/screenshots; at the end it prints what large pages cost the browser.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian $BUILD_PACKAGES $WASI_PACKAGES chromium
need_node
need_npm @ruby/3.4-wasm-wasi @ruby/wasm-wasi esbuild-wasm sql.js puppeteer-core

export WI_BUILD=${WI_BUILD:-$PWD/build}
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
reports=(ruby esbuild stripped)
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
WI_CHROMIUM=$(command -v chromium)
export WI_CHROMIUM
"$NODE" tests/browser/screenshots.mjs "$folder" "${reports[@]}"
"$NODE" tests/browser/speed.mjs "$folder/ruby.html" "$folder/esbuild.html"
ls "$folder"/*.png "$folder"/*.pdf
