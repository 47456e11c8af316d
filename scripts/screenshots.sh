#!/bin/bash
# Pictures of reports, as a browser shows them, to be looked at: in a window, on a phone, dark and on paper.
#
#   scripts/screenshots.sh [--before BUILD]   also pictures of the same profiles as BUILD/wasm-perf shows them, in
#                                             screenshots/before
#
#   ruby        many small functions of C            words       a C program with lines
#   esbuild     2.5 million stacks of Go             memory      what a C program allocates
#   stripped    SQLite without names                 deep        stacks of thousands of frames
#   duckdb      C++ in a program of JavaScript       rust, go    programs of these, where the compilers are there
#   several     two modules in one program           python      Python functions in CPython
#   server      threads that sleep                   difference  two builds of words compared
#   records     time in a program of C               counts      of Rust
#   places      of C++                               items       of Go
#
# They go to build/screenshots; at the end it prints what the first screen of each shows, and what large pages cost
# the browser. It fails if a name has too little contrast, if what the pointer or the keyboard is at is not outlined, or
# if a short heading or button has no title. It takes a build in build/, or in the folder that WI_BUILD names.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
# shellcheck disable=SC2086
need_debian clang lld $WASI_PACKAGES libc++-dev-wasm32 chromium
need_rust_target wasm32-wasip1
need_node
need_npm @ruby/3.4-wasm-wasi @ruby/wasm-wasi esbuild-wasm sql.js @duckdb/duckdb-wasm pyodide puppeteer-core

export WI_BUILD=${WI_BUILD:-$PWD/build} WASM_PERF_NODE=$NODE
PATH=$(dirname "$NODE"):$PATH # for esbuild, which starts a Node of its own
[ -x "$WI_BUILD/wasm-perf" ] || { echo "screenshots.sh: build first: cmake -B build && cmake --build build" >&2; exit 1; }
folder=$WI_BUILD/screenshots
mkdir -p "$folder"
before=
[ "${1:-}" != --before ] || before=${2:?screenshots.sh: --before needs a BUILD}

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
cp tests/packages/programs/duckdb.mjs tests/browser/programs/*.mjs "$folder"
# record NAME ARGUMENT...: a program that wasm-perf runs; its exit code may be its own
record() {
  rm -f "$folder/$1.wperf"
  "$WI_BUILD/wasm-perf" record -o "$folder/$1.wperf" "${@:2}" >/dev/null || [ -e "$folder/$1.wperf" ]
}
for name in duckdb several server; do
  record "$name" -- "$NODE" "$folder/$name.mjs"
done
record python --guest python -- "$NODE" "$folder/python.mjs"
reports=(ruby esbuild stripped duckdb several server words memory deep python)

# compile SOURCE LEVEL OUTPUT: without wasm-opt, which the driver of clang may start and which drops names
compile() {
  local driver=clang
  [[ $1 != *.cpp ]] || driver="clang++ -fno-exceptions"
  $driver --target=wasm32-wasi -g "-O$2" -c "$1" -o "$folder/$3.o"
  $driver --target=wasm32-wasi "$folder/$3.o" -o "$folder/$3.wasm"
}
compile_rust() { # SOURCE OUTPUT [OPTION...]
  rustc --edition=2021 -O --target wasm32-wasip1 "${@:3}" "$1" -o "$folder/$2.wasm" 2>/dev/null
}
compile_go() { GOOS=wasip1 GOARCH=wasm go build -o "$folder/$2.wasm" "$1" 2>/dev/null; }
for level in 0 2; do
  compile tests/bench/programs/words.c $level words$level
  record words$level --lines --memory --clock instructions "$folder/words$level.wasm"
done
cp "$folder/words2.wperf" "$folder/words.wperf"
cp "$folder/words2.wasm" "$folder/words.wasm"
compile tests/bench/programs/allocates.c 1 memory
record memory --memory --clock none "$folder/memory.wasm"
compile tests/browser/programs/deep.c 1 deep
record deep --clock instructions "$folder/deep.wasm"
compile tests/browser/programs/records.c 2 records
compile tests/browser/programs/places.cpp 2 places
timed=(records places)
if compile_rust tests/real/programs/tables.rs rust -Cstrip=debuginfo; then
  record rust --clock instructions "$folder/rust.wasm"
  compile_rust tests/browser/programs/counts.rs counts -g
  reports+=(rust)
  timed+=(counts)
else
  echo "no Rust for wasm32-wasip1: no pictures of programs of Rust" >&2
fi
if compile_go tests/real/programs/routines.go go; then
  record go --clock instructions "$folder/go.wasm"
  compile_go tests/browser/programs/items.go items
  reports+=(go)
  timed+=(items)
else
  echo "no Go for wasip1: no pictures of programs of Go" >&2
fi
for name in "${timed[@]}"; do
  record "$name" "$folder/$name.wasm"
done
reports+=("${timed[@]}")

# show BUILD FOLDER: the reports that BUILD makes of the profiles, and their pictures
show() {
  local name format
  mkdir -p "$2"
  for format in svg html; do
    for name in "${reports[@]}"; do
      "$1/wasm-perf" report "$folder/$name.wperf" -o "$2/$name.$format"
    done
    "$1/wasm-perf" diff "$folder/words0.wperf" "$folder/words2.wperf" -o "$2/difference.$format"
  done
  "$NODE" tests/browser/screenshots.mjs "$2" "${reports[@]}" difference
}
WI_CHROMIUM=$(command -v chromium)
export WI_CHROMIUM
[ -z "$before" ] || show "$before" "$folder/before"
show "$WI_BUILD" "$folder"
reports+=(difference)
pages=("${reports[@]/#/$folder/}")
status=0
"$NODE" tests/browser/first_screen.mjs "${pages[@]/%/.html}" || status=1
"$NODE" tests/browser/speed.mjs "$folder/ruby.html" "$folder/esbuild.html"
ls "$folder"/*.png "$folder"/*.pdf
exit $status
