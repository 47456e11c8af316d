#!/bin/bash
# Debug information of real modules before and after a rewrite: C, C++, Rust, Zig, Binaryen's tests and Ruby's
# debug build, in both forms of hooks, as llvm-symbolizer, binutils' addr2line and gimli's addr2line see
# every instruction; and what reports read there themselves, beside llvm-symbolizer. Prints two tables; fails
# where a place has changed, or ours is another one, and where a stripped Ruby has other names with --symbols.
#
#   scripts/debug.sh [--every N]    every Nth instruction of Ruby's, which has six millions (default 1000)
#
# It takes a build with tests in build/, or in the folder that WI_BUILD names. Rust's modules are left out
# where rustc has no target wasm32-wasip1, Binaryen's without a clone of WebAssembly/binaryen in
# ../shared/binaryen, or in the folder that WASM_BINARYEN names.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh

every=1000
[ "${1:-}" != --every ] || every=$2

# shellcheck disable=SC2086
need_debian $WASI_PACKAGES libc++-14-dev-wasm32 libc++abi-14-dev-wasm32 clang lld llvm binutils
need_node
ruby=$WI_NPM/node_modules/@ruby/3.4-wasm-wasi/dist
need_python ziglang=ziglang==0.17.1
need_npm @ruby/3.4-wasm-wasi @ruby/wasm-wasi
command -v cargo >/dev/null || need_debian cargo
export WI_BUILD=${WI_BUILD:-$PWD/build}
CARGO_TARGET_DIR=$WI_BUILD/gimli cargo build --quiet --release --locked \
  --manifest-path tests/debug/gimli/Cargo.toml
export WI_GIMLI=$WI_BUILD/gimli/release/debug-gimli

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
target=--target=wasm32-wasi
for version in 4 5; do
  # In two steps: clang that optimises and links runs the wasm-opt that it finds.
  clang $target -O2 -gdwarf-$version -c tests/bench/programs/words.c -o "$folder/c.o"
  clang $target "$folder/c.o" -o "$folder/c-$version.wasm"
  clang++ $target -O2 -std=c++17 -fno-exceptions -gdwarf-$version -c tests/real/programs/shapes.cc \
    -o "$folder/c++.o"
  clang++ $target "$folder/c++.o" -o "$folder/c++-$version.wasm"
done
modules=("C, DWARF 4=$folder/c-4.wasm" "C, DWARF 5=$folder/c-5.wasm" \
  "C++, DWARF 4=$folder/c++-4.wasm" "C++, DWARF 5=$folder/c++-5.wasm")
if rustup target list --installed 2>/dev/null | grep -q wasm32-wasip1; then
  for version in 4 5; do
    rustc --target wasm32-wasip1 -O -g -C dwarf-version=$version tests/bench/programs/shapes.rs \
      -o "$folder/rust-$version.wasm" 2>/dev/null || rustc --target wasm32-wasip1 -O -g -Z dwarf-version=$version \
      tests/bench/programs/shapes.rs -o "$folder/rust-$version.wasm"
    modules+=("Rust, DWARF $version=$folder/rust-$version.wasm")
  done
else
  echo "without Rust's: rustc has no target wasm32-wasip1"
fi
export ZIG_GLOBAL_CACHE_DIR=$folder/zig ZIG_LOCAL_CACHE_DIR=$folder/zig
for mode in Debug ReleaseSafe; do
  python3 -m ziglang build-exe tests/debug/programs/nearest.zig -target wasm32-wasi -O$mode -fno-strip \
    -femit-bin="$folder/zig-$mode.wasm"
  modules+=("Zig, $mode=$folder/zig-$mode.wasm")
done
"$NODE" tests/debug/own_reader.mjs "${modules[@]}"
echo
binaryen=${WASM_BINARYEN:-../shared/binaryen}/test
if [ -d "$binaryen" ]; then
  for module in "$binaryen"/{passes,lit/binary,unit/input/dwarf}/*.wasm; do
    case $module in *dwarf*) modules+=("Binaryen's tests=$module") ;; esac
  done
else
  echo "without Binaryen's: there is no $binaryen"
fi
"$NODE" tests/debug/table.mjs "${modules[@]}" \
  --every "$every" "Ruby, DWARF 4=$ruby/ruby.debug+stdlib.wasm"
echo
"$NODE" tests/debug/twin.mjs "$ruby"/{ruby,ruby.debug}+stdlib.wasm
